"""The closed forms of two balls on cloth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.scenarios.solids.pool_shots import (
    ROUND,
    Shot,
    impact,
    line_of_centres,
    rolling_velocity,
    spin_of,
    time_to_roll,
)

RADIUS = 0.02857
shots = st.builds(Shot, st.floats(0.0, 1.4), st.floats(-2.0, 2.0), st.floats(0.0, 1.0))


def energy(velocities, spins):
    """Kinetic energy over the mass of a ball in J/kg."""
    return 0.5 * sum(v @ v for v in velocities) + 0.5 * ROUND * RADIUS**2 * sum(w @ w for w in spins)


def test_a_ball_that_rolls_follows_at_two_sevenths_and_one_with_backspin_comes_back_as_fast():
    for topspin, sign in ((1.0, 1.0), (-1.0, -1.0)):
        struck = impact(Shot(0.0, topspin, 0.0), 3.0, RADIUS, 1.0)
        assert struck.velocities[0] == pytest.approx(np.zeros(3), abs=1e-15)
        cue, other = (rolling_velocity(v, w, RADIUS) for v, w in zip(*struck, strict=True))
        assert cue == pytest.approx([sign * 6.0 / 7.0, 0.0, 0.0])
        assert other == pytest.approx([15.0 / 7.0, 0.0, 0.0])


def test_a_rolling_ball_leaves_a_half_ball_cut_at_the_thirty_degrees_of_players():
    """tan = sin(a) cos(a) / (sin(a)^2 + 2/5), of which players know that it is near 30 degrees around half a ball."""
    angle = np.radians(30.0)
    struck = impact(Shot(angle, 1.0, 0.0), 1.0, RADIUS, 1.0)
    cue = rolling_velocity(struck.velocities[0], struck.spins[0], RADIUS)
    expected = np.sin(angle) * np.cos(angle) / (np.sin(angle) ** 2 + 0.4)
    assert -cue[1] / cue[0] == pytest.approx(expected)
    assert np.degrees(np.arctan(expected)) == pytest.approx(33.7, abs=0.1)


def test_throw_is_the_friction_coefficient_and_at_thin_slip_a_seventh_of_it():
    sliding = impact(Shot(np.radians(45.0), 0.0, 0.06), 1.0, RADIUS, 1.0).velocities[1]
    line = line_of_centres(Shot(np.radians(45.0), 0.0, 0.06))
    across = np.array([-line[1], line[0], 0.0])
    assert -(sliding @ across) / (sliding @ line) == pytest.approx(0.06)
    sticking = impact(Shot(0.01, 0.0, 0.5), 1.0, RADIUS, 1.0).velocities[1]
    line = line_of_centres(Shot(0.01, 0.0, 0.5))
    across = np.array([-line[1], line[0], 0.0])
    assert -(sticking @ across) == pytest.approx(np.sin(0.01) / 7.0)


@given(shots, st.floats(0.1, 10.0), st.floats(0.0, 1.0))
def test_an_impact_keeps_momentum_and_gains_no_energy(shot, speed, restitution):
    struck = impact(shot, speed, RADIUS, restitution)
    assert sum(struck.velocities) == pytest.approx([speed, 0.0, 0.0], abs=1e-12 * speed)
    before = energy([np.array([speed, 0.0, 0.0])], [spin_of(shot, speed, RADIUS)])
    assert energy(*struck) <= before * (1.0 + 1e-12)


@given(shots, st.floats(0.1, 10.0))
def test_a_rolling_ball_does_not_slide_and_keeps_its_moment_about_the_cloth(shot, speed):
    spin = spin_of(shot, speed, RADIUS)
    velocity = speed * line_of_centres(shot)
    rolling = rolling_velocity(velocity, spin, RADIUS)
    end = np.cross([0.0, 0.0, 1.0], rolling) / RADIUS
    assert rolling_velocity(rolling, end, RADIUS) == pytest.approx(rolling)
    moments = [np.cross([0.0, 0.0, RADIUS], v) + ROUND * RADIUS**2 * w for v, w in ((velocity, spin), (rolling, end))]
    assert moments[1] == pytest.approx(moments[0], abs=1e-12)


def test_a_ball_without_spin_rolls_after_two_sevenths_of_the_time_in_which_it_would_stop():
    assert time_to_roll(np.array([7.0, 0.0, 0.0]), np.zeros(3), RADIUS, 2.0) == pytest.approx(1.0)
