"""Impacts within a step, against closed forms of the laws and against SciPy."""

import math

import pytest
from free_impact import impact
from hypothesis import given, settings
from hypothesis import strategies as st

import chrono_powercontact as pc
from chrono_powercontact.chrono.implicit.impacts.short_impacts import Impact, exit_target, free_impact, impact_speed
from chrono_powercontact.laws.impact import breaks_through, breakthrough_speed, exit_velocity, restitution
from chrono_powercontact.laws.normal.normal_table import normal_record
from chrono_powercontact.laws.normal.user_normal import normal_law

WALL = pc.Barrier(s_0=0.0, s_c=-1e-4, r_f=500.0, r_d=0.5, thickness=2e-3, s_c_back=-1.9e-3)
FEW = settings(max_examples=40)


@normal_law
def cubic(s, v, p):
    d = max(p.s_0 - s, 0.0)
    return p.k * d**3 * max(1.0 - p.c * v, 0.0)


def flown(law, mass, speed, fall=0.0, gap=0.0, h=1.0):
    """A free impact from the reach of a law; one that begins at s_0 is entered in stretches of 0.1 mm."""
    outside = law.s_0 + law.reach
    return free_impact(normal_record(law), Impact(outside, outside, speed, mass, fall, law.reach or 1e-4, gap, h))


@given(
    st.floats(0.0, 5.0), st.floats(0.05, 2.0), st.floats(0.01, 1.0), st.floats(500.0, 1e4), st.floats(1e-4, 3e-3)
)  # fmt: skip
@FEW
def test_a_restriction_gives_its_closed_restitution(r_d, speed, mass, r_f, width):
    found = flown(pc.Restriction(0.01, 0.01 - width, r_f, r_d), mass, speed)
    assert found.ended
    assert found.speed == pytest.approx(float(restitution(r_d, speed)) * speed, rel=2e-4)


@given(st.floats(0.2, 1.8), st.floats(0.05, 2.0))
@FEW
def test_a_wall_breaks_where_the_closed_form_says_and_lets_go_at_its_speed(relative, mass):
    speed = relative * breakthrough_speed(WALL, mass)
    if abs(relative - 1.0) < 0.01:
        return
    found = flown(WALL, mass, speed)
    assert found.ended
    assert (found.speed < 0.0) == breaks_through(WALL, mass, speed)
    assert found.speed == pytest.approx(exit_velocity(WALL, mass, speed), rel=2e-3)


@given(st.floats(0.05, 2.0), st.floats(0.01, 1.0), st.floats(1e4, 1e7))
@FEW
def test_a_spring_gives_all_back_after_half_a_period(speed, mass, k):
    found = flown(pc.Hooke(0.0, k), mass, speed)
    assert found.ended
    assert found.speed == pytest.approx(speed, rel=1e-3)
    assert found.duration == pytest.approx(math.pi * math.sqrt(mass / k), rel=3e-2)


@pytest.mark.parametrize("ratio", [0.05, 0.2, 0.5])
def test_a_damped_spring_gives_the_exit_speed_of_the_damped_oscillation(ratio):
    mass, k, speed = 0.3, 1e5, 0.7
    omega = math.sqrt(k / mass)
    found = flown(pc.Hooke(0.0, k, 2.0 * ratio * mass * omega), mass, speed)
    period = math.pi / math.sqrt(1.0 - ratio**2)
    assert found.speed == pytest.approx(speed * math.exp(-ratio * period), rel=1e-3)


@pytest.mark.parametrize("law", [cubic(s_0=0.0, k=1e9, c=0.3), pc.Hertz(0.0, 1e6, 0.5)], ids=["user", "hertz"])
@pytest.mark.parametrize("speed", [0.1, 1.0])
def test_other_laws_give_what_a_fine_integration_gives(law, speed):
    reference = impact(law, 0.2, speed)
    found = flown(law, 0.2, speed)
    assert found.ended
    assert found.speed == pytest.approx(reference.y[1, -1], rel=1e-3)


def test_a_plastic_law_does_not_end_or_leaves_slowly():
    found = flown(pc.Restriction(0.0, -1e-4, 500.0, 1e4), 1.0, 1.0)
    assert not found.ended or found.speed < 1e-3


@given(st.floats(0.01, 3.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(1e-4, 2e-2))
def test_a_bounce_keeps_the_measure_that_flight_conserves(approach, way, e, h):
    """v^2/2 + g z, with the half-step term of the scheme: an elastic bounce is as high as the fall, others by e^2."""
    fall = -9.81
    apart = way * h * approach
    speed = impact_speed(-approach, apart, fall, h)
    target = exit_target(e * speed, -approach, apart, fall, h)
    measure = 0.5 * target**2 - 0.5 * fall * h * target - fall * apart
    exact = 0.5 * (e * speed) ** 2
    unlimited = 0.5 * fall * h + math.sqrt(max(0.25 * (fall * h) ** 2 + 2.0 * fall * apart + (e * speed) ** 2, 0.0))
    if target == pytest.approx(unlimited) and unlimited > 0.5 * fall * h:
        assert measure == pytest.approx(exact, abs=1e-12)
    assert measure <= exact + 1e-12 or unlimited <= 0.5 * fall * h


@given(st.floats(0.0, 3.0), st.floats(0.0, 0.01), st.floats(0.0, 3.0), st.floats(1e-4, 2e-2), st.floats(-50.0, 0.0))
def test_the_energy_at_the_end_of_the_step_is_at_most_that_before(approach, apart, leaves, h, fall):
    """Kinetic energy less the work of the free acceleration over the way of the step."""
    target = exit_target(leaves, -approach, apart, fall, h)
    assert 0.5 * target**2 - fall * h * target <= 0.5 * approach**2 + 1e-12


def test_without_other_forces_the_exit_speed_is_reached():
    assert exit_target(0.4, -0.7, 1e-3, 0.0, 5e-3) == pytest.approx(0.4)
    assert impact_speed(-0.7, 1e-3, 0.0, 5e-3) == pytest.approx(0.7)


@given(st.floats(0.2, 2.0), st.floats(0.01, 1.0), st.floats(-20.0, 0.0))
@FEW
def test_an_elastic_impact_that_others_press_leaves_as_fast_as_it_came(speed, mass, fall):
    """The force of others is a potential: at the same distance the speed is the same."""
    found = flown(pc.Restriction(0.0, -1e-4, 5e3, 0.0), mass, speed, fall)
    assert found.ended
    assert found.speed == pytest.approx(speed, rel=2e-4)


def test_a_step_that_ends_inside_a_breaking_wall_gets_the_speed_there():
    """The speed v at the end of the step is the one at the place that the step reaches with it, gap + h v."""
    mass = 0.05
    speed = 2.0 * breakthrough_speed(WALL, mass)
    gap, h = 1e-3, 1.5e-3 / speed
    found = flown(WALL, mass, speed, gap=gap, h=h)
    assert -speed < found.passing < exit_velocity(WALL, mass, speed)
    assert -2e-3 < gap + h * found.passing < 0.0


def test_an_impact_ends_behind_a_wall_that_broke_and_before_one_that_held():
    mass = 0.05
    limit = breakthrough_speed(WALL, mass)
    assert flown(WALL, mass, 1.5 * limit).place < -WALL.thickness
    assert flown(WALL, mass, 0.5 * limit).place >= 0.0
