"""Islands that did not converge: whatever forces a failed solve leaves, the rescue throws nothing."""

import numpy as np
import pytest
from ball_islands import GRAVITY, ball_problem, given_velocities, pile
from hypothesis import given, settings
from hypothesis import strategies as st
from sealed_calls import callable_from_python

import chrono_powercontact as pc
from chrono_powercontact.chrono.implicit.rescue import rescue, stored_in
from chrono_powercontact.chrono.implicit.solvers.island_newton import solve_island

FRICTION = pc.Friction(0.4, 0.4, 1e-3, 2e-3, 0.1, 1e-6)
ANCHORED = pc.Material(pc.Restriction(0.0, -1e-3, 500.0, 1.0), FRICTION, pc.Anchor(1e-4))
STEP = 2e-3

rescued = callable_from_python(rescue)
solved = callable_from_python(solve_island)


def failed(seed, count, strength):
    """A problem with senseless forces on the blocks of its island."""
    rng = np.random.default_rng(seed)
    problem, free = ball_problem(ANCHORED, pile(rng, count), 0.1 * rng.normal(size=(count, 6)), STEP)
    problem.blocks["force"] = 0.0
    own = problem.island.blocks
    problem.blocks["force"][own] = strength * rng.normal(size=(own.size, 3))
    return problem, free


def island_velocities(problem):
    """Velocities of the bodies of the island by the forces of its blocks."""
    return given_velocities(problem).reshape(-1, 6)[problem.island.bodies]


def gained(problem):
    """Energy in J that the step adds to the bodies of the island: kinetic, and by their height."""
    bodies = problem.bodies
    total = 0.0
    for body, after in zip(problem.island.bodies, island_velocities(problem), strict=True):
        before = bodies.w[6 * body : 6 * body + 6]
        matrix = np.diag([bodies.mass[body]] * 3 + list(np.diag(bodies.inertia[body])))
        total += 0.5 * after @ matrix @ after - 0.5 * before @ matrix @ before
        total += STEP * bodies.mass[body] * GRAVITY * after[2]
    return total


@given(st.integers(0, 2**31), st.integers(1, 5), st.sampled_from([1.0, 1e3, 1e8]))
@settings(max_examples=25)
def test_bodies_gain_no_more_than_the_contacts_stored(seed, count, strength):
    problem, free = failed(seed, count, strength)
    stored = stored_in(problem)
    w = free.copy()
    rescued(problem, w, free, 1.0)
    assert gained(problem) <= stored + 1e-12
    assert island_velocities(problem) == pytest.approx(w.reshape(-1, 6)[problem.island.bodies], abs=1e-9)


@given(st.integers(0, 2**31), st.integers(1, 4))
@settings(max_examples=25)
def test_where_sweeps_converge_it_finds_the_solution(seed, count):
    problem, free = failed(seed, count, 1e6)
    w = free.copy()
    missing = rescued(problem, w, free, 1.0)
    again, _ = failed(seed, count, 0.0)
    exact = free.copy()
    solved(again, exact, free)
    assert missing < 1e-6
    assert island_velocities(problem) == pytest.approx(island_velocities(again), abs=1e-4)
