"""Closed surfaces of triangles: checked, with the corners and edges that can touch other bodies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import ConvexHull, HalfspaceIntersection, QhullError

from ....errors import ParameterError, shown
from .faceted import facet_table, returning_sides

Vector = NDArray[np.float64]
Ints = NDArray[np.int64]

SHARP = 1e-6
"""Least angle in rad between two faces at an edge."""

EDGE_ROW = np.dtype([("start", np.float64, (3,)), ("end", np.float64, (3,)), ("outward", np.float64, (3,))])
"""An edge: its ends in m, and the sum of the normals of its faces."""


@dataclass(frozen=True)
class Polyhedron:
    """A closed surface of triangles.

    Attributes:
        vertices: in m, one row each. triangles: numbers of three vertices each, counter-clockwise from outside.
        facets: records of FACET. edges: records of EDGE_ROW of its convex edges. corners: their ends, in m.
    """

    vertices: Vector
    triangles: Ints
    facets: NDArray[Any]
    edges: NDArray[Any]
    corners: Vector

    @property
    def volume(self) -> float:
        """Enclosed volume in m^3."""
        a, b, c = self.vertices[self.triangles].transpose(1, 0, 2)
        return float((a * np.cross(b, c)).sum() / 6.0)


def points_of(name: str, given: ArrayLike, width: int = 3) -> Vector:
    """Rows of three finite numbers; raises for anything else."""
    try:
        rows = np.asarray(given, float)
    except (TypeError, ValueError):
        rows = np.zeros(0)
    if rows.ndim != 2 or rows.shape[1] != width or not np.all(np.isfinite(rows)):
        raise ParameterError(f"{name} must be rows of {width} finite numbers, got {shown(given)}")
    return rows


def _triangle_rows(triangles: ArrayLike, many: int) -> Ints:
    """Rows of three numbers of vertices; raises for anything else."""
    rows = points_of("triangles", triangles)
    numbers = rows.astype(np.int64)
    if (numbers != rows).any() or numbers.min(initial=0) < 0 or numbers.max(initial=-1) >= many:
        raise ParameterError(f"triangles must name vertices from 0 to {many - 1}, got {rows.min():g} to {rows.max():g}")
    return numbers


def _check_closed(triangles: Ints) -> None:
    """Raise unless every edge is shared by two triangles that run along it in opposite directions."""
    start = triangles.ravel()
    end = np.roll(triangles, -1, axis=1).ravel()
    many = triangles.max(initial=0) + 1
    once, counts = np.unique(many * start + end, return_counts=True)
    if (counts > 1).any():
        a, b = divmod(once[int(np.argmax(counts))], many)
        raise ParameterError(
            f"a mesh must have each edge once in each direction, got {counts.max()} triangles along {a} to {b}"
        )
    open_edges = np.setdiff1d(once, many * end + start)
    if open_edges.size:
        a, b = divmod(open_edges[0], many)
        raise ParameterError(f"a mesh must be closed, got {open_edges.size} open edges, such as {a} to {b}")


def _check_areas(vertices: Vector, triangles: Ints) -> None:
    """Raise if a triangle has no area."""
    a, b, c = vertices[triangles].transpose(1, 0, 2)
    twice = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    longest = np.maximum.reduce(
        [np.linalg.norm(b - a, axis=1), np.linalg.norm(c - b, axis=1), np.linalg.norm(a - c, axis=1)]
    )
    flat = np.flatnonzero(~(twice > 1e-10 * longest**2))
    if flat.size:
        raise ParameterError(f"triangles must have an area, got {flat.size} degenerate ones, such as number {flat[0]}")


def _convex_edges(vertices: Vector, triangles: Ints, facets: NDArray[Any]) -> NDArray[Any]:
    """The edges at which the surface bends outward."""
    back = returning_sides(triangles).ravel()
    start = triangles.ravel()
    end = np.roll(triangles, -1, axis=1).ravel()
    opposite = np.roll(triangles, -2, axis=1).ravel()[back]
    normal = np.repeat(facets["normal"], 3, axis=0)
    other = facets["normal"][back // 3]
    bend = np.linalg.norm(np.cross(normal, other), axis=1)
    below = (normal * (vertices[opposite] - vertices[start])).sum(axis=1)
    convex = np.flatnonzero((start < end) & (bend > SHARP) & (below < 0.0))
    edges = np.zeros(convex.size, EDGE_ROW)
    edges["start"] = vertices[start[convex]]
    edges["end"] = vertices[end[convex]]
    edges["outward"] = normal[convex] + other[convex]
    return edges


def polyhedron(vertices: Vector, triangles: Ints) -> Polyhedron:
    """A closed surface from its vertices and triangles, which are checked."""
    rows = _triangle_rows(triangles, len(vertices))
    _check_closed(rows)
    _check_areas(vertices, rows)
    facets = facet_table(vertices, rows)
    edges = _convex_edges(vertices, rows, facets)
    corners = np.unique(np.concatenate([edges["start"], edges["end"]]), axis=0)
    made = Polyhedron(vertices, rows, facets, edges, corners)
    if made.volume <= 0.0:
        raise ParameterError(
            f"triangles must be counter-clockwise seen from outside, got a volume of {made.volume:g} m^3"
        )
    return made


def _qhull(points: Vector) -> ConvexHull:
    """The convex hull of points; raises if they have no volume."""
    if len(points) < 4:
        raise ParameterError(f"a hull needs at least four points, got {len(points)}")
    try:
        return ConvexHull(points)
    except QhullError:
        raise ParameterError(f"the points of a hull must not lie in one plane, got {len(points)} that do") from None


def hull_of(points: Vector) -> Polyhedron:
    """The convex hull of points in m."""
    hull = _qhull(points)
    used = hull.vertices
    number = np.zeros(len(points), np.int64)
    number[used] = np.arange(len(used))
    triangles = number[hull.simplices]
    vertices = points[used]
    a, b, c = vertices[triangles].transpose(1, 0, 2)
    inside = (np.cross(b - a, c - a) * hull.equations[:, :3]).sum(axis=1) < 0.0
    triangles[inside] = triangles[inside][:, ::-1]
    return polyhedron(vertices, triangles)


def shrunk_hull(points: Vector, depth: float) -> Polyhedron:
    """The convex hull of points with all its faces moved inward by a depth in m."""
    hull = _qhull(points)
    planes = hull.equations.copy()
    planes[:, 3] += depth
    middle = points[hull.vertices].mean(axis=0)
    if (planes[:, :3] @ middle + planes[:, 3] >= 0.0).any():
        raise ParameterError(f"a hull must be thicker than twice the depth of {depth:g} m by which it shrinks")
    inner = HalfspaceIntersection(planes, middle).intersections
    keys = np.unique(np.round(inner / (1e-9 * float(np.ptp(points, axis=0).max()))), axis=0, return_index=True)[1]
    return hull_of(inner[keys])
