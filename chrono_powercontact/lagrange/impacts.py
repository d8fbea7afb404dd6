"""Many free impacts of a point mass at once: one compiled pass over all of them, on all cores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from ..errors import ParameterError, positive
from ..kernel import inlined, kernel
from ..laws.normal.normal_table import NORMAL, normal_force

RESTITUTION, CONTACT_TIME, PEAK_FORCE, LEAST_DISTANCE = range(4)
"""Columns of what an impact gives: speed ratio, time in s, force in N, distance in m."""


@inlined
def acceleration(law: Any, mass: float, s: float, v: float) -> float:
    """Acceleration in m/s^2 of a mass in kg at a distance s in m with the normal speed v in m/s."""
    return normal_force(law, s, v)[0] / mass


@inlined
def impact_step(law: Any, mass: float, s: float, v: float, h: float) -> tuple[float, float]:
    """Distance and speed after a step of RK4; in registers, which `numerics.rk4` is not."""
    a1 = acceleration(law, mass, s, v)
    v2 = v + 0.5 * h * a1
    a2 = acceleration(law, mass, s + 0.5 * h * v, v2)
    v3 = v + 0.5 * h * a2
    a3 = acceleration(law, mass, s + 0.5 * h * v2, v3)
    v4 = v + h * a3
    a4 = acceleration(law, mass, s + h * v3, v4)
    s += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4)
    v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
    return s, v


@kernel
def impact(law: Any, mass: float, start: float, speed: float, h: float, most: int, out: Any) -> None:
    """RK4 from distance `start` with -speed until the mass is back there; for `out` see RESTITUTION."""
    s = start
    v = -speed
    out[CONTACT_TIME] = 0.0
    out[PEAK_FORCE] = 0.0
    out[LEAST_DISTANCE] = start
    for _ in range(most):
        s, v = impact_step(law, mass, s, v, h)
        force = normal_force(law, s, v)[0]
        out[CONTACT_TIME] += h * (force > 1e-3 * law.restriction.r_f)
        out[PEAK_FORCE] = max(out[PEAK_FORCE], force)
        out[LEAST_DISTANCE] = min(out[LEAST_DISTANCE], s)
        if s >= start and v > 0.0:
            break
    out[RESTITUTION] = v / speed


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
