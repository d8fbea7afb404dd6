"""Narrow phase, compiled: the elements of near pairs of shapes, as in `elements_between`, but only near ones.

A pair of boxes has 160 elements (16 corners against the other box, 144 pairs of edges), of which a handful can touch.
An element is kept if its gap is below a limit, so that the force kernel evaluates only those.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange

from ...kernel import inlined, kernel
from ...numerics.vectors import Triple, dot, minus, store, times
from ..contact import geometry as g
from ..contact.bodies import point_on
from ..contact.geometry import fraction
from ..contact.records import ELEMENT, GEOMETRY
from ..contact.solids import probes as pr
from ..contact.solids.locating import is_beyond, locate_any
from .solids.solid_pairs import BOX, CAPSULE, SPHERE, TARGETS, is_edge_pair, is_wanted, probes_of

Array = Any

PLACES = 2**16
"""More than the elements of any pair: key = PLACES * (pair of names) + index."""

NAMES = 2**23
"""More than the shapes that will ever exist: a pair of names and an index fit into 63 bits."""

PART = 2048
"""Number of pairs that a thread takes at a time."""

CORNERS_B = 8
EDGES = 16
"""Indices of the second shape's corners and of the edges in a pair with a box; the first box's corners start at 0."""


class Side(NamedTuple):
    """One of the two shapes of a pair: its record, its kind, and the number of its body."""

    shape: Any
    kind: int
    body: int


class Pair(NamedTuple):
    """Common to the elements of a pair: number of the material, key of the first element, limit of the gap in m."""

    material: int
    key: int
    limit: float


class Kept(NamedTuple):
    """Where elements are written.

    Attributes:
        x, r: packed states and rotation matrices of the bodies.
        element, geometry: room for one element; arrays of one, because a record alone does not keep its memory alive.
        heads, shapes, keys: tables of the elements that are kept; shapes may be empty.
    """

    x: Array
    r: Array
    element: Array
    geometry: Array
    heads: Array
    shapes: Array
    keys: Array


@kernel
def corner(shape: Any, number: int, many: int, out: Array) -> None:
    """One of the 8 corners of a box, 2 ends of a capsule or the point of a sphere, body-fixed."""
    if many < 8:
        store(shape.p1 if number else shape.p0, out)
        return
    x = shape.p1[0] if number & 1 else -shape.p1[0]
    y = shape.p1[1] if number & 2 else -shape.p1[1]
    z = shape.p1[2] if number & 4 else -shape.p1[2]
    for i in range(3):
        out[i] = shape.p0[i] + shape.turn[i, 0] * x + shape.turn[i, 1] * y + shape.turn[i, 2] * z


@kernel
def edge(shape: Any, number: int, many: int, start: Array, end: Array, outward: Array) -> None:
    """One of the 12 edges of a box, or the segment of a capsule: its ends and outward direction, body-fixed."""
    if many < 12:
        store(shape.p0, start)
        store(shape.p1, end)
        outward[:] = 0.0
        return
    axis = number // 4
    u = 1 if axis == 0 else 0
    v = 1 if axis == 2 else 2
    su = 1.0 if number & 2 else -1.0
    sv = 1.0 if number & 1 else -1.0
    for i in range(3):
        turn = shape.turn[i]
        half = turn[axis] * shape.p1[axis]
        middle = shape.p0[i] + su * turn[u] * shape.p1[u] + sv * turn[v] * shape.p1[v]
        start[i] = middle - half
        end[i] = middle + half
        outward[i] = su * turn[u] + sv * turn[v]


@kernel
def segment_near(p: Triple, e: Triple, c: Triple, reach: float) -> bool:
    """Whether the segment from p to e comes closer to a point c than `reach`; all in the world, in m."""
    u = minus(e, p)
    d = minus(c, p)
    square = dot(u, u)
    along = fraction(dot(u, d) / square) if square > 0.0 else 0.0
    apart = minus(d, times(along, u))
    return dot(apart, apart) < reach * reach


@kernel
def clear(geometry: Any) -> None:
    """Set all numbers of a geometry record to zero."""
    for vector in (geometry.a0, geometry.a1, geometry.a_out, geometry.b0, geometry.b1, geometry.b_out):
        vector[:] = 0.0
    geometry.b_turn[:] = 0.0
    geometry.a_radius = 0.0
    geometry.b_radius = 0.0


@inlined
def keep(kept: Kept, place: int, pair: Pair, count: int) -> int:
    """Append the scratch element if its gap is below the limit; returns the new count."""
    if is_beyond(kept.x, kept.r, kept.element[0], kept.geometry[0], pair.limit):
        return count
    if not locate_any(kept.x, kept.r, kept.element[0], kept.geometry[0]).gap < pair.limit:
        return count
    if count < kept.keys.size:
        kept.element[0].material = pair.material
        kept.heads[count] = kept.element[0]
        if kept.shapes.size > 0:
            kept.shapes[count] = kept.geometry[0]
        kept.keys[count] = pair.key + place
    return count + 1


@kernel
def put_target(side: Side, geometry: Any) -> int:
    """Write a shape as the B side of an element; returns the kind that goes with a sphere on A."""
    store(side.shape.p0, geometry.b0)
    store(side.shape.p1, geometry.b1)
    geometry.b_radius = side.shape.radius
    if side.kind == SPHERE:
        return g.SPHERE_SPHERE
    if side.kind == CAPSULE:
        return g.SEGMENT_SEGMENT
    geometry.b_turn[:] = side.shape.turn
    if side.kind == BOX:
        return g.SPHERE_BOX
    store(side.shape.facets, geometry.b_out)
    return pr.TARGETS * pr.POINT + TARGETS[side.kind]


@inlined
def corners_on(first: Side, many: int, second: Side, place: int, pair: Pair, kept: Kept, count: int) -> int:
    """Elements of the corners (or ends) of the first shape against the whole second shape, from an index on."""
    geometry = kept.geometry[0]
    clear(geometry)
    kept.element[0].kind = put_target(second, geometry)
    kept.element[0].a = first.body
    kept.element[0].b = second.body
    geometry.a_radius = first.shape.radius
    for number in range(many):
        corner(first.shape, number, many, geometry.a0)
        store(geometry.a0, geometry.a1)
        count = keep(kept, place + number, pair, count)
    return count


@kernel
def edges_on_edges(first: Side, second: Side, place: int, pair: Pair, kept: Kept, count: int) -> int:
    """Elements of the edges of the first shape against those of the second, from an index on."""
    x = kept.x
    r = kept.r
    row = kept.geometry[0]
    clear(row)
    many_a = 12 if first.kind == BOX else 1
    many_b = 12 if second.kind == BOX else 1
    kept.element[0].kind = g.EDGE_EDGE if many_a + many_b > 2 else g.SEGMENT_SEGMENT
    kept.element[0].a = first.body
    kept.element[0].b = second.body
    row.a_radius = first.shape.radius
    row.b_radius = second.shape.radius
    centre_a = point_on(x, r, first.body, first.shape.centre)
    centre_b = point_on(x, r, second.body, second.shape.centre)
    reach_a = first.shape.bound + second.shape.radius + pair.limit
    reach_b = second.shape.bound + first.shape.radius + pair.limit
    for j in range(many_b):
        edge(second.shape, j, many_b, row.b0, row.b1, row.b_out)
        start = point_on(x, r, second.body, row.b0)
        if not segment_near(start, point_on(x, r, second.body, row.b1), centre_a, reach_a):
            continue
        for i in range(many_a):
            edge(first.shape, i, many_a, row.a0, row.a1, row.a_out)
            start = point_on(x, r, first.body, row.a0)
            if segment_near(start, point_on(x, r, first.body, row.a1), centre_b, reach_b):
                count = keep(kept, place + i * many_b + j, pair, count)
    return count


@kernel
def probes_on(first: Side, second: Side, is_first: bool, place: int, pair: Pair, kept: Kept, count: int) -> int:
    """Elements of the probes of one shape against the whole other one, from an index on."""
    row = kept.geometry[0]
    clear(row)
    point = put_target(second, row)
    target = point % pr.TARGETS
    kept.element[0].a = first.body
    kept.element[0].b = second.body
    found = probes_of(first.shape)
    for k in range(found.size):
        probe = found[k].probe
        if not is_wanted(probe, first.kind, second.kind, is_first):
            continue
        store(found[k].a0, row.a0)
        store(found[k].a1, row.a1)
        store(found[k].a_out, row.a_out)
        row.a_radius = found[k].a_radius
        acting = pr.EDGE if probe == pr.AXIS else probe
        kept.element[0].kind = point if probe == pr.POINT else pr.TARGETS * acting + target
        count = keep(kept, place + k, pair, count)
    return count


@kernel
def far_apart(x: Array, r: Array, element: Any, row: Any, limit: float) -> bool:
    """Whether two edges are surely farther apart than a limit in m, told by balls around them."""
    start_a = point_on(x, r, element.a, row.a0)
    end_a = point_on(x, r, element.a, row.a1)
    start_b = point_on(x, r, element.b, row.b0)
    end_b = point_on(x, r, element.b, row.b1)
    apart = times(0.5, minus(minus(start_a, start_b), minus(end_b, end_a)))
    along_a = minus(end_a, start_a)
    along_b = minus(end_b, start_b)
    reach = limit + row.a_radius + row.b_radius
    reach += 0.5 * (np.sqrt(dot(along_a, along_a)) + np.sqrt(dot(along_b, along_b)))
    return reach < 0.0 or dot(apart, apart) > reach * reach


@kernel
def sharp_edges(first: Side, second: Side, place: int, pair: Pair, kept: Kept, count: int) -> int:
    """Elements of the edges of two shapes with tables of probes, from an index on."""
    row = kept.geometry[0]
    clear(row)
    kept.element[0].kind = g.EDGE_EDGE
    kept.element[0].a = first.body
    kept.element[0].b = second.body
    ours = probes_of(first.shape)
    theirs = probes_of(second.shape)
    for i in range(ours.size):
        if ours[i].probe != pr.EDGE:
            continue
        store(ours[i].a0, row.a0)
        store(ours[i].a1, row.a1)
        store(ours[i].a_out, row.a_out)
        row.a_radius = ours[i].a_radius
        for j in range(theirs.size):
            if theirs[j].probe == pr.EDGE:
                store(theirs[j].a0, row.b0)
                store(theirs[j].a1, row.b1)
                store(theirs[j].a_out, row.b_out)
                row.b_radius = theirs[j].a_radius
                if far_apart(kept.x, kept.r, kept.element[0], row, pair.limit):
                    continue
                count = keep(kept, place + i * theirs.size + j, pair, count)
    return count


@kernel
def solid_elements(first: Side, second: Side, pair: Pair, kept: Kept, count: int) -> int:
    """Elements of two shapes of which the first is a solid; returns the new count."""
    count = probes_on(first, second, True, 0, pair, kept, count)
    place = probes_of(first.shape).size
    count = probes_on(second, first, False, place, pair, kept, count)
    place += probes_of(second.shape).size
    if is_edge_pair(first.kind, second.kind):
        count = sharp_edges(first, second, place, pair, kept, count)
    return count


@inlined
def pair_elements(first: Side, second: Side, pair: Pair, kept: Kept, count: int) -> int:
    """Elements of two shapes, the first of the higher kind; returns the new count."""
    if second.kind == SPHERE:
        return corners_on(second, 1, first, 0, pair, kept, count)
    if first.kind > BOX:
        return solid_elements(first, second, pair, kept, count)
    if first.kind == BOX:
        count = corners_on(first, 8, second, 0, pair, kept, count)
        count = corners_on(second, 8 if second.kind == BOX else 2, first, CORNERS_B, pair, kept, count)
    return edges_on_edges(first, second, EDGES, pair, kept, count)


@kernel
def goes_first(one: Any, other: Any) -> bool:
    """Whether the first of two traits belongs to the shape that comes first in a pair."""
    return one.kind > other.kind or (one.kind == other.kind and one.name <= other.name)


@kernel
def make_elements(
    pairs: Array, slots: Array, reaches: Array, rooms: Array, shapes: Array, traits: Array, x: Array, r: Array,
    heads: Array, rows: Array, keys: Array,
) -> int:  # fmt: skip
    """Write the elements of pairs of shapes whose gap is below a limit, as far as there is space; returns their number.

    Args:
        slots: material of each pair. reaches, rooms: gaps in m for each material and for each body, of whose sum the
            limit consists. shapes, traits: a record for each shape. x: packed states of the bodies. r: their
            rotation matrices.
        heads, rows, keys: receive the elements, their geometry, and a key of each that survives a rebuild. If there
            are no rows, the geometry is left out.
    """
    kept = Kept(x, r, np.zeros(1, ELEMENT), np.zeros(1, GEOMETRY), heads, rows, keys)
    count = 0
    for p in range(pairs.shape[0]):
        i = pairs[p, 0]
        j = pairs[p, 1]
        if not goes_first(traits[i], traits[j]):
            i, j = j, i
        first = Side(shapes[i], traits[i].kind, traits[i].body)
        second = Side(shapes[j], traits[j].kind, traits[j].body)
        key = (traits[i].name * NAMES + traits[j].name) * PLACES
        limit = reaches[slots[p]] + rooms[first.body] + rooms[second.body]
        count = pair_elements(first, second, Pair(slots[p], key, limit), kept, count)
    return count


@kernel
def make_part(
    pairs: Array, slots: Array, reaches: Array, rooms: Array, shapes: Array, traits: Array, x: Array, r: Array,
    heads: Array, keys: Array, part: int, room: int,
) -> int:  # fmt: skip
    """Write the elements of a part of the pairs into its part of the room; see `make_parts`."""
    first = PART * part
    last = min(first + PART, pairs.shape[0])
    begin = room * part
    return make_elements(
        pairs[first:last], slots[first:last], reaches, rooms, shapes, traits, x, r,
        heads[begin : begin + room], np.empty(0, GEOMETRY), keys[begin : begin + room],
    )  # fmt: skip


@njit(cache=True, parallel=True, error_model="numpy")
def make_parts(
    pairs: Array, slots: Array, reaches: Array, rooms: Array, shapes: Array, traits: Array, x: Array, r: Array,
    heads: Array, keys: Array, counts: Array,
) -> None:  # fmt: skip
    """Like `make_elements`, in parallel and without geometry: each part of the pairs has an equal part of the room.

    `counts` receives the number of elements of each part, as far as there is space or not.
    """
    room = keys.size // counts.size
    for part in prange(counts.size):
        counts[part] = make_part(pairs, slots, reaches, rooms, shapes, traits, x, r, heads, keys, part, room)


@kernel
def world_centres(shapes: Array, traits: Array, x: Array, r: Array, out: Array) -> None:
    """World positions of the centres of all bounding spheres."""
    for i in range(out.shape[0]):
        store(point_on(x, r, traits[i].body, shapes[i].centre), out[i])
