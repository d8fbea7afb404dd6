"""The table on four legs as a moving scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...view.drawn import Drawn, Touch
from ...view.pieces import BOX, CYLINDER
from .four_legs_statics import LEGS, FourLegsParameters

if TYPE_CHECKING:
    from ...trajectory import Trajectory

Z = (0.0, 0.0, 1.0)

WOOD = (176, 130, 86)


def table_on_legs(run: Trajectory, p: FourLegsParameters) -> tuple[list[Drawn], list[Touch]]:
    """The top, the legs, the floor, and the forces on the feet."""
    half = 0.5 * p.side
    at = ("x", "y" if "y" in run.names else 0.0, "z")
    thick = 0.08 * p.side
    top = Drawn("top", BOX, (1.1 * p.side, 1.1 * p.side, thick), at, axis=Z, angle="yaw", colour=WOOD)
    bodies = [top]
    contacts = []
    turned = run["yaw"]
    slip = np.gradient(run["x"], run["t"])
    for i, (along, across) in enumerate(LEGS):
        offset = (along * half, across * half, -0.5 * p.height)
        size = (0.012 * p.side, p.height)
        bodies.append(Drawn(f"leg {i + 1}", CYLINDER, size, at, axis=Z, angle="yaw", offset=offset, colour=WOOD))
        x = run["x"] + half * (along * np.cos(turned) - across * np.sin(turned))
        y = half * (along * np.sin(turned) + across * np.cos(turned))
        contacts.append(Touch((x, y, 0.0), f"N_{i + 1}", Z, (f"T_{i + 1}", 0.0, 0.0), slip))
    wide = 2.5 * p.side + float(np.ptp(run["x"]))
    floor = Drawn("floor", BOX, (wide, 2.5 * p.side, 0.05 * p.side), (0.0, 0.0, -0.025 * p.side), fixed=True)
    return [*bodies, floor], contacts
