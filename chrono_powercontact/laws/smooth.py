"""Smooth functions that the laws share, without overflow or cancellation."""

from __future__ import annotations

import numpy as np

from ..kernel import FloatArray, kernel

_LOG1P_EXP_M2 = float(np.log1p(np.exp(-2.0)))
_LOG_2 = float(np.log(2.0))


@kernel
def falling_step(x: FloatArray) -> FloatArray:
    """(1 - tanh(x))/2 as 1/(1 + exp(2x)): accurate in the tail, where the difference would cancel.

    It stays above 1e-261, so that derivatives do not overflow on the way.
    """
    return 1.0 / (1.0 + np.exp(np.minimum(2.0 * x, 600.0)))


@kernel
def log_cosh(x: FloatArray) -> FloatArray:
    """log(cosh(x)) without overflow at any argument and without cancellation near zero."""
    a = np.abs(x)
    near = np.minimum(a, 1.0)
    far = np.maximum(a, 1.0)
    beyond_one = (far - 1.0) + (np.log1p(np.exp(-2.0 * far)) - _LOG1P_EXP_M2)
    return np.log1p(2.0 * np.sinh(0.5 * near) ** 2) + beyond_one


@kernel
def log_cosh_at(x: float) -> float:
    """log(cosh(x)) of a number, in half the time."""
    a = abs(x)
    if a < 1.0:
        return float(np.log1p(2.0 * np.sinh(0.5 * a) ** 2))
    return float(a + np.log1p(np.exp(-2.0 * a)) - _LOG_2)


@kernel
def soft_plus(x: FloatArray) -> FloatArray:
    """log(1 + exp(x)) without overflow at any argument."""
    return np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x)))
