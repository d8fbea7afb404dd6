"""Gaps and normals between the cores of two shapes, in double precision, as contact laws need them.

Every element is a sphere (or a segment) on body A against a plane, sphere, segment or box on body B.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel import kernel
from ...numerics.vectors import Triple, dot, minus, norm, plus, times
from .bodies import point_in, point_on, to_world

SPHERE_PLANE, SPHERE_SPHERE, SPHERE_BOX, SEGMENT_SEGMENT, EDGE_EDGE = range(5)
"""Kinds of elements."""

Array = Any


class Gap(NamedTuple):
    """Relative position of two surfaces.

    Attributes:
        gap: their distance in m. normal: unit vector from B towards A.
        point: of application in the world, midway between them unless the geometry has a skew.
        weight: weight of the element, 0 to 1.
    """

    gap: float
    normal: Triple
    point: Triple
    weight: float


@kernel
def fraction(x: float) -> float:
    """A number clipped to the range from 0 to 1."""
    return min(max(x, 0.0), 1.0)


@kernel
def nearest_on_segments(p0: Triple, p1: Triple, q0: Triple, q1: Triple) -> tuple[float, float]:
    """Fractions along two segments at which they are closest."""
    u = minus(p1, p0)
    v = minus(q1, q0)
    w = minus(p0, q0)
    a = dot(u, u)
    b = dot(u, v)
    c = dot(v, v)
    d = dot(u, w)
    e = dot(v, w)
    if a < 1e-30:
        return 0.0, fraction(e / c) if c > 1e-30 else 0.0
    if c < 1e-30:
        return fraction(-d / a), 0.0
    det = a * c - b * b
    s = fraction((b * e - c * d) / det) if det > 1e-12 * a * c else 0.5
    t = (b * s + e) / c
    if t < 0.0:
        return fraction(-d / a), 0.0
    if t > 1.0:
        return fraction((b - d) / a), 1.0
    return s, t


@kernel
def between_spheres(p: Triple, q: Triple, g: Any) -> Gap:
    """Two spheres with centres p on A and q on B."""
    apart = minus(p, q)
    distance = norm(apart)
    normal = (0.0, 0.0, 1.0)
    if distance >= 1e-14:
        normal = (apart[0] / distance, apart[1] / distance, apart[2] / distance)
    gap = distance - g.a_radius - g.b_radius
    return Gap(gap, normal, plus(q, times(g.b_radius + (0.5 - g.skew) * gap, normal)), 1.0)


@kernel
def to_box(c: Triple, x: Array, r: Array, body: int, g: Any) -> Triple:
    """Coordinates of a world point in the frame of the box on a body."""
    d = minus(point_in(x, r, body, c), g.b0)
    t = g.b_turn
    return (
        t[0, 0] * d[0] + t[1, 0] * d[1] + t[2, 0] * d[2],
        t[0, 1] * d[0] + t[1, 1] * d[1] + t[2, 1] * d[2],
        t[0, 2] * d[0] + t[1, 2] * d[1] + t[2, 2] * d[2],
    )


@kernel
def from_box(n: Triple, r: Array, body: int, g: Any) -> Triple:
    """World components of a direction given in the frame of the box on a body."""
    t = g.b_turn
    local = (
        t[0, 0] * n[0] + t[0, 1] * n[1] + t[0, 2] * n[2],
        t[1, 0] * n[0] + t[1, 1] * n[1] + t[1, 2] * n[2],
        t[2, 0] * n[0] + t[2, 1] * n[1] + t[2, 2] * n[2],
    )
    return to_world(r, body, local)


@kernel
def nearest_face(c: Triple, half: Any) -> tuple[float, Triple]:
    """For a point inside a box: depth (negative) below the nearest face, and the normal of that face."""
    dx = abs(c[0]) - half[0]
    dy = abs(c[1]) - half[1]
    dz = abs(c[2]) - half[2]
    if dx >= dy and dx >= dz:
        return dx, (1.0 if c[0] >= 0.0 else -1.0, 0.0, 0.0)
    if dy >= dz:
        return dy, (0.0, 1.0 if c[1] >= 0.0 else -1.0, 0.0)
    return dz, (0.0, 0.0, 1.0 if c[2] >= 0.0 else -1.0)


@kernel
def beyond(x: float, half: float) -> float:
    """How far a coordinate lies outside the range from -half to half, with its sign."""
    return x - min(max(x, -half), half)


@kernel
def sphere_box(c: Triple, x: Array, r: Array, body: int, g: Any) -> Gap:
    """A sphere with centre c against the box on a body."""
    local = to_box(c, x, r, body, g)
    outside = beyond(local[0], g.b1[0]), beyond(local[1], g.b1[1]), beyond(local[2], g.b1[2])
    if dot(outside, outside) > 1e-28:
        distance = norm(outside)
        direction = (outside[0] / distance, outside[1] / distance, outside[2] / distance)
    else:
        distance, direction = nearest_face(local, g.b1)
    normal = from_box(direction, r, body, g)
    gap = distance - g.a_radius - g.b_radius
    return Gap(gap, normal, minus(c, times(g.a_radius + (0.5 + g.skew) * gap, normal)), 1.0)


@kernel
def sphere_plane(c: Triple, x: Array, r: Array, body: int, g: Any) -> Gap:
    """A sphere with centre c against the plane on a body."""
    normal = to_world(r, body, g.b1)
    gap = dot(normal, minus(c, point_on(x, r, body, g.b0))) - g.a_radius
    return Gap(gap, normal, minus(c, times(g.a_radius + (0.5 + g.skew) * gap, normal)), 1.0)


@kernel
def ramp(along: float, width: float) -> float:
    """0 at the ends of a segment, 1 farther inside than a width, smooth between; `along` and `width` are fractions."""
    z = fraction(min(along, 1.0 - along) / width)
    return z * z * (3.0 - 2.0 * z)


@kernel
def edge_weight(n: Triple, r: Array, element: Any, g: Any, s: float, t: float) -> float:
    """Weight of two box edges: 1 where they cross freely, 0 at their ends and outside each other's wedge."""
    out_a = to_world(r, element.a, g.a_out)
    out_b = to_world(r, element.b, g.b_out)
    if dot(out_a, n) > 0.0 or dot(out_b, n) < 0.0:
        return 0.0
    return ramp(s, 0.05) * ramp(t, 0.05)


