"""Broad phase: near pairs of shapes from a hierarchy of grids over bounding spheres, in linear time.

Shapes of similar size share a level, whose cells are as wide as its largest bounding sphere. A shape searches the 27
cells around it on its own level and on every coarser one. A floor of 20 m and gravel of 1 mm do not interfere: the
floor is alone on its level.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernel import inlined, kernel

Array = Any

TRAITS = np.dtype(
    [
        ("kind", np.int64), ("body", np.int64), ("group", np.int64), ("mask", np.int64), ("free", np.int64),
        ("name", np.int64), ("surface", np.int64),
    ]
)  # fmt: skip
"""Traits of a shape: kind, number of its body, collision group and mask of the body, whether the body can move, a
number that identifies the shape as long as it exists, and the number of its surface (in `Skins.all`)."""

FEW = 8
"""A level with at most this many shapes is searched without a grid."""

LEVELS = 62
"""Highest level: sizes differ by at most a factor of 2^62."""


@kernel
def may_touch(traits: Array, i: int, j: int) -> bool:
    """Whether two shapes are on different bodies, one of them movable, whose collision families allow contact."""
    one = traits[i]
    other = traits[j]
    if one.body == other.body or (one.free == 0 and other.free == 0):
        return False
    return (one.group & other.mask) != 0 and (other.group & one.mask) != 0


@inlined
def note(centres: Array, radii: Array, traits: Array, i: int, j: int, pairs: Array, count: int) -> int:
    """Append the pair i, j if their spheres overlap and they may touch; returns the new count."""
    square = 0.0
    for axis in range(3):
        square += (centres[i, axis] - centres[j, axis]) ** 2
    reach = radii[i] + radii[j]
    if square > reach * reach or not may_touch(traits, i, j):
        return count
    if count < pairs.shape[0]:
        pairs[count, 0] = min(i, j)
        pairs[count, 1] = max(i, j)
    return count + 1


@kernel
def bucket(x: int, y: int, z: int, size: int) -> int:
    """Index of a cell in a hash table whose size is a power of two."""
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


class Shapes(NamedTuple):
    """Bounding spheres: centres and radii in m, and the shapes' traits."""

    centres: Array
    radii: Array
    traits: Array


class Grid(NamedTuple):
    """Cells of one level in a hash table: first shape of each bucket, next shape after each, and cell of each."""

    first: Array
    following: Array
    cells: Array


@inlined
def cell_of(centres: Array, i: int, width: float) -> tuple[int, int, int]:
    """The cell that contains a centre."""
    x = int(np.floor(centres[i, 0] / width))
    y = int(np.floor(centres[i, 1] / width))
    z = int(np.floor(centres[i, 2] / width))
    return x, y, z


@inlined
def filled_grid(shapes: Shapes, order: Array, begin: int, end: int, width: float) -> Grid:
    """The grid of the shapes of a level, order[begin:end]."""
    size = 16
    while size < 2 * (end - begin):
        size *= 2
    first = np.full(size, -1, np.int64)
    following = np.full(end - begin, -1, np.int64)
    cells = np.empty((end - begin, 3), np.int64)
    for k in range(end - begin):
        x, y, z = cell_of(shapes.centres, order[begin + k], width)
        cells[k, 0] = x
        cells[k, 1] = y
        cells[k, 2] = z
        place = bucket(x, y, z, size)
        following[k] = first[place]
        first[place] = k
    return Grid(first, following, cells)


@inlined
def search_grid(shapes: Shapes, order: Array, begin: int, end: int, width: float, pairs: Array, count: int) -> int:
    """Pairs of the shapes of a level, order[begin:end], with each other and with all finer ones, order[:begin]."""
    centres = shapes.centres
    radii = shapes.radii
    traits = shapes.traits
    first, following, cells = filled_grid(shapes, order, begin, end, width)
    for place in range(end):
        i = order[place]
        x, y, z = cell_of(centres, i, width)
        for u in range(x - 1, x + 2):
            for v in range(y - 1, y + 2):
                for w in range(z - 1, z + 2):
                    k = first[bucket(u, v, w, first.size)]
                    while k >= 0:
                        same = cells[k, 0] == u and cells[k, 1] == v and cells[k, 2] == w
                        if same and (place < begin or begin + k < place):
                            count = note(centres, radii, traits, i, order[begin + k], pairs, count)
                        k = following[k]
    return count


@kernel
def search(centres: Array, radii: Array, traits: Array, pairs: Array) -> int:
    """Write the pairs of shapes whose spheres overlap, as far as there is space; returns their number."""
    shapes = Shapes(centres, radii, traits)
    levels = np.empty(radii.size, np.int64)
    smallest = size_levels(radii, levels)
    order = np.argsort(levels, kind="mergesort")
    count = 0
    begin = 0
    while begin < order.size:
        level = levels[order[begin]]
        end = begin
        while end < order.size and levels[order[end]] == level:
            end += 1
        if end - begin <= FEW:
            for place in range(end):
                for other in range(max(begin, place + 1), end):
                    count = note(centres, radii, traits, order[place], order[other], pairs, count)
        else:
            count = search_grid(shapes, order, begin, end, 2.0 * smallest * 2.0**level, pairs, count)
        begin = end
    return count


def near_pairs(
    centres: NDArray[np.float64], radii: NDArray[np.float64], traits: NDArray[Any], room: int = 0
) -> NDArray[np.int64]:
    """Pairs (i < j) of shapes whose bounding spheres overlap and that may touch, in no particular order.

    Args:
        centres: world positions in m. radii: in m, greater than 0. traits: a record of TRAITS for each shape.
        room: expected number of pairs.
    """
    pairs = np.empty((max(room, 8 * len(radii)), 2), np.int64)
    count = search(centres, radii, traits, pairs)
    if count > len(pairs):
        pairs = np.empty((count, 2), np.int64)
        search(centres, radii, traits, pairs)
    return pairs[:count]
