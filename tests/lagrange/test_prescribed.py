"""Friction under a prescribed speed, against closed forms and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from chrono_powercontact.errors import DivergedError, ParameterError
from chrono_powercontact.lagrange.prescribed import friction_along
from chrono_powercontact.laws.friction.dissipation import Dissipation
from chrono_powercontact.laws.friction.friction_table import friction_record
from chrono_powercontact.laws.friction.lugre import LuGre
from chrono_powercontact.laws.friction.memory import LPVFilter, LTIFilter

LAW = Dissipation(1.0, 1.4, 0.005, 0.01, 0.1)  # Tables 2.1 and 2.3


def half_steps(n: int, step: float) -> NDArray[np.float64]:
    return 0.5 * step * np.arange(2 * n + 1)


def sine(t: NDArray[np.float64] | float) -> NDArray[np.float64]:
    return 0.1 * np.sin(2.0 * np.pi * t)


def static_force(v: NDArray[np.float64]) -> NDArray[np.float64]:
    """(2.14), written out for the numbers of LAW."""
    excess = 1.4 - np.tanh(2.0) - 0.1 * 0.01
    return 0.1 * v + np.tanh(v / 0.005) + excess * v / 0.01 * np.exp(0.5 - 0.5 * (v / 0.01) ** 2)


def test_without_memory_the_force_is_the_static_law_at_the_full_steps() -> None:
    speed = np.random.default_rng(0).normal(0.0, 0.02, 201)
    assert friction_along(friction_record(LAW), speed, 1e-3) == pytest.approx(static_force(speed[::2]), rel=1e-12)


def test_the_static_law_has_its_tabled_values() -> None:
    speeds = np.array([0.001, 0.005, 0.01, 0.02, 0.05])
    force = friction_along(friction_record(LAW), np.repeat(speeds, 2)[:-1], 1.0)
    assert force == pytest.approx([0.268832, 1.078535, 1.4, 1.195440, 1.005013], abs=1e-6)


def test_a_filtered_viscous_force_is_a_low_pass_in_closed_form() -> None:
    """T F' = d v - F with v = A sin(w t): phase and amplitude of a first-order filter, and the decaying start."""
    d, t_f, w, step = 3.0, 0.05, 2.0 * np.pi, 1e-3
    force = friction_along(
        friction_record(Dissipation(0.0, 0.0, 1.0, d=d), LTIFilter(t_f)), sine(half_steps(2000, step)), step
    )
    t, k = step * np.arange(2001), d * 0.1 / (1.0 + (w * t_f) ** 2)
    exact = k * (np.sin(w * t) - w * t_f * np.cos(w * t) + w * t_f * np.exp(-t / t_f))
    assert force == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("memory", [LTIFilter(0.03), LPVFilter(0.03, 0.01)])
def test_filtered_friction_agrees_with_scipy(memory: LTIFilter) -> None:
    step, v_f = 1e-4, memory.numbers[1]

    def rate(t: float, q: np.ndarray) -> np.ndarray:
        v = sine(t)
        opening = 1.0 - np.exp(-((v / v_f) ** 2)) if v_f else 1.0
        return opening * (static_force(v) - q) / 0.03

    force = friction_along(friction_record(LAW, memory), sine(half_steps(10000, step)), step)
    exact = solve_ivp(rate, (0.0, 1.0), [0.0], "DOP853", step * np.arange(10001), rtol=1e-11, atol=1e-12, max_step=1e-3)
    assert force == pytest.approx(exact.y[0], abs=1e-7)
    assert np.abs(force).max() > 0.9


def test_lugre_agrees_with_scipy() -> None:
    law, step = LuGre(1.0, 1.4, 0.02, 600.0, 20.0, 0.1), 1e-4

    def bristle(t: float, z: np.ndarray) -> np.ndarray:
        v = sine(t)
        return v - 600.0 * abs(v) / (1.0 + 0.4 * np.exp(-((v / 0.02) ** 2))) * z

    force = friction_along(friction_record(law), sine(half_steps(10000, step)), step)
    times = step * np.arange(10001)
    z = solve_ivp(bristle, (0.0, 1.0), [0.0], "DOP853", times, rtol=1e-10, atol=1e-13, max_step=1e-3).y[0]
    exact = 600.0 * z + 20.0 * np.array([bristle(t, s) for t, s in zip(times, z, strict=True)]) + 0.1 * sine(times)
    assert force == pytest.approx(exact, abs=2e-5)


