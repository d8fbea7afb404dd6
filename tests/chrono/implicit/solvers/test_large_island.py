"""Large islands: sweeps that are accelerated come to the same forces as Newton's method, and heaps come to rest."""

import numpy as np
import pytest
from ball_islands import ball_problem, given_velocities, pile
from hypothesis import given, settings
from hypothesis import strategies as st
from scene import run
from sealed_calls import callable_from_python

import chrono_powercontact as pc
from chrono_powercontact.chrono.implicit.island import LARGE, scale_of
from chrono_powercontact.chrono.implicit.solvers.island_newton import solve_closely
from chrono_powercontact.chrono.implicit.solvers.large_island import has_contacts_only, solve_by_sweeps

by_sweeps = callable_from_python(solve_by_sweeps)
by_newton = callable_from_python(solve_closely)
FRICTION = pc.Friction(0.4, 0.5, 1e-3, 2e-3, 0.1, 1e-6)
ANCHORED = pc.Material(pc.Restriction(0.0, -1e-3, 500.0, 1.0), FRICTION, pc.Anchor(1e-4))


@given(st.integers(0, 2**31), st.integers(2, 5))
@settings(max_examples=25)
def test_sweeps_come_to_the_velocities_of_newtons_method(seed, count):
    found = []
    for solve in (
        lambda p, w, free: by_sweeps(p, w, free, 1e-22, 1e-22, 3000),
        lambda p, w, free: by_newton(p, w, free, scale_of(p.bodies, p.island)),
    ):
        rng = np.random.default_rng(seed)
        problem, free = ball_problem(ANCHORED, pile(rng, count), 0.02 * rng.normal(size=(count, 6)), 2e-3)
        w = free.copy()
        solve(problem, w, free)
        found.append(given_velocities(problem))
    assert found[0] == pytest.approx(found[1], abs=1e-7)


def test_directions_save_sweeps():
    """A column of 20 balls: the load goes through it in fewer sweeps than one by one."""
    material = pc.Material(pc.Restriction(0.0, -1e-4, 5000.0, 1.0))
    problem, free = ball_problem(material, pile(np.random.default_rng(1), 20), np.zeros((20, 6)), 2e-3)
    w = free.copy()
    count, changed = by_sweeps(problem, w, free, 1e-12, 1e-12, 400)
    assert changed < 1e-12
    assert count < 200
    assert has_contacts_only(problem)


def test_an_island_that_comes_to_rest_is_solved_better_and_better():
    problem, free = ball_problem(ANCHORED, pile(np.random.default_rng(2), 4), np.zeros((4, 6)), 2e-3)
    changes = []
    for _ in range(6):
        w = free.copy()
        changes.append(by_sweeps(problem, w, free, 1e-24, 1.0, 30)[1])
    assert changes[-1] < 1e-3 * changes[0]


@pytest.mark.chrono
@pytest.mark.parametrize(
    ("memory", "speed"), [(pc.Anchor(), 5e-3), (pc.LPVFilter(1e-3, 1e-3), 0.07)], ids=["anchored", "filtered"]
)
def test_a_heap_is_carried_by_its_box_and_comes_to_rest_on_anchors(memory, speed):
    """The walls carry a part of the weight by friction; on filters the balls creep on, and the load varies.

    Speeds are root mean squares over the balls: on filters a hundredth of the energy of a fall by the radius is
    allowed.
    """
    import pychrono as chrono
    from taken import colliding_system

    system, surface = colliding_system()
    chrono.CreateBoxContainer(system, surface, chrono.ChVector3d(0.4, 0.4, 2.0), 0.1)
    balls = []
    for i in range(60):
        ball = chrono.ChBodyEasySphere(0.05, 2000.0, False, True, surface)
        ball.SetPos(
            chrono.ChVector3d(0.11 * (i % 3 - 1) + 0.01 * (i % 7), 0.11 * (i // 3 % 3 - 1), 0.06 + 0.11 * (i // 9))
        )
        system.AddBody(ball)
        balls.append(ball)
    mass = balls[0].GetMass()
    law = pc.design_restriction(
        s_0=0.0, mass=mass, speed=1.0, restitution=0.3, penetration=1e-3, force_limit=3000.0 * mass
    )
    contacts = pc.attach(system, stepping="implicit")
    contacts.take_over(pc.Material(law, FRICTION, memory, rolling=pc.SpinFriction(5e-3)))
    highest = 0.0
    largest = 0
    for _ in range(12):
        run(system, system.GetChTime() + 0.25, 4e-3)
        highest = max(highest, *(ball.GetPos().z for ball in balls))
        largest = max(largest, contacts.solver().largest)
    assert largest > LARGE
    assert highest < 0.06 + 0.11 * 6
    assert min(ball.GetPos().z for ball in balls) > 0.045
    speeds = np.array([ball.GetPosDt().Length() for ball in balls])
    assert np.sqrt(np.mean(speeds**2)) < speed
    (box,) = (body for body in system.GetBodies() if body.IsFixed())
    carried = []
    for _ in range(100):
        system.DoStepDynamics(4e-3)
        carried.append(contacts.force_on(box).force[2])
    assert np.mean(carried) == pytest.approx(-60 * mass * 9.81, rel=0.05)
