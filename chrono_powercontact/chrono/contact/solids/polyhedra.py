"""Closed surfaces of triangles: checked, with the corners and edges that can touch other bodies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import ConvexHull, HalfspaceIntersection, QhullError

from ....errors import ParameterError, shown
from .faceted import facet_table

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
        edge_ends: numbers of the vertices of each of these edges.
    """

    vertices: Vector
    triangles: Ints
    facets: NDArray[Any]
    edges: NDArray[Any]
    corners: Vector
    edge_ends: Ints

    @property
    def volume(self) -> float:
        """Enclosed volume in m^3."""
        return volume_of(self.vertices, self.triangles)


def volume_of(vertices: Vector, triangles: Ints) -> float:
    """Volume in m^3 that closed triangles enclose; negative if they are inside out."""
    a, b, c = vertices[triangles].transpose(1, 0, 2)
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


def _check_edges(triangles: Ints) -> None:
    """Raise if two triangles run along an edge in the same direction."""
    sides, _, _ = sides_of(triangles)
    once, counts = np.unique(sides, axis=0, return_counts=True)
    if (counts > 1).any():
        a, b = once[int(np.argmax(counts))]
        raise ParameterError(
            f"a mesh must have each edge once in each direction, got {counts.max()} triangles along {a} to {b}"
        )


def rim_of(triangles: Ints) -> Ints:
    """The edges of triangles that no other triangle shares, each with its two vertices; none if they are closed."""
    sides, _, _ = sides_of(triangles)
    return sides[twins_of(sides) < 0]


def _check_closed(triangles: Ints) -> None:
    """Raise unless every edge is shared by two triangles that run along it in opposite directions."""
    _check_edges(triangles)
    rim = rim_of(triangles)
    if len(rim):
        a, b = min(rim.tolist())
        raise ParameterError(f"a mesh must be closed, got {len(rim)} open edges, such as {a} to {b}")


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


def sides_of(triangles: Ints) -> tuple[Ints, Ints, Ints]:
    """All sides of triangles: their vertices, the number of their triangle, and the vertex opposite."""
    pairs = ((0, 1), (1, 2), (2, 0))
    sides = np.concatenate([triangles[:, pair] for pair in pairs])
    owners = np.tile(np.arange(len(triangles)), 3)
    return sides, owners, np.concatenate([triangles[:, other] for other in (2, 0, 1)])


def twins_of(sides: Ints) -> Ints:
    """The number of the side that runs along each side in the opposite direction; -1 for those on a rim."""
    many = int(sides.max(initial=0)) + 1
    names = sides[:, 0] * many + sides[:, 1]
    order = np.argsort(names)
    wanted = sides[:, 1] * many + sides[:, 0]
    places = np.searchsorted(names, wanted, sorter=order) % len(order)
    found = order[places]
    return np.where(names[found] == wanted, found, -1)


def _convex_edges(vertices: Vector, triangles: Ints, facets: NDArray[Any]) -> tuple[NDArray[Any], Ints]:
    """The edges at which the surface bends outward, and the numbers of their vertices."""
    sides, owners, opposite = sides_of(triangles)
    twins = twins_of(sides)
    is_rim = twins < 0
    own = facets["normal"][owners]
    across = np.where(is_rim[:, None], 0.0, facets["normal"][owners[twins]])
    bend = np.linalg.norm(np.cross(own, across), axis=1)
    below = (own * (vertices[opposite[twins]] - vertices[sides[:, 0]])).sum(axis=1)
    chosen = is_rim | ((sides[:, 0] < sides[:, 1]) & (bend > SHARP) & (below < 0.0))
    rows = np.zeros(int(chosen.sum()), EDGE_ROW)
    rows["start"] = vertices[sides[chosen, 0]]
    rows["end"] = vertices[sides[chosen, 1]]
    rows["outward"] = (own + across)[chosen]
    return rows, sides[chosen]


def _open_rim(facets: NDArray[Any], triangles: Ints) -> None:
    """Let no point lie behind the rim of a surface with gaps: the pseudo-normals there are zero."""
    sides, _, _ = sides_of(triangles)
    is_rim = twins_of(sides) < 0
    facets["at_edges"][is_rim.reshape(3, -1).T] = 0.0
    facets["at_corners"][np.isin(triangles, sides[is_rim])] = 0.0


def polyhedron(vertices: Vector, triangles: Ints, closed: bool = True) -> Polyhedron:
    """A surface from its vertices and triangles, which are checked.

    It is closed, or if `closed` is false it may have gaps and edges with more than two triangles.
    """
    rows = _triangle_rows(triangles, len(vertices))
    if closed:
        _check_closed(rows)
    _check_areas(vertices, rows)
    facets = facet_table(vertices, rows)
    if not closed:
        _open_rim(facets, rows)
    edges, ends = _convex_edges(vertices, rows, facets)
    corners = np.unique(np.concatenate([edges["start"], edges["end"]]), axis=0)
    made = Polyhedron(vertices, rows, facets, edges, corners, ends)
    if made.volume <= 0.0:
        raise ParameterError(
            f"triangles must be counter-clockwise seen from outside, got a volume of {made.volume:g} m^3"
        )
    return made


def plate_of(vertices: Vector, triangles: Ints, depth: float) -> tuple[Vector, Ints]:
    """An open surface closed by a back, a depth in m behind it, and by walls along its rim: vertices and triangles.

    The front is the side from which triangles run counter-clockwise.
    """
    rows = _triangle_rows(triangles, len(vertices))
    _check_edges(rows)
    _check_areas(vertices, rows)
    out = np.zeros(vertices.shape)
    facets = facet_table(vertices, rows)
    out[rows] = facets["at_corners"]
    lengths = np.linalg.norm(out, axis=1, keepdims=True)
    back = vertices - depth * out / np.where(lengths > 0.0, lengths, 1.0)
    many = len(vertices)
    a, b = rim_of(rows).T
    walls = np.vstack([np.column_stack([b, a, a + many]), np.column_stack([b, a + many, b + many])])
    return np.vstack([vertices, back]), np.vstack([rows, many + rows[:, ::-1], walls])


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
