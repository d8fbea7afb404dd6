"""Solid contact shapes as meshes to look at; rounded edges are drawn sharp."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..contact.shapes import Shape, vector
from ..contact.solids.hull_shapes import Faceted
from ..contact.solids.solid_shapes import Cone, Cylinder, Ellipsoid, Torus, frame_along
from ..contact.solids.terrain import HeightField

Floats = NDArray[np.float64]
Surface = tuple[Floats, NDArray[np.int64]]
"""Vertices in m in the frame of the shape, and faces as numbers of three of them."""

AROUND = 40
"""Points around an axis."""

ALONG = 16
"""Points around the tube of a torus, and along half an ellipsoid."""


def solid_mesh(shape: Shape) -> Surface | None:
    """The mesh of a solid shape; None where it is no solid."""
    if isinstance(shape, Faceted):
        return np.asarray(shape.surface.vertices, float), np.asarray(shape.surface.triangles, np.int64)
    if isinstance(shape, HeightField):
        return _terrain(shape)
    if isinstance(shape, Ellipsoid):
        angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, ALONG)
        points = revolved(np.cos(angle), np.sin(angle)) * shape.size
        return grid_mesh(points @ shape.turn.T + shape.centre)
    if isinstance(shape, Cylinder | Cone | Torus):
        points = revolved(*_profile(shape)) @ frame_along(shape.direction).T
        return grid_mesh(points + vector("at", shape.at))
    return None


def _profile(shape: Any) -> tuple[ArrayLike, ArrayLike]:
    """Radii and heights in m of a section through the axis."""
    if isinstance(shape, Torus):
        angle = np.linspace(0.0, 2.0 * np.pi, ALONG + 1)
        return shape.ring + shape.tube * np.cos(angle), shape.tube * np.sin(angle)
    radius = shape.radius
    if isinstance(shape, Cone):
        half = 0.5 * shape.height
        return (0.0, radius, 0.0), (-half, -half, half)
    half = 0.5 * shape.length
    return (0.0, radius, radius, 0.0), (-half, -half, half, half)


def revolved(radius: ArrayLike, height: ArrayLike) -> Floats:
    """Points of a surface of revolution about z: around it, along the section, three coordinates."""
    angle = np.linspace(0.0, 2.0 * np.pi, AROUND + 1)[:, None]
    r = np.asarray(radius, float)
    return np.stack(np.broadcast_arrays(r * np.cos(angle), r * np.sin(angle), np.asarray(height, float)), axis=-1)


def grid_mesh(points: Floats) -> Surface:
    """Two triangles for each cell of a grid of points."""
    rows, columns = points.shape[:2]
    number = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    faces = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    return points.reshape(-1, 3), faces


def _terrain(shape: HeightField) -> Surface:
    """The grid of a height field; between its points it is drawn flat."""
    along, across = (size * np.arange(count) for size, count in zip(shape.cells, shape.grid.shape, strict=True))
    x, y = np.meshgrid(along, across, indexing="ij")
    return grid_mesh(np.stack([x, y, shape.grid], axis=-1) @ shape.turn.T + shape.corner)
