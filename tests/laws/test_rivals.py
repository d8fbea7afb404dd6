import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws import Hertz, Hooke, LuGre, NewtonImpact

MODEST = settings(max_examples=50, deadline=None)

BRISTLES = LuGre(f_c=1.0, f_s=1.4, v_s=0.02, k=1e4, d_k=100.0, d=0.1)  # thesis, Tables 2.1 and 2.2


def impact(law, mass, speed):
    """Flight of a free body from s_0 into the contact and back to s_0."""

    def leave(t, y):
        return y[0] - law.s_0 if t > 0.0 else -1.0

    leave.terminal = True
    leave.direction = 1.0
    return solve_ivp(
        lambda _, y: (y[1], float(law.force(y[0], y[1])) / mass),
        (0.0, 1e3),
        (law.s_0, -speed),
        method="DOP853",
        rtol=1e-10,
        atol=1e-13,
        events=(leave, lambda _, y: y[1]),
        first_step=1e-7,
    )


@pytest.mark.parametrize("law", [Hooke(0.01, 1e4), Hertz(0.01, 1e6)])
def test_force_at_rest_is_the_slope_of_the_potential(law):
    s, h = np.linspace(0.0, 0.0099, 34), 1e-6
    slope = (law.potential(s + h) - law.potential(s - h)) / (2.0 * h)
    np.testing.assert_allclose(law.force(s, 0.0), -slope, rtol=1e-4)


@pytest.mark.parametrize("law", [Hooke(0.01, 1e4, 50.0), Hertz(0.01, 1e6, 0.5)])
def test_no_force_outside_the_contact(law):
    np.testing.assert_array_equal(law.force([0.01, 0.0101, 1.0], [-3.0, -3.0, 3.0]), 0.0)
    np.testing.assert_array_equal(law.potential([0.01, 0.0101, 1.0]), 0.0)


def test_hooke_force_by_hand():
    law = Hooke(s_0=0.01, k=1e4, c=5.0)
    assert law.force(0.008, -0.4) == pytest.approx(1e4 * 0.002 + 5.0 * 0.4)


def test_hertz_force_by_hand():
    law = Hertz(s_0=0.01, k=1e6, chi=0.5)
    assert law.force(0.006, -0.4) == pytest.approx(1e6 * 0.004**1.5 * 1.2)


def test_damped_hooke_contact_can_pull():
    assert Hooke(s_0=0.01, k=1e4, c=50.0).force(0.00999, 1.0) < 0.0


@pytest.mark.parametrize("ratio", [0.0, 0.1, 0.5])
def test_hooke_impact_is_half_a_damped_oscillation(ratio):
    mass, k = 0.05, 2e4
    run = impact(Hooke(0.01, k, 2.0 * ratio * math.sqrt(k * mass)), mass, 2.0)
    root = math.sqrt(1.0 - ratio**2)
    assert run.y[1, -1] / 2.0 == pytest.approx(math.exp(-math.pi * ratio / root), rel=1e-7)
    assert run.t[-1] == pytest.approx(math.pi / (root * math.sqrt(k / mass)), rel=1e-7)


def test_hertz_impact_has_the_classical_depth_and_duration():
    mass, k, speed = 0.05, 1e6, 2.0
    run = impact(Hertz(0.01, k), mass, speed)
    depth = (1.25 * mass * speed**2 / k) ** 0.4
    assert 0.01 - run.y_events[1][0][0] == pytest.approx(depth, rel=1e-7)
    assert run.t[-1] == pytest.approx(2.943275 * depth / speed, rel=1e-6)
    assert run.y[1, -1] == pytest.approx(speed, rel=1e-7)


@pytest.mark.parametrize("e", [0.3, 0.7, 0.95])
@pytest.mark.parametrize("rule", [Hertz.hunt_crossley, Hertz.flores])
def test_damped_hertz_impact_has_the_exact_restitution_of_its_factor(rule, e):
    law = rule(s_0=0.01, k=1e6, restitution=e, speed=2.0)
    x = law.chi * 2.0
    exact = brentq(lambda y: (x - math.log1p(x)) - (-y - math.log1p(-y)), 1e-9, 1.0 - 1e-12) / x
    assert impact(law, 0.05, 2.0).y[1, -1] / 2.0 == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("rule", [Hertz.hunt_crossley, Hertz.flores])
@pytest.mark.parametrize("e", [0.95, 0.98])
def test_both_damped_hertz_laws_meet_a_high_restitution(rule, e):
    law = rule(s_0=0.01, k=1e6, restitution=e, speed=2.0)
    assert impact(law, 0.05, 2.0).y[1, -1] / 2.0 == pytest.approx(e, abs=4e-3)


def test_damping_factors_are_the_published_ones():
    assert Hertz.hunt_crossley(0.01, 1e6, 0.8, 2.0).chi == pytest.approx(3.0 * 0.2 / (2.0 * 2.0))
    assert Hertz.flores(0.01, 1e6, 0.8, 2.0).chi == pytest.approx(8.0 * 0.2 / (5.0 * 0.8 * 2.0))


