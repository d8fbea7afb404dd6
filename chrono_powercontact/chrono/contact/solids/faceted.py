"""Signed distance from a point to a surface of triangles, and to a height field, in the surface's own frame, in m.

A closed surface of triangles has a pseudo-normal on every face, edge and corner (Baerentzen and Aanaes 2005): the side
of the nearest point's pseudo-normal on which a point lies tells inside from outside. A height field is interpolated by
bicubic Catmull-Rom patches: it passes through its heights, and its normal is continuous.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....kernel import kernel
from ....numerics.vectors import Triple, dot, minus, norm, plus, times, triple
from ..addresses import doubles_at

Array = Any
Near = tuple[float, Triple]

FACET = np.dtype(
    [
        ("corners", np.float64, (3, 3)), ("normal", np.float64, (3,)),
        ("at_corners", np.float64, (3, 3)), ("at_edges", np.float64, (3, 3)),
    ]
)  # fmt: skip
"""A triangle: its corners in m, its outward normal, and the pseudo-normals at its corners and at the edges that begin
there."""

FACET_WORDS = FACET.itemsize // 8

FACE = 6
"""Feature of a triangle: its corners are 0 to 2, the edges that begin there 3 to 5, and this is its inside."""

ITERATIONS = 40
HALVINGS = 40
SHORT = 1e-8
LEAST_BEND = 1e-3
"""Most iterations of the foot on a height field, most halvings of a step; the square of a step over that of the
distance, below which it is always taken; the least curvature that a step assumes, relative to the largest."""


@kernel
def near_triangle(p: Triple, corners: Array) -> tuple[Triple, int]:
    """The nearest point of a triangle, and the feature on which it lies (Ericson 2005, 5.1.5)."""
    a = triple(corners[0])
    b = triple(corners[1])
    c = triple(corners[2])
    ab = minus(b, a)
    ac = minus(c, a)
    ap = minus(p, a)
    d1 = dot(ab, ap)
    d2 = dot(ac, ap)
    if d1 <= 0.0 and d2 <= 0.0:
        return a, 0
    bp = minus(p, b)
    d3 = dot(ab, bp)
    d4 = dot(ac, bp)
    if d3 >= 0.0 and d4 <= d3:
        return b, 1
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        return plus(a, times(d1 / (d1 - d3), ab)), 3
    cp = minus(p, c)
    d5 = dot(ab, cp)
    d6 = dot(ac, cp)
    if d6 >= 0.0 and d5 <= d6:
        return c, 2
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        return plus(a, times(d2 / (d2 - d6), ac)), 5
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 >= d3 and d5 >= d6:
        return plus(b, times((d4 - d3) / ((d4 - d3) + (d5 - d6)), minus(c, b))), 4
    return plus(a, plus(times(vb / (va + vb + vc), ab), times(vc / (va + vb + vc), ac))), FACE


@kernel
def pseudo_normal(facet: Any, feature: int) -> Triple:
    """The pseudo-normal of a feature of a triangle."""
    if feature < 3:
        return triple(facet.at_corners[feature])
    if feature < FACE:
        return triple(facet.at_edges[feature - 3])
    return triple(facet.normal)


@kernel
def to_facets(p: Triple, facets: Array) -> Near:
    """A surface of triangles, records of FACET; where a pseudo-normal is zero, no point lies behind it."""
    least = np.inf
    best = 0
    where = p
    on = FACE
    for k in range(facets.size):
        q, feature = near_triangle(p, facets[k].corners)
        apart = minus(p, q)
        square = dot(apart, apart)
        if square < least:
            least = square
            best = k
            where = q
            on = feature
    out = pseudo_normal(facets[best], on)
    apart = minus(p, where)
    distance = np.sqrt(least)
    side = 1.0 if dot(apart, out) >= 0.0 else -1.0
    if on == FACE or (distance < 1e-12 and norm(out) == 0.0):
        return side * distance, triple(facets[best].normal)
    if distance < 1e-12:
        return side * distance, times(1.0 / norm(out), out)
    return side * distance, times(side / distance, apart)


@kernel
def facets_at(place: Any) -> Array:
    """Triangles from their address and number."""
    return doubles_at(int(place[0]), int(place[1]) * FACET_WORDS).view(FACET)


@kernel
def cubic(f0: float, f1: float, f2: float, f3: float, t: float) -> Triple:
    """Value, slope and bend (second derivative) of a Catmull-Rom curve between f1 and f2."""
    a = 0.5 * (f2 - f0)
    b = f0 - 2.5 * f1 + 2.0 * f2 - 0.5 * f3
    c = 0.5 * (f3 - f0) + 1.5 * (f1 - f2)
    return f1 + t * (a + t * (b + t * c)), a + t * (2.0 * b + 3.0 * t * c), 2.0 * b + 6.0 * t * c


@kernel
def clipped(i: int, many: int) -> int:
    """A row or column inside a grid."""
    return min(max(i, 0), many - 1)


@kernel
def along_row(heights: Array, i: int, j: int, t: float) -> Triple:
    """Height along a row behind column j, with its slope and bend per cell."""
    many = heights.shape[1]
    row = heights[clipped(i, heights.shape[0])]
    return cubic(
        row[clipped(j - 1, many)], row[clipped(j, many)], row[clipped(j + 1, many)], row[clipped(j + 2, many)], t
    )


class Ground(NamedTuple):
    """Height in m over a place, its slopes and its second derivatives."""

    height: float
    by_x: float
    by_y: float
    by_xx: float
    by_xy: float
    by_yy: float


@kernel
def height_at(heights: Array, u: float, v: float) -> Ground:
    """The ground at grid coordinates, derivatives per cell; rows follow u, columns v; level beyond the rim."""
    in_u = 1.0 if 0.0 <= u <= heights.shape[0] - 1.0 else 0.0
    in_v = 1.0 if 0.0 <= v <= heights.shape[1] - 1.0 else 0.0
    u = min(max(u, 0.0), heights.shape[0] - 1.0)
    v = min(max(v, 0.0), heights.shape[1] - 1.0)
    i = int(min(np.floor(u), heights.shape[0] - 2.0))
    j = int(min(np.floor(v), heights.shape[1] - 2.0))
    h0, s0, b0 = along_row(heights, i - 1, j, v - j)
    h1, s1, b1 = along_row(heights, i, j, v - j)
    h2, s2, b2 = along_row(heights, i + 1, j, v - j)
    h3, s3, b3 = along_row(heights, i + 2, j, v - j)
    height, by_u, by_uu = cubic(h0, h1, h2, h3, u - i)
    by_v, by_uv, _ = cubic(s0, s1, s2, s3, u - i)
    by_vv, _, _ = cubic(b0, b1, b2, b3, u - i)
    return Ground(height, in_u * by_u, in_v * by_v, in_u * by_uu, in_u * in_v * by_uv, in_v * by_vv)


@kernel
def ground_at(heights: Array, x: float, y: float, wide: float, deep: float) -> Ground:
    """The ground at a place in m, with cells of `wide` by `deep` in m."""
    h = height_at(heights, x / wide, y / deep)
    return Ground(h.height, h.by_x / wide, h.by_y / deep, h.by_xx / wide**2, h.by_xy / (wide * deep), h.by_yy / deep**2)


@kernel
def made_convex(a: float, b: float, c: float) -> Triple:
    """A symmetric matrix ((a, b), (b, c)) with its eigenvalues made positive, so that steps by it descend."""
    mean = 0.5 * (a + c)
    spread = np.sqrt(0.25 * (a - c) ** 2 + b * b)
    if mean - spread > LEAST_BEND * (mean + spread):
        return a, b, c
    first = abs(mean + spread)
    second = abs(mean - spread)
    least = LEAST_BEND * max(first, second)
    middle = 0.5 * (max(first, least) + max(second, least))
    factor = 0.5 * (max(first, least) - max(second, least)) / spread if spread > 0.0 else 0.0
    return middle + factor * (a - mean), factor * b, middle + factor * (c - mean)


@kernel
def towards_foot(off: Triple, g: Ground) -> tuple[float, float]:
    """Newton's step in x and y, in m, to the foot of a perpendicular; `off` points from the ground to the point."""
    along_x = off[0] + off[2] * g.by_x
    along_y = off[1] + off[2] * g.by_y
    a, b, c = made_convex(
        1.0 + g.by_x * g.by_x - off[2] * g.by_xx,
        g.by_x * g.by_y - off[2] * g.by_xy,
        1.0 + g.by_y * g.by_y - off[2] * g.by_yy,
    )
    det = a * c - b * b
    return (c * along_x - b * along_y) / det, (a * along_y - b * along_x) / det


