"""The leg as a moving scene: thigh, shank, foot, slide and guide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ....view.drawn import Drawn
from ....view.pieces import Colour
from ...scenes.moving_scenes import Planar, ball, bar
from .leg_kinematics import poses_along
from .stages import S_RANGE
from .trainer_leg import Leg

Vector = NDArray[np.float64]

SECOND: Colour = (200, 64, 63)
"""Colour of a second leg, which is compared with the first."""

THICK = 0.02
"""Radius in m of a limb."""


def leg_bodies(leg: Leg, phi: Vector, s: Vector, prefix: str = "", colour: Colour | None = None) -> list[Drawn]:
    """Bodies of a leg at hip angles in rad and slide positions in m, the guide last; names begin with a prefix."""
    pose = poses_along(leg, phi, s)
    hip = Planar(0.0 * phi, 0.0 * phi)
    knee, ankle, slide, tip = (Planar(*pose[name].T) for name in ("knee", "ankle", "slide", "tip"))
    along = np.array((np.cos(leg.delta_sl), np.sin(leg.delta_sl)))
    ends = np.array((leg.x_sl_0, leg.y_sl_0)) + np.outer(S_RANGE, along)
    low, high = (Planar(0.0 * phi + end[0], 0.0 * phi + end[1]) for end in ends)
    bodies = [
        bar("thigh", hip, knee, THICK),
        bar("shank", knee, ankle, THICK),
        bar("foot", ankle, tip, 0.7 * THICK),
        ball("slide", 1.5 * THICK, slide),
        bar("guide", low, high, 0.5 * THICK, fixed=True),
    ]
    return [replace(body, name=f"{prefix}{body.name}", colour=colour) for body in bodies]