def test_only_flores_meets_a_low_restitution():
    flores, hunt = Hertz.flores(0.01, 1e6, 0.3, 2.0), Hertz.hunt_crossley(0.01, 1e6, 0.3, 2.0)
    assert impact(flores, 0.05, 2.0).y[1, -1] / 2.0 == pytest.approx(0.3, abs=0.05)
    assert impact(hunt, 0.05, 2.0).y[1, -1] / 2.0 > 0.45


def test_newton_reverses_an_approach_and_leaves_a_separation():
    np.testing.assert_allclose(NewtonImpact(0.6).after([-2.0, 0.0, 3.0]), [1.2, 0.0, 3.0])


@pytest.mark.parametrize("v", [-0.3, -0.02, 1e-4, 0.02, 0.5])
def test_lugre_slides_at_the_stribeck_curve(v):
    amplitude = 1.0 + 0.4 * math.exp(-((v / 0.02) ** 2))
    z = math.copysign(amplitude / 1e4, v)
    assert BRISTLES.rate(v, z) == pytest.approx(0.0, abs=1e-15)
    assert BRISTLES.force(v, z) == pytest.approx(math.copysign(amplitude, v) + 0.1 * v, rel=1e-12)


def test_lugre_at_rest_is_a_spring():
    assert BRISTLES.rate(0.0, 5e-5) == 0.0
    assert BRISTLES.force(0.0, 5e-5) == pytest.approx(0.5)


def test_lugre_breaks_away_like_a_spring_with_damping():
    assert BRISTLES.rate(1e-3, 0.0) == pytest.approx(1e-3)
    assert BRISTLES.force(1e-3, 0.0) == pytest.approx((100.0 + 0.1) * 1e-3)


@given(st.floats(-1.0, 1.0), st.floats(1.0, 3.0), st.sampled_from([-1.0, 1.0]))
@MODEST
def test_lugre_deflection_stays_within_stiction(v, factor, side):
    z = side * factor * 1.4e-4
    assert side * BRISTLES.rate(v, z) <= 1e-15


def test_lugre_stick_slip_of_canudas_de_wit():
    law = LuGre(f_c=1.0, f_s=1.5, v_s=1e-3, k=1e5, d_k=math.sqrt(1e5), d=0.4)

    def motion(t, y):
        x, v, z = y
        return v, 2.0 * (0.1 * t - x) - float(law.force(v, z)), float(law.rate(v, z))

    x, v, z = solve_ivp(motion, (0.0, 25.0), (0.0, 0.0, 0.0), method="LSODA", rtol=1e-9, atol=1e-12).y[:, -1]
    assert x == pytest.approx(1.9088392, abs=2e-7)
    assert v == pytest.approx(9.4241546e-6, rel=1e-6)
    assert z == pytest.approx(1.1816795e-5, rel=1e-6)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Hooke(math.nan, 1.0), "s_0 must be a finite number, got nan"),
        (lambda: Hooke(0.0, 0.0), "k must be greater than 0, got 0"),
        (lambda: Hooke(0.0, -5.0), "k must be greater than 0, got -5"),
        (lambda: Hooke(0.0, 1.0, -2.0), "c must not be negative, got -2"),
        (lambda: Hertz(math.inf, 1.0), "s_0 must be a finite number, got inf"),
        (lambda: Hertz(0.0, -1.0), "k must be greater than 0, got -1"),
        (lambda: Hertz(0.0, 1.0, -0.1), "chi must not be negative, got -0.1"),
        (lambda: Hertz.hunt_crossley(0.0, 1.0, 1.2, 1.0), "restitution must lie between 0 and 1, got 1.2"),
        (lambda: Hertz.hunt_crossley(0.0, 1.0, 0.5, 0.0), "speed must be greater than 0, got 0"),
        (lambda: Hertz.flores(0.0, 1.0, 0.0, 1.0), "restitution must be greater than 0, got 0"),
        (lambda: Hertz.flores(0.0, 1.0, 0.5, -1.0), "speed must be greater than 0, got -1"),
        (lambda: NewtonImpact(-0.1), "restitution must lie between 0 and 1, got -0.1"),
        (lambda: NewtonImpact(math.nan), "restitution must be a finite number, got nan"),
    ],
)
def test_bad_rival_contact_is_refused_by_name_and_value(build, message):
    with pytest.raises(ParameterError) as caught:
        build()
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"f_c": 0.0}, "f_c must be greater than 0, got 0"),
        ({"f_s": 0.9}, "f_s must not be below f_c, got f_s=0.9 and f_c=1"),
        ({"f_s": math.nan}, "f_s must be a finite number, got nan"),
        ({"v_s": 0.0}, "v_s must be greater than 0, got 0"),
        ({"k": -1.0}, "k must be greater than 0, got -1"),
        ({"d_k": -1.0}, "d_k must not be negative, got -1"),
        ({"d": math.inf}, "d must be a finite number, got inf"),
    ],
)
def test_bad_lugre_is_refused_by_name_and_value(change, message):
    with pytest.raises(ParameterError) as caught:
        dataclasses.replace(BRISTLES, **change)
    assert str(caught.value) == message
