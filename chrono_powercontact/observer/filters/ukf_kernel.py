"""The square-root unscented Kalman filter, step by step (van der Merwe and Wan 2001).

Its weights are in ALGORITHM. A factor that cannot be reduced is kept as it was, which is cautious, and counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ...numerics.copying import put, put_matrix
from ...numerics.finite import all_finite
from .factors import add_product, lower_factor, put_transposed, rank_one
from .filter_layout import Correction, Estimate
from .sigma_points import apply, gain, innovate

Array = Any


@kernel
def weighted_mean(points: Array, algorithm: Any, mean: Array) -> None:
    """Mean of what became of the points."""
    for j in range(mean.size):
        rest = 0.0
        for i in range(1, points.shape[0]):
            rest += points[i, j]
        mean[j] = algorithm.mean_centre * points[0, j] + algorithm.others * rest


@kernel
def reduce(s: Array, v: Array, weight: float) -> int:
    """Add weight v v^T to S S^T; 1, with S as it was, where that is not positive definite."""
    before = s.copy()
    scaled = v.copy()
    for j in range(v.size):
        scaled[j] *= np.sqrt(abs(weight))
    if rank_one(s, scaled, 1.0 if weight > 0.0 else -1.0):
        return 0
    put_matrix(before, s)
    return 1


@kernel
def spread_factor(points: Array, mean: Array, noise: Array, algorithm: Any, s: Array) -> int:
    """Factor of the covariance of what became of the points, with noise; -1 where they are not finite."""
    others = points.shape[0] - 1
    m = mean.size
    stack = np.empty((others + m, m))
    away = np.empty(m)
    for j in range(m):
        for i in range(others):
            stack[i, j] = np.sqrt(algorithm.others) * (points[1 + i, j] - mean[j])
        away[j] = points[0, j] - mean[j]
    put_transposed(noise, stack[others:])
    if not all_finite(stack):
        return -1
    lower_factor(stack, s)
    return reduce(s, away, algorithm.spread_centre) if algorithm.spread_centre != 0.0 else 0


@kernel
def predicted(points: Array, x: Array, s: Array, s_v: Array, algorithm: Any, counts: Any) -> None:
    """State and factor from what became of the points; as `cdkf_kernel.predicted`."""
    n = x.size
    mean = np.empty(n)
    before = s.copy()
    stack = np.empty((2 * n, n))
    weighted_mean(points, algorithm, mean)
    kept = spread_factor(points, mean, s_v, algorithm, s)
    if kept >= 0:
        put(mean, x)
        counts.lifted += kept
        return
    put(points[0], x)
    put_transposed(before, stack[:n])
    put_transposed(s_v, stack[n:])
    lower_factor(stack, s)
    counts.collapsed += 1


@kernel
def corrected(
    outs: Array, estimate: Estimate, y: Array, s_n: Array, turns: Array, algorithm: Any, correction: Correction,
    counts: Any,
) -> bool:  # fmt: skip
    """State and factor with a measurement, from the outputs of the points; False where these are not finite."""
    x, s = estimate
    innovation, s_y = correction
    n = x.size
    m = y.size
    mean = np.empty(m)
    apart = np.empty((n, m))
    k = np.zeros((n, m))
    downdate = np.zeros((n, m))
    weighted_mean(outs, algorithm, mean)
    kept = spread_factor(outs, mean, s_n, algorithm, s_y)
    if kept < 0:
        return False
    for i in range(n):
        for j in range(m):
            apart[i, j] = algorithm.others * algorithm.spread * (outs[1 + i, j] - outs[1 + n + i, j])
    add_product(s, apart, k)
    gain(k, s_y)
    innovate(y, mean, turns, innovation)
    apply(k, innovation, x)
    add_product(k, s_y, downdate)
    for j in range(m):
        kept += reduce(s, downdate[:, j].copy(), -1.0)
    counts.lifted += kept
    return all_finite(s) and all_finite(x)