def test_error_falls_with_the_fourth_power_of_the_step() -> None:
    row = friction_record(LAW, LPVFilter(0.03, 0.01))
    runs = [friction_along(row, sine(half_steps(round(0.2 / h), h)), h)[-1] for h in (2e-3, 1e-3, 5e-4, 1e-5)]
    errors = [abs(run - runs[-1]) for run in runs[:-1]]
    assert 10.0 < errors[0] / errors[1] < 25.0
    assert 10.0 < errors[1] / errors[2] < 25.0


def test_only_the_lpv_filter_remembers_at_rest() -> None:
    """A quarter period forward, then standstill: static forgets at once, LTI with T_F, LPV holds (Fig. 2.9)."""
    step = 1e-4
    t = half_steps(10000, step)
    speed = np.where(t < 0.5, sine(t), 0.0)
    static, lti, lpv = (
        friction_along(friction_record(LAW, memory), speed, step)
        for memory in (None, LTIFilter(0.003), LPVFilter(0.003, 0.01))
    )
    assert static[5001:] == pytest.approx(0.0, abs=1e-15)
    later = step * np.arange(4000)
    assert lti[6001:] == pytest.approx(lti[6001] * np.exp(-later[: len(lti[6001:])] / 0.003), abs=1e-9)
    assert lti[-1] < 1e-10
    assert np.ptp(lpv[5002:]) == 0.0
    assert 1.0 < lpv[-1] <= 1.4


def test_an_lpv_filter_that_starts_at_rest_stays_empty() -> None:
    assert not np.any(friction_along(friction_record(LAW, LPVFilter(0.003, 0.01)), np.zeros(101), 1e-3))


def test_one_value_is_one_force() -> None:
    assert friction_along(friction_record(LAW), np.array([0.01]), 1e-3) == pytest.approx([1.4])


def test_strided_and_integer_speeds_are_taken() -> None:
    row, speed = friction_record(LAW, LTIFilter(0.01)), np.random.default_rng(1).normal(0.0, 0.02, 402)
    assert np.array_equal(friction_along(row, speed[1::2], 1e-3), friction_along(row, speed[1::2].copy(), 1e-3))
    assert friction_along(friction_record(LAW), np.array([1, 1, 1]), 1e-3) == pytest.approx(
        static_force(np.array([1.0, 1.0]))
    )


@pytest.mark.parametrize(
    ("speed", "step", "message"),
    [
        (np.zeros(4), 1e-3, r"odd number of half-step values, got shape \(4,\)"),
        (np.zeros(0), 1e-3, r"odd number of half-step values, got shape \(0,\)"),
        (np.zeros((3, 3)), 1e-3, r"odd number of half-step values, got shape \(3, 3\)"),
        (np.zeros(5), 0.0, "step must be greater than 0"),
        (np.zeros(5), np.nan, "step must be a finite number"),
    ],
)
def test_what_does_not_fit_is_refused(speed: NDArray[np.float64], step: float, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        friction_along(friction_record(LAW), speed, step)


def test_a_step_too_long_for_the_filter_is_told() -> None:
    """RK4 on a filter with T_F = 1 ms is unstable beyond 2.79 ms."""
    speed = np.full(20001, 0.1)
    with pytest.raises(DivergedError, match=r"with a step of 0.01 s: use a smaller step"):
        friction_along(friction_record(LAW, LTIFilter(1e-3)), speed, 1e-2)
    assert friction_along(friction_record(LAW, LTIFilter(1e-3)), speed, 2.7e-3)[-1] == pytest.approx(
        static_force(np.array(0.1))
    )
