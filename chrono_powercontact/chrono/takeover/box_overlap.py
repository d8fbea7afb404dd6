"""The least overlap of two boxes: how deep they are in each other, and along which axis they part soonest.

Corners of aligned boxes lie in each other's faces, so that contact at corners does not tell which way they overlap. The
axes that can separate two boxes are the normals of their faces and the products of their edges (Gottschalk 1996).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

EDGE_ON_EDGE = 0.95
"""Overlap along a product of edges, relative to that along a face, below which it counts: faces are the rule."""
PARALLEL = 1e-6
"""Length of the product of two edges, below which they are parallel."""
TIED = 1e-6
"""Corners that are less deep by this fraction of the size lie in the same face or edge."""

Floats = NDArray[np.float64]


class PlacedBox(NamedTuple):
    """A box in the world: centre in m, rotation with its axes as columns, half edges in m."""

    centre: Floats
    turn: Floats
    half: Floats

    def extent(self, axis: Floats) -> float:
        """Half its width along a unit vector, in m."""
        return float(self.half @ np.abs(axis @ self.turn))

    def farthest(self, axis: Floats) -> Floats:
        """Middle of the corners that lie farthest along a unit vector, in m."""
        along = axis @ self.turn
        signs = np.where(np.abs(along) * self.half > TIED * self.half.max(), np.sign(along), 0.0)
        return self.centre + self.turn @ (signs * self.half)


class Overlap(NamedTuple):
    """How two boxes overlap: depth in m (negative if they do not), unit vector from B to A, and its middle in m."""

    depth: float
    axis: Floats
    middle: Floats


def _axes(a: PlacedBox, b: PlacedBox) -> list[tuple[Floats, float]]:
    """Unit vectors that may separate two boxes, each with the factor by which its overlap counts."""
    found = [(turn[:, i], 1.0) for turn in (a.turn, b.turn) for i in range(3)]
    for i in range(3):
        for j in range(3):
            product = np.cross(a.turn[:, i], b.turn[:, j])
            length = float(np.linalg.norm(product))
            if length > PARALLEL:
                found.append((product / length, 1.0 / EDGE_ON_EDGE))
    return found


def least_overlap(a: PlacedBox, b: PlacedBox) -> Overlap:
    """The overlap of two boxes along the axis on which it is least."""
    apart = a.centre - b.centre
    counted = np.inf
    depth = np.inf
    axis = np.zeros(3)
    for unit, factor in _axes(a, b):
        overlap = a.extent(unit) + b.extent(unit) - abs(float(apart @ unit))
        if overlap * (factor if overlap > 0.0 else 1.0) < counted:
            counted = overlap * (factor if overlap > 0.0 else 1.0)
            depth = overlap
            axis = unit if apart @ unit >= 0.0 else -unit
    return Overlap(depth, axis, 0.5 * (a.farthest(-axis) + b.farthest(axis)))
