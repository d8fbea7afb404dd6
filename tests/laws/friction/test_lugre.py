import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.friction.friction_table import friction_record, presliding_spring
from chrono_powercontact.laws.friction.lugre import LuGre, lugre_amplitude, lugre_flow, lugre_pull, lugre_stiffness

MODEST = settings(max_examples=50, deadline=None)

BRISTLES = LuGre(f_c=1.0, f_s=1.4, v_s=0.02, k=1e4, d_k=100.0, d=0.1)  # thesis, Tables 2.1 and 2.2


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


def test_the_amplitude_falls_from_stiction_to_coulomb_on_arrays():
    amplitudes = lugre_amplitude.py_func(np.array([0.0, 0.02, 1.0]), BRISTLES)
    np.testing.assert_allclose(amplitudes, [1.4, 1.0 + 0.4 / math.e, 1.0], rtol=1e-14)


def test_rates_and_forces_are_taken_over_arrays():
    v, z = np.array([-0.3, 0.0, 0.02]), np.array([1e-5, -2e-5, 3e-5])
    np.testing.assert_array_equal(BRISTLES.rate(v, z), [float(BRISTLES.rate(*pair)) for pair in zip(v, z, strict=True)])
    np.testing.assert_array_equal(
        BRISTLES.force(v, z), [float(BRISTLES.force(*pair)) for pair in zip(v, z, strict=True)]
    )


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


SLOT = friction_record(BRISTLES)["lugre"]


@given(st.floats(-1.4e-4, 1.4e-4), st.floats(-1.4e-4, 1.4e-4), st.floats(-0.2, 0.2), st.floats(-0.2, 0.2))
@MODEST
def test_flow_over_a_displacement_is_that_of_the_rate_at_constant_speed(x, y, v_x, v_y):
    v = np.array([v_x, v_y])
    speed, h = float(np.hypot(*v)), 1e-3
    lost = 1e4 * speed / float(lugre_amplitude.py_func(speed, BRISTLES))
    solved = solve_ivp(lambda _, z: v - lost * z, (0.0, h), (x, y), rtol=1e-10, atol=1e-14, method="LSODA").y[:, -1]
    z = lugre_flow(SLOT, (x, y, 0.0), (h * v_x, h * v_y, 0.0), h)
    assert z[:2] == pytest.approx(solved, abs=1e-11)
    halves = lugre_flow(SLOT, lugre_flow(SLOT, (x, y, 0.0), (0.5 * h * v_x, 0.5 * h * v_y, 0.0), 0.5 * h),
                        (0.5 * h * v_x, 0.5 * h * v_y, 0.0), 0.5 * h)  # fmt: skip
    assert halves == pytest.approx(z, abs=1e-15)


@pytest.mark.parametrize(("v", "z"), [(0.0, 5e-5), (1e-3, 0.0), (0.3, 1e-4), (-0.02, 1.2e-4)])
def test_pull_is_the_force_of_the_law(v, z):
    assert lugre_pull(SLOT, 1.0, 1.0, (z, 0.0, 0.0), (v, 0.0, 0.0))[0] == pytest.approx(float(BRISTLES.force(v, z)))


def test_bristles_are_stiff_at_rest_and_soft_in_sliding():
    assert lugre_stiffness(SLOT, 0.0, 0.0) == 1e4
    assert lugre_stiffness(SLOT, 1.4e-4, 0.0) == pytest.approx(0.0, abs=1e-9)
    assert presliding_spring(friction_record(BRISTLES)) == (1e4, 0.01)


def test_nothing_moves_without_a_displacement():
    assert lugre_flow(SLOT, (1e-5, 2e-5, 0.0), (0.0, 0.0, 0.0), 1e-3) == (1e-5, 2e-5, 0.0)
