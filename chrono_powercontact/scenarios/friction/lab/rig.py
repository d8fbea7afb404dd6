"""A test rig that prescribes the motion of one friction point and measures the force."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ....kernel import kernel
from ....laws.friction.anchor import LIMIT, anchor_flow, anchor_pull
from ....laws.rows import ANCHORED
from .case import Vector


@kernel
def _anchored_along(row: Any, way: Any, speed: Any, force: Any) -> None:
    z = (0.0, 0.0, 0.0)
    for n in range(force.size):
        force[n] = anchor_pull(row, 1.0, 1.0, z, (speed[n], 0.0, 0.0))[0]
        if n < way.size:
            z = anchor_flow(row[LIMIT], z, (way[n], 0.0, 0.0))


def force_along(row: Vector, place: Vector, speed: Vector, step: float) -> Vector:
    """Friction force in N at each full step of a motion.

    Args:
        row: law and memory from `friction_row`.
        place: in m, and its rate `speed` in m/s, at every half step (2 n + 1 values for n steps).
        step: in s; an anchor needs none, for it follows its way exactly.
    """
    from ....lagrange.prescribed import friction_along

    if row[0] != ANCHORED:
        return friction_along(row, speed, step)
    force = np.zeros(speed.size // 2 + 1)
    _anchored_along(row, np.diff(place[::2]), np.ascontiguousarray(speed[::2]), force)
    return force


def swing(corners: tuple[float, ...], time: float, steps: int) -> tuple[Vector, Vector, float]:
    """Place in m and speed in m/s at every half step of half cosines from corner to corner, and the step in s.

    Args:
        corners: places in m. time: of each leg in s. steps: of each leg.
    """
    share = np.arange(2 * steps) / (2 * steps)
    places, speeds = [], []
    for here, there in pairwise(corners):
        places.append(here + (there - here) * 0.5 * (1.0 - np.cos(np.pi * share)))
        speeds.append((there - here) * 0.5 * np.pi / time * np.sin(np.pi * share))
    return np.append(np.concatenate(places), corners[-1]), np.append(np.concatenate(speeds), 0.0), time / steps
