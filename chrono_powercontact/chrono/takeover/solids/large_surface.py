"""Surfaces of many triangles: which corners, edges and triangles of them matter where another shape is near."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...contact.solids import probes as pr
from ...contact.solids.polyhedra import Polyhedron, sides_of, twins_of
from .solid_pairs import PROBE
from .triangle_tree import TriangleTree

Ints = NDArray[np.int64]

HOLLOW = 1e-3
"""Least angle in rad between two faces at a hollow edge, which separates patches."""


class SurfacePart(NamedTuple):
    """Near triangles of a surface: their numbers, their probes with the numbers of these, and their records of FACET.

    The numbers of probes are those in the whole surface, so that a contact keeps its name.
    """

    triangles: Ints
    names: Ints
    probes: NDArray[Any]
    facets: NDArray[Any]


def surface_probes(surface: Polyhedron, radius: float) -> NDArray[Any]:
    """The corners and then the convex edges of a surface with a radius in m around it, records of PROBE."""
    corners = len(surface.corners)
    table = np.zeros(corners + len(surface.edges), PROBE)
    table["a_radius"] = radius
    table["probe"][:corners] = pr.POINT
    table["a0"][:corners] = surface.corners
    table["a1"][:corners] = surface.corners
    table["probe"][corners:] = pr.EDGE
    table["a0"][corners:] = surface.edges["start"]
    table["a1"][corners:] = surface.edges["end"]
    table["a_out"][corners:] = surface.edges["outward"]
    return table


def probes_of_triangles(surface: Polyhedron) -> Ints:
    """Numbers of the corners and edges of each triangle among the probes of a surface, six a row; -1 for none."""
    _, where = np.unique(np.vstack([surface.corners, surface.vertices]), axis=0, return_inverse=True)
    corner_of = np.full(where.max(initial=0) + 1, -1)
    corner_of[where[: len(surface.corners)]] = np.arange(len(surface.corners))
    at_corners = corner_of[where[len(surface.corners) :]][surface.triangles]
    many = len(surface.vertices)
    names = surface.edge_ends.min(axis=1) * many + surface.edge_ends.max(axis=1)
    order = np.argsort(names)
    sides, _, _ = sides_of(surface.triangles)
    wanted = sides.min(axis=1) * many + sides.max(axis=1)
    found = order[np.searchsorted(names, wanted, sorter=order) % len(order)]
    edges = np.where(names[found] == wanted, len(surface.corners) + found, -1)
    return np.hstack([at_corners, edges.reshape(3, -1).T])


class Neighbours(NamedTuple):
    """The triangle across each side of a triangle, -1 for none, and whether the surface is hollow there."""

    across: Ints
    hollow: NDArray[np.bool_]


def neighbours_of(surface: Polyhedron) -> Neighbours:
    """The neighbours of all triangles of a surface."""
    sides, owners, opposite = sides_of(surface.triangles)
    twins = twins_of(sides)
    is_rim = twins < 0
    own = surface.facets["normal"][owners]
    across = surface.facets["normal"][owners[twins]]
    bend = np.linalg.norm(np.cross(own, across), axis=1)
    above = (own * (surface.vertices[opposite[twins]] - surface.vertices[sides[:, 0]])).sum(axis=1)
    hollow = ~is_rim & (bend > HOLLOW) & (above > 0.0)
    across_side = np.where(is_rim, -1, owners[twins])
    return Neighbours(across_side.reshape(3, -1).T, hollow.reshape(3, -1).T)


def cut_facets(surface: Polyhedron, neighbours: Neighbours) -> NDArray[Any]:
    """Triangles, records of FACET, of which no point lies behind a hollow edge: pseudo-normals there are zero."""
    cut = surface.facets.copy()
    cut["at_edges"][neighbours.hollow] = 0.0
    at_hollow = np.zeros(len(surface.vertices), bool)
    for k in range(3):
        rows = surface.triangles[neighbours.hollow[:, k]]
        at_hollow[rows[:, k]] = True
        at_hollow[rows[:, (k + 1) % 3]] = True
    cut["at_corners"][at_hollow[surface.triangles]] = 0.0
    return cut


class LargeSurface:
    """A closed surface of many triangles with a radius around it.

    Attributes:
        surface: the triangles. radius: in m. tree: to look for near ones. probes: all corners and convex edges.
        neighbours: what lies across the sides of triangles. cut: the triangles as parts of patches, see `cut_facets`.
    """

    def __init__(self, surface: Polyhedron, radius: float) -> None:
        self.surface = surface
        self.radius = radius
        self.tree = TriangleTree(surface.vertices, surface.triangles)
        self.probes = surface_probes(surface, radius)
        self._features = probes_of_triangles(surface)
        self.neighbours = neighbours_of(surface)
        self.cut = cut_facets(surface, self.neighbours)

    def part(self, triangles: Ints) -> SurfacePart:
        """Some triangles, given by their numbers, with their corners and edges."""
        names = np.unique(self._features[triangles])
        names = names[names >= 0]
        return SurfacePart(triangles, names, self.probes[names], self.surface.facets[triangles])
