"""Contact elements of two shapes: which spheres, segments and edges can touch each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, UnknownNameError
from .geometry import EDGE_EDGE, SEGMENT_SEGMENT
from .records import GEOMETRY
from .shapes import CAPSULE, ELLIPSOID, GROUND, POINTS, TORUS, Rim, Segment, Shape
from .solids import probes as pr

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


RIM_POINTS = 8
"""Number of fixed points on a rim, which carry a face that lies flat."""

Parts = dict[str, ArrayLike]
Probe = tuple[int, Parts]
"""A probe and the A side of its geometry by name."""


def rim_points(rim: Rim) -> list[NDArray[np.float64]]:
    """Fixed points of a rim, equally spaced."""
    radius = float(np.linalg.norm(rim.axis))
    axis = rim.axis / radius
    first = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    first *= radius / np.linalg.norm(first)
    second = np.cross(axis, first)
    angles = 2.0 * np.pi * np.arange(RIM_POINTS) / RIM_POINTS
    return [rim.centre + np.cos(angle) * first + np.sin(angle) * second for angle in angles]


def point_probes(shape: Shape) -> list[Probe]:
    """The spheres of a shape as probes."""
    return [(pr.POINT, {"a0": centre, "a1": centre, "a_radius": radius}) for centre, radius in shape.spheres]


def rim_probes(shape: Shape) -> list[Probe]:
    """The rims of a shape as probes: their lowest points."""
    return [(pr.RIM, {"a0": centre, "a1": axis, "a_radius": radius}) for centre, axis, radius in shape.rims]


def fixed_probes(shape: Shape) -> list[Probe]:
    """The rims of a shape as probes: their fixed points."""
    found: list[Probe] = []
    for rim in shape.rims:
        out = rim.axis / np.linalg.norm(rim.axis)
        found += [(pr.RIM_POINT, {"a0": p, "a1": p, "a_out": out, "a_radius": rim.radius}) for p in rim_points(rim)]
    return found


def segment_probes(segments: Sequence[Segment], probe: int = pr.EDGE) -> list[Probe]:
    """Segments as probes."""
    return [(probe, {"a0": a, "a1": b, "a_out": out, "a_radius": radius}) for a, b, radius, out in segments]


def side_probes(shape: Shape) -> list[Probe]:
    """The sides of cones of a shape as probes."""
    return [
        (pr.SIDE, {"a0": side.apex, "a1": side.base, "a_out": (side.radius, 0.0, 0.0), "a_radius": radius})
        for side, radius in shape.sides
    ]


def round_probes(shape: Shape) -> list[Probe]:
    """The ellipsoids of a shape as probes."""
    return [
        (pr.ROUND, {"a0": centre, "a1": np.diag(matrix), "a_out": (matrix[1, 2], matrix[0, 2], matrix[0, 1])})
        for centre, matrix in shape.rounds
    ]


def all_probes(shape: Shape) -> list[Probe]:
    """All probes of a shape, of which a pair uses those that its partner asks for; see `is_wanted`."""
    edges = [*segment_probes(shape.segments), *segment_probes(shape.axes, pr.AXIS)]
    rods = segment_probes(shape.segments, pr.ROD) if shape.rank == CAPSULE else []
    curved = [*side_probes(shape), *round_probes(shape)]
    return [*point_probes(shape), *rim_probes(shape), *fixed_probes(shape), *edges, *rods, *curved]


def _probing(probes: Sequence[Probe], second: Shape, swapped: bool) -> Iterator[Element]:
    """Each probe against each target of a shape."""
    for kind, parts in second.targets:
        target = kind % pr.TARGETS
        for probe, own in probes:
            if probe == pr.RIM_POINT and target in pr.ROUNDED:
                continue
            simple = probe == pr.POINT and target <= pr.SEGMENT
            number = target if simple else pr.TARGETS * probe + target
            yield number, swapped, _geometry(**own, **parts)


def _single(low: Shape, high: Shape) -> tuple[bool, list[Probe]] | None:
    """Whether the shape of the higher rank looks for the contact of a pair, and its probes; None if both do."""
    if low.rank == POINTS:
        return False, point_probes(low)
    if high.rank == GROUND:
        edges = segment_probes(low.segments) if high.is_curved else []
        probes = [*point_probes(low), *rim_probes(low), *fixed_probes(low), *round_probes(low), *edges]
        return False, probes
    if low.rank == CAPSULE and high.rank == TORUS:
        return True, rim_probes(high)
    if low.rank == CAPSULE and high.rank == ELLIPSOID:
        return False, segment_probes(low.segments, pr.ROD)
    if low.rank == TORUS and high.rank in (TORUS, ELLIPSOID):
        return False, rim_probes(low)
    if low.rank == ELLIPSOID:
        return False, round_probes(low)
    return None


def _both_ways(first: Shape, second: Shape) -> list[Element]:
    """Corners, rims and edges of each of two shapes against the other."""
    elements: list[Element] = []
    for one, other, swapped in ((first, second, False), (second, first, True)):
        probes = [*point_probes(one), *rim_probes(one), *fixed_probes(one)]
        if other.is_curved:
            probes += segment_probes(one.segments)
        elements += _probing(probes, other, swapped)
    if first.is_curved and second.is_curved:
        one, other = (first, second) if first.axes else (second, first)
        elements += _probing(segment_probes(one.axes), other, not first.axes)
    if first.sides and second.sides:
        elements += _probing(side_probes(first), second, False)
    return elements + list(_edges_on_edges(first, second, EDGE_EDGE))


def _is_solid(shape: Shape) -> bool:
    """Whether a shape needs probes: it has a rim, an ellipsoid, or a target that other elements do not know."""
    return bool(shape.rims or shape.rounds) or any(target.kind > EDGE_EDGE for target in shape.targets)


def _solids_touching(first: Shape, second: Shape) -> list[Element]:
    """All elements of a pair with a solid, with forces midway between the surfaces."""
    upside_down = first.rank > second.rank
    low, high = (second, first) if upside_down else (first, second)
    single = _single(low, high)
    if single is None:
        return _both_ways(first, second)
    by_high, probes = single
    if not probes:
        raise ParameterError("a ground cannot touch a ground: one of the two shapes must have a finite size")
    return list(_probing(probes, low if by_high else high, upside_down != by_high))


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
    if _is_solid(first) or _is_solid(second):
        return _solids_touching(first, second)
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
