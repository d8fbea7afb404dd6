"""The tumbling cube as a moving scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...view.drawn import Drawn, Touch
from ...view.pieces import BOX
from ...view.poses import turned
from .cube_model import CORNERS, CubeParameters

if TYPE_CHECKING:
    from ...trajectory import Trajectory


def rotations(p: CubeParameters, run: Trajectory) -> np.ndarray:
    """Quaternions (e0, e1, e2, e3) of the cube, one row each."""
    if p.rotation == "quaternion":
        return np.column_stack([run[name] for name in ("e0", "e1", "e2", "e3")])
    from scipy.spatial.transform import Rotation

    angles = np.column_stack([run[name] for name in ("gamma", "beta", "alpha")])
    return np.roll(Rotation.from_euler("ZYX", angles).as_quat(), 1, axis=1)


def tumbling(run: Trajectory, p: CubeParameters) -> tuple[list[Drawn], list[Touch]]:
    """The cube, the floor under its path, and the forces on its corners."""
    turn = rotations(p, run)
    centre = np.column_stack([run[name] for name in "xyz"])
    cube = Drawn("cube", BOX, (p.edge, p.edge, p.edge), tuple(centre.T), rotation=tuple(turn.T))
    low = centre.min(axis=0) - 1.5 * p.edge
    high = centre.max(axis=0) + 1.5 * p.edge
    size = high - low
    middle = 0.5 * (low + high)
    thick = 0.1 * p.edge
    floor = Drawn("floor", BOX, (size[0], size[1], thick), (middle[0], middle[1], -0.5 * thick), fixed=True)
    contacts = []
    for i, corner in enumerate(CORNERS):
        if f"F_{i + 1}" not in run.names:
            continue
        at = centre + turned(turn, 0.5 * p.edge * corner)
        names = [f"Ft_{i + 1}_x", f"Ft_{i + 1}_y"]
        friction = [-run[name] if name in run.names else 0.0 for name in names]
        slip = np.hypot(*(np.gradient(at[:, k], run["t"]) for k in (0, 1)))
        contacts.append(Touch(tuple(at.T), f"F_{i + 1}", (0.0, 0.0, 1.0), (*friction, 0.0), slip))
    return [cube, floor], contacts
