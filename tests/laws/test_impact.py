import dataclasses
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.impact import (
    breaks_through,
    breakthrough_speed,
    deepest_distance,
    dissipation_for,
    exit_velocity,
    impact_measure,
    peak_force,
    restitution,
)
from chrono_powercontact.laws.normal.restriction import Barrier, Restriction

MODEST = settings(max_examples=50, deadline=None)
FEW = settings(max_examples=12, deadline=None)

BALL = Restriction(s_0=0.010, s_c=0.009, r_f=200.0, r_d=1.0)  # thesis, Table 3.1a
MASS = 0.05
WALL = Barrier(s_0=0.10, s_c=0.08, r_f=1e4, r_d=0.05, thickness=0.20, s_c_back=-0.05)  # thesis, Table 3.2

# restitution e_r by x = r_d |v|, five digits
BY_PRODUCT = [
    (0.01, 0.99338),
    (0.02, 0.98684),
    (0.05, 0.96775),
    (0.1, 0.93759),
    (0.2, 0.88292),
    (0.5, 0.75521),
    (1.0, 0.61962),
    (2.0, 0.47647),
    (5.0, 0.30800),
    (10.0, 0.20589),
    (20.0, 0.13065),
    (50.0, 0.06761),
]

# speed: peak force in N and least distance in mm for r_d = 0.1, 0.5, 1, 5, as integrated with 0.01 ms steps
BY_SPEED = {
    0.1: [(2.595, 9.8424), (2.531, 9.8449), (2.458, 9.8479), (2.096, 9.8675)],
    0.5: [(47.33, 9.5102), (44.19, 9.5250), (42.01, 9.5395), (44.40, 9.5802)],
    1.0: [(92.55, 9.2737), (96.70, 9.3224), (103.39, 9.3566), (133.84, 9.4009)],
    2.0: [(112.83, 8.6153), (153.83, 8.8516), (178.41, 8.9435), (197.94, 8.9980)],
    5.0: [(143.15, 4.7235), (197.50, 6.1351), (199.94, 6.3126), (200.00, 6.3725)],
}
GRID = [(r_d, v, *BY_SPEED[v][i]) for v in BY_SPEED for i, r_d in enumerate((0.1, 0.5, 1.0, 5.0))]


def fly(law, mass, speed, start, end):
    """Integrate a free body from the distance `start` towards the contact until it passes `start` or `end`."""

    def leave(_, y):
        return (y[0] - end) * (y[0] - start - 1e-9)

    leave.terminal = True
    leave.direction = 1.0
    return solve_ivp(
        lambda _, y: (y[1], float(law.force(y[0], y[1])) / mass),
        (0.0, 1e3),
        (start, -speed),
        method="DOP853",
        rtol=1e-10,
        atol=1e-13,
        events=(leave, lambda _, y: y[1]),
        dense_output=True,
    )


def impact(law, mass, speed):
    width = law.s_0 - law.s_c
    return fly(law, mass, speed, law.s_0 + 3.0 * width, law.s_0 - 1e6 * width)


@pytest.mark.parametrize(("x", "e"), BY_PRODUCT)
def test_restitution_table(x, e):
    assert restitution(x, 1.0) == pytest.approx(e, abs=5.1e-6)


@given(st.floats(1e-3, 100.0), st.floats(1e-3, 100.0), st.floats(1e-3, 1e3))
@MODEST
def test_restitution_depends_on_r_d_times_speed_only(r_d, speed, factor):
    assert restitution(r_d * factor, speed / factor) == pytest.approx(restitution(r_d, speed), rel=1e-9)


@given(st.floats(-9.0, 6.0).map(lambda power: 10.0**power))
@MODEST
def test_restitution_solves_the_energy_relation(x):
    with mpmath.workdps(40):

        def measure(y):
            return 2 * y**2 + 1 + mpmath.exp(2 * y) * (2 * y - 1)

        before = measure(-mpmath.mpf(x))
        e = float(restitution(1.0, x))
        after = mpmath.findroot(lambda y: measure(y) - before, e * mpmath.mpf(x))
        assert e == pytest.approx(float(after / x), rel=4e-15, abs=0.0)


