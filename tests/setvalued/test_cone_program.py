"""The simplex method over cones: it meets scipy's linear programming where cones are flat."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from chrono_powercontact.setvalued.cone_program import CONE, INFEASIBLE, OPTIMAL, UNBOUNDED, extremes
from chrono_powercontact.setvalued.ranges import _by_library


def cones_of(count, size, mu):
    cones = np.zeros(count, CONE)
    cones["first"] = (size + 1) * np.arange(count)
    cones["size"] = size
    cones["mu"] = mu
    return cones


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(2, 8), st.integers(1, 4))
def test_same_as_linear_programming_in_a_plane(seed, count, equations):
    random = np.random.default_rng(seed)
    cones = cones_of(count, 1, 0.4)
    a = random.normal(size=(min(equations, count), 2 * count))
    b = a @ np.ravel([(0.1 * n, n) for n in random.uniform(0.1, 1.0, count)])
    a[0] = np.tile((0.0, 1.0), count)
    b[0] = 3.0
    objectives = random.normal(size=(4, 2 * count))
    ended, values, _ = extremes(objectives, a, b, cones, 1e-9)
    for objective, value in zip(objectives, values, strict=True):
        limits = np.zeros((2 * count, 2 * count))
        for i in range(count):
            limits[2 * i, 2 * i : 2 * i + 2] = 1.0, -0.4
            limits[2 * i + 1, 2 * i : 2 * i + 2] = -1.0, -0.4
        bounds = [(None, None), (0.0, None)] * count
        known = linprog(-objective, A_ub=limits, b_ub=np.zeros(2 * count), A_eq=a, b_eq=b, bounds=bounds)
        if known.status == 2:
            assert ended == INFEASIBLE
        else:
            assert ended == OPTIMAL
            assert np.isclose(value, -known.fun, rtol=1e-7, atol=1e-7)


def test_unbounded_and_infeasible():
    cones = cones_of(2, 0, 0.0)
    pair = np.array([[1.0, -1.0]])
    _, values, _ = extremes(np.eye(2), pair, np.array([1.0]), cones, 1e-9)
    assert np.all(np.isinf(values))
    ended, _, _ = extremes(np.eye(2), np.array([[1.0, 1.0]]), np.array([-1.0]), cones, 1e-9)
    assert ended == INFEASIBLE
    assert UNBOUNDED != OPTIMAL


def test_the_library_answers_where_the_method_would_stall():
    cones = cones_of(3, 2, 0.5)
    a = np.array([[0.0, 0.0, 1.0] * 3, [1.0, 0.0, 0.0] * 3])
    b = np.array([6.0, 1.0])
    objectives = np.eye(9)
    _, values, _ = extremes(objectives, a, b, cones, 1e-9)
    assert np.allclose(_by_library(objectives, a, b, cones), values, rtol=2e-3, atol=1e-6)
