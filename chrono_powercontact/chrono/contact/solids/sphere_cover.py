"""Any body by spheres: a mesh or hull covered from inside, for heaps where corners and edges do not matter."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import ParameterError, positive, shown
from ....kernel import kernel
from ..shapes import Points
from .faceted import to_facets
from .hull_shapes import Faceted

MOST = 2_000_000
"""Most points of the grid on which centres are looked for."""


@kernel
def depths(points: Any, facets: Any, out: Any) -> None:
    """Depth in m of points inside a closed surface; negative outside."""
    for k in range(points.shape[0]):
        out[k] = -to_facets((points[k, 0], points[k, 1], points[k, 2]), facets)[0]


def _grid_inside(low: NDArray[Any], high: NDArray[Any], pitch: float) -> NDArray[np.float64]:
    """Points of a regular grid in a box of space, in m."""
    counts = np.maximum(np.ceil((high - low) / pitch).astype(int), 1)
    if int(np.prod(counts)) > MOST:
        raise ParameterError(f"radius must be coarser, got a grid of {int(np.prod(counts))} points with {pitch:g} m")
    axes = [low[i] + (high[i] - low[i]) * (np.arange(counts[i]) + 0.5) / counts[i] for i in range(3)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def spheres_of(shape: Faceted, radius: float, spacing: float = 1.0) -> Points:
    """Spheres of a radius in m inside a mesh or hull, whose surfaces touch that of the shape or lie within.

    Args:
        spacing: distance of the centres, in radii. The spheres nearest to the surface are moved to touch it.
    """
    if not isinstance(shape, Faceted):
        raise ParameterError(f"shape must be a Mesh or a Hull, got {shown(shape)}")
    positive("radius", radius)
    positive("spacing", spacing)
    surface = shape.surface
    pitch = spacing * radius
    points = _grid_inside(surface.vertices.min(axis=0), surface.vertices.max(axis=0), pitch)
    inside = np.empty(len(points))
    depths(points, surface.facets, inside)
    outer = (inside + shape.radius >= radius) & (inside + shape.radius < radius + 2.0 * pitch)
    if not outer.any():
        raise ParameterError(f"radius must be less than the thickness of the shape, got {radius:g} m: no sphere fits")
    return Points(shape.body, points[outer], radius, shape.frame)