@pytest.mark.parametrize("x", [0.0, 1e-300, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4])
def test_slow_impact_loses_two_thirds_of_x(x):
    assert restitution(1.0, x) == pytest.approx(1.0 - 2.0 * x / 3.0 + 4.0 * x**2 / 9.0, rel=1e-12, abs=0.0)


def test_restitution_falls_strictly_with_speed():
    e = restitution(0.7, np.geomspace(1e-4, 1e6, 400))
    assert np.all(np.diff(e) < 0.0)
    assert np.all((e > 0.0) & (e < 1.0))


def test_restitution_is_one_without_dissipation_and_ignores_the_sign_of_the_speed():
    assert restitution(0.0, 3.0) == 1.0
    assert restitution(1.0, -2.0) == restitution(1.0, 2.0)


def test_restitution_takes_arrays():
    table = restitution(np.array([[0.1], [1.0]]), np.array([0.5, 1.0, 5.0]))
    np.testing.assert_allclose(table, [[0.96775, 0.93759, 0.75521], [0.75521, 0.61962, 0.30800]], atol=6e-6)


@pytest.mark.parametrize(
    "x", [-30.0, -2.0, -0.3, -0.2501, -0.2499, -1e-3, -1e-9, 0.0, 1e-12, 1e-5, 0.2499, 0.2501, 3.0]
)
def test_impact_measure_keeps_its_digits(x):
    with mpmath.workdps(60):
        y = mpmath.mpf(x)
        wanted = float(2 * y**2 + 1 + mpmath.exp(2 * y) * (2 * y - 1))
    assert impact_measure(x) == pytest.approx(wanted, rel=4e-15, abs=0.0)


@given(st.floats(0.0, 4.0), st.floats(0.1, 6.0), st.floats(0.01, 5.0), st.floats(50.0, 1e4), st.floats(2e-4, 1e-2))
@FEW
def test_restitution_equals_the_integrated_impact(r_d, speed, mass, r_f, width):
    run = impact(Restriction(0.02, 0.02 - width, r_f, r_d), mass, speed)
    assert run.y[1, -1] / speed == pytest.approx(float(restitution(r_d, speed)), rel=1e-6)


@pytest.mark.parametrize("r_d", [0.0, 0.5, 5.0])
def test_lost_energy_is_the_dissipated_power_over_time(r_d):
    law = dataclasses.replace(BALL, r_d=r_d)
    run = impact(law, MASS, 2.0)
    t = np.linspace(0.0, run.t[-1], 20001)
    heat = np.trapezoid(law.dissipated_power(*run.sol(t)), t)
    assert heat == pytest.approx(0.5 * MASS * (2.0**2 - run.y[1, -1] ** 2), rel=1e-5, abs=1e-9)


@given(st.floats(1e-8, 0.999), st.floats(1e-2, 1e2))
@FEW
def test_dissipation_for_is_the_inverse_of_restitution(e, speed):
    assert restitution(dissipation_for(e, speed), speed) == pytest.approx(e, rel=1e-9)


@pytest.mark.parametrize(("x", "e"), BY_PRODUCT)
def test_dissipation_for_the_table(x, e):
    assert dissipation_for(e, 2.0) == pytest.approx(x / 2.0, rel=1e-3)


def test_elastic_wish_needs_no_dissipation():
    assert dissipation_for(1.0, 2.0) == 0.0
    assert dissipation_for(1.0 - 1e-8, 2.0) == pytest.approx(0.75e-8, rel=1e-6, abs=0.0)


@pytest.mark.parametrize("e", [0.0, -0.1, 1.1, math.nan])
def test_impossible_restitution_is_refused(e):
    with pytest.raises(ParameterError, match=rf"^restitution must be greater than 0 and at most 1, got {e:g}$"):
        dissipation_for(e, 1.0)


