"""Many free impacts of a point mass at once: one compiled pass over all of them, on all cores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from ..errors import ParameterError, positive
from ..kernel import kernel
from ..laws.normal.normal_table import NORMAL, normal_force


@kernel
def impact(law: Any, mass: float, start: float, speed: float, h: float, most: int, out: Any) -> None:
    """RK4 from distance `start` with -speed until the mass is back there; out: restitution, time, peak, least s."""
    s, v = start, -speed
    out[1], out[2], out[3] = 0.0, 0.0, start
    for _ in range(most):
        a1 = normal_force(law, s, v)[0] / mass
        v2 = v + 0.5 * h * a1
        a2 = normal_force(law, s + 0.5 * h * v, v2)[0] / mass
        v3 = v + 0.5 * h * a2
        a3 = normal_force(law, s + 0.5 * h * v2, v3)[0] / mass
        v4 = v + h * a3
        a4 = normal_force(law, s + h * v3, v4)[0] / mass
        s += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4)
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        force = normal_force(law, s, v)[0]
        out[1] += h * (force > 1e-3 * law.restriction.r_f)
        out[2] = max(out[2], force)
        out[3] = min(out[3], s)
        if s >= start and v > 0.0:
            break
    out[0] = v / speed


@njit(cache=True, parallel=True, error_model="numpy")
def _impacts(laws: Any, mass: float, start: float, speeds: Any, h: float, most: int, out: Any) -> None:
    for i in prange(laws.size):
        impact(laws[i], mass, start, speeds[i], h, most, out[i])


def free_impacts(
    laws: NDArray[Any], mass: float, start: float, speeds: NDArray[np.float64], step: float
) -> NDArray[np.float64]:
    """Restitution, contact time in s, peak force in N and least distance in m of each free impact.

    Args:
        laws: one record of a normal law per impact (`normal_record`).
        mass: in kg. start: distance in m, outside the contact.
        speeds: impact speed in m/s per impact. step: of RK4, in s.
    """
    positive("mass", mass)
    positive("step", step)
    laws = np.ascontiguousarray(laws, NORMAL)
    speeds = np.ascontiguousarray(speeds, float)
    if laws.ndim != 1 or speeds.shape != laws.shape:
        raise ParameterError(f"speeds must hold one value per law, got shape {speeds.shape} for {laws.shape}")
    if not np.all(speeds > 0.0):
        raise ParameterError(f"each speed must be greater than 0, got {speeds.min():g}")
    out = np.zeros((len(laws), 4))
    _impacts(laws, mass, start, speeds, step, 10_000_000, out)
    return out
