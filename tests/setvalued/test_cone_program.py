"""Bounds over friction cones: against scipy's linear programming in a plane, in closed form in space."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from chrono_powercontact.errors import DivergedError, NoFeasibleForceError
from chrono_powercontact.setvalued import cone_program
from chrono_powercontact.setvalued.cone_program import ConeProgram, cones_of
from chrono_powercontact.setvalued.contact_set import touching


def cones(count, size, mu):
    return cones_of([touching(str(i), np.zeros(1), np.zeros((size, 1)), mu) for i in range(count)])


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(2, 8), st.integers(1, 4))
def test_same_as_linear_programming_in_a_plane(seed, count, equations):
    random = np.random.default_rng(seed)
    a = random.normal(size=(min(equations, count), 2 * count))
    a[0] = np.tile((0.0, 1.0), count)
    b = a @ np.ravel([(0.1 * n, n) for n in random.uniform(0.1, 1.0, count)])
    program = ConeProgram(cones(count, 1, 0.4), a, b)
    limits = np.kron(np.eye(count), [[1.0, -0.4], [-1.0, -0.4]])
    bounds = [(None, None), (0.0, None)] * count
    for objective in random.normal(size=(4, 2 * count)):
        known = linprog(-objective, A_ub=limits, b_ub=np.zeros(2 * count), A_eq=a, b_eq=b, bounds=bounds)
        assert known.status == 0
        assert np.isclose(program.largest(objective), -known.fun, rtol=1e-6, atol=1e-6)


def test_a_circular_cone_is_exact():
    """Two feet share a weight of 10 N and a pull of 1 N along x; the largest T of one of them is known."""
    a = np.array([[1.0, 0.0, 0.0] * 2, [0.0, 1.0, 0.0] * 2, [0.0, 0.0, 1.0] * 2])
    program = ConeProgram(cones(2, 2, 0.5), a, np.array([0.0, 0.0, 10.0]))
    slanted = np.array([0.6, 0.8, 0.0, 0.0, 0.0, 0.0])
    assert program.largest(slanted) == pytest.approx(2.5, abs=1e-6)
    assert program.largest(np.eye(6)[2]) == pytest.approx(10.0, abs=1e-6)
    assert -program.largest(-np.eye(6)[2]) == pytest.approx(0.0, abs=1e-6)


def test_unbounded_and_infeasible():
    rays = cones(2, 0, 0.0)
    program = ConeProgram(rays, np.array([[1.0, -1.0]]), np.array([1.0]))
    assert np.isinf(program.largest(np.eye(2)[0]))
    assert program.largest(-np.eye(2)[0]) == pytest.approx(-1.0, abs=1e-7)
    with pytest.raises(NoFeasibleForceError, match="the bodies must move"):
        ConeProgram(rays, np.array([[1.0, 1.0]]), np.array([-1.0])).largest(np.zeros(2))


def test_another_end_of_the_library_is_named(monkeypatch):
    monkeypatch.setattr(cone_program, "REACHED", ())
    with pytest.raises(DivergedError, match="Clarabel ended with Solved"):
        ConeProgram(cones(1, 0, 0.0), np.array([[1.0]]), np.array([1.0])).largest(np.ones(1))
