"""Elements of solids: a probe on body A, such as a point, an edge or a rim, against a target on body B.

The kind of such an element is a probe and a target. Targets are distance fields; a probe finds its point of least
distance: in closed form, or on curves by bracketing and on ellipsoids by Newton's method on the common normal.

The geometry record holds, for a probe: a point or a segment as other elements do; a rim its centre in a0 and its axis
times its radius in a1; a point of a rim the axis in a_out; an ellipsoid its shape matrix, diagonal in a1, the rest in
a_out; the side of a cone its apex in a0, the centre of its base in a1, and its radius first in a_out. For a target:
centre in b0, rotation in b_turn and size in b1; triangles or heights their address and numbers in b_out, heights their
cells in b1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype, types

from ....kernel import kernel
from ....numerics.vectors import Triple, cross, dot, minus, norm, plus, times
from ....sealed import sealed
from ...api.compiling import say_compiling
from ..bodies import point_on, to_body, to_world
from ..geometry import beyond, fraction, from_box, nearest_face, ramp, to_box
from ..records import ELEMENT, GEOMETRY
from .cone_sides import ConeSide, Found, between_sides
from .faceted import facets_at, heights_at, to_facets, to_heights
from .solid_distances import to_cone, to_cylinder, to_ellipsoid, to_ring

PLANE, BALL, BOX, SEGMENT, CYLINDER, CONE, TORUS, ELLIPSOID, FACETS, HEIGHTS = range(10)
"""Targets."""

ROUNDED = (BALL, SEGMENT, TORUS, ELLIPSOID)
"""Targets without a flat face: a rim touches them by its lowest point alone."""

TARGETS = 16
"""kind = TARGETS * probe + target."""

POINT, EDGE, ROD, RIM, RIM_POINT, ROUND, AXIS, SIDE = range(1, 9)
"""Probes: a point; an edge, which its ends relieve; a segment; a rim at its lowest point, and at one of its fixed
points; an ellipsoid; the axis of a curved side, which in an element is an edge; and the side of a cone."""

FLAT = 5e-3
STEEP = 2e-2
"""Sines of the angle between an axis and a normal, below which fixed points of a rim carry it, and beyond which its
lowest point does; between them both do in part."""

RIM_SCAN = 16
EDGE_SCAN = 8
"""Number of intervals in which the least distance of a curve is looked for."""
ITERATIONS = 60
"""Most iterations on a curve; on ellipsoids half of that."""

Array = Any
Near = tuple[float, Triple]
Pair = tuple[float, float]


@kernel
def to_segment(p: Triple, a: Triple, b: Triple) -> Near:
    """Distance from a point to a segment, and direction to the point."""
    u = minus(b, a)
    square = dot(u, u)
    t = fraction(dot(minus(p, a), u) / square) if square > 0.0 else 0.0
    apart = minus(p, plus(a, times(t, u)))
    d = norm(apart)
    if d < 1e-14:
        return 0.0, (0.0, 0.0, 1.0)
    return d, times(1.0 / d, apart)


@kernel
def to_core(c: Triple, half: Any) -> Near:
    """A box whose half edges are given, in its own frame."""
    outside = beyond(c[0], half[0]), beyond(c[1], half[1]), beyond(c[2], half[2])
    if dot(outside, outside) > 1e-28:
        d = norm(outside)
        return d, times(1.0 / d, outside)
    return nearest_face(c, half)


@kernel
def to_solid(target: int, c: Triple, g: Any) -> Near:
    """Distance from a point to the core of a solid, and normal, in the solid's own frame."""
    if target == BOX:
        return to_core(c, g.b1)
    if target == CYLINDER:
        return to_cylinder(c, g.b1)
    if target == CONE:
        return to_cone(c, g.b1)
    if target == TORUS:
        return to_ring(c, g.b1)
    if target == ELLIPSOID:
        return to_ellipsoid(c, g.b1)
    if target == FACETS:
        return to_facets(c, facets_at(g.b_out))
    if target == HEIGHTS:
        return to_heights(c, heights_at(g.b_out), g.b1[0], g.b1[1])
    return np.nan, c


