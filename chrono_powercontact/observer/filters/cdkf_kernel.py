"""The square-root central difference Kalman filter, step by step (Appendix B, corrected), and with it the EKF.

The numbers in the comments are the steps of Appendix B; 1, 2, 5 and 6 are those of `filter_loop`. Blocks of QR{} are
stacked as rows, so that the factor is the transpose of R.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ...numerics.copying import put
from ...numerics.finite import all_finite
from .factors import add_product, lower_factor, put_transposed
from .filter_layout import Correction, Estimate
from .sigma_points import apply, gain, innovate

Array = Any


@kernel
def differences(points: Array, algorithm: Any, first: Array, second: Array) -> None:
    """First and second central differences of what became of the points, as rows, with their weights."""
    h = algorithm.spread
    n = first.shape[0]
    for i in range(n):
        for j in range(points.shape[1]):
            ahead = points[1 + i, j]
            behind = points[1 + n + i, j]
            first[i, j] = (ahead - behind) / (2.0 * h)
            second[i, j] = algorithm.curvature * (ahead + behind - 2.0 * points[0, j])


@kernel
def weighted_mean(points: Array, algorithm: Any, mean: Array) -> None:
    """(h^2 - n)/h^2 of the centre and 1/(2 h^2) of each other point; written as centre and differences from it.

    The EKF gives the other points no weight: its mean is the centre.
    """
    for j in range(mean.size):
        rest = 0.0
        for i in range(1, points.shape[0]):
            rest += points[i, j] - points[0, j]
        mean[j] = points[0, j] + algorithm.others * rest


@kernel
def predicted(points: Array, x: Array, s: Array, s_v: Array, algorithm: Any, counts: Any) -> None:
    """State and factor from what became of the points, whose centre is finite.

    Where other points are not, the centre is taken alone and the spread is carried on unchanged.
    """
    n = x.size
    stack = np.zeros((3 * n, n))
    differences(points, algorithm, stack[:n], stack[n : 2 * n])
    if all_finite(stack):
        weighted_mean(points, algorithm, x)  # 3
    else:
        put(points[0], x)
        stack[:] = 0.0
        put_transposed(s, stack[:n])
        counts.collapsed += 1
    put_transposed(s_v, stack[2 * n :])
    lower_factor(stack, s)  # 4


@kernel
def corrected(
    outs: Array, estimate: Estimate, y: Array, s_n: Array, turns: Array, algorithm: Any, correction: Correction
) -> bool:  # fmt: skip
    """State and factor with a measurement, from the outputs of the points; False where these are not finite."""
    x, s = estimate
    innovation, s_y = correction
    n = x.size
    m = y.size
    mean = np.empty(m)
    k = np.zeros((n, m))
    stack_y = np.empty((2 * n + m, m))
    stack = np.zeros((2 * n + m, n))
    weighted_mean(outs, algorithm, mean)  # 7
    differences(outs, algorithm, stack_y[:n], stack_y[n : 2 * n])
    put_transposed(s_n, stack_y[2 * n :])
    if not all_finite(stack_y):
        return False
    lower_factor(stack_y, s_y)  # 8
    add_product(s, stack_y[:n], k)  # 9
    gain(k, s_y)  # 10
    innovate(y, mean, turns, innovation)
    apply(k, innovation, x)  # 11
    put_transposed(s, stack[:n])
    for r in range(2 * n + m):
        for i in range(n):
            for j in range(m):
                stack[r, i] -= stack_y[r, j] * k[i, j]  # the sign of the last two blocks does not matter
    if not (all_finite(stack) and all_finite(x)):
        return False
    lower_factor(stack, s)  # 12
    return True
