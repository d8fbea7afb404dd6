import math

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chrono_powercontact.laws.smooth import falling_step, log_cosh, soft_plus

MODEST = settings(max_examples=50, deadline=None)


def exact(function, x):
    with mpmath.workdps(400):
        return float(function(mpmath.mpf(x)))


@pytest.mark.parametrize("x", [0.0, 1e-300, 1e-150, 1e-20, 1e-8, 1e-4, 0.1, 0.5, 0.999999, 1.0, 1.000001, 2.0, 19.0])
def test_log_cosh_is_exact_near_zero(x):
    assert float(log_cosh(x)) == pytest.approx(exact(lambda y: mpmath.log(mpmath.cosh(y)), x), rel=1e-15, abs=0.0)


@pytest.mark.parametrize("x", [354.0, 711.0, 1e4, 1e100, 1e300])
def test_log_cosh_does_not_overflow(x):
    with mpmath.workdps(400):
        wanted = float(mpmath.mpf(x) - mpmath.log(2) + mpmath.log1p(mpmath.exp(-2 * mpmath.mpf(x))))
    assert float(log_cosh(x)) == pytest.approx(wanted, rel=1e-15)


@given(st.floats(-600.0, 600.0))
@MODEST
def test_log_cosh_is_exact_and_even(x):
    assert float(log_cosh(x)) == pytest.approx(exact(lambda y: mpmath.log(mpmath.cosh(y)), x), rel=1e-15, abs=1e-300)
    assert log_cosh(x) == log_cosh(-x)


@pytest.mark.parametrize("x", [-1e300, -800.0, -700.0, -50.0, -1.0, -1e-9, 0.0, 1e-9, 1.0, 50.0, 800.0, 1e300])
def test_soft_plus_is_exact_everywhere(x):
    with mpmath.workdps(400):
        y = mpmath.mpf(x)
        wanted = float(y + mpmath.log1p(mpmath.exp(-y))) if x > 0 else float(mpmath.log1p(mpmath.exp(y)))
    assert float(soft_plus(x)) == pytest.approx(wanted, rel=4e-16, abs=0.0)


@pytest.mark.parametrize("x", [-1e300, -30.0, -1.0, -1e-9, 0.0, 0.5, 5.0, 40.0, 300.0])
def test_falling_step_keeps_its_digits_in_the_tail(x):
    assert float(falling_step(x)) == pytest.approx(exact(lambda y: 1 / (1 + mpmath.exp(2 * y)), x), rel=1e-14, abs=0.0)


def test_falling_step_does_not_overflow():
    assert 0.0 <= falling_step(1e300) < 1e-250


@pytest.mark.parametrize("function", [falling_step, log_cosh, soft_plus])
def test_nan_is_not_hidden(function):
    assert math.isnan(function(math.nan))
    assert math.isnan(function.py_func(math.nan))
