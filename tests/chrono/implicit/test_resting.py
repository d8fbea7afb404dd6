"""Islands at rest: their forces stay as they are, bit by bit, and only there."""

import numpy as np
import pytest
from ball_islands import GRAVITY, ball_problem, given_velocities
from hypothesis import given, settings
from hypothesis import strategies as st
from long_steps import box_on_slope
from scene import run

import chrono_powercontact as pc
from chrono_powercontact.chrono.implicit.islands import islands_of
from chrono_powercontact.chrono.implicit.resting import FITS, fitting_islands, may_bounce

LAW = pc.Restriction(0.0, -1e-4, 500.0, 1.0)
REST = 0.1 + LAW.rest_distance(GRAVITY)


def fitting(problem, free):
    """Relative residuals of the islands, and the forces that hold them."""
    groups = islands_of(problem.bodies.mass, problem.blocks, problem.links.bodies, problem.links.springs)
    held = np.zeros(free.size)
    found, resting = fitting_islands(problem.bodies, problem.laws, problem.blocks, groups, free, held)
    assert resting > 0 or not held.any()
    return found, held


def ball(height=REST, speed=0.0, force=GRAVITY, h=2e-3):
    problem, free = ball_problem(pc.Material(LAW), [(0.0, 0.0, height)], [(0, 0, speed, 0, 0, 0)], h)
    problem.blocks["force"] = (0.0, 0.0, force)
    return problem, free


@given(st.floats(1e-4, 2e-2))
def test_a_ball_at_rest_keeps_its_force_and_stops_dead(h):
    problem, free = ball(h=h)
    found, held = fitting(problem, free)
    assert found[0] < FITS
    assert problem.blocks["force"].tolist() == [[0.0, 0.0, GRAVITY]]
    assert problem.blocks["elastic"] == pytest.approx([GRAVITY])
    left = given_velocities(problem)[6:] + h * held[6:]
    assert np.abs(left).max() < 1e-17


@given(st.floats(1e-6, 1e-2), st.booleans())
@settings(max_examples=30)
def test_a_force_that_no_longer_fits_is_solved_for(wrong, more):
    problem, free = ball(force=GRAVITY * (1.0 + (wrong if more else -wrong)))
    found, held = fitting(problem, free)
    assert found[0] == np.inf
    assert not held.any()


def test_a_motion_above_the_tolerance_goes_on():
    """A ball that slides without friction keeps its speed though its force fits."""
    problem, free = ball()
    problem.bodies.w[6] = free[6] = 1e-6
    found, held = fitting(problem, free)
    assert found[0] < FITS
    assert not held.any()


def test_a_ball_that_comes_fast_may_bounce_and_is_solved_for():
    problem, free = ball(height=0.1 + 1e-4, speed=-1.0, force=0.0)
    assert may_bounce(problem.bodies, problem.laws, problem.blocks[0], free)
    assert fitting(problem, free)[0][0] == np.inf
    problem, free = ball()
    assert not may_bounce(problem.bodies, problem.laws, problem.blocks[0], free)


@pytest.mark.chrono
@pytest.mark.parametrize("step", [1e-3, 5e-3, 2e-2])
def test_a_box_on_a_slope_stays_where_it_is(step):
    system, box, contacts = box_on_slope(20.0)
    run(system, 3.0, step)
    there = box.GetPos().x
    run(system, 4.0, step)
    assert abs(box.GetPos().x - there) < 1e-16
    assert contacts.solver().iterations == 0


def test_two_contacts_that_hold_a_ball_between_them_do_not_keep_it_from_rest():
    """Whichever way round-off moves it, it approaches one of them: that is no impact."""
    problem, free = ball(speed=-1e-15)
    problem.bodies.w[8] = free[8] = -1e-15
    assert not may_bounce(problem.bodies, problem.laws, problem.blocks[0], free)
    problem.bodies.w[8] = free[8] = -1e-6
    assert may_bounce(problem.bodies, problem.laws, problem.blocks[0], free)
