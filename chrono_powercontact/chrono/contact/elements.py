"""Contact elements of two shapes: which spheres, segments and edges can touch each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import ParameterError, UnknownNameError
from .geometry import EDGE_EDGE, SEGMENT_SEGMENT
from .records import GEOMETRY
from .shapes import Shape

MIDWAY, ON_SHAPE, ON_PARTNER = PLACES = ("midway", "shape", "partner")
"""Where between two surfaces their forces act: midway, on the surface of the first shape or on that of the second."""

Element = tuple[int, bool, Any]
"""Kind, whether the shapes are swapped (body A belongs to the second shape), and the geometry record."""


def _geometry(**parts: ArrayLike) -> Any:
    """A geometry record from named parts."""
    record = np.zeros(1, GEOMETRY)[0]
    for name, value in parts.items():
        record[name] = value
    return record


def _spheres_on(first: Shape, second: Shape, swapped: bool) -> Iterator[Element]:
    """Each sphere of the first shape against each target of the second."""
    for centre, radius in first.spheres:
        for kind, parts in second.targets:
            yield kind, swapped, _geometry(a0=centre, a1=centre, a_radius=radius, **parts)


def _edges_on_edges(first: Shape, second: Shape, kind: int) -> Iterator[Element]:
    """Each segment of the first shape against each segment of the second."""
    for a0, a1, a_radius, a_out in first.segments:
        own: dict[str, ArrayLike] = {"a0": a0, "a1": a1, "a_out": a_out, "a_radius": a_radius}
        for b0, b1, b_radius, b_out in second.segments:
            yield kind, False, _geometry(**own, b0=b0, b1=b1, b_out=b_out, b_radius=b_radius)


def _has_edges(shape: Shape) -> bool:
    """Whether a segment of a shape is the edge of a face, so that its corners alone do not cover all contacts."""
    return any(segment.outward.any() for segment in shape.segments)


def elements_between(first: Shape, second: Shape, point: str = MIDWAY) -> list[Element]:
    """All elements of a pair of shapes; their forces act at a point between the surfaces, see PLACES."""
    if point not in PLACES:
        raise UnknownNameError("point", str(point), PLACES)
    elements = _touching(first, second)
    if point != MIDWAY:
        for _, swapped, geometry in elements:
            geometry["skew"] = -0.5 if swapped == (point == ON_PARTNER) else 0.5
    return elements


def _touching(first: Shape, second: Shape) -> list[Element]:
    """All elements of a pair of shapes, with forces midway between the surfaces."""
    if first.segments and second.segments:
        if not (_has_edges(first) or _has_edges(second)):
            return list(_edges_on_edges(first, second, SEGMENT_SEGMENT))
        corners = [*_spheres_on(first, second, False), *_spheres_on(second, first, True)]
        return corners + list(_edges_on_edges(first, second, EDGE_EDGE))
    if not first.spheres and not second.spheres:
        raise ParameterError("a plane cannot touch a plane: one of the two shapes must have a finite size")
    if not first.spheres or (first.segments and second.spheres):
        return list(_spheres_on(second, first, True))
    return list(_spheres_on(first, second, False))