@kernel
def field(target: int, p: Triple, x: Array, r: Array, body: int, g: Any) -> Near:
    """Distance in m from a world point to the surface of a target on a body, and the normal there."""
    if target == PLANE:
        normal = to_world(r, body, g.b1)
        return dot(normal, minus(p, point_on(x, r, body, g.b0))), normal
    if target == BALL:
        q = point_on(x, r, body, g.b0)
        d, normal = to_segment(p, q, q)
    elif target == SEGMENT:
        d, normal = to_segment(p, point_on(x, r, body, g.b0), point_on(x, r, body, g.b1))
    else:
        d, local = to_solid(target, to_box(p, x, r, body, g), g)
        normal = from_box(local, r, body, g)
    return d - g.b_radius, normal


class Curve(NamedTuple):
    """A curve in the world: middle + cos(s) first + sin(s) second if it is closed, else middle + s first."""

    closed: bool
    middle: Triple
    first: Triple
    second: Triple


@kernel
def on_curve(curve: Curve, s: float) -> tuple[Triple, Triple]:
    """A point of a curve, and its derivative by s."""
    if not curve.closed:
        return plus(curve.middle, times(s, curve.first)), curve.first
    c = np.cos(s)
    n = np.sin(s)
    point = plus(curve.middle, plus(times(c, curve.first), times(n, curve.second)))
    return point, minus(times(c, curve.second), times(n, curve.first))


@kernel
def slope_on(curve: Curve, s: float, target: int, x: Array, r: Array, body: int, g: Any) -> float:
    """Derivative of the distance to a target along a curve."""
    p, along = on_curve(curve, s)
    _, normal = field(target, p, x, r, body, g)
    return dot(normal, along)


@kernel
def distance_on(curve: Curve, s: float, target: int, x: Array, r: Array, body: int, g: Any) -> float:
    """Distance to a target from a point of a curve."""
    p, _ = on_curve(curve, s)
    d, _ = field(target, p, x, r, body, g)
    return d


@kernel
def least_between(curve: Curve, ends: Pair, target: int, x: Array, r: Array, body: int, g: Any) -> float:
    """Where on a piece of a curve the distance to a target is least: the root of its slope, by the Illinois method."""
    low, high = ends
    at_low = slope_on(curve, low, target, x, r, body, g)
    at_high = slope_on(curve, high, target, x, r, body, g)
    if at_low >= 0.0:
        return low
    if at_high <= 0.0:
        return high
    for k in range(ITERATIONS):
        s = (low * at_high - high * at_low) / (at_high - at_low)
        if k % 8 == 7:
            s = 0.5 * (low + high)
        here = slope_on(curve, s, target, x, r, body, g)
        if here == 0.0 or high - low < 1e-15 * (1.0 + abs(s)):
            return s
        if here > 0.0:
            at_low *= 0.5
            high = s
            at_high = here
        else:
            at_high *= 0.5
            low = s
            at_low = here
    return 0.5 * (low + high)


@kernel
def least_on(curve: Curve, target: int, x: Array, r: Array, body: int, g: Any) -> float:
    """Where on a curve the distance to a target is least.

    Around every point of equal intervals that lies lower than its neighbours there may be a least distance. It cannot
    lie lower by more than half an interval, because a distance changes at most as fast as the point moves.
    """
    many = RIM_SCAN if curve.closed else EDGE_SCAN
    width = 2.0 * np.pi / many if curve.closed else 1.0 / many
    lower = 0.5 * width * norm(curve.first)
    before = distance_on(curve, -width, target, x, r, body, g) if curve.closed else np.inf
    here = distance_on(curve, 0.0, target, x, r, body, g)
    least = np.inf
    best = 0.0
    for k in range(many if curve.closed else many + 1):
        inside = curve.closed or k < many
        after = distance_on(curve, (k + 1) * width, target, x, r, body, g) if inside else np.inf
        if here <= before and here <= after and here - lower < least:
            ends = (k - 1) * width, (k + 1) * width
            if not curve.closed:
                ends = max(ends[0], 0.0), min(ends[1], 1.0)
            s = least_between(curve, ends, target, x, r, body, g)
            d = distance_on(curve, s, target, x, r, body, g)
            if d < least:
                least = d
                best = s
        before = here
        here = after
    return best


