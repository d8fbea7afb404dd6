"""Sweeps: velocities always follow from the impulses, and where nothing changes any more the laws hold."""

import numpy as np
import pytest
from ball_islands import ball_problem, given_velocities, pile
from hypothesis import given, settings
from hypothesis import strategies as st

import chrono_powercontact as pc
from chrono_powercontact.chrono.implicit.blocks import twist_of
from chrono_powercontact.chrono.implicit.local_forces import AT_ONCE, contact_wrench
from chrono_powercontact.chrono.implicit.solvers.contact_sweeps import (
    IMPULSE,
    begin_sweeps,
    end_sweeps,
    motion_of,
    put_motion,
    sweep,
)

FRICTION = pc.Friction(0.4, 0.5, 1e-3, 2e-3, 0.1, 1e-6)
LAW = pc.Restriction(0.0, -1e-3, 500.0, 1.0)
MATERIALS = {
    "smooth": pc.Material(LAW),
    "plain": pc.Material(LAW, FRICTION),
    "anchored": pc.Material(LAW, FRICTION, pc.Anchor(1e-4)),
    "rolling": pc.Material(
        LAW, FRICTION, pc.Anchor(1e-4), rolling=pc.SpinFriction(1e-3), spinning=pc.SpinFriction(1e-3)
    ),
    "hertz": pc.Material(pc.Hertz(0.0, 1e7, 0.5), FRICTION),
}


def swept(problem, free, count, follow=True):
    """Velocities and changes after some sweeps; the blocks hold the forces."""
    motion = motion_of(problem, free)
    sweeps = begin_sweeps(problem, motion)
    changes = [sweep(problem.laws, motion, sweeps, i % 2 == 1, follow) for i in range(count)]
    end_sweeps(problem, sweeps)
    w = free.copy()
    put_motion(problem, motion, w)
    return w, changes


@given(
    st.sampled_from(sorted(MATERIALS)), st.integers(0, 2**31), st.integers(1, 5), st.sampled_from([1e-4, 2e-3, 1e-2])
)
@settings(max_examples=40)
def test_velocities_follow_from_the_impulses_after_any_sweep(name, seed, sweeps, h):
    rng = np.random.default_rng(seed)
    problem, free = ball_problem(MATERIALS[name], pile(rng, 3), 0.3 * rng.normal(size=(3, 6)), h)
    w, _ = swept(problem, free, sweeps)
    assert w == pytest.approx(given_velocities(problem), abs=1e-12)


@given(st.sampled_from(sorted(MATERIALS)), st.integers(0, 2**31), st.sampled_from([2e-3, 1e-2]))
@settings(max_examples=40)
def test_where_nothing_changes_the_laws_hold(name, seed, h):
    """The force of each contact is that of its laws at the velocity that all forces lead to."""
    rng = np.random.default_rng(seed)
    problem, free = ball_problem(MATERIALS[name], pile(rng, 3), 0.05 * rng.normal(size=(3, 6)), h)
    w, changes = swept(problem, free, 3000)
    assert changes[-1] < 1e-16
    for block in problem.blocks[problem.island.blocks]:
        wrench = contact_wrench(problem.laws, block, 0.0, twist_of(block, problem.bodies.r, w), AT_ONCE)
        assert block["force"] == pytest.approx(np.array(wrench.force), abs=1e-4)
        assert block["moment"] == pytest.approx(np.array(wrench.moment), abs=1e-6)


def test_a_filter_converges_once_its_opening_is_held():
    material = pc.Material(LAW, FRICTION, pc.LPVFilter(1e-3, 1e-3))
    rng = np.random.default_rng(5)
    problem, free = ball_problem(material, pile(rng, 4), 0.05 * rng.normal(size=(4, 6)), 2e-3)
    motion = motion_of(problem, free)
    sweeps = begin_sweeps(problem, motion)
    changes = [sweep(problem.laws, motion, sweeps, False, i < 4) for i in range(400)]
    assert changes[-1] < 1e-12 * changes[0]


def test_an_impact_gets_its_exit_speed():
    problem, free = ball_problem(MATERIALS["smooth"], [(0.0, 0.0, 0.1)], [(0, 0, -1.0, 0, 0, 0)], 2e-3)
    problem.blocks["target"] = 0.7
    w, _ = swept(problem, free, 1)
    assert w[8] == pytest.approx(0.7, abs=1e-12)


def test_sweeps_begin_with_the_forces_of_the_last_step():
    problem, free = ball_problem(MATERIALS["smooth"], [(0.0, 0.0, 0.1 - 1e-4)], np.zeros((1, 6)), 2e-3)
    problem.blocks["force"] = (0.0, 0.0, 9.81)
    motion = motion_of(problem, free)
    sweeps = begin_sweeps(problem, motion)
    assert sweeps.impulses.view(IMPULSE)["push"] == pytest.approx([2e-3 * 9.81])
    assert motion.u == pytest.approx(np.zeros(6), abs=1e-15)
