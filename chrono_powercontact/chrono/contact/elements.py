"""From two shapes to contact elements: which spheres, segments and edges can touch what."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError
from . import geometry as g
from .records import GEOMETRY
from .shapes import Box, Capsule, Plane, Points, Shape

Element = tuple[int, bool, Any]
"""Kind, whether the shapes are swapped (body A is the second shape's), and the record of geometry."""


def _geometry(**parts: ArrayLike) -> Any:
    """A record of geometry from named parts."""
    record = np.zeros(1, GEOMETRY)[0]
    for name, value in parts.items():
        record[name] = value
    return record


def _spheres_on(
    first: Points | Box | Capsule, second: Plane | Points | Box | Capsule, swapped: bool
) -> Iterable[Element]:
    """Each sphere of the first shape against the whole of the second."""
    for centre in first.centres:
        own: dict[str, ArrayLike] = {"a0": centre, "a1": centre, "a_radius": first.radius}
        if isinstance(second, Plane):
            yield g.SPHERE_PLANE, swapped, _geometry(**own, b0=second.point, b1=second.direction)
        elif isinstance(second, Box):
            place: dict[str, ArrayLike] = {"b0": second.centre, "b1": second.half, "b_turn": second.turn}
            yield g.SPHERE_BOX, swapped, _geometry(**own, **place, b_radius=second.radius)
        elif isinstance(second, Capsule):
            yield (
                g.SEGMENT_SEGMENT,
                swapped,
                _geometry(**own, b0=second.ends[0], b1=second.ends[1], b_radius=second.radius),
            )
        else:
            for other in second.centres:
                yield g.SPHERE_SPHERE, swapped, _geometry(**own, b0=other, b1=other, b_radius=second.radius)


def _edges(first: Box | Capsule, second: Box | Capsule, kind: int) -> Iterable[Element]:
    """Each edge of the first shape against each of the second."""

    def lines(shape: Box | Capsule) -> Iterable[tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]]:
        if isinstance(shape, Capsule):
            yield shape.ends[0], shape.ends[1], np.zeros(3)
            return
        for edge in shape.edges:
            start, end, out = (shape.turn @ part for part in (edge[:3], edge[3:6], edge[6:]))
            yield shape.centre + start, shape.centre + end, out

    for a0, a1, a_out in lines(first):
        for b0, b1, b_out in lines(second):
            parts: dict[str, ArrayLike] = {"a0": a0, "a1": a1, "a_out": a_out, "b0": b0, "b1": b1, "b_out": b_out}
            yield kind, False, _geometry(**parts, a_radius=first.radius, b_radius=second.radius)


def elements_between(first: Shape, second: Shape) -> list[Element]:
    """All elements of a pair of shapes."""
    if isinstance(first, Plane):
        if isinstance(second, Plane):
            raise ParameterError("a plane cannot touch a plane: one of the two shapes must have a finite size")
        return [(kind, not swapped, record) for kind, swapped, record in elements_between(second, first)]
    if isinstance(second, Plane | Points):
        if isinstance(first, Box) and isinstance(second, Points):
            return list(_spheres_on(second, first, True))
        if isinstance(first, Capsule) and isinstance(second, Points):
            return list(_spheres_on(second, first, True))
        return list(_spheres_on(first, second, False))
    if isinstance(first, Points):
        return list(_spheres_on(first, second, False))
    if isinstance(first, Capsule) and isinstance(second, Capsule):
        return list(_edges(first, second, g.SEGMENT_SEGMENT))
    corners = [*_spheres_on(first, second, False), *_spheres_on(second, first, True)]
    return corners + list(_edges(first, second, g.EDGE_EDGE))