@kernel
def rim_of(x: Array, r: Array, body: int, g: Any) -> Curve:
    """The rim of a probe in the world."""
    axis = to_world(r, body, g.a1)
    radius = norm(axis)
    axis = times(1.0 / radius, axis)
    side = (1.0, 0.0, 0.0) if abs(axis[0]) < 0.6 else (0.0, 1.0, 0.0)
    first = cross(axis, side)
    first = times(radius / norm(first), first)
    return Curve(True, point_on(x, r, body, g.a0), first, cross(axis, first))


@kernel
def lowest_on_rim(rim: Curve, target: int, x: Array, r: Array, body: int, g: Any) -> Triple:
    """The point of a rim that is nearest to a target; over a plane in closed form."""
    if target == PLANE:
        normal = to_world(r, body, g.b1)
        a = dot(normal, rim.first)
        b = dot(normal, rim.second)
        length = np.sqrt(a * a + b * b)
        if length == 0.0:
            return plus(rim.middle, rim.first)
        return minus(rim.middle, plus(times(a / length, rim.first), times(b / length, rim.second)))
    p, _ = on_curve(rim, least_on(rim, target, x, r, body, g))
    return p


@kernel
def tilted(sine: float) -> float:
    """Weight of the lowest point of a rim from the sine of the angle between its axis and the normal."""
    z = fraction((sine - FLAT) / (STEEP - FLAT))
    return z * z * (3.0 - 2.0 * z)


@kernel
def sine_of(axis: Triple, n: Triple) -> float:
    """Sine of the angle between an axis of any length and a unit normal."""
    return norm(cross(axis, n)) / norm(axis)


@kernel
def support(x: Array, r: Array, body: int, g: Any, n: Triple) -> Triple:
    """The point of an ellipsoid that lies farthest against a direction in the world."""
    m = to_body(r, body, n)
    diagonal = g.a1
    rest = g.a_out
    s = (
        diagonal[0] * m[0] + rest[2] * m[1] + rest[1] * m[2],
        rest[2] * m[0] + diagonal[1] * m[1] + rest[0] * m[2],
        rest[1] * m[0] + rest[0] * m[1] + diagonal[2] * m[2],
    )
    return minus(point_on(x, r, body, g.a0), to_world(r, body, times(1.0 / np.sqrt(dot(m, s)), s)))


@kernel
def mismatch(n: Triple, target: int, x: Array, r: Array, element: Any, g: Any) -> tuple[float, Triple, Triple]:
    """How far the normal of a target under an ellipsoid differs from the normal that was assumed; and the support."""
    p = support(x, r, element.a, g, n)
    d, normal = field(target, p, x, r, element.b, g)
    return d, minus(normal, n), p


@kernel
def moved_normal(n: Triple, by: Triple) -> Triple:
    """A unit normal after a small displacement."""
    to = plus(n, by)
    return times(1.0 / norm(to), to)


@kernel
def newton_turn(n: Triple, off: Triple, target: int, x: Array, r: Array, element: Any, g: Any) -> Triple:
    """Newton's displacement of a normal, in its tangent plane, from differences of the mismatch."""
    side = (1.0, 0.0, 0.0) if abs(n[0]) < 0.6 else (0.0, 1.0, 0.0)
    first = cross(n, side)
    first = times(1.0 / norm(first), first)
    second = cross(n, first)
    small = 1e-7
    _, by_first, _ = mismatch(moved_normal(n, times(small, first)), target, x, r, element, g)
    _, by_second, _ = mismatch(moved_normal(n, times(small, second)), target, x, r, element, g)
    one = times(1.0 / small, minus(by_first, off))
    two = times(1.0 / small, minus(by_second, off))
    a = dot(one, first)
    b = dot(two, first)
    c = dot(one, second)
    d = dot(two, second)
    u = dot(off, first)
    v = dot(off, second)
    det = a * d - b * c
    if not abs(det) > 1e-12:
        return off
    return plus(times((b * v - d * u) / det, first), times((c * u - a * v) / det, second))


