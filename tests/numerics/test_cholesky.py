"""Small symmetric systems: the solution of NumPy, whatever the upper triangle holds, and what is no such system."""

import numpy as np
import pytest

from chrono_powercontact.numerics.cholesky import cholesky_solve
from chrono_powercontact.numerics.two_by_two import solve_two


def matrix(n):
    root = np.random.default_rng(n).normal(size=(n, n))
    return root @ root.T + 0.1 * np.eye(n)


@pytest.mark.parametrize("n", [1, 2, 3, 6, 15])
def test_the_solution_is_that_of_numpy(n):
    m, b = matrix(n), np.arange(1.0, n + 1.0)
    y = b.copy()
    assert cholesky_solve(m.copy(), y)
    assert y == pytest.approx(np.linalg.solve(m, b), rel=1e-10)


def test_only_the_lower_triangle_is_read_and_it_takes_the_factors():
    m, y = matrix(4), np.ones(4)
    lower = np.tril(m)
    assert cholesky_solve(lower, y)
    assert y == pytest.approx(np.linalg.solve(m, np.ones(4)), rel=1e-10)
    factor = np.tril(lower, -1) + np.eye(4)
    assert factor @ np.diag(1.0 / np.diag(lower)) @ factor.T == pytest.approx(m, rel=1e-12)


@pytest.mark.parametrize(
    "m", [-np.eye(3), np.zeros((2, 2)), np.array([[1.0, 2.0], [2.0, 1.0]]), np.full((2, 2), np.nan)]
)
def test_a_matrix_that_is_not_positive_definite_is_refused(m):
    assert not cholesky_solve(m.copy(), np.ones(len(m)))


def test_two_equations_need_no_symmetry():
    m, b = np.array([[2.0, -1.0], [0.5, 3.0]]), np.array([1.0, -2.0])
    assert solve_two(*m[0], b[0], *m[1], b[1]) == pytest.approx(tuple(np.linalg.solve(m, b)), rel=1e-14)
