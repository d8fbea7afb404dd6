import dataclasses
import math

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.friction.dissipation import Dissipation, Friction, soft_norm

MODEST = settings(max_examples=60, deadline=None)

FINE = Dissipation(f_c=1.0, f_s=1.4, v_c=5e-5, v_s=1e-4, d=0.1)  # thesis, Tables 2.1 and 2.2
COARSE = Dissipation(f_c=1.0, f_s=1.4, v_c=0.005, v_s=0.01, d=0.1)  # thesis, Tables 2.1 and 2.3
CONTACT = Friction(mu_c=0.25, mu_s=0.30, v_c=5e-5, v_s=1e-4, eps=1e-6)  # thesis, Table 4.2


@st.composite
def laws(draw, always_stribeck=False):
    f_c = draw(st.floats(0.0, 100.0))
    f_s = f_c + draw(st.floats(1e-3, 100.0))
    v_c = draw(st.floats(1e-4, 0.1))
    v_s = v_c * draw(st.floats(0.2, 10.0)) if always_stribeck or draw(st.booleans()) else None
    excess = f_s - f_c * math.tanh(v_s / v_c) if v_s else 1.0
    d = draw(st.floats(0.0, 0.99)) * excess / (v_s or v_c)  # the Stribeck part keeps a positive amplitude
    return Dissipation(f_c, f_s, v_c, v_s, d)


def speed(law, y):
    return y * (law.v_s or law.v_c)


def scale(law):
    return law.f_s + law.d * law.v_c


ratios = st.floats(-8.0, 8.0)


@pytest.mark.parametrize(("law", "excess"), [(FINE, 0.435962), (COARSE, 0.434972)])
def test_excess_of_the_stribeck_part(law, excess):
    assert law.curve.delta - law.curve.d_s == pytest.approx(excess, abs=6e-7)


@pytest.mark.parametrize(
    ("v", "force"), [(0.001, 0.268832), (0.005, 1.078535), (0.01, 1.400000), (0.02, 1.195440), (0.05, 1.005013)]
)
def test_force_of_the_thesis_slider(v, force):
    assert COARSE.force(v) == pytest.approx(force, abs=6e-7)


@given(laws(always_stribeck=True))
@MODEST
def test_force_at_the_stribeck_speed_is_the_stiction_amplitude(law):
    assert law.force(law.v_s) == pytest.approx(law.f_s, rel=1e-12)


@pytest.mark.parametrize(
    ("law", "peak", "place"),
    [
        (FINE, 1.4076, 1.112),
        (COARSE, 1.4077, 1.113),
        (Dissipation(0.18, 0.20, 1e-4, 1e-4), 0.2139, 1.41),
        (Dissipation(0.36, 0.40, 1e-4, 1e-4), 0.4277, 1.41),
        (Dissipation(0.25, 0.30, 5e-5, 1e-4), 0.3028, 1.17),
        (Dissipation(35.0, 45.0, 0.1, 0.2), 45.33, None),
    ],
)
def test_true_peak_lies_a_little_beyond_the_stribeck_speed(law, peak, place):
    best = minimize_scalar(lambda y: -float(law.force(y * law.v_s)), bounds=(0.5, 3.0), method="bounded")
    assert -best.fun == pytest.approx(peak, rel=3e-4)
    if place is not None:
        assert best.x == pytest.approx(place, abs=0.005)


@pytest.mark.parametrize(("law", "slope"), [(FINE, 27188.0), (COARSE, 272.0)])
def test_slope_at_rest(law, slope):
    assert law.slope(0.0) == pytest.approx(slope, rel=2e-3)
    assert law.slope(0.0) == pytest.approx(float(law.force(1e-5 * law.v_c)) / (1e-5 * law.v_c), rel=1e-8)


@given(laws(), ratios)
@MODEST
def test_friction_never_drives(law, y):
    v = speed(law, y)
    assert law.force(v) * v >= 0.0


@given(laws(), ratios)
@MODEST
def test_force_is_odd_and_power_is_even(law, y):
    v = speed(law, y)
    assert law.force(-v) == -law.force(v)
    assert law.power(-v) == law.power(v)
    assert law.slope(-v) == law.slope(v)


@given(laws(), ratios)
@MODEST
def test_force_is_the_derivative_of_the_dissipation_function(law, y):
    v, h = speed(law, y), 1e-4 * min(law.v_c, law.v_s or law.v_c)
    slope = (law.power(v + h) - law.power(v - h)) / (2.0 * h)
    assert law.force(v) == pytest.approx(slope, abs=1e-6 * scale(law), rel=1e-6)


@given(laws(), ratios)
@MODEST
def test_slope_is_the_derivative_of_the_force(law, y):
    v, h = speed(law, y), 1e-4 * min(law.v_c, law.v_s or law.v_c)
    slope = (law.force(v + h) - law.force(v - h)) / (2.0 * h)
    assert law.slope(v) == pytest.approx(slope, rel=1e-6, abs=1e-9 + 1e-6 * float(law.slope(0.0)))


