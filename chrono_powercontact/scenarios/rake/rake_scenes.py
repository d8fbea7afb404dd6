"""The rake cleaner as a moving scene: arms, cylinders, rack, and the pressing force."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ...view.drawn import Drawn, Touch
from ..scenes.moving_scenes import Planar, bar
from .motion.setup import Setup
from .rake_pictures import skeleton

if TYPE_CHECKING:
    from ...trajectory import Trajectory

THICK = {"main": 0.25, "knuckle": 0.2, "main cylinder": 0.15, "knuckle cylinder": 0.15}
"""Radii in m of the bars that represent arms and cylinders."""

DRAWN = 400
"""Records at which the arms are placed; between them positions are interpolated."""


def machine_bodies(setup: Setup, run: Trajectory) -> list[Drawn]:
    """Arms and cylinders as chains of bars, and the rack."""
    some = np.unique(np.linspace(0, len(run) - 1, DRAWN).astype(int))
    poses = np.column_stack([run[f"q_{i + 1}"] for i in range(len(setup.mech.own))])[some]
    placed = [skeleton(setup, np.ascontiguousarray(pose)) for pose in poses]
    found = []
    for name, radius in THICK.items():
        points = np.array([shape[name] for shape in placed])
        course = [Planar(*(_between(run, some, points[:, k, i]) for k in (0, 1))) for i in range(points.shape[2])]
        pairs = pairwise(course)
        found += [bar(f"{name} {i + 1}", start, end, radius) for i, (start, end) in enumerate(pairs)]
    return [*found, _rack(setup, run)]


def _between(run: Trajectory, some: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values at some records, at all of them."""
    return np.asarray(np.interp(run["t"], run["t"][some], values))


def _rack(setup: Setup, run: Trajectory) -> Drawn:
    """The rack as a bar."""
    zero = 0.0 * run["t"]
    ends = [setup.rack.point(at, setup.rack.offset) for at in (0.0, setup.rack.length)]
    low, high = (Planar(zero + end[0], zero + end[1]) for end in ends)
    return bar("rack", low, high, 0.1, fixed=True)


def pressing(setup: Setup) -> Touch:
    """The force of the rack on the scraper."""
    x, z = (float(part) for part in setup.rack.normal)
    return Touch(("x_T", 0.0, "z_T"), "N", (x, 0.0, z), (0.0, 0.0, 0.0), "v_t")