@kernel
def to_heights(p: Triple, heights: Array, wide: float, deep: float) -> Near:
    """A height field with cells of `wide` by `deep` in m: the foot of a perpendicular, by descent from below the point.

    Newton's method: a step is halved until it comes nearer to the point. Steps too short to tell are taken as they are.
    """
    x = p[0]
    y = p[1]
    g = ground_at(heights, x, y, wide, deep)
    off = minus(p, (x, y, g.height))
    for _ in range(ITERATIONS):
        dx, dy = towards_foot(off, g)
        square = dot(off, off)
        for _ in range(HALVINGS):
            g = ground_at(heights, x + dx, y + dy, wide, deep)
            off = minus(p, (x + dx, y + dy, g.height))
            if dot(off, off) <= square or dx * dx + dy * dy <= SHORT * square:
                break
            dx *= 0.5
            dy *= 0.5
        x += dx
        y += dy
        if dx * dx + dy * dy <= 1e-30 * (1.0 + x * x + y * y):
            break
    steep = (-g.by_x, -g.by_y, 1.0)
    n = times(1.0 / norm(steep), steep)
    return dot(off, n), n


@kernel
def heights_at(place: Any) -> Array:
    """A grid of heights from its address, rows and columns."""
    return doubles_at(int(place[0]), int(place[1]) * int(place[2])).reshape(int(place[1]), int(place[2]))


