"""Near triangles of large surfaces, listed in double precision by the collision library coal, where it is installed.

coal keeps the triangles in a tree of oriented boxes. It only lists which of them are near; gaps and normals are ours.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....errors import ParameterError
from .solid_pairs import CAPSULE, FACETED, SPHERE

Vector = NDArray[np.float64]
Ints = NDArray[np.int64]

INSTALL = 'pip install coal (or "chrono_powercontact[meshes]")'
"""How to get the library."""

MOST_NEAR = 2**21
"""More near triangles, or pairs of them, than are listed."""


class Pose(NamedTuple):
    """Where a frame lies in the world: its origin in m and its rotation matrix."""

    origin: Vector
    turn: Vector

    def within(self, centre: Vector, turn: Vector) -> Pose:
        """The pose of a frame that is given in this one."""
        return Pose(self.origin + self.turn @ centre, self.turn @ turn)


class Outline(NamedTuple):
    """A simple solid of coal's around a shape, and its pose on the body of the shape."""

    solid: Any
    pose: Pose


@cache
def coal() -> Any | None:
    """The library, or None where it is not installed."""
    try:
        return import_module("coal")
    except ImportError:
        return None


def outline_of(kind: int, record: Any) -> Outline:
    """A solid around a shape that is given by its kind and its record of SHAPE."""
    library: Any = coal()
    if kind == SPHERE:
        return Outline(library.Sphere(float(record["radius"])), Pose(record["p0"], np.eye(3)))
    if kind in (CAPSULE, FACETED):
        return Outline(library.Sphere(float(record["bound"])), Pose(record["centre"], np.eye(3)))
    sides = 2.0 * (record["p1"] + record["radius"])
    return Outline(library.Box(*map(float, sides)), Pose(record["p0"], record["turn"]))


class TriangleTree:
    """The triangles of a surface in a tree."""

    def __init__(self, vertices: Vector, triangles: Ints) -> None:
        library: Any = coal()
        self._model = library.BVHModelOBBRSS()
        self._model.beginModel(len(triangles), len(vertices))
        self._model.addVertices(np.ascontiguousarray(vertices))
        self._model.addTriangles(np.ascontiguousarray(triangles, np.int64))
        self._model.endModel()

    def near(self, pose: Pose, outline: Outline, there: Pose, margin: float) -> Ints:
        """Numbers of the triangles that come nearer to a solid than a margin in m.

        Args:
            pose: of the surface. there: of the body that carries the outline.
        """
        found = _collide(self._model, pose, outline.solid, there.within(*outline.pose), margin)
        return np.unique(found[:, 0])

    def near_each_other(self, pose: Pose, other: TriangleTree, there: Pose, margin: float) -> tuple[Ints, Ints]:
        """Numbers of the triangles of two surfaces that come nearer to each other than a margin in m."""
        found = _collide(self._model, pose, other._model, there, margin)
        return np.unique(found[:, 0]), np.unique(found[:, 1])


def _collide(first: Any, one: Pose, second: Any, other: Pose, margin: float) -> Ints:
    """Pairs of numbers of parts of two geometries that come nearer to each other than a margin in m."""
    library: Any = coal()
    request = library.CollisionRequest()
    request.num_max_contacts = MOST_NEAR
    request.security_margin = margin
    result = library.CollisionResult()
    places = [library.Transform3s(pose.turn, pose.origin) for pose in (one, other)]
    many = library.collide(first, places[0], second, places[1], request, result)
    if many >= MOST_NEAR:
        raise ParameterError(f"a mesh has more than {MOST_NEAR - 1} triangles near another shape: use a coarser one")
    contacts = map(result.getContact, range(many))
    return np.array([(contact.b1, contact.b2) for contact in contacts], np.int64).reshape(-1, 2)
