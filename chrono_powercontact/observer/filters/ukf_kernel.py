"""The square-root unscented Kalman filter, step by step (van der Merwe and Wan 2001).

numbers is (kind, spread of the points, weight of the centre in the mean and in the covariance, weight of the others).
A factor that cannot be reduced is kept as it was, which is cautious, and counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ...numerics.finite import all_finite
from .factors import add_product, lower_factor, put_transposed, rank_one
from .sigma_points import COLLAPSED, LIFTED, apply, gain, innovate

SPREAD, MEAN_CENTRE, SPREAD_CENTRE, OTHERS = 1, 2, 3, 4

Array = Any


@kernel
def weighted_mean(points: Array, numbers: Array, mean: Array) -> None:
    """Mean of what became of the points."""
    for j in range(mean.size):
        rest = 0.0
        for i in range(1, points.shape[0]):
            rest += points[i, j]
        mean[j] = numbers[MEAN_CENTRE] * points[0, j] + numbers[OTHERS] * rest


@kernel
def reduce(s: Array, v: Array, weight: float) -> int:
    """Add weight v v^T to S S^T; 1, with S as it was, where that is not positive definite."""
    before, scaled = s.copy(), v.copy()
    for j in range(v.size):
        scaled[j] *= np.sqrt(abs(weight))
    if rank_one(s, scaled, 1.0 if weight > 0.0 else -1.0):
        return 0
    s[:] = before
    return 1


@kernel
def spread_factor(points: Array, mean: Array, noise: Array, numbers: Array, s: Array) -> int:
    """Factor of the covariance of what became of the points, with noise; -1 where they are not finite."""
    others, m = points.shape[0] - 1, mean.size
    stack = np.empty((others + m, m))
    away = np.empty(m)
    for j in range(m):
        for i in range(others):
            stack[i, j] = np.sqrt(numbers[OTHERS]) * (points[1 + i, j] - mean[j])
        away[j] = points[0, j] - mean[j]
    put_transposed(noise, stack[others:])
    if not all_finite(stack):
        return -1
    lower_factor(stack, s)
    return reduce(s, away, numbers[SPREAD_CENTRE]) if numbers[SPREAD_CENTRE] != 0.0 else 0


@kernel
def predicted(points: Array, x: Array, s: Array, s_v: Array, numbers: Array, counts: Array) -> None:
    """State and factor from what became of the points; as `cdkf_kernel.predicted`."""
    n = x.size
    mean, before, stack = np.empty(n), s.copy(), np.empty((2 * n, n))
    weighted_mean(points, numbers, mean)
    kept = spread_factor(points, mean, s_v, numbers, s)
    if kept >= 0:
        x[:] = mean
        counts[LIFTED] += kept
        return
    x[:] = points[0]
    put_transposed(before, stack[:n])
    put_transposed(s_v, stack[n:])
    lower_factor(stack, s)
    counts[COLLAPSED] += 1


@kernel
def corrected(
    outs: Array, x: Array, s: Array, y: Array, s_n: Array, turns: Array, numbers: Array, innovation: Array, s_y: Array,
    counts: Array,
) -> bool:  # fmt: skip
    """State and factor with a measurement, from the outputs of the points; False where these are not finite."""
    n, m = x.size, y.size
    mean, apart, k, shares = np.empty(m), np.empty((n, m)), np.zeros((n, m)), np.zeros((n, m))
    weighted_mean(outs, numbers, mean)
    kept = spread_factor(outs, mean, s_n, numbers, s_y)
    if kept < 0:
        return False
    for i in range(n):
        for j in range(m):
            apart[i, j] = numbers[OTHERS] * numbers[SPREAD] * (outs[1 + i, j] - outs[1 + n + i, j])
    add_product(s, apart, k)
    gain(k, s_y)
    innovate(y, mean, turns, innovation)
    apply(k, innovation, x)
    add_product(k, s_y, shares)
    for j in range(m):
        kept += reduce(s, shares[:, j].copy(), -1.0)
    counts[LIFTED] += kept
    return all_finite(s) and all_finite(x)
