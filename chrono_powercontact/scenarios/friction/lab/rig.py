"""A test rig that prescribes the motion of one friction point and measures the force."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ....kernel import kernel
from ....laws.friction.anchor import anchor_flow, anchor_pull
from ....laws.friction.friction_table import ANCHORED
from .case import Vector


@kernel
def _anchored_along(law: Any, displacement: Any, speed: Any, force: Any) -> None:
    z = (0.0, 0.0, 0.0)
    for n in range(force.size):
        force[n] = anchor_pull(law.anchor, 1.0, 1.0, z, (speed[n], 0.0, 0.0))[0]
        if n < displacement.size:
            z = anchor_flow(law.anchor.limit, z, (displacement[n], 0.0, 0.0))


def force_along(law: Any, position: Vector, speed: Vector, step: float) -> Vector:
    """Friction force in N at each full step of a motion.

    Args:
        law: law and memory from `friction_record`.
        position: in m at every half step (2 n + 1 values for n steps).
        speed: in m/s at every half step.
        step: in s; an anchor needs none, for it follows its path exactly.
    """
    from ....lagrange.prescribed import friction_along

    if law["kind"] != ANCHORED:
        return friction_along(law, speed, step)
    force = np.zeros(speed.size // 2 + 1)
    _anchored_along(law, np.diff(position[::2]), np.ascontiguousarray(speed[::2]), force)
    return force


def swing(corners: tuple[float, ...], time: float, steps: int) -> tuple[Vector, Vector, float]:
    """Position in m and speed in m/s at every half step of half cosines from corner to corner, and the step in s.

    Args:
        corners: positions in m.
        time: of each leg in s.
        steps: of each leg.
    """
    fraction = np.arange(2 * steps) / (2 * steps)
    positions = []
    speeds = []
    for here, there in pairwise(corners):
        positions.append(here + (there - here) * 0.5 * (1.0 - np.cos(np.pi * fraction)))
        speeds.append((there - here) * 0.5 * np.pi / time * np.sin(np.pi * fraction))
    position = np.append(np.concatenate(positions), corners[-1])
    speed = np.append(np.concatenate(speeds), 0.0)
    return position, speed, time / steps
