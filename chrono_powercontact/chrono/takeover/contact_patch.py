"""Many contact points of two bodies, as a mesh has them, thinned out: those at the rim of the patch carry it all.

A point stands for all in its cell: a vertex that several triangles share is found by each of them. Of points that face
the same way the deepest one is kept, and one that is outermost in each of some directions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernel import kernel
from ...numerics.vectors import cross, dot, norm, times, triple

Array = Any

FOUND = np.dtype(
    [
        ("point", np.float64, (3,)), ("normal", np.float64, (3,)), ("gap", np.float64), ("a", np.int64),
        ("b", np.int64), ("surfaces", np.int64, (2,)),
    ]
)  # fmt: skip
"""A contact found by Chrono: world point on A, normal towards A, gap in m, the numbers of bodies A and B, and those of
their surfaces."""

DIRECTIONS = 8
"""Number of directions in which outermost points are looked for."""
TURN = 0.3
"""Angle in rad of the first direction: along edges of most shapes no two points are equally far outside."""
SLOPE = 100.0
"""Distance by which a point must lie further outside to make up for a wider gap, relative to that."""


@kernel
def keep_rim(found: Array, keep: Array) -> None:
    """Mark the deepest one of points of two bodies that face the same way, and the outermost ones."""
    deepest = 0
    for i in range(found.size):
        if found[i].gap < found[deepest].gap:
            deepest = i
    keep[deepest] = True
    n = triple(found[deepest].normal)
    side = cross(n, (1.0, 0.0, 0.0) if abs(n[0]) < 0.6 else (0.0, 1.0, 0.0))
    first = times(1.0 / norm(side), side)
    second = cross(n, first)
    for k in range(DIRECTIONS):
        angle = TURN + 2.0 * np.pi * k / DIRECTIONS
        best = -np.inf
        outermost = deepest
        for i in range(found.size):
            p = triple(found[i].point)
            score = np.cos(angle) * dot(first, p) + np.sin(angle) * dot(second, p) - SLOPE * found[i].gap
            if score > best:
                best = score
                outermost = i
        keep[outermost] = True


@kernel
def keep_rims(found: Array, starts: Array, keep: Array) -> None:
    """The same for all patches, which begin at `starts`; small ones are kept as they are."""
    for k in range(starts.size - 1):
        if starts[k + 1] - starts[k] <= DIRECTIONS:
            keep[starts[k] : starts[k + 1]] = True
        else:
            keep_rim(found[starts[k] : starts[k + 1]], keep[starts[k] : starts[k + 1]])


def _firsts(keys: NDArray[np.float64]) -> NDArray[np.int64]:
    """Where rows of a sorted table begin to differ from the one before."""
    return np.append(0, 1 + np.flatnonzero((keys[1:] != keys[:-1]).any(axis=1)))


def thinned(found: NDArray[Any], grain: float) -> NDArray[Any]:
    """Of many contacts, records of FOUND, those that matter; a cell is `grain` in m wide, 0 keeps all."""
    if len(found) <= DIRECTIONS or not grain > 0.0:
        return found
    facing = np.column_stack([found["a"], found["b"], np.rint(2.0 * found["normal"])])
    cells = np.column_stack([facing, np.rint(found["point"] / grain)])
    order = np.lexsort((found["gap"], *cells.T[::-1]))
    alone = order[_firsts(cells[order])]
    sorted_found = found[alone]
    keep = np.zeros(len(alone), bool)
    keep_rims(sorted_found, np.append(_firsts(facing[alone]), len(alone)), keep)
    kept: NDArray[Any] = sorted_found[keep]
    return kept
