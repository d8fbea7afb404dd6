"""Adams' method: weights, accuracy, and a history that survives a change of coordinates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chrono_powercontact.errors import DivergedError
from chrono_powercontact.numerics.adams import Adams, interpolation_weights

ROWS = np.array([0, 1])


@settings(max_examples=40)
@given(count=st.integers(1, 9), seed=st.integers(0, 10**6))
def test_weights_integrate_every_polynomial_through_the_nodes(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    nodes = 1.0 - np.cumsum(rng.uniform(0.3, 1.5, count))
    weights = interpolation_weights(nodes)
    for power in range(count):
        exact = 1.0 / (power + 1)
        assert weights @ nodes**power == pytest.approx(exact, abs=1e-10 * np.abs(weights) @ np.abs(nodes) ** power)


def test_weights_of_the_textbook() -> None:
    assert interpolation_weights(np.array([0.0, -1.0])) == pytest.approx([1.5, -0.5])
    assert interpolation_weights(np.array([0.0, -1.0, -2.0])) == pytest.approx([23 / 12, -16 / 12, 5 / 12])
    assert interpolation_weights(np.array([1.0, 0.0, -1.0])) == pytest.approx([5 / 12, 8 / 12, -1 / 12])


def oscillator(_: float, z: np.ndarray, __: bool) -> np.ndarray:
    return np.array([z[1], -z[0]])


def run(adams: Adams, end: float) -> Adams:
    while adams.t < end:
        adams.step(end)
    return adams


@pytest.mark.parametrize(("rtol", "error"), [(1e-5, 1e-3), (1e-8, 1e-6), (1e-11, 1e-9)])
def test_error_follows_the_tolerance(rtol: float, error: float) -> None:
    adams = run(Adams(oscillator, ROWS, 0.0, np.array([1.0, 0.0]), rtol, rtol), 10.0)
    assert adams.t == 10.0
    assert adams.z == pytest.approx([np.cos(10.0), -np.sin(10.0)], abs=error)


def test_tight_tolerances_are_met_by_high_order_not_by_small_steps() -> None:
    adams = run(Adams(oscillator, ROWS, 0.0, np.array([1.0, 0.0]), 1e-11, 1e-11), 20.0)
    assert adams.order >= 7
    assert adams.evaluations < 1000
    assert adams.evaluations == 2 * adams.steps + adams.rejected + 1


def test_a_converted_history_goes_on_as_if_nothing_had_happened() -> None:
    """x = cos t, y = sin t as full state (x, y, x', y'): either pair (x, x') or (y, y') is integrated."""

    def rate(chosen: list[int]):
        def full(_: float, z: np.ndarray, __: bool) -> np.ndarray:
            other = np.array([-z[1], z[0]]) if chosen[0] == 0 else np.array([z[1], -z[0]])
            x, vx, y, vy = (*z, *other) if chosen[0] == 0 else (*other, *z)
            return np.array([vx, vy, -x, -y])

        return full

    chosen = [0]
    adams = Adams(rate(chosen), np.array([0, 2]), 0.0, np.array([1.0, 0.0]), 1e-10, 1e-12)
    while adams.t < 3.0:
        adams.step(6.0)
    before = (adams.order, adams.h, adams.evaluations)
    chosen[0] = 1
    adams.convert(np.array([1, 3]), np.array([np.sin(adams.t), np.cos(adams.t)]))
    assert (adams.order, adams.h, adams.evaluations) == before
    rejected = adams.rejected
    run(adams, 6.0)
    assert adams.rejected - rejected <= 2
    assert adams.z == pytest.approx([np.sin(6.0), np.cos(6.0)], abs=1e-8)


def test_a_restart_begins_at_order_one() -> None:
    adams = Adams(oscillator, ROWS, 0.0, np.array([1.0, 0.0]), 1e-10, 1e-12)
    for _ in range(20):
        adams.step(10.0)
    assert adams.order > 3
    adams.restart(ROWS, adams.z)
    assert adams.order == 1
    assert len(adams.times) == 1


def test_a_trial_that_fails_is_tried_with_a_smaller_step() -> None:
    """Undefined derivatives beyond x = 1.001 end no run that turns back at x = 1."""

    def edge(_: float, z: np.ndarray, __: bool) -> np.ndarray:
        return np.array([z[1], -z[0]]) if z[0] < 1.001 else np.full(2, np.nan)

    adams = run(Adams(edge, ROWS, 0.0, np.array([0.0, 1.0]), 1e-8, 1e-10), 4.0)
    assert adams.z == pytest.approx([np.sin(4.0), np.cos(4.0)], abs=1e-5)


def test_a_pole_ends_the_run_with_a_sentence() -> None:
    def pole(_: float, z: np.ndarray, __: bool) -> np.ndarray:
        return z**2

    with pytest.raises(DivergedError, match=r"the Adams step shrank below 1e-13 s after 1"):
        run(Adams(pole, np.array([0]), 0.0, np.array([1.0]), 1e-6, 1e-8), 2.0)