@kernel
def between_segments(p: Triple, q: Triple, x: Array, r: Array, element: Any, g: Any) -> Gap:
    """Two segments that start at p on A and q on B; pairs with a box edge are weighted."""
    p1 = point_on(x, r, element.a, g.a1)
    q1 = point_on(x, r, element.b, g.b1)
    s, t = nearest_on_segments(p, p1, q, q1)
    on_a = plus(p, times(s, minus(p1, p)))
    on_b = plus(q, times(t, minus(q1, q)))
    found = between_spheres(on_a, on_b, g)
    if element.kind != EDGE_EDGE:
        return found
    return Gap(found.gap, found.normal, found.point, edge_weight(found.normal, r, element, g, s, t))


@kernel
def locate(x: Array, r: Array, element: Any, g: Any) -> Gap:
    """Relative position of the surfaces of an element, from its geometry record."""
    p = point_on(x, r, element.a, g.a0)
    if element.kind == SPHERE_PLANE:
        return sphere_plane(p, x, r, element.b, g)
    if element.kind == SPHERE_BOX:
        return sphere_box(p, x, r, element.b, g)
    q = point_on(x, r, element.b, g.b0)
    if element.kind == SPHERE_SPHERE:
        return between_spheres(p, q, g)
    if element.kind in (SEGMENT_SEGMENT, EDGE_EDGE):
        return between_segments(p, q, x, r, element, g)
    return Gap(np.nan, p, q, np.nan)
