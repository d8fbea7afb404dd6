"""The step of one island: velocities and forces belong together, with links and without."""

import numpy as np
import pytest
from ball_islands import ball_problem, given_velocities, pile
from hypothesis import given, settings
from hypothesis import strategies as st

import chrono_powercontact as pc
from chrono_powercontact.chrono.implicit.island_step import OUTCOME, clear_forces, leave_forces, solve_linked

MATERIAL = pc.Material(
    pc.Restriction(0.0, -1e-3, 500.0, 1.0), pc.Friction(0.4, 0.5, 1e-3, 2e-3, 0.1, 1e-6), pc.Anchor(1e-4)
)


def solved(seed, count, joined):
    """The problem of a pile of balls after its step, and the velocities at its end."""
    rng = np.random.default_rng(seed)
    problem, free = ball_problem(
        MATERIAL, pile(rng, count), rng.normal(scale=0.1, size=(count, 6)), 1e-3, joined=joined
    )
    told = np.zeros(1, OUTCOME)
    ahead = problem.bodies.w.copy()
    nothing = np.zeros(free.size)
    solve_linked(problem, nothing, nothing, ahead, free.copy(), told[0])
    assert not nothing.any()
    return problem, ahead, told[0]


@given(st.integers(0, 2**31), st.integers(2, 5), st.booleans())
@settings(max_examples=25)
def test_velocities_are_those_that_the_forces_give(seed, count, are_joined):
    problem, ahead, told = solved(seed, count, [(1, 2)] if are_joined else [])
    moving = problem.island.bodies
    own = np.concatenate([np.arange(6 * body, 6 * body + 6) for body in moving])
    scale = 1e-300 + np.abs(ahead[own]).max()
    assert told["residual"] < 1e-6
    np.testing.assert_allclose(ahead[own], given_velocities(problem)[own], atol=1e-6 * scale)


def test_links_hold_at_the_end_of_the_step():
    problem, ahead, _ = solved(3, 4, [(1, 2), (3, 4)])
    assert np.abs(problem.links.jacobian @ ahead).max() < 1e-9
    assert np.abs(problem.links.impulse).max() > 0.0


def test_forces_are_cleared_where_they_were_left():
    problem, _, _ = solved(1, 3, [])
    q = np.zeros(problem.bodies.w.size)
    leave_forces(problem, q)
    assert q[8] == pytest.approx(sum(problem.blocks["force"][i, 2] * s for i, s in signs(problem, 1)))
    clear_forces(problem.island, problem.blocks, q)
    assert not q.any()


def signs(problem, body):
    """Blocks of a body, and with which sign it has their force."""
    for i, block in enumerate(problem.blocks):
        if body in (block["a"], block["b"]):
            yield i, 1.0 if block["a"] == body else -1.0
