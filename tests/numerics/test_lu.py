"""Small linear systems: against NumPy, and where there is no solution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.numerics.lu import lu_factor, lu_solve


@given(st.integers(1, 12), st.integers(0, 10_000))
def test_solutions_are_those_of_numpy(n: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    a, b = random.normal(size=(n, n)) + 0.1 * np.eye(n), random.normal(size=n)
    factors, x, pivots = a.copy(), b.copy(), np.zeros(n, np.int64)
    assert lu_factor(factors, pivots, 0.0) == np.sign(np.linalg.det(a))
    lu_solve(factors, pivots, x)
    assert np.abs(a @ x - b).max() <= 1e-10 * (np.abs(a).max() * np.abs(x).max() + 1.0)


def test_rows_are_swapped_where_the_pivot_is_zero() -> None:
    a, x, pivots = np.array([[0.0, 2.0], [4.0, 1.0]]), np.array([6.0, 11.0]), np.zeros(2, np.int64)
    assert lu_factor(a, pivots, 0.0) != 0
    lu_solve(a, pivots, x)
    assert x == pytest.approx([2.0, 3.0])


@pytest.mark.parametrize("a", [[[1.0, 2.0], [2.0, 4.0]], [[np.nan, 0.0], [0.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]])
def test_singular_matrices_are_told(a: list[list[float]]) -> None:
    assert lu_factor(np.array(a), np.zeros(2, np.int64), 0.0) == 0


def test_a_pivot_far_below_the_largest_entry_counts_as_zero_where_asked() -> None:
    a = [[1.0, 0.0], [0.0, 1e-13]]
    assert lu_factor(np.array(a), np.zeros(2, np.int64), 1e-12) == 0
    assert lu_factor(np.array(a), np.zeros(2, np.int64), 0.0) == 1
