"""A box on a slope, as a moving scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...view.drawn import Drawn, Touch
from ..scenes.moving_scenes import block, on_slope, plate, touch
from .planar_box import CORNERS

if TYPE_CHECKING:
    from ...trajectory import Trajectory


def box_on_slope(run: Trajectory, size: float, slope: ArrayLike) -> tuple[list[Drawn], list[Touch]]:
    """A cube of an edge in m on a slope of an angle in rad, with the forces on its corners."""
    turn = run["phi"] + np.asarray(slope)
    centre = on_slope(run["x"], run["z"], slope)
    half = 0.5 * size
    contacts = []
    for i, (a, b) in enumerate(CORNERS):
        corner = centre.shifted(a * half, b * half, turn)
        contacts += touch(run, corner, f"F_{i + 1}", f"Ft_{i + 1}", slope, _slip(run))
    return [block("box", (size, size, size), centre, turn), plate(run["x"], 1.5 * size, slope)], contacts


def _slip(run: Trajectory) -> np.ndarray:
    """Speed in m/s along the slope, as the recorded positions say: a slope may move itself."""
    return np.asarray(np.gradient(run["x"], run["t"]))
