"""A Newton step of an island with few blocks against NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_islands import random_problem
from sealed_calls import callable_from_python

from chrono_powercontact.chrono.implicit.solvers.few_blocks import few_blocks_step

step_of = callable_from_python(few_blocks_step)


@given(st.integers(0, 2**31), st.integers(5, 8), st.integers(0, 2))
@settings(max_examples=25)
def test_the_step_solves_the_equations_of_the_island(seed, count, springs):
    problem, matrix = random_problem(seed, count, count + 1, springs=springs, many=2)
    assert problem.island.reached.size > 0
    for trial in range(2):
        g = np.random.default_rng(seed + trial).normal(size=len(matrix))
        found = g.copy()
        assert step_of(problem, found)
        bodies = 6 * count
        assert found[:bodies] == pytest.approx(np.linalg.solve(matrix, g)[:bodies], abs=1e-6 * np.abs(g).max())


def test_slopes_that_are_not_finite_give_no_step():
    problem, matrix = random_problem(1, 6, 6, many=2)
    problem.blocks["by_v"] = np.nan
    assert not step_of(problem, np.ones(len(matrix)))


def test_an_island_with_many_blocks_is_solved_otherwise():
    assert random_problem(1, 4, 4)[0].island.reached.size == 0
