"""A Newton step of a large island against NumPy; it is exact in the links, and improves until it is exact."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_islands import random_problem
from sealed_calls import callable_from_python

from chrono_powercontact.chrono.implicit.solvers.krylov_step import TOLERANCE, krylov_step

step_of = callable_from_python(krylov_step)


@given(st.integers(0, 2**31), st.integers(2, 8), st.integers(0, 4), st.sampled_from([1.0, 50.0, 1e4]))
@settings(max_examples=25)
def test_repeated_steps_solve_the_equations_of_the_island(seed, count, rows, stiff):
    problem, matrix = random_problem(seed, count, rows, stiff)
    many = 6 * count
    g = np.append(np.random.default_rng(seed).normal(size=many), np.zeros(rows))
    exact = np.linalg.solve(matrix, g)[:many]
    found = np.zeros(many)
    errors = []
    for _ in range(8):
        rest = g.copy()
        if errors and errors[-1] < 1e-8:
            break
        rest[:many] -= matrix[:many, :many] @ found
        assert step_of(problem, rest)
        found += rest[:many]
        assert matrix[many:, :many] @ found == pytest.approx(np.zeros(rows), abs=1e-8)
        errors.append(np.linalg.norm(found - exact) / np.linalg.norm(exact))
    assert errors[-1] < 1e-6
    assert errors[0] < 30.0 * TOLERANCE


def test_links_move_as_demanded():
    problem, matrix = random_problem(7, 4, 3)
    g = np.append(np.zeros(24), [1.0, -2.0, 0.5])
    found = g.copy()
    assert step_of(problem, found)
    assert matrix[24:, :24] @ found[:24] == pytest.approx(g[24:], rel=1e-6)


def test_a_matrix_that_is_not_finite_gives_no_step():
    problem, matrix = random_problem(1, 3)
    problem.blocks["by_v"] = np.nan
    assert not step_of(problem, np.ones(len(matrix)))
