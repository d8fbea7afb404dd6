"""Banded linear systems: against NumPy, and where there is no solution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.numerics.band import (
    band_factor,
    band_solve,
    empty_band,
    symmetric_factor,
    symmetric_forward,
    symmetric_solve,
)


def banded(a: np.ndarray, width: int) -> np.ndarray:
    n = len(a)
    band = empty_band(n, width)
    for i in range(n):
        for j in range(max(i - width, 0), min(i + width + 1, n)):
            band[i, j - i + width] = a[i, j]
    return band


@given(st.integers(1, 15), st.integers(0, 14), st.integers(0, 10_000))
def test_solutions_are_those_of_numpy(n: int, width: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    far = np.abs(np.subtract.outer(np.arange(n), np.arange(n))) > width
    a, b = np.where(far, 0.0, random.normal(size=(n, n)) + 0.1 * np.eye(n)), random.normal(size=n)
    band, x, order = banded(a, width), b.copy(), np.zeros(n, np.int64)
    assert band_factor(band, order, 0.0)
    band_solve(band, order, x)
    assert np.abs(a @ x - b).max() <= 1e-10 * (np.abs(a).max() * np.abs(x).max() + 1.0)


def test_rows_are_swapped_where_the_pivot_is_zero() -> None:
    a = np.array([[0.0, 2.0, 0.0], [4.0, 0.0, 1.0], [0.0, 3.0, 1.0]])
    band, x, order = banded(a, 1), a @ (1.0, 2.0, 3.0), np.zeros(3, np.int64)
    assert band_factor(band, order, 0.0)
    band_solve(band, order, x)
    assert x == pytest.approx([1.0, 2.0, 3.0])


@pytest.mark.parametrize("a", [[[1.0, 2.0], [2.0, 4.0]], [[np.nan, 0.0], [0.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]])
def test_singular_matrices_are_reported(a: list[list[float]]) -> None:
    assert not band_factor(banded(np.array(a), 1), np.zeros(2, np.int64), 0.0)


def test_a_pivot_far_below_the_largest_entry_counts_as_zero_where_asked() -> None:
    a = np.array([[1.0, 0.0], [0.0, 1e-13]])
    assert not band_factor(banded(a, 1), np.zeros(2, np.int64), 1e-12)
    assert band_factor(banded(a, 1), np.zeros(2, np.int64), 0.0)


def random_symmetric(n: int, width: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A positive definite banded matrix, as a whole and as its factors."""
    random = np.random.default_rng(seed)
    width = min(width, n - 1)
    far = np.subtract.outer(np.arange(n), np.arange(n)) > width
    root = np.where(far, 0.0, np.tril(random.normal(size=(n, n)))) + 2.0 * np.eye(n)
    a = root @ root.T
    band = np.zeros((n, width + 1))
    for i in range(n):
        for j in range(max(i - width, 0), i + 1):
            band[i, j - i + width] = a[i, j]
    symmetric_factor(band, 0.0)
    return a, band


@given(st.integers(1, 15), st.integers(0, 14), st.integers(0, 10_000))
def test_symmetric_solutions_are_those_of_numpy(n: int, width: int, seed: int) -> None:
    a, band = random_symmetric(n, width, seed)
    b = np.random.default_rng(seed + 1).normal(size=n)
    x = b.copy()
    symmetric_solve(band, x)
    assert np.abs(a @ x - b).max() <= 1e-9 * (np.abs(a).max() * np.abs(x).max() + 1.0)


@given(st.integers(1, 15), st.integers(0, 14), st.integers(1, 7), st.integers(0, 10_000))
def test_the_inverse_between_right_sides_needs_the_forward_half_only(n: int, width: int, many: int, seed: int) -> None:
    """B^T A^-1 B = (F^-1 B)^T D^-1 (F^-1 B)."""
    a, band = random_symmetric(n, width, seed)
    b = np.random.default_rng(seed + 1).normal(size=(n, many))
    half = b.copy()
    symmetric_forward(band, half)
    expected = b.T @ np.linalg.solve(a, b)
    assert half.T @ (half / band[:, -1:]) == pytest.approx(expected, rel=1e-8, abs=1e-9 * np.abs(expected).max())


def test_of_two_equal_rows_one_counts() -> None:
    band, x = np.array([[0.0, 2.0], [2.0, 2.0]]), np.array([2.0, 2.0])
    symmetric_factor(band, 1e-12)
    symmetric_solve(band, x)
    assert x == pytest.approx([1.0, 0.0])