def test_thesis_dissipation_function_derived_by_sympy_gives_force_and_slope():
    v = sp.symbols("v", real=True)
    d, f_c, f_s, v_c, v_s = sp.symbols("d F_C F_S v_C v_S", positive=True)
    excess = f_s - f_c * sp.tanh(v_s / v_c) - d * v_s  # (2.10)
    bell = sp.exp(sp.Rational(1, 2) - (v / v_s) ** 2 / 2)
    power = d * v**2 / 2 + f_c * v_c * sp.log(sp.cosh(v / v_c)) - excess * v_s * bell  # (2.13)
    force = d * v + f_c * sp.tanh(v / v_c) + excess * v / v_s * bell  # (2.14)
    derived = sp.diff(power, v)
    assert sp.simplify((derived - force).rewrite(sp.exp)) == 0
    assert sp.simplify(force.subs(v, v_s) - f_s) == 0

    values = {d: 0.1, f_c: 1.0, f_s: 1.4, v_c: 0.005, v_s: 0.01}
    for speed_ in (-0.03, -0.004, 0.001, 0.02, 0.06):
        point = {**values, v: speed_}
        assert COARSE.power(speed_) == pytest.approx(float(power.subs(point)), rel=1e-12)
        assert COARSE.force(speed_) == pytest.approx(float(derived.subs(point)), rel=1e-12)
        assert COARSE.slope(speed_) == pytest.approx(float(sp.diff(derived, v).subs(point)), rel=1e-11)


@given(laws())
@MODEST
def test_fast_sliding_is_coulomb_plus_viscous(law):
    v = 60.0 * max(law.v_c, law.v_s or 0.0)
    assert law.force(v) == pytest.approx(law.f_c + law.d * v, rel=1e-12)
    assert law.slope(v) == pytest.approx(law.d, rel=1e-9, abs=1e-9)


def test_extreme_speeds_stay_finite():
    v = np.array([-1e8, 1e-300, 1e8])
    for values in (FINE.force(v), FINE.slope(v), FINE.power(v)):
        assert np.all(np.isfinite(values))


def test_without_stribeck_speed_only_coulomb_and_viscous_remain():
    law = Dissipation(f_c=2.0, f_s=3.0, v_c=0.01, d=0.5)
    v = np.linspace(-0.05, 0.05, 21)
    np.testing.assert_allclose(law.force(v), 2.0 * np.tanh(v / 0.01) + 0.5 * v, rtol=1e-13, atol=1e-15)


def test_viscous_part_alone_is_rayleighs():
    law = Dissipation(f_c=0.0, f_s=0.0, v_c=1.0, d=3.0)
    assert law.force(0.2) == pytest.approx(0.6)
    assert law.power(0.2) == pytest.approx(0.06)


@given(st.floats(0.0, 1e4), st.floats(-1e-3, 1e-3))
@MODEST
def test_contact_friction_is_proportional_to_the_normal_force(normal, v):
    assert CONTACT.force(v, normal) == pytest.approx(normal * float(CONTACT.force(v, 1.0)), rel=1e-12)
    assert CONTACT.slope(v, normal) == pytest.approx(normal * float(CONTACT.slope(v, 1.0)), rel=1e-12)
    assert CONTACT.power(v, normal) == pytest.approx(normal * float(CONTACT.power(v, 1.0)), rel=1e-12)


@given(st.floats(-1.0, 1.0), st.floats(0.0, 10.0), st.floats(0.0, 1.0))
@MODEST
def test_contact_friction_never_drives_even_when_the_normal_force_vanishes(v, normal, activation):
    law = Friction(0.2, 0.3, 0.1, 0.1, 5.0)
    assert float(law.force(v, normal, activation)) * v >= 0.0


@given(st.floats(1.0, 50.0), st.floats(0.0, 1.0))
@MODEST
def test_contact_friction_at_the_stribeck_speed_is_mu_s_times_normal(normal, activation):
    law = dataclasses.replace(CONTACT, d=30.0)
    assert law.force(law.v_s, normal, activation) == pytest.approx(0.30 * normal, rel=1e-9, abs=1e-12)


def test_activation_gates_the_viscous_part():
    law = Friction(mu_c=0.2, mu_s=0.3, v_c=0.01, d=5.0)
    assert law.force(1.0, 10.0, 0.0) == pytest.approx(2.0)
    assert law.force(1.0, 10.0, 0.4) == pytest.approx(2.0 + 0.4 * 5.0)
    assert law.force(1.0, 0.0, 0.0) == 0.0


