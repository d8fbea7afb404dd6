"""Meshes of pieces, contact points and arrows, made by trimesh."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import trimesh
from numpy.typing import NDArray
from trimesh import creation

from .pieces import BALL, BOX, CAPSULE, CYLINDER, MESH, Piece

Floats = NDArray[np.float64]


class Look(NamedTuple):
    """A mesh of unit size, and what it is scaled by in m."""

    vertices: Floats
    faces: NDArray[np.int64]
    scale: tuple[float, float, float]


def look_of(piece: Piece, fine: bool = False) -> Look:
    """The mesh to draw; that of a family is made once. `fine` makes balls rounder, at four times the triangles."""
    if piece.kind == MESH:
        return Look(piece.vertices, piece.faces, (1.0, 1.0, 1.0))
    mesh = _mesh(piece.family(), fine)
    x, y, z = _SCALES[piece.kind](*piece.size)
    return Look(mesh.vertices, mesh.faces, (x, y, z))


@cache
def _mesh(family: tuple[Any, ...], fine: bool) -> Any:
    """The mesh of a family, of unit size but for capsules."""
    if family[0] == BALL:
        return creation.icosphere(subdivisions=3 if fine else 2, radius=1.0)
    if family[0] == BOX:
        return creation.box((1.0, 1.0, 1.0))
    if family[0] == CYLINDER:
        return creation.cylinder(radius=1.0, height=1.0, sections=32)
    _, radius, length = family
    mesh = creation.capsule(height=length, radius=radius, count=[16, 12])
    mesh.apply_translation((0.0, 0.0, -mesh.bounds.mean(axis=0)[2]))
    return mesh


_SCALES: dict[str, Callable[..., tuple[float, float, float]]] = {
    BALL: lambda radius: (radius, radius, radius),
    BOX: lambda x, y, z: (x, y, z),
    CYLINDER: lambda radius, length: (radius, radius, length),
    CAPSULE: lambda radius, length: (1.0, 1.0, 1.0),
}
"""What the mesh of a kind is scaled by, from the size of a piece."""


def point_mesh() -> tuple[Any, Any]:
    """A small ball: vertices and faces."""
    mesh = creation.icosphere(subdivisions=1, radius=1.0)
    return mesh.vertices, mesh.faces


def arrow_mesh() -> tuple[Any, Any]:
    """An arrow of length 1 along z, from the origin: vertices and faces."""
    shaft = creation.cylinder(radius=0.035, height=0.75, sections=10)
    shaft.apply_translation((0.0, 0.0, 0.375))
    head = creation.cone(radius=0.09, height=0.25, sections=12)
    head.apply_translation((0.0, 0.0, 0.75))
    both: Any = trimesh.util.concatenate([shaft, head])
    return both.vertices, both.faces
