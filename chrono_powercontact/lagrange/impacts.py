"""Many free impacts of a point mass at once: one compiled pass over all of them, on all cores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from ..errors import ParameterError, positive
from ..kernel import kernel
from ..laws.rows import normal_force


@kernel
def impact(row: Any, mass: float, start: float, speed: float, h: float, most: int, out: Any) -> None:
    """RK4 from distance `start` with -speed until the mass is back there; out: restitution, time, peak, least s."""
    s, v = start, -speed
    out[1], out[2], out[3] = 0.0, 0.0, start
    for _ in range(most):
        a1 = normal_force(row, s, v)[0] / mass
        v2 = v + 0.5 * h * a1
        a2 = normal_force(row, s + 0.5 * h * v, v2)[0] / mass
        v3 = v + 0.5 * h * a2
        a3 = normal_force(row, s + 0.5 * h * v2, v3)[0] / mass
        v4 = v + h * a3
        a4 = normal_force(row, s + h * v3, v4)[0] / mass
        s += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4)
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        force = normal_force(row, s, v)[0]
        out[1] += h * (force > 1e-3 * row[3])
        out[2] = max(out[2], force)
        out[3] = min(out[3], s)
        if s >= start and v > 0.0:
            break
    out[0] = v / speed


@njit(cache=True, parallel=True, error_model="numpy")
def _impacts(rows: Any, mass: float, start: float, speeds: Any, h: float, most: int, out: Any) -> None:
    for i in prange(rows.shape[0]):
        impact(rows[i], mass, start, speeds[i], h, most, out[i])


def free_impacts(
    rows: NDArray[np.float64], mass: float, start: float, speeds: NDArray[np.float64], step: float
) -> NDArray[np.float64]:
    """Restitution, contact time in s, peak force in N and least distance in m of each free impact.

    Args:
        rows: one normal law per impact. mass: in kg. start: distance in m, outside the contact.
        speeds: impact speed in m/s per impact. step: of RK4, in s.
    """
    positive("mass", mass)
    positive("step", step)
    rows, speeds = np.ascontiguousarray(rows, float), np.ascontiguousarray(speeds, float)
    if rows.ndim != 2 or speeds.shape != rows.shape[:1]:
        raise ParameterError(f"speeds must hold one value per law, got shape {speeds.shape} for {rows.shape}")
    if not np.all(speeds > 0.0):
        raise ParameterError(f"each speed must be greater than 0, got {speeds.min():g}")
    out = np.zeros((len(rows), 4))
    _impacts(rows, mass, start, speeds, step, 10_000_000, out)
    return out
