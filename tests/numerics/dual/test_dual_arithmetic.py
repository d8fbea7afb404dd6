"""Every operator and function of dual numbers, against differences of the plain function."""

import numpy as np
import pytest
from numba import njit

from chrono_powercontact.numerics.dual import dual_arithmetic as dual_arithmetic
from chrono_powercontact.numerics.dual.dual_arrays import as_duals, duals_of
from chrono_powercontact.numerics.dual.dual_type import plain_value


def both(x, y, out):
    """All that kernels do with numbers, of x and y."""
    out[0] = x + y * x - 2.0 * y + (1.0 - x)
    out[1] = x / y + 3.0 / x + y / 2.0
    out[2] = x**y + x**3 + x**-1.5 + 2.0**y
    out[3] = np.exp(x) + np.expm1(y) + np.log(x) + np.log1p(y)
    out[4] = np.sin(x) * np.cos(y) + np.tan(x)
    out[5] = np.sinh(x) + np.cosh(y) + np.tanh(x * y)
    out[6] = np.arctan2(x, y) + np.arctan2(x, 2.0) + np.arctan2(2.0, y) + np.arctan(x)
    out[7] = np.arccos(0.5 * x) + np.arcsin(0.5 * y) + np.sqrt(x)
    out[8] = np.minimum(x, y) + max(x, 0.1) + min(3.0, y) + np.maximum(y, 9.0)
    out[9] = np.abs(-x) + abs(y) - np.sign(-x) * y + float(x)
    out[10] = (x < y) * y + (x > 0.5) * x + (x == x) * x - (y != y) * y + (x <= 1.0) * y + (y <= 2.0) * x


@njit
def both_duals(values, results):
    x = as_duals(values)
    both_compiled(x[0], x[1], as_duals(results))


both_compiled = njit(both)


@pytest.mark.parametrize(("x", "y"), [(0.7, 1.3), (1.3, 0.7)])
def test_functions_have_the_slopes_of_differences(x, y):
    values = duals_of([x, y])
    values[0, 1] = 1.0
    values[1, 2] = 1.0
    results = np.zeros((11, 9))
    both_duals(values, results)
    h = 1e-6
    ends = [np.zeros(11) for _ in range(5)]
    for end, (a, b) in zip(ends, ((x, y), (x + h, y), (x - h, y), (x, y + h), (x, y - h)), strict=True):
        both(a, b, end)
    assert results[:, 0] == pytest.approx(ends[0], rel=1e-14)
    assert results[:, 1] == pytest.approx((ends[1] - ends[2]) / (2.0 * h), rel=1e-7, abs=1e-8)
    assert results[:, 2] == pytest.approx((ends[3] - ends[4]) / (2.0 * h), rel=1e-7, abs=1e-8)
    assert np.all(results[:, 3:] == 0.0)


@njit
def at_zero(values, results):
    x = as_duals(values)
    out = as_duals(results)
    out[0] = np.sqrt(x[0])
    out[1] = np.abs(x[0])
    out[2] = 1.0 * plain_value(x[0])
    total = 0.0
    for i in range(3):
        total += x[0] * i
    out[3] = total


def test_kinks_give_zero_and_values_alone_no_slope():
    values = duals_of([0.0])
    values[0, 1] = 1.0
    results = np.ones((4, 9))
    at_zero(values, results)
    assert results[:, 1].tolist() == [0.0, 0.0, 0.0, 3.0]
    assert plain_value(2) == 2.0
