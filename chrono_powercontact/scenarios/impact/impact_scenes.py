"""A ball that flies at a wall, as a moving scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...view.drawn import Drawn, Touch
from ..scenes.moving_scenes import Planar, ball, block

if TYPE_CHECKING:
    from ...trajectory import Trajectory


def flight(run: Trajectory, radius: float, wall: tuple[float, float]) -> tuple[list[Drawn], list[Touch]]:
    """The ball of a radius in m, a wall between two positions in m, and the force of the wall."""
    s = run["s"]
    zero = 0.0 * s
    back, front = wall
    span = 8.0 * radius
    barrier = block(
        "wall", (max(front - back, 1e-6), span, span), Planar(zero + 0.5 * (back + front), zero), fixed=True
    )
    tip = np.maximum(s - radius, np.minimum(s, front))
    touch = Touch((tip, 0.0, 0.0), "F_barrier", (1.0, 0.0, 0.0))
    return [ball("ball", radius, Planar(s, zero)), barrier], [touch]
