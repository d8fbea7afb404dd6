import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.numerics.finite import all_finite
from chrono_powercontact.observer.filters import factors

seeds = st.integers(0, 10_000)


@given(seeds, st.integers(1, 7), st.integers(0, 9))
def test_lower_factor_squares_to_the_product_and_has_a_positive_diagonal(seed, n, more):
    stack = np.random.default_rng(seed).normal(size=(n + more, n))
    s = np.full((n, n), np.nan)
    factors.lower_factor(stack.copy(), s)
    np.testing.assert_allclose(s @ s.T, stack.T @ stack, atol=1e-12 * (n + more))
    assert np.all(np.triu(s, 1) == 0.0)
    assert np.all(np.diag(s) >= 0.0)


@given(seeds, st.integers(1, 6))
def test_rank_one_change_is_the_cholesky_factor_of_the_changed_matrix(seed, n):
    chance = np.random.default_rng(seed)
    root, v = chance.normal(size=(n, n)), chance.normal(size=n)
    matrix = root @ root.T + np.eye(n)
    s = np.linalg.cholesky(matrix)
    assert factors.rank_one(s, v.copy(), 1.0)
    np.testing.assert_allclose(s, np.linalg.cholesky(matrix + np.outer(v, v)), atol=1e-10)
    assert factors.rank_one(s, v.copy(), -1.0)
    np.testing.assert_allclose(s, np.linalg.cholesky(matrix), atol=1e-9)


def test_a_reduction_beyond_the_definite_is_refused():
    assert not factors.rank_one(np.eye(2), np.array([0.0, 1.001]), -1.0)


def test_triangular_solves_invert_the_factor():
    s, b = np.array([[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [-1.0, 0.5, 0.7]]), np.array([1.0, -2.0, 0.3])
    forward, backward = b.copy(), b.copy()
    factors.solve_lower(s, forward)
    factors.solve_upper(s, backward)
    np.testing.assert_allclose(s @ forward, b, atol=1e-14)
    np.testing.assert_allclose(s.T @ backward, b, atol=1e-14)


def test_a_singular_factor_is_lifted_and_a_regular_one_is_left():
    regular, singular = np.array([[1.0, 0.0], [1.0, 1e-8]]), np.array([[1.0, 0.0], [1.0, 1e-13]])
    assert factors.lift(regular, np.zeros((2, 2))) == 0
    assert factors.lift(singular, np.zeros((2, 2))) == 1
    assert singular[1, 1] == pytest.approx(1e-10)


def test_what_is_not_finite_is_found():
    assert all_finite(np.ones((2, 2)))
    assert not all_finite(np.array([1.0, np.inf]))
    assert not all_finite(np.array([[1.0, np.nan]]))
