"""Convex hulls and closed triangle meshes on a body, by their corners, edges and faces, in m."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ....errors import not_negative
from ..shapes import REFERENCE, Segment, Shape, SphereCore, Target, check_body, check_frame
from . import probes as pr
from .polyhedra import Polyhedron, hull_of, points_of, polyhedron
from .solid_shapes import solid_target


class Faceted(Shape):
    """A closed surface of triangles with a radius around it; its corners and edges keep their identity."""

    radius: float
    surface: Polyhedron

    def _wrap(self, surface: Polyhedron) -> None:
        """Check what all of them have, and keep the surface."""
        check_body("body", self.body)
        check_frame(self.frame)
        not_negative("radius", self.radius)
        object.__setattr__(self, "surface", surface)

    @property
    def spheres(self) -> Sequence[SphereCore]:
        """The corners."""
        return [SphereCore(corner, self.radius) for corner in self.surface.corners]

    @property
    def segments(self) -> Sequence[Segment]:
        """The convex edges."""
        return [Segment(start, end, self.radius, outward) for start, end, outward in self.surface.edges]

    @property
    def targets(self) -> Sequence[Target]:
        """All triangles."""
        facets = self.surface.facets
        target = solid_target(pr.FACETS, np.zeros(3), np.eye(3), np.zeros(3), self.radius)
        target.parts["b_out"] = (facets.ctypes.data, len(facets), 0.0)
        return [target]


@dataclass(frozen=True, eq=False)
class Hull(Faceted):
    """The convex hull of points, with a radius around it.

    Attributes:
        body: the ChBody. points: in m, one row each; those inside do not matter. radius: of corners and edges in m.
        frame: see `Shape`.
    """

    body: Any
    points: ArrayLike
    radius: float = 0.0
    frame: str = REFERENCE
    surface: Polyhedron = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._wrap(hull_of(points_of("points", self.points)))


@dataclass(frozen=True, eq=False)
class Mesh(Faceted):
    """A closed mesh of triangles, with a radius around it.

    Attributes:
        body: the ChBody. vertices: in m, one row each. triangles: three numbers of vertices each, counter-clockwise
            seen from outside. radius: thickness around the surface in m. frame: see `Shape`.
    """

    body: Any
    vertices: ArrayLike
    triangles: ArrayLike
    radius: float = 0.0
    frame: str = REFERENCE
    surface: Polyhedron = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._wrap(polyhedron(points_of("vertices", self.vertices), np.asarray(self.triangles)))