@kernel
def round_on(target: int, x: Array, r: Array, element: Any, g: Any) -> tuple[float, Triple, Triple]:
    """An ellipsoid against a convex target: gap, normal and point of the ellipsoid, where their normals agree."""
    _, n = field(target, point_on(x, r, element.a, g.a0), x, r, element.b, g)
    d, off, p = mismatch(n, target, x, r, element, g)
    for _ in range(ITERATIONS // 2):
        error = dot(off, off)
        if error < 1e-30:
            break
        turn = newton_turn(n, off, target, x, r, element, g)
        length = norm(turn)
        if length > 0.5:
            turn = times(0.5 / length, turn)
        for _ in range(12):
            trial = moved_normal(n, turn)
            d_new, off_new, p_new = mismatch(trial, target, x, r, element, g)
            if dot(off_new, off_new) < error:
                break
            turn = times(0.5, turn)
        if not dot(off_new, off_new) < error:
            break
        n = trial
        d = d_new
        off = off_new
        p = p_new
    return d, moved_normal(n, off), p


@kernel
def edge_point(probe: int, target: int, x: Array, r: Array, element: Any, g: Any) -> tuple[Triple, float]:
    """The point of a segment that is nearest to a target, and its weight: an edge has none where its ends touch."""
    start = point_on(x, r, element.a, g.a0)
    curve = Curve(False, start, minus(point_on(x, r, element.a, g.a1), start), start)
    s = least_on(curve, target, x, r, element.b, g)
    p, _ = on_curve(curve, s)
    return p, 1.0 if probe == ROD else ramp(s, 0.05)


@kernel
def side_on(target: int, x: Array, r: Array, element: Any, g: Any) -> Found:
    """The side of a cone against that of another: distance, normal, point of the first side, and weight.

    Sides that overlap count where the point of one lies inside the other cone, not beyond it.
    """
    one = ConeSide(point_on(x, r, element.a, g.a0), point_on(x, r, element.a, g.a1), g.a_out[0])
    middle = point_on(x, r, element.b, g.b0)
    up = from_box((0.0, 0.0, g.b1[2]), r, element.b, g)
    d, n, p, weight = between_sides(one, ConeSide(plus(middle, up), minus(middle, up), g.b1[0]))
    if d < 0.0 and weight > 0.0:
        depth, _ = field(target, p, x, r, element.b, g)
        if depth > 0.0:
            weight = 0.0
    return d - g.b_radius, n, p, weight


@kernel
def probed(kind: int, x: Array, r: Array, element: Any, g: Any) -> Found:
    """Distance from the core of a probe to a target, normal, point of the core, and weight."""
    probe = kind // TARGETS
    target = kind % TARGETS
    weight = 1.0
    if probe == ROUND:
        d, n, p = round_on(target, x, r, element, g)
        return d, n, p, weight
    if probe == SIDE:
        return side_on(target, x, r, element, g)
    if probe == RIM:
        p = lowest_on_rim(rim_of(x, r, element.a, g), target, x, r, element.b, g)
    elif probe in (EDGE, ROD):
        p, weight = edge_point(probe, target, x, r, element, g)
    else:
        p = point_on(x, r, element.a, g.a0)
    d, n = field(target, p, x, r, element.b, g)
    if probe == RIM and target not in ROUNDED:
        weight = tilted(sine_of(to_world(r, element.a, g.a1), n))
    elif probe == RIM_POINT:
        weight = 1.0 - tilted(sine_of(to_world(r, element.a, g.a_out), n))
    elif probe == EDGE and dot(to_world(r, element.a, g.a_out), n) > 0.0:
        weight = 0.0
    return d, n, p, weight


STATES = types.float64[::1]
TURNS = types.float64[:, :, ::1]
FOUND = types.UniTuple(types.float64, 8)
"""Types of packed states, of rotation matrices, and of gap, normal, point and weight, for sealed kernels."""


# The first sealed kernel of the plugin, which compiles now: a cold start begins here.
say_compiling()


@sealed(FOUND(STATES, TURNS, from_dtype(ELEMENT), from_dtype(GEOMETRY)))
def locate_solid(x: Array, r: Array, element: Any, g: Any) -> Any:
    """Gap in m, normal, point and weight of an element with a probe, as eight numbers."""
    d, n, c, weight = probed(element.kind, x, r, element, g)
    gap = d - g.a_radius
    p = minus(c, times(g.a_radius + (0.5 + g.skew) * gap, n))
    return gap, n[0], n[1], n[2], p[0], p[1], p[2], weight
