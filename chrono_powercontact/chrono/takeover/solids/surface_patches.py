"""Patches of a surface of triangles that a round probe can touch, compiled.

A round probe may touch several faces of a surface at once where it is hollow, as a ball in a groove does. The triangles
near it are therefore sorted into patches that are nowhere hollow, and the probe touches each of them by itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernel import kernel
from ....numerics.vectors import dot, minus, triple
from ...contact.solids.faceted import near_triangle, pseudo_normal

Array = Any

NONE = -1
"""Number of the patch of a triangle that belongs to none."""


@kernel
def distances(points: Array, facets: Array, out: Array) -> None:
    """Distance in m of each point from each triangle, negative if it lies behind the feature that is nearest to it."""
    for i in range(points.shape[0]):
        p = triple(points[i])
        for k in range(facets.size):
            q, feature = near_triangle(p, facets[k].corners)
            apart = minus(p, q)
            side = 1.0 if dot(apart, pseudo_normal(facets[k], feature)) >= 0.0 else -1.0
            out[i, k] = side * np.sqrt(dot(apart, apart))


@kernel
def height_over(facet: Any, plane: Any) -> float:
    """Height in m of the highest corner of a triangle over the plane of another one."""
    n = triple(plane.normal)
    origin = triple(plane.corners[0])
    highest = -np.inf
    for k in range(3):
        highest = max(highest, dot(n, minus(triple(facet.corners[k]), origin)))
    return highest


@kernel
def grow(seed: int, facets: Array, across: Array, hollow: Array, slack: float, waiting: Array, patch: Array) -> None:
    """Put a triangle and those around it into a patch, which is named after it.

    Args:
        across: numbers of the triangles across the three sides of each, -1 for none. hollow: whether the surface is
            hollow there. slack: height in m by which a triangle may rise over the plane of the first.
        waiting: room for numbers of triangles. patch: numbers of the patches, NONE for triangles without one.
    """
    patch[seed] = seed
    waiting[0] = seed
    count = 1
    while count > 0:
        count -= 1
        one = waiting[count]
        for side in range(3):
            other = across[one, side]
            if other < 0 or hollow[one, side] or patch[other] != NONE:
                continue
            if height_over(facets[other], facets[seed]) <= slack:
                patch[other] = seed
                waiting[count] = other
                count += 1


@kernel
def find_patches(off: Array, facets: Array, across: Array, hollow: Array, slack: float, patch: Array) -> None:
    """Sort triangles into patches, beginning with the nearest; for the arguments see `grow`.

    Args:
        off: distance in m of each triangle.
    """
    patch[:] = NONE
    waiting = np.empty(3 * off.size + 1, np.int64)
    for seed in np.argsort(off):
        if patch[seed] == NONE:
            grow(seed, facets, across, hollow, slack, waiting, patch)
