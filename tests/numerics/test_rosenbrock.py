"""The linearly implicit method: its order conditions, its damping at infinity, and the pieces of a step."""

from __future__ import annotations

import numpy as np
import pytest

from chrono_powercontact.numerics import rosenbrock as r


def test_coefficients_meet_the_conditions_of_third_order_for_any_matrix() -> None:
    """Conditions of a W-method: those of Runge-Kutta, and those with gamma in each place of alpha."""
    b, alpha, gamma = r.WEIGHTS, r.ALPHA, r.GAMMAS
    beta, one = alpha + gamma, np.ones(4)
    assert b.sum() == pytest.approx(1.0)
    assert b @ alpha @ one == pytest.approx(1 / 2)
    assert b @ gamma @ one == pytest.approx(0.0, abs=1e-14)
    assert b @ (alpha @ one) ** 2 == pytest.approx(1 / 3)
    assert b @ alpha @ alpha @ one == pytest.approx(1 / 6)
    for first, second in ((alpha, gamma), (gamma, alpha), (gamma, gamma)):
        assert b @ first @ second @ one == pytest.approx(0.0, abs=1e-14)
    assert b @ beta @ beta @ one == pytest.approx(1 / 6)


def test_the_embedded_method_is_of_second_order() -> None:
    b = r.EMBEDDED
    assert b.sum() == pytest.approx(1.0)
    assert b @ (r.ALPHA + r.GAMMAS) @ np.ones(4) == pytest.approx(1 / 2)


@pytest.mark.parametrize(("z", "bound"), [(-1e3, 3e-3), (-1e6, 3e-6), (1e3j, 1.0), (10j, 1.0), (-3.0 + 4.0j, 1.0)])
def test_stiff_parts_are_damped(z: complex, bound: float) -> None:
    """R(z) = 1 + z b^T (1 - z (alpha + gamma))^-1 1 falls as 2.87/|z|: L-stable."""
    one = np.ones(4)
    factor = 1.0 + z * r.WEIGHTS @ np.linalg.solve(np.eye(4) - z * (r.ALPHA + r.GAMMAS), one)
    assert abs(factor) < bound


def test_the_step_follows_the_error() -> None:
    assert r.next_size(0.1, 1.0) == pytest.approx(0.085)
    assert r.next_size(0.1, 0.4) == 0.1
    assert r.next_size(0.1, 1e-9) == pytest.approx(0.3)
    assert r.next_size(0.1, 1e9) == pytest.approx(0.02)
    assert r.next_size(0.1, np.nan) == pytest.approx(0.01)


@pytest.mark.parametrize("value", [0.0, 1e-12, 1.0, -250.0])
def test_increments_are_not_rounded_away(value: float) -> None:
    step = r.nudge(value)
    assert (value + step) - value == step
    assert 1e-11 < step < 1e-6