def test_restitution_that_would_need_endless_dissipation_is_refused():
    with pytest.raises(ParameterError, match=r"^restitution 1e-13 is too small"):
        dissipation_for(1e-13, 1.0)


@pytest.mark.parametrize("speed", [0.0, -1.0, math.nan, math.inf])
def test_design_speed_must_be_positive(speed):
    with pytest.raises(ParameterError, match=f"^speed must be .*, got {speed:g}$"):
        dissipation_for(0.5, speed)


@pytest.mark.parametrize(("r_d", "speed", "peak", "least"), GRID)
def test_peak_force_and_least_distance_table(r_d, speed, peak, least):
    law = dataclasses.replace(BALL, r_d=r_d)
    assert peak_force(law, MASS, speed) == pytest.approx(peak, rel=4e-4)
    assert deepest_distance(law, MASS, speed) * 1e3 == pytest.approx(least, abs=1e-4)


@given(st.floats(0.05, 5.0), st.floats(0.1, 4.0), st.floats(0.01, 1.0))
@FEW
def test_deepest_distance_and_peak_force_equal_the_integrated_impact(r_d, speed, mass):
    law = dataclasses.replace(BALL, r_d=r_d)
    run = impact(law, mass, speed)
    distance, _ = run.y_events[1][0]
    path = run.sol(np.linspace(0.0, run.t[-1], 40001))
    assert deepest_distance(law, mass, speed) == pytest.approx(distance, abs=1e-8)
    assert peak_force(law, mass, speed) == pytest.approx(law.force(*path).max(), rel=1e-5)


@given(st.floats(0.01, 20.0), st.floats(0.01, 5.0))
@MODEST
def test_deepest_distance_limits_of_the_thesis(speed, mass):
    energy = 0.5 * mass * speed**2
    r_t, r_c, r_f = BALL.r_t, BALL.r_c, BALL.r_f
    for r_d, factor in ((0.0, 4), (math.inf, 2)):  # (3.16), (3.17)
        with mpmath.workdps(30):
            y = mpmath.mpf(factor) * r_t * energy / r_f
            wanted = r_c - float(mpmath.log(mpmath.expm1(y))) / (2.0 * r_t)
        assert deepest_distance(dataclasses.replace(BALL, r_d=r_d), mass, speed) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize(
    ("speed", "elastic", "plastic"),
    [(0.1, 9.8418, 9.9079), (0.5, 9.5060, 9.5884), (1.0, 9.2569, 9.4042), (2.0, 8.5000, 9.0005), (5.0, 3.2500, 6.3750)],
)
def test_elastic_and_plastic_least_distance_table(speed, elastic, plastic):
    limits = [deepest_distance(dataclasses.replace(BALL, r_d=r_d), MASS, speed) * 1e3 for r_d in (0.0, math.inf)]
    assert limits == pytest.approx([elastic, plastic], abs=6e-5)


@given(st.floats(1e-3, 1e3), st.floats(0.05, 10.0))
@MODEST
def test_more_dissipation_means_less_depth(r_d, speed):
    depths = [deepest_distance(dataclasses.replace(BALL, r_d=x), MASS, speed) for x in (0.0, r_d, 2.0 * r_d, math.inf)]
    assert depths == sorted(depths)


def test_elastic_peak_force_is_that_of_the_deepest_point():
    law = dataclasses.replace(BALL, r_d=0.0)
    deepest = deepest_distance(law, MASS, 1.0)
    assert peak_force(law, MASS, 1.0) == pytest.approx(float(law.force(deepest, 0.0)), rel=1e-6)


@given(st.floats(0.0, 50.0), st.floats(0.01, 50.0))
@MODEST
def test_peak_force_stays_within_r_f(r_d, speed):
    assert 0.0 < peak_force(dataclasses.replace(BALL, r_d=r_d), MASS, speed) <= BALL.r_f


def test_body_at_rest_never_arrives():
    assert deepest_distance(BALL, MASS, 0.0) == math.inf
    assert peak_force(BALL, MASS, 0.0) == 0.0


