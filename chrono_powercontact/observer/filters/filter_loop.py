"""The compiled loop over samples, for all models and filters: predict, take the measurement in, report."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype, njit, types

from ...kernel import kernel
from ...numerics.copying import put, put_matrix
from ...numerics.finite import all_finite
from ..filter_model import POINTERS, SYSTEMS
from . import cdkf_kernel as cdkf
from . import ukf_kernel as ukf
from .factors import lift
from .filter_layout import ALGORITHM, CDKF_KIND, COUNTS, Correction, Equations, Estimate, Setting
from .sigma_points import clip, draw, normalised_square, outputs, propagate

Array = Any
_VECTOR = types.float64[::1]
_MATRIX = types.float64[:, ::1]
ARGUMENTS = (
    POINTERS, SYSTEMS, types.int64[::1], types.boolean[::1], types.int64[::1], _VECTOR, _MATRIX, _MATRIX, _VECTOR,
    _VECTOR, _VECTOR, types.float64, types.float64, types.int64, from_dtype(ALGORITHM)[::1], _MATRIX, _MATRIX, _MATRIX,
    _MATRIX, types.float64[:, :, ::1], from_dtype(COUNTS)[::1],
)  # fmt: skip


@kernel
def report(x: Array, s: Array, innovation: Array, nis: float, row: Array) -> None:
    """Write state, standard deviations, innovation and NIS."""
    n = x.size
    m = innovation.size
    put(x, row[:n])
    for i in range(n):
        square = 0.0
        for k in range(i + 1):
            square += s[i, k] * s[i, k]
        row[n + i] = np.sqrt(square)
    put(innovation, row[2 * n : 2 * n + m])
    row[2 * n + m] = nis


@kernel
def mend(estimate: Estimate, setting: Setting) -> None:
    """Lift a factor that became singular, and put the estimate inside its bounds."""
    setting.counts[0].lifted += lift(estimate.s, setting.s_v)
    clip(estimate.x, setting.lower, setting.upper)


@kernel
def predict(
    equations: Equations, setting: Setting, t: float, u: Array, estimate: Estimate, points: Array
) -> bool:  # fmt: skip
    """Bring the estimate one sample on, with the input held; False where the centre left the finite numbers."""
    algorithm = setting.algorithm[0]
    counts = setting.counts[0]
    x = estimate.x
    s = estimate.s
    draw(x, s, algorithm.spread, points)
    for i in range(points.shape[0]):
        clip(points[i], setting.lower, setting.upper)
    propagate(equations, t, points, u, setting.step, setting.steps)
    if not all_finite(points[0]):
        return False
    if algorithm.kind == CDKF_KIND:
        cdkf.predicted(points, x, s, setting.s_v, algorithm, counts)
    else:
        ukf.predicted(points, x, s, setting.s_v, algorithm, counts)
    mend(estimate, setting)
    return True


@kernel
def correct(
    equations: Equations, setting: Setting, t: float, u: Array, y: Array, estimate: Estimate, points: Array,
    correction: Correction,
) -> bool:  # fmt: skip
    """Take a measurement in; False where the outputs of the points are not finite."""
    algorithm = setting.algorithm[0]
    turns = equations.turns
    outs = np.empty((points.shape[0], y.size))
    draw(estimate.x, estimate.s, algorithm.spread, points)
    outputs(equations, t, points, u, outs)
    if algorithm.kind == CDKF_KIND:
        good = cdkf.corrected(outs, estimate, y, setting.s_n, turns, algorithm, correction)
    else:
        good = ukf.corrected(outs, estimate, y, setting.s_n, turns, algorithm, correction, setting.counts[0])
    mend(estimate, setting)
    return good


@kernel
def sample(
    equations: Equations, setting: Setting, t: float, u: Array, y: Array, estimate: Estimate, points: Array,
    correction: Correction,
) -> bool:  # fmt: skip
    """One sample: predict, then take the measurement in, or skip it where it is not finite."""
    if not predict(equations, setting, t, u, estimate, points):
        return False
    if all_finite(y):
        end = t + setting.steps * setting.step
        if not correct(equations, setting, end, u, y, estimate, points, correction):
            return False
    else:
        correction.innovation[:] = np.nan
        setting.counts[0].skipped += 1
    return all_finite(estimate.x) and all_finite(estimate.s)


@njit(types.int64(*ARGUMENTS), cache=True, error_model="numpy")
def run(
    functions: Any, systems: Any, pick: Array, turns: Array, slots: Array, x: Array, s: Array, s_v: Array, p: Array,
    lower: Array, upper: Array, t: float, step: float, steps: int, algorithm: Array, s_n: Array, us: Array, ys: Array,
    rows: Array, factors: Array, counts: Array,
) -> int:  # fmt: skip
    """One sample for each row of inputs and measurements; returns how many were taken before the model failed.

    x and s are advanced in place; a measurement that is not finite is skipped. factors keeps S of each sample where
    it has room.
    """
    n = x.size
    m = ys.shape[1]
    equations = Equations(functions, systems, p.copy(), pick, turns, slots)
    setting = Setting(algorithm, counts, s_v, s_n, lower, upper, step, steps)
    estimate = Estimate(x, s)
    correction = Correction(np.empty(m), np.empty((m, m)))
    points = np.empty((2 * n + 1, n))
    x_old = x.copy()
    s_old = s.copy()
    for r in range(ys.shape[0]):
        put(x, x_old)
        put_matrix(s, s_old)
        if not sample(equations, setting, t + r * steps * step, us[r], ys[r], estimate, points, correction):
            put(x_old, x)
            put_matrix(s_old, s)
            return r
        innovation = correction.innovation
        nis = normalised_square(innovation, correction.s_y) if all_finite(innovation) else np.nan
        report(x, s, innovation, nis, rows[r])
        if r < factors.shape[0]:
            factors[r] = s
    return ys.shape[0]
