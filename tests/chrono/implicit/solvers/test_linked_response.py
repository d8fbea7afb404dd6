"""What impulses at contacts do to islands with links, and sweeps over their contacts, against NumPy."""

import numpy as np
import pytest
from ball_islands import ball_problem, given_velocities, pile
from hypothesis import given, settings
from hypothesis import strategies as st
from random_islands import lever, random_problem

import chrono_powercontact as pc
from chrono_powercontact.chrono.implicit.blocks import CONTACT, twist_of
from chrono_powercontact.chrono.implicit.local_forces import AT_ONCE, contact_wrench
from chrono_powercontact.chrono.implicit.solvers.contact_sweeps import (
    begin_sweeps,
    end_sweeps,
    motion_of,
    put_motion,
    sweep,
)
from chrono_powercontact.chrono.implicit.solvers.large_island import MOST_LINKED, can_be_swept
from chrono_powercontact.chrono.implicit.solvers.linked_response import responses_of, spread

MATERIAL = pc.Material(
    pc.Restriction(0.0, -1e-3, 500.0, 1.0), pc.Friction(0.4, 0.5, 1e-3, 2e-3, 0.1, 1e-6), pc.Anchor(1e-4),
    rolling=pc.SpinFriction(1e-3), spinning=pc.SpinFriction(1e-3),
)  # fmt: skip
"""Friction and rolling friction, so that contacts have moments of their own."""


@given(st.integers(0, 2**31), st.integers(2, 6), st.integers(0, 2))
@settings(max_examples=25)
def test_responses_are_columns_of_the_inverse(seed, count, springs):
    problem, matrix = random_problem(seed, count, count + 1, stiff=0.0, springs=springs)
    problem.blocks["kind"] = CONTACT
    inverse = np.linalg.inv(matrix)
    size = 6 * count
    kept = np.concatenate([np.arange(6 * body, 6 * body + 6) for body in problem.island.bodies])
    wanted = []
    for block in problem.blocks[problem.island.blocks]:
        for direction in lever(problem, block)[: 6 if block["turns"] else 3]:
            local = inverse[:size, :size] @ direction[kept]
            wanted.append(in_world(problem, local))
    assert responses_of(problem) == pytest.approx(np.array(wanted), abs=1e-9 * np.abs(wanted).max())


def in_world(problem, motion):
    """A motion of an island with its angular velocities in world components."""
    turned = motion.copy()
    for n, body in enumerate(problem.island.bodies):
        turned[6 * n + 3 : 6 * n + 6] = problem.bodies.r[body] @ motion[6 * n + 3 : 6 * n + 6]
    return turned


def test_without_links_there_are_none():
    problem, _ = ball_problem(MATERIAL, pile(np.random.default_rng(0), 3), np.zeros((3, 6)), 2e-3)
    assert responses_of(problem).size == 0


def test_impulses_add_up():
    reached = np.arange(24.0).reshape(4, 6)
    u = np.ones(6)
    spread(reached, 1, (1.0, -2.0, 0.5), u)
    assert u == pytest.approx(1.0 + reached[1] - 2.0 * reached[2] + 0.5 * reached[3])


def swept(problem, free, count):
    """Velocities and changes after some sweeps; the blocks hold the forces."""
    motion = motion_of(problem, free)
    sweeps = begin_sweeps(problem, motion)
    changes = [sweep(problem.laws, motion, sweeps, i % 2 == 1, True) for i in range(count)]
    end_sweeps(problem, sweeps)
    w = free.copy()
    put_motion(problem, motion, w)
    return w, changes


def chain(seed, h, speed):
    """Balls in a pile, each joined with the next but one: a joint at a contact would leave it nothing to do."""
    rng = np.random.default_rng(seed)
    joined = [(1, 3), (2, 4)]
    return ball_problem(MATERIAL, pile(rng, 4), speed * rng.normal(size=(4, 6)), h, joined=joined)


@given(st.integers(0, 2**31), st.integers(1, 5), st.sampled_from([1e-4, 2e-3, 1e-2]))
@settings(max_examples=25)
def test_velocities_of_linked_bodies_follow_from_the_impulses_after_any_sweep(seed, sweeps, h):
    problem, free = chain(seed, h, 0.3)
    w, _ = swept(problem, free, sweeps)
    assert w == pytest.approx(given_velocities(problem), abs=1e-10)
    assert problem.links.jacobian @ w == pytest.approx(0.0, abs=1e-10)


@given(st.integers(0, 2**31), st.sampled_from([2e-3, 1e-2]))
@settings(max_examples=25)
def test_where_nothing_changes_the_laws_hold_between_linked_bodies(seed, h):
    problem, free = chain(seed, h, 0.05)
    w, changes = swept(problem, free, 3000)
    assert changes[-1] < 1e-16
    for block in problem.blocks[problem.island.blocks]:
        wrench = contact_wrench(problem.laws, block, 0.0, twist_of(block, problem.bodies.r, w), AT_ONCE)
        assert block["force"] == pytest.approx(np.array(wrench.force), abs=1e-4)
        assert block["moment"] == pytest.approx(np.array(wrench.moment), abs=1e-6)


def test_islands_with_links_and_very_many_contacts_are_not_swept():
    assert can_be_swept(chain(0, 1e-3, 0.1)[0])
    problem, _ = random_problem(1, 3, 3, many=MOST_LINKED + 1)
    problem.blocks["kind"] = CONTACT
    assert not can_be_swept(problem)