def _unit(rows: Any) -> Any:
    """Rows of a table scaled to length 1."""
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def returning_sides(triangles: Any) -> Any:
    """For each side of each triangle the number of the side that runs back along it; its own if there is none.

    Sides are numbered triangle by triangle; the first one of a triangle leads from its first vertex to its second.
    """
    start = triangles.ravel()
    end = np.roll(triangles, -1, axis=1).ravel()
    many = triangles.max(initial=0) + 1
    sides = many * start + end
    back = many * end + start
    order = np.argsort(sides, kind="stable")
    at = order[np.searchsorted(sides[order], back, side="right") - 1]
    return np.where(sides[at] == back, at, np.arange(sides.size)).reshape(triangles.shape)


def facet_table(vertices: Any, triangles: Any) -> Any:
    """Records of FACET of a closed surface: vertices in m, and three of their numbers for each triangle, outward."""
    corners = vertices[triangles]
    sides = np.roll(corners, -1, axis=1) - corners
    normals = _unit(np.cross(sides[:, 0], -sides[:, 2]))
    directions = _unit(sides)
    angles = np.arccos(np.clip(-(directions * np.roll(directions, 1, axis=1)).sum(axis=2), -1.0, 1.0))
    at_vertices = np.zeros(vertices.shape)
    for k in range(3):
        np.add.at(at_vertices, triangles[:, k], angles[:, k : k + 1] * normals)
    table = np.zeros(len(triangles), FACET)
    table["corners"] = corners
    table["normal"] = normals
    table["at_corners"] = at_vertices[triangles]
    table["at_edges"] = normals[:, None] + normals[returning_sides(triangles) // 3]
    return table
