"""Signed distance from a point to a surface of triangles, and to a height field, in the surface's own frame, in m.

A closed surface of triangles has a pseudo-normal on every face, edge and corner (Baerentzen and Aanaes 2005): the side
of the nearest point's pseudo-normal on which a point lies tells inside from outside. A height field is interpolated by
bicubic Catmull-Rom patches: it passes through its heights, and its normal is continuous.
"""

from __future__ import annotations

from typing import Any

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

ITERATIONS = 80
"""Most iterations of the foot on a height field; each gains the distance over the radius of curvature."""


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
    """A closed surface of triangles, records of FACET."""
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
    if distance < 1e-12 or on == FACE:
        return side * distance, triple(facets[best].normal) if on == FACE else times(1.0 / norm(out), out)
    return side * distance, times(side / distance, apart)


@kernel
def facets_at(place: Any) -> Array:
    """Triangles from their address and number."""
    return doubles_at(int(place[0]), int(place[1]) * FACET_WORDS).view(FACET)


@kernel
def cubic(f0: float, f1: float, f2: float, f3: float, t: float) -> tuple[float, float]:
    """Value and slope of a Catmull-Rom curve between f1 and f2."""
    a = 0.5 * (f2 - f0)
    b = f0 - 2.5 * f1 + 2.0 * f2 - 0.5 * f3
    c = 0.5 * (f3 - f0) + 1.5 * (f1 - f2)
    return f1 + t * (a + t * (b + t * c)), a + t * (2.0 * b + 3.0 * t * c)


@kernel
def clipped(i: int, many: int) -> int:
    """A row or column inside a grid."""
    return min(max(i, 0), many - 1)


@kernel
def along_row(heights: Array, i: int, j: int, t: float) -> tuple[float, float]:
    """Height and slope per cell along a row, behind column j."""
    many = heights.shape[1]
    row = heights[clipped(i, heights.shape[0])]
    return cubic(
        row[clipped(j - 1, many)], row[clipped(j, many)], row[clipped(j + 1, many)], row[clipped(j + 2, many)], t
    )


@kernel
def height_at(heights: Array, u: float, v: float) -> Triple:
    """Height in m and its slopes per cell at grid coordinates; rows follow u, columns v; level beyond the rim."""
    inside_u = 0.0 <= u <= heights.shape[0] - 1.0
    inside_v = 0.0 <= v <= heights.shape[1] - 1.0
    u = min(max(u, 0.0), heights.shape[0] - 1.0)
    v = min(max(v, 0.0), heights.shape[1] - 1.0)
    i = int(min(np.floor(u), heights.shape[0] - 2.0))
    j = int(min(np.floor(v), heights.shape[1] - 2.0))
    h0, s0 = along_row(heights, i - 1, j, v - j)
    h1, s1 = along_row(heights, i, j, v - j)
    h2, s2 = along_row(heights, i + 1, j, v - j)
    h3, s3 = along_row(heights, i + 2, j, v - j)
    height, by_u = cubic(h0, h1, h2, h3, u - i)
    by_v, _ = cubic(s0, s1, s2, s3, u - i)
    return height, by_u if inside_u else 0.0, by_v if inside_v else 0.0


@kernel
def to_heights(p: Triple, heights: Array, wide: float, deep: float) -> Near:
    """A height field with cells of `wide` by `deep` in m: the foot of the perpendicular, from below the point on."""
    x = p[0]
    y = p[1]
    distance = 0.0
    n = (0.0, 0.0, 1.0)
    for _ in range(ITERATIONS):
        z, by_u, by_v = height_at(heights, x / wide, y / deep)
        steep = (-by_u / wide, -by_v / deep, 1.0)
        n = times(1.0 / norm(steep), steep)
        off = minus(p, (x, y, z))
        distance = dot(off, n)
        aside = minus(off, times(distance, n))
        x += aside[0]
        y += aside[1]
        if dot(aside, aside) < 1e-28:
            break
    return distance, n


@kernel
def heights_at(place: Any) -> Array:
    """A grid of heights from its address, rows and columns."""
    return doubles_at(int(place[0]), int(place[1]) * int(place[2])).reshape(int(place[1]), int(place[2]))


def _unit(rows: Any) -> Any:
    """Rows of a table scaled to length 1."""
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


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
    across = {}
    for number, (a, b, c) in enumerate(triangles.tolist()):
        across.update({(a, b): number, (b, c): number, (c, a): number})
    table = np.zeros(len(triangles), FACET)
    table["corners"] = corners
    table["normal"] = normals
    table["at_corners"] = at_vertices[triangles]
    for number, row in enumerate(triangles.tolist()):
        for k in range(3):
            other = across.get((row[(k + 1) % 3], row[k]), number)
            table["at_edges"][number, k] = normals[number] + normals[other]
    return table
