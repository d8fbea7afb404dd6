"""Which shapes are near enough to touch: a hierarchy of grids over bounding spheres, linear in the number of shapes.

Shapes of similar size share a level, each level has cells as wide as its largest bounding sphere. A shape looks at the
27 cells around it on its own level and on every coarser one. So a floor of 20 m and gravel of 1 mm do not disturb one
another: the floor is alone on its level.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernel import kernel

Array = Any

KIND, BODY, GROUP, MASK, FREE, NAME = 0, 1, 2, 3, 4, 5
TRAITS = 6
"""Columns of a shape's traits: kind, number of its body, collision group and mask of the body, whether the body can
move, and a number that names the shape as long as it exists."""

FEW = 8
"""A level with at most so many shapes is searched without a grid."""

LEVELS = 62
"""Most levels: sizes differ at most by a factor of 2^62."""


@kernel
def may_touch(traits: Array, i: int, j: int) -> bool:
    """Whether two shapes are on different bodies, one of which can move, whose collision families let them meet."""
    if traits[i, BODY] == traits[j, BODY] or (traits[i, FREE] == 0 and traits[j, FREE] == 0):
        return False
    return (traits[i, GROUP] & traits[j, MASK]) != 0 and (traits[j, GROUP] & traits[i, MASK]) != 0


@kernel
def note(centres: Array, radii: Array, traits: Array, i: int, j: int, pairs: Array, count: int) -> int:
    """Write down the pair i, j if their spheres overlap and they may touch; returns the new count."""
    dx, dy, dz = centres[i, 0] - centres[j, 0], centres[i, 1] - centres[j, 1], centres[i, 2] - centres[j, 2]
    reach = radii[i] + radii[j]
    if dx * dx + dy * dy + dz * dz > reach * reach or not may_touch(traits, i, j):
        return count
    if count < pairs.shape[0]:
        pairs[count, 0], pairs[count, 1] = min(i, j), max(i, j)
    return count + 1


@kernel
def bucket(x: int, y: int, z: int, size: int) -> int:
    """Place of a cell in a hash table whose size is a power of two."""
    return ((x * 73856093) ^ (y * 19349663) ^ (z * 83492791)) & (size - 1)


@kernel
def size_levels(radii: Array, levels: Array) -> float:
    """Level of each shape: 0 for the smallest radius, one more for each doubling; returns the smallest radius in m."""
    smallest = np.inf
    for radius in radii:
        smallest = min(smallest, radius)
    for i in range(radii.size):
        levels[i] = min(max(int(np.ceil(np.log2(radii[i] / smallest) - 1e-9)), 0), LEVELS)
    return smallest


@kernel
def search_grid(
    centres: Array,
    radii: Array,
    traits: Array,
    order: Array,
    begin: int,
    end: int,
    cell: float,
    pairs: Array,
    count: int,
) -> int:
    """Pairs of the shapes of a level, order[begin:end], with one another and with all finer ones, order[:begin]."""
    size = 16
    while size < 2 * (end - begin):
        size *= 2
    first, following = np.full(size, -1, np.int64), np.full(end - begin, -1, np.int64)
    cells = np.empty((end - begin, 3), np.int64)
    for k in range(end - begin):
        for axis in range(3):
            cells[k, axis] = int(np.floor(centres[order[begin + k], axis] / cell))
        place = bucket(cells[k, 0], cells[k, 1], cells[k, 2], size)
        following[k], first[place] = first[place], k
    for place in range(end):
        i = order[place]
        x, y, z = (int(np.floor(centres[i, 0] / cell)), int(np.floor(centres[i, 1] / cell)),
                   int(np.floor(centres[i, 2] / cell)))  # fmt: skip
        for u in range(x - 1, x + 2):
            for v in range(y - 1, y + 2):
                for w in range(z - 1, z + 2):
                    k = first[bucket(u, v, w, size)]
                    while k >= 0:
                        same_cell = cells[k, 0] == u and cells[k, 1] == v and cells[k, 2] == w
                        if same_cell and (place < begin or begin + k < place):
                            count = note(centres, radii, traits, i, order[begin + k], pairs, count)
                        k = following[k]
    return count


@kernel
def search(centres: Array, radii: Array, traits: Array, pairs: Array) -> int:
    """Write the pairs of shapes whose spheres overlap, as far as there is room; returns how many there are."""
    levels = np.empty(radii.size, np.int64)
    smallest = size_levels(radii, levels)
    order = np.argsort(levels, kind="mergesort")
    count, begin = 0, 0
    while begin < order.size:
        level, end = levels[order[begin]], begin
        while end < order.size and levels[order[end]] == level:
            end += 1
        if end - begin <= FEW:
            for place in range(end):
                for other in range(max(begin, place + 1), end):
                    count = note(centres, radii, traits, order[place], order[other], pairs, count)
        else:
            cell = 2.0 * smallest * 2.0**level
            count = search_grid(centres, radii, traits, order, begin, end, cell, pairs, count)
        begin = end
    return count


def near_pairs(
    centres: NDArray[np.float64], radii: NDArray[np.float64], traits: NDArray[np.int64], room: int = 0
) -> NDArray[np.int64]:
    """Pairs (i < j) of shapes whose bounding spheres overlap and that may touch, in no particular order.

    Args:
        centres: world positions in m. radii: in m, greater than 0. traits: a row of TRAITS numbers for each shape.
        room: how many pairs to expect.
    """
    pairs = np.empty((max(room, 8 * len(radii)), 2), np.int64)
    count = search(centres, radii, traits, pairs)
    if count > len(pairs):
        pairs = np.empty((count, 2), np.int64)
        search(centres, radii, traits, pairs)
    return pairs[:count]