@pytest.mark.parametrize("function", [deepest_distance, peak_force])
@pytest.mark.parametrize(
    ("law", "mass", "speed", "message"),
    [
        (BALL, 0.0, 1.0, "mass must be greater than 0, got 0"),
        (BALL, -1.0, 1.0, "mass must be greater than 0, got -1"),
        (BALL, math.nan, 1.0, "mass must be a finite number, got nan"),
        (BALL, 1.0, -1.0, "speed must not be negative, got -1"),
        (BALL, 1.0, math.inf, "speed must be a finite number, got inf"),
        (dataclasses.replace(BALL, r_f=0.0), 1.0, 1.0, "r_f must be greater than 0, got 0"),
    ],
)
def test_bad_impact_is_refused(function, law, mass, speed, message):
    with pytest.raises(ParameterError) as caught:
        function(law, mass, speed)
    assert str(caught.value) == message


@pytest.mark.parametrize(("speed", "after"), [(200.0, 41.1786), (270.0, -83.0690)])
def test_wall_exit_velocities(speed, after):
    assert exit_velocity(WALL, MASS, speed) == pytest.approx(after, abs=5e-5)
    assert breaks_through(WALL, MASS, speed) == (after < 0.0)


@pytest.mark.parametrize("speed", [50.0, 200.0, 256.0, 257.0, 270.0, 500.0])
def test_wall_exit_velocity_equals_the_integrated_flight(speed):
    run = fly(WALL, MASS, speed, 0.2, -0.4)
    assert exit_velocity(WALL, MASS, speed) == pytest.approx(run.y[1, -1], rel=1e-5)


def test_critical_speed_divides_rebound_from_breakthrough():
    critical = breakthrough_speed(WALL, MASS)
    assert not breaks_through(WALL, MASS, critical * (1.0 - 1e-9))
    assert breaks_through(WALL, MASS, critical * (1.0 + 1e-9))
    below = fly(WALL, MASS, critical * (1.0 - 1e-5), 0.2, -0.4)
    above = fly(WALL, MASS, critical * (1.0 + 1e-5), 0.2, -0.4)
    assert below.y[0, -1] > 0.19
    assert below.y[1, -1] > 0.0
    assert above.y[0, -1] < -0.39
    assert above.y[1, -1] < 0.0


@pytest.mark.parametrize(("r_d", "share"), [(0.0, 0.5), (math.inf, 1.0)])
def test_critical_energy_of_elastic_and_plastic_walls(r_d, share):
    wall = dataclasses.replace(WALL, r_d=r_d)
    energy = 0.5 * MASS * breakthrough_speed(wall, MASS) ** 2
    assert energy == pytest.approx(share * WALL.r_f * (0.09 + 0.075), rel=1e-9)


def test_elastic_wall_takes_a_fixed_energy_from_what_passes_and_none_from_what_does_not():
    wall = dataclasses.replace(WALL, r_d=0.0)
    after = exit_velocity(wall, MASS, 300.0)
    assert 0.5 * MASS * (300.0**2 - after**2) == pytest.approx(0.5 * WALL.r_f * 0.165, rel=1e-9)
    assert exit_velocity(wall, MASS, 100.0) == pytest.approx(100.0, rel=1e-12)


def test_wall_stops_no_heavier_body():
    speeds = [breakthrough_speed(WALL, mass) for mass in (0.01, 0.1, 1.0, 10.0)]
    assert speeds == sorted(speeds, reverse=True)


def test_a_plastic_impact_returns_nothing():
    assert float(restitution(math.inf, 1.0)) == 0.0


def test_breakthrough_of_an_impossible_mass_is_refused():
    wall = Barrier(0.1, 0.08, 1e4, 0.05, thickness=0.2, s_c_back=-0.05)
    for mass in (0.0, -1.0):
        with pytest.raises(ParameterError, match="mass must be greater than 0"):
            breakthrough_speed(wall, mass)
