import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.friction.dissipation import Dissipation
from chrono_powercontact.laws.friction.memory import LPVFilter, LTIFilter, memory_follow, memory_step

MODEST = settings(max_examples=50, deadline=None)

SLIDER = Dissipation(f_c=1.0, f_s=1.4, v_c=0.005, v_s=0.01, d=0.1)  # thesis, Tables 2.1 and 2.3

forces = st.floats(-100.0, 100.0)
speeds = st.floats(-1.0, 1.0)
times = st.floats(1e-6, 10.0)
filters = st.one_of(
    st.builds(LTIFilter, st.floats(1e-4, 1.0)),
    st.builds(LPVFilter, st.floats(1e-4, 1.0), st.floats(1e-4, 1.0)),
)


def swing(memory, frequency, pause=0.0):
    """Filtered force after one period of 0.1 m/s sin(2 pi f t) from rest and a pause at standstill (Fig. 2.6, 2.9)."""

    def rate(t, q):
        v = 0.1 * math.sin(2.0 * math.pi * frequency * t) if t < 1.0 / frequency else 0.0
        return memory.rate(q, SLIDER.force(v), v)

    period = 1.0 / frequency
    moved = solve_ivp(rate, (0.0, period), [0.0], method="LSODA", rtol=1e-8, atol=1e-10, max_step=1e-3 * period)
    if pause == 0.0:
        return float(moved.y[0, -1])
    return float(solve_ivp(lambda _, q: memory.rate(q, 0.0, 0.0), (0.0, pause), moved.y[:, -1], rtol=1e-8).y[0, -1])


def test_opening_of_the_lpv_filter():
    memory = LPVFilter(t_f=0.03, v_f=0.001)
    assert memory.opening(0.0) == 0.0
    assert memory.opening(0.001) == pytest.approx(1.0 - math.exp(-1.0), rel=1e-14)
    assert memory.opening(-0.001) == memory.opening(0.001)
    assert memory.opening(0.1) == 1.0


def test_opening_keeps_its_digits_at_creeping_speed():
    memory = LPVFilter(t_f=0.03, v_f=0.001)
    assert memory.opening(1e-15) == pytest.approx(1e-24, rel=1e-12, abs=0.0)


def test_lti_filter_is_open_at_any_speed():
    np.testing.assert_array_equal(LTIFilter(0.03).opening([-1.0, 0.0, 1e-9, 5.0]), 1.0)


@given(filters, forces, forces, speeds, times)
@MODEST
def test_step_equals_the_differential_equation_with_held_inputs(memory, q, static, v, h):
    run = solve_ivp(lambda _, y: memory.rate(y, static, v), (0.0, h), [q], method="Radau", rtol=1e-7, atol=1e-9)
    assert memory.step(q, static, v, h) == pytest.approx(run.y[0, -1], rel=1e-5, abs=1e-5)


@given(filters, forces, forces, speeds, times, st.floats(0.0, 1.0))
@MODEST
def test_two_parts_of_a_step_are_the_whole_step(memory, q, static, v, h, share):
    between = memory.step(q, static, v, share * h)
    after = memory.step(between, static, v, (1.0 - share) * h)
    assert after == pytest.approx(float(memory.step(q, static, v, h)), abs=1e-10)


@given(filters, forces, forces, speeds)
@MODEST
def test_short_step_follows_the_rate(memory, q, static, v):
    h = 1e-6 * memory.t_f
    gain = (memory.step(q, static, v, h) - q) / h
    assert gain == pytest.approx(float(memory.rate(q, static, v)), rel=1e-5, abs=1e-6 / memory.t_f)


@given(filters, forces, forces, speeds, st.floats(0.0, 1e12))
@MODEST
def test_step_of_any_length_stays_between_old_and_static_force(memory, q, static, v, h):
    low, high = sorted((q, static))
    assert low - 1e-12 <= memory.step(q, static, v, h) <= high + 1e-12


@given(forces, forces, st.floats(0.0, 1e9))
@MODEST
def test_lpv_holds_the_force_at_rest(q, static, h):
    memory = LPVFilter(t_f=0.03, v_f=0.001)
    assert memory.rate(q, static, 0.0) == 0.0
    assert memory.step(q, static, 0.0, h) == pytest.approx(q, abs=1e-13)


