"""The compiled loop over samples, for all models and both filters: predict, take the measurement in, report."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

from ...kernel import kernel
from ...numerics.finite import all_finite
from ..filter_model import MEASURE, POINTERS, SYSTEMS
from . import cdkf_kernel as cdkf
from . import ukf_kernel as ukf
from .factors import lift
from .sigma_points import LIFTED, SKIPPED, clip, draw, normalised_square, outputs, propagate

CDKF_KIND, UKF_KIND = 0.0, 1.0

Array = Any
_VECTOR, _MATRIX = types.float64[::1], types.float64[:, ::1]
ARGUMENTS = (
    POINTERS, SYSTEMS, types.int64[::1], types.boolean[::1], _VECTOR, _MATRIX, _MATRIX, _VECTOR, _VECTOR, _VECTOR,
    types.float64, types.float64, types.int64, _VECTOR, _MATRIX, _MATRIX, _MATRIX, _MATRIX, types.float64[:, :, ::1],
    types.int64[::1],
)  # fmt: skip


@kernel
def report(x: Array, s: Array, innovation: Array, nis: float, row: Array) -> None:
    """Write state, standard deviations, innovation and NIS."""
    n, m = x.size, innovation.size
    row[:n] = x
    for i in range(n):
        square = 0.0
        for k in range(i + 1):
            square += s[i, k] * s[i, k]
        row[n + i] = np.sqrt(square)
    row[2 * n : 2 * n + m] = innovation
    row[2 * n + m] = nis


@njit(types.int64(*ARGUMENTS), cache=True, error_model="numpy")
def run(
    functions: Any, systems: Any, pick: Array, turns: Array, x: Array, s: Array, s_v: Array, p: Array, lower: Array,
    upper: Array, t: float, step: float, steps: int, numbers: Array, s_n: Array, us: Array, ys: Array, rows: Array,
    factors: Array, counts: Array,
) -> int:  # fmt: skip
    """One sample for each row of inputs and measurements; returns how many were taken before the model failed.

    x and s are advanced in place; a measurement that is not finite is skipped. factors keeps S of each sample where
    it has room. numbers is (kind, h) of the CDKF or (kind, spread, weights) of the UKF.
    """
    is_cdkf, n, m = numbers[0] == CDKF_KIND, x.size, ys.shape[1]
    points, outs, innovation, s_y = np.empty((2 * n + 1, n)), np.empty((2 * n + 1, m)), np.empty(m), np.empty((m, m))
    x_old, s_old = x.copy(), s.copy()
    for r in range(ys.shape[0]):
        begin, y = t + r * steps * step, ys[r]
        x_old[:], s_old[:] = x, s
        draw(x, s, numbers[1], points)
        for i in range(2 * n + 1):
            clip(points[i], lower, upper)
        propagate(functions, systems, begin, points, us[r], p, step, steps)
        good = all_finite(points[0])
        if good:
            if is_cdkf:
                cdkf.predicted(points, x, s, s_v, numbers, counts)
            else:
                ukf.predicted(points, x, s, s_v, numbers, counts)
            counts[LIFTED] += lift(s, s_v)
            clip(x, lower, upper)
        if good and all_finite(y):
            draw(x, s, numbers[1], points)
            outputs(functions[MEASURE], begin + steps * step, points, us[r], p, pick, turns, outs)
            if is_cdkf:
                good = cdkf.corrected(outs, x, s, y, s_n, turns, numbers, innovation, s_y, counts)
            else:
                good = ukf.corrected(outs, x, s, y, s_n, turns, numbers, innovation, s_y, counts)
            counts[LIFTED] += lift(s, s_v)
            clip(x, lower, upper)
        elif good:
            innovation[:] = np.nan
            counts[SKIPPED] += 1
        if not (good and all_finite(x) and all_finite(s)):
            x[:], s[:] = x_old, s_old
            return r
        nis = normalised_square(innovation, s_y) if all_finite(innovation) else np.nan
        report(x, s, innovation, nis, rows[r])
        if r < factors.shape[0]:
            factors[r] = s
    return ys.shape[0]
