"""A Newton step of a small island against NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_islands import random_problem
from sealed_calls import callable_from_python

from chrono_powercontact.chrono.implicit.solvers.direct_step import direct_step

step_of = callable_from_python(direct_step)


@given(st.integers(0, 2**31), st.integers(1, 5), st.integers(0, 3))
@settings(max_examples=25)
def test_the_step_solves_the_equations_of_the_island(seed, count, rows):
    problem, matrix = random_problem(seed, count, rows if count > 1 else 0)
    g = np.random.default_rng(seed).normal(size=len(matrix))
    found = g.copy()
    assert step_of(problem, found)
    assert matrix @ found == pytest.approx(g, abs=1e-6 * np.abs(g).max())


def test_a_matrix_that_is_not_finite_gives_no_step():
    problem, matrix = random_problem(1, 2)
    problem.blocks["by_v"] = np.nan
    assert not step_of(problem, np.ones(len(matrix)))
