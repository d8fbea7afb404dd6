"""From pairs of near shapes to contact elements, compiled: the same elements as `elements_between`, but only near ones.

A pair of boxes has 160 elements (16 corners on the other box, 144 pairs of edges) of which a handful can touch. An
element is kept where its gap is below a limit, so that the kernel of the forces sees those alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ..contact import geometry as g
from ..contact.geometry import gap_of, to_world
from .broadphase import BODY, KIND, NAME

Array = Any

SPHERE, CAPSULE, BOX = 0, 1, 2
"""Kinds of shapes. Of two shapes the one of the higher kind comes first."""

P0, P1, RADIUS, TURN, CENTRE, BOUND = 0, 3, 6, 7, 16, 19
SHAPE_WIDTH = 20
"""Columns of a shape in the frame of its body's centre of mass: the ends of its segment (a sphere has one point, a box
its centre and half edges), radius, rotation of a box, centre and radius of the bounding sphere."""

PLACES = 256
"""More than the elements of any pair: key = PLACES * (pair of names) + place."""

NAMES = 2**27
"""More than the shapes that ever were: a pair of names and a place fit into 63 bits."""

CORNERS_B, EDGES = 8, 16
"""Places of the second shape's corners and of the edges in a pair with a box; the first box's corners start at 0."""


@kernel
def corner(shape: Array, number: int, many: int, out: Array, k: int) -> None:
    """One of the 8 corners of a box, 2 ends of a capsule or the point of a sphere, body-fixed, into out[k : k + 3]."""
    if many < 8:
        for i in range(3):
            out[k + i] = shape[P1 + i] if number else shape[P0 + i]
        return
    x = shape[P1] if number & 1 else -shape[P1]
    y = shape[P1 + 1] if number & 2 else -shape[P1 + 1]
    z = shape[P1 + 2] if number & 4 else -shape[P1 + 2]
    for i in range(3):
        t = TURN + 3 * i
        out[k + i] = shape[P0 + i] + shape[t] * x + shape[t + 1] * y + shape[t + 2] * z


@kernel
def edge(shape: Array, number: int, many: int, out: Array, k0: int, k1: int, k_out: int) -> None:
    """One of the 12 edges of a box, or the segment of a capsule: its ends and outward direction, body-fixed."""
    if many < 12:
        for i in range(3):
            out[k0 + i], out[k1 + i], out[k_out + i] = shape[P0 + i], shape[P1 + i], 0.0
        return
    axis = number // 4
    u, v = (1 if axis == 0 else 0), (1 if axis == 2 else 2)
    su, sv = (1.0 if number & 2 else -1.0), (1.0 if number & 1 else -1.0)
    for i in range(3):
        t = TURN + 3 * i
        along = shape[t + axis] * shape[P1 + axis]
        middle = shape[P0 + i] + su * shape[t + u] * shape[P1 + u] + sv * shape[t + v] * shape[P1 + v]
        out[k0 + i], out[k1 + i] = middle - along, middle + along
        out[k_out + i] = su * shape[t + u] + sv * shape[t + v]


@kernel
def segment_near(x: Array, r: Array, body: int, row: Array, k0: int, k1: int, c: Any, reach: float) -> bool:
    """Whether the segment row[k0], row[k1] on a body comes nearer to a world point than a distance."""
    p, e = to_world(x, r, body, row, k0), to_world(x, r, body, row, k1)
    ux, uy, uz = e[0] - p[0], e[1] - p[1], e[2] - p[2]
    dx, dy, dz = c[0] - p[0], c[1] - p[1], c[2] - p[2]
    square = ux * ux + uy * uy + uz * uz
    share = min(max((ux * dx + uy * dy + uz * dz) / square, 0.0), 1.0) if square > 0.0 else 0.0
    dx, dy, dz = dx - share * ux, dy - share * uy, dz - share * uz
    return dx * dx + dy * dy + dz * dz < reach * reach


@kernel
def keep(
    kind: int, a: int, b: int, slot: int, row: Array, key: int, limit: float, x: Array, r: Array,
    heads: Array, rows: Array, keys: Array, count: int,
) -> int:  # fmt: skip
    """Write an element down if its gap is below the limit; returns the new count."""
    if not gap_of(kind, a, b, x, r, row)[0] < limit:
        return count
    if count < keys.size:
        heads[count, 0], heads[count, 1], heads[count, 2], heads[count, 3] = kind, a, b, slot
        rows[count] = row
        keys[count] = key
    return count + 1


@kernel
def put_target(shape: Array, kind: int, row: Array) -> int:
    """Write a shape as the B side of an element; returns the kind of an element with a sphere on A."""
    for i in range(3):
        row[g.B0 + i], row[g.B1 + i] = shape[P0 + i], shape[P1 + i]
    row[g.B_RADIUS] = shape[RADIUS]
    if kind != BOX:
        return g.SPHERE_SPHERE if kind == SPHERE else g.SEGMENT_SEGMENT
    for i in range(9):
        row[g.B_TURN + i] = shape[TURN + i]
    return g.SPHERE_BOX


@kernel
def corners_on(
    first: Array, many: int, a: int, second: Array, kind: int, b: int, slot: int, key: int, limit: float,
    x: Array, r: Array, row: Array, heads: Array, rows: Array, keys: Array, count: int,
) -> int:  # fmt: skip
    """Elements of the corners of the first shape (or its ends) against the whole of the second."""
    row[:] = 0.0
    element = put_target(second, kind, row)
    row[g.A_RADIUS] = first[RADIUS]
    for number in range(many):
        corner(first, number, many, row, g.A0)
        row[g.A1 : g.A1 + 3] = row[g.A0 : g.A0 + 3]
        count = keep(element, a, b, slot, row, key + number, limit, x, r, heads, rows, keys, count)
    return count


@kernel
def edges_on_edges(
    first: Array, many_a: int, a: int, second: Array, many_b: int, b: int, slot: int, key: int, limit: float,
    x: Array, r: Array, row: Array, heads: Array, rows: Array, keys: Array, count: int,
) -> int:  # fmt: skip
    """Elements of the edges of the first shape against those of the second."""
    row[:] = 0.0
    row[g.A_RADIUS], row[g.B_RADIUS] = first[RADIUS], second[RADIUS]
    kind = g.EDGE_EDGE if many_a + many_b > 2 else g.SEGMENT_SEGMENT
    centre_a, centre_b = to_world(x, r, a, first, CENTRE), to_world(x, r, b, second, CENTRE)
    for j in range(many_b):
        edge(second, j, many_b, row, g.B0, g.B1, g.B_OUT)
        if not segment_near(x, r, b, row, g.B0, g.B1, centre_a, first[BOUND] + second[RADIUS] + limit):
            continue
        for i in range(many_a):
            edge(first, i, many_a, row, g.A0, g.A1, g.A_OUT)
            if segment_near(x, r, a, row, g.A0, g.A1, centre_b, second[BOUND] + first[RADIUS] + limit):
                place = key + i * many_b + j
                count = keep(kind, a, b, slot, row, place, limit, x, r, heads, rows, keys, count)
    return count


@kernel
def make_elements(
    pairs: Array, slots: Array, limits: Array, shapes: Array, traits: Array, x: Array, r: Array,
    heads: Array, rows: Array, keys: Array,
) -> int:  # fmt: skip
    """Write the elements of pairs of shapes whose gap is below a limit, as far as there is room; returns their number.

    Args:
        slots: material of each pair. limits: gap in m for each material. shapes, traits: a row for each shape.
        x: packed states of the bodies. r: their rotation matrices.
        heads, rows, keys: take kind, bodies and material, geometry, and a key of each element that outlives a rebuild.
    """
    row, count = np.zeros(g.WIDTH), 0
    for p in range(pairs.shape[0]):
        i, j = pairs[p, 0], pairs[p, 1]
        if traits[i, KIND] < traits[j, KIND] or (
            traits[i, KIND] == traits[j, KIND] and traits[i, NAME] > traits[j, NAME]
        ):
            i, j = j, i
        first, second, a, b = shapes[i], shapes[j], traits[i, BODY], traits[j, BODY]
        kind_a, kind_b, slot, limit = traits[i, KIND], traits[j, KIND], slots[p], limits[slots[p]]
        key = (traits[i, NAME] * NAMES + traits[j, NAME]) * PLACES
        if kind_b == SPHERE:
            count = corners_on(second, 1, b, first, kind_a, a, slot, key, limit, x, r, row, heads, rows, keys, count)
            continue
        many_a, many_b = (8 if kind_a == BOX else 2), (8 if kind_b == BOX else 2)
        edges_a, edges_b = (12 if kind_a == BOX else 1), (12 if kind_b == BOX else 1)
        if kind_a == BOX:
            count = corners_on(
                first, many_a, a, second, kind_b, b, slot, key, limit, x, r, row, heads, rows, keys, count
            )
            count = corners_on(
                second, many_b, b, first, kind_a, a, slot, key + CORNERS_B, limit, x, r, row, heads, rows, keys, count
            )
        count = edges_on_edges(
            first, edges_a, a, second, edges_b, b, slot, key + EDGES, limit, x, r, row, heads, rows, keys, count
        )
    return count


@kernel
def world_centres(shapes: Array, traits: Array, x: Array, r: Array, out: Array) -> None:
    """World positions of the centres of all bounding spheres."""
    for i in range(out.shape[0]):
        out[i, 0], out[i, 1], out[i, 2] = to_world(x, r, traits[i, BODY], shapes[i], CENTRE)