def test_lti_forgets_the_force_at_rest():
    memory = LTIFilter(t_f=0.03)
    assert memory.step(1.4, 0.0, 0.0, 0.03) == pytest.approx(1.4 / math.e, rel=1e-14)
    assert memory.step(1.4, 0.0, 0.0, 3.0) == pytest.approx(0.0, abs=1e-40)


@given(filters, forces, forces, forces, speeds, times)
@MODEST
def test_follow_equals_the_differential_equation_with_a_straight_static_force(memory, q, first, last, v, h):
    def rate(t, y):
        return memory.rate(y, first + (last - first) * t / h, v)

    run = solve_ivp(rate, (0.0, h), [q], method="Radau", rtol=1e-7, atol=1e-9)
    after = memory_follow.py_func(q, first, last, float(memory.opening(v)), memory.t_f, h)
    assert after == pytest.approx(run.y[0, -1], rel=1e-4, abs=1e-4)


@given(forces, forces, st.floats(0.0, 1.0), times)
@MODEST
def test_follow_of_a_constant_force_is_the_step(q, static, opening, h):
    wanted = memory_step.py_func(q, static, opening, 0.03, h)
    assert memory_follow.py_func(q, static, static, opening, 0.03, h) == pytest.approx(wanted, abs=1e-11)


@given(forces, forces, forces)
@MODEST
def test_follow_with_a_closed_filter_holds(q, first, last):
    assert memory_follow.py_func(q, first, last, 0.0, 0.03, 5.0) == pytest.approx(q, abs=1e-12)


def test_rate_is_the_distance_to_the_static_force_over_the_time_constant():
    assert LTIFilter(0.5).rate(1.0, 3.0, 0.0) == pytest.approx(4.0)
    assert LPVFilter(0.5, 0.1).rate(1.0, 3.0, 0.1) == pytest.approx(4.0 * (1.0 - math.exp(-1.0)))


@pytest.mark.parametrize(
    ("memory", "frequency", "force"),
    [
        (LTIFilter(0.003), 1.0, -0.439),
        (LTIFilter(0.003), 5.0, -0.971),
        (LPVFilter(0.003, 0.01), 1.0, -1.231),
        (LPVFilter(0.003, 0.01), 5.0, -1.235),
    ],
)
def test_force_left_at_velocity_reversal(memory, frequency, force):
    assert swing(memory, frequency) == pytest.approx(force, abs=6e-4)


def test_memory_in_a_long_standstill():
    assert swing(LTIFilter(0.003), 1.0, pause=0.01) == pytest.approx(-0.016, abs=6e-4)
    assert swing(LPVFilter(0.003, 0.01), 1.0, pause=100.0) == pytest.approx(-1.2314, abs=1e-4)
    assert swing(LPVFilter(0.003, 0.02), 1.0, pause=100.0) == pytest.approx(-1.3008, abs=1e-4)


def test_filters_take_arrays():
    memory = LPVFilter(0.03, 0.001)
    q = memory.step([0.0, 1.0], [2.0, 2.0], [1.0, 0.0], 0.03)
    np.testing.assert_allclose(q, [2.0 - 2.0 / math.e, 1.0], rtol=1e-14)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: LTIFilter(0.0), "t_f must be greater than 0, got 0"),
        (lambda: LTIFilter(-0.1), "t_f must be greater than 0, got -0.1"),
        (lambda: LTIFilter(math.nan), "t_f must be a finite number, got nan"),
        (lambda: LPVFilter(math.inf, 0.1), "t_f must be a finite number, got inf"),
        (lambda: LPVFilter(0.1, 0.0), "v_f must be greater than 0, got 0"),
        (lambda: LPVFilter(0.1, -1.0), "v_f must be greater than 0, got -1"),
        (lambda: LPVFilter(0.1, math.nan), "v_f must be a finite number, got nan"),
    ],
)
def test_bad_filter_is_refused_by_name_and_value(build, message):
    with pytest.raises(ParameterError) as caught:
        build()
    assert str(caught.value) == message
