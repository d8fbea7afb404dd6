"""The least overlap of two boxes: how deep they are in each other, and along which axis they part soonest.

Corners of aligned boxes lie in each other's faces, so that contact at corners does not tell which way they overlap. The
axes that can separate two boxes are the normals of their faces and the products of their edges (Gottschalk 1996).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel import kernel
from ...numerics.vectors import ZERO, Triple, cross, dot, minus, norm, plus, store, times, triple
from ..contact.bodies import point_on

Array = Any

FACES = 6
AXES = 15
"""Number of axes that are normals of faces, and of all axes that may separate two boxes."""
EDGE_ON_EDGE = 0.95
"""Overlap along a product of edges, relative to that along a face, below which it counts: faces are the rule."""
PARALLEL = 1e-6
"""Length of the product of two edges, below which they are parallel."""
TIED = 1e-6
"""Corners that are less deep by this fraction of the size lie in the same face or edge."""

BOX_OVERLAP = np.dtype([("depth", np.float64), ("axis", np.float64, (3,)), ("middle", np.float64, (3,))])
"""An `Overlap` as a record."""


class PlacedBox(NamedTuple):
    """A box in the world: centre in m, rotation with its axes as columns, half edges in m."""

    centre: Array
    turn: Array
    half: Array


class Overlap(NamedTuple):
    """How two boxes overlap: depth in m (negative if they do not), unit vector from B to A, and its middle in m."""

    depth: float
    axis: Triple
    middle: Triple


@kernel
def column(turn: Array, i: int) -> Triple:
    """An axis of a box."""
    return turn[0, i], turn[1, i], turn[2, i]


@kernel
def extent(box: PlacedBox, axis: Triple) -> float:
    """Half the width of a box along a unit vector, in m."""
    total = 0.0
    for i in range(3):
        total += box.half[i] * abs(dot(axis, column(box.turn, i)))
    return total


@kernel
def farthest(box: PlacedBox, axis: Triple) -> Triple:
    """Middle of the corners of a box that lie farthest along a unit vector, in m."""
    middle = triple(box.centre)
    for i in range(3):
        side = column(box.turn, i)
        along = box.half[i] * dot(axis, side)
        if abs(along) > TIED * box.half.max():
            middle = plus(middle, times(box.half[i] if along > 0.0 else -box.half[i], side))
    return middle


@kernel
def separating_axis(a: PlacedBox, b: PlacedBox, number: int) -> Triple:
    """One of the unit vectors that may separate two boxes; zero for the product of parallel edges."""
    if number < 3:
        return column(a.turn, number)
    if number < FACES:
        return column(b.turn, number - 3)
    product = cross(column(a.turn, (number - FACES) // 3), column(b.turn, (number - FACES) % 3))
    length = norm(product)
    return times(1.0 / length, product) if length > PARALLEL else ZERO


@kernel
def least_overlap(a: PlacedBox, b: PlacedBox) -> Overlap:
    """The overlap of two boxes along the axis on which it is least."""
    apart = minus(a.centre, b.centre)
    counted = np.inf
    depth = np.inf
    axis = ZERO
    for number in range(AXES):
        unit = separating_axis(a, b, number)
        if dot(unit, unit) == 0.0:
            continue
        along = dot(apart, unit)
        overlap = extent(a, unit) + extent(b, unit) - abs(along)
        counts = overlap / EDGE_ON_EDGE if number >= FACES and overlap > 0.0 else overlap
        if counts < counted:
            counted = counts
            depth = overlap
            axis = unit if along >= 0.0 else times(-1.0, unit)
    return Overlap(depth, axis, times(0.5, plus(farthest(a, times(-1.0, axis)), farthest(b, axis))))


@kernel
def placed_box(shape: Any, body: int, x: Array, r: Array) -> PlacedBox:
    """A box of a body in the world with its full size, from its record at packed states x and rotations r."""
    box = PlacedBox(np.empty(3), np.zeros((3, 3)), np.empty(3))
    store(point_on(x, r, body, shape.p0), box.centre)
    for i in range(3):
        box.half[i] = shape.p1[i] + shape.radius
        for j in range(3):
            for k in range(3):
                box.turn[i, j] += r[body, i, k] * shape.turn[k, j]
    return box


@kernel
def put_overlaps(pairs: Array, shapes: Array, traits: Array, x: Array, r: Array, out: Array) -> None:
    """Write the overlap of each pair of boxes, given by their numbers, to records of BOX_OVERLAP."""
    for n in range(pairs.shape[0]):
        i, j = pairs[n, 0], pairs[n, 1]
        found = least_overlap(
            placed_box(shapes[i], traits[i].body, x, r),
            placed_box(shapes[j], traits[j].body, x, r),
        )
        out[n].depth = found.depth
        store(found.axis, out[n].axis)
        store(found.middle, out[n].middle)