@pytest.mark.parametrize("activation", [0.0, 0.3, 1.0])
def test_contact_derivatives_hold_at_any_activation(activation):
    law = Friction(mu_c=0.2, mu_s=0.3, v_c=0.01, v_s=0.02, d=5.0)
    v, h = np.linspace(-0.08, 0.08, 33), 1e-6
    force = (law.power(v + h, 7.0, activation) - law.power(v - h, 7.0, activation)) / (2.0 * h)
    slope = (law.force(v + h, 7.0, activation) - law.force(v - h, 7.0, activation)) / (2.0 * h)
    np.testing.assert_allclose(law.force(v, 7.0, activation), force, atol=1e-7)
    np.testing.assert_allclose(law.slope(v, 7.0, activation), slope, atol=1e-5)


def test_contact_friction_is_the_thesis_formula():
    v, normal, a = 3e-4, 4.0, 0.7
    law = dataclasses.replace(CONTACT, d=30.0)
    bell = math.exp(0.5 - 0.5 * (v / 1e-4) ** 2)
    coefficient = 0.25 * math.tanh(v / 5e-5) + (0.30 - 0.25 * math.tanh(2.0)) * v / 1e-4 * bell
    wanted = normal * coefficient + a * 30.0 * (v - v * bell)  # derivative of (4.5) with the normal force held
    assert law.force(v, normal, a) == pytest.approx(wanted, rel=1e-12)


def test_law_standing_alone_and_law_of_a_contact_agree_under_unit_normal_force():
    v = np.linspace(-0.05, 0.05, 41)
    contact = Friction(mu_c=1.0, mu_s=1.4, v_c=0.005, v_s=0.01, d=0.1)
    np.testing.assert_allclose(contact.force(v, 1.0), COARSE.force(v), rtol=1e-15)
    np.testing.assert_allclose(contact.power(v, 1.0), COARSE.power(v), rtol=1e-15)


def test_soft_norm_rounds_the_tip_and_takes_the_last_axis():
    assert soft_norm([0.0, 0.0], 1e-6) == pytest.approx(1e-6, rel=1e-15)
    assert soft_norm([3.0, 4.0], 12.0) == pytest.approx(13.0, rel=1e-15)
    np.testing.assert_allclose(soft_norm([[3.0, 4.0], [0.0, 0.0]], 0.0), [5.0, 0.0])


@given(st.floats(-10.0, 10.0), st.floats(-10.0, 10.0), st.floats(0.0, 2.0 * math.pi), st.floats(0.0, 1.0))
@MODEST
def test_soft_norm_has_no_preferred_direction(x, y, angle, eps):
    c, s = math.cos(angle), math.sin(angle)
    turned = soft_norm([c * x - s * y, s * x + c * y], eps)
    assert turned == pytest.approx(float(soft_norm([x, y], eps)), rel=1e-12, abs=1e-12)


def test_law_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        FINE.f_c = 2.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"_c": -0.1}, "{0}_c must not be negative, got -0.1"),
        ({"_s": -0.1}, "{0}_s must not be negative, got -0.1"),
        ({"_s": 0.1}, "{0}_s must not be below {0}_c, got {0}_s=0.1 and {0}_c=0.2"),
        ({"_c": math.nan}, "{0}_c must be a finite number, got nan"),
        ({"_s": math.inf}, "{0}_s must be a finite number, got inf"),
    ],
)
@pytest.mark.parametrize(("law", "letter"), [(Dissipation, "f"), (Friction, "mu")])
def test_bad_amplitude_is_refused_by_name_and_value(law, letter, change, message):
    amplitudes = {"_c": 0.2, "_s": 0.3, **change}
    with pytest.raises(ParameterError) as caught:
        law(**{letter + name: value for name, value in amplitudes.items()}, v_c=0.01)
    assert str(caught.value) == message.format(letter)


def test_viscosity_that_would_make_the_stribeck_part_drive_is_refused():
    with pytest.raises(ParameterError) as caught:
        Dissipation(f_c=0.0, f_s=1.0, v_c=0.1, v_s=0.2, d=6.0)
    assert str(caught.value).startswith("f_s must be at least f_c tanh(v_s/v_c) + d v_s = 1.2, got 1;")
    assert Dissipation(f_c=0.0, f_s=1.2001, v_c=0.1, v_s=0.2, d=6.0).force(0.01) > 0.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"v_c": 0.0}, "v_c must be greater than 0, got 0"),
        ({"v_c": -0.01}, "v_c must be greater than 0, got -0.01"),
        ({"v_c": math.nan}, "v_c must be a finite number, got nan"),
        ({"v_s": 0.0}, "v_s must be greater than 0, got 0"),
        ({"v_s": math.inf}, "v_s must be a finite number, got inf"),
        ({"d": -1.0}, "d must not be negative, got -1"),
        ({"d": math.nan}, "d must be a finite number, got nan"),
        ({"eps": -1e-6}, "eps must not be negative, got -1e-06"),
    ],
)
@pytest.mark.parametrize("law", [COARSE, CONTACT])
def test_bad_shape_is_refused_by_name_and_value(law, change, message):
    with pytest.raises(ParameterError) as caught:
        dataclasses.replace(law, **change)
    assert str(caught.value) == message
