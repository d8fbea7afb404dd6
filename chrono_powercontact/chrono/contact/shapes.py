"""Shapes that a user defines: spheres, point sets, boxes, capsules, planes. Each belongs to one body.

Cylinders, cones, tori, ellipsoids, hulls, meshes and terrain are in `solids`.

A shape is a core (points, segment, box, half-space) and a radius around it. Positions are in m, in the reference frame
of the body, as in Chrono, or in that of its centre of mass; the two differ only on a ChBodyAuxRef.
"""

from __future__ import annotations

import math
from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, UnknownNameError, not_negative, positive, shown
from .geometry import SEGMENT_SEGMENT, SPHERE_BOX, SPHERE_PLANE, SPHERE_SPHERE
from .solids.cone_sides import ConeSide

Vector = NDArray[np.float64]

REFERENCE, CENTRE_OF_MASS = FRAMES = ("reference", "centre_of_mass")
"""Frames of a body in which a shape may be given."""


def check_frame(frame: str) -> None:
    """Raise unless this is the name of a frame."""
    if frame not in FRAMES:
        raise UnknownNameError("frame", str(frame), FRAMES)


def numbers(name: str, value: ArrayLike) -> Vector:
    """An array of numbers; raises if there is anything else."""
    try:
        return np.asarray(value, float)
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be three finite numbers, got {shown(value)}") from None


def vector(name: str, value: ArrayLike) -> Vector:
    """Three finite numbers as an array; raises for anything else."""
    array = numbers(name, value).ravel()
    if array.size != 3 or not np.all(np.isfinite(array)):
        raise ParameterError(f"{name} must be three finite numbers, got {np.asarray(value).tolist()}")
    return array


def check_body(name: str, body: Any) -> None:
    """Raise unless the object is a Chrono body."""
    if isinstance(body, type) or not (hasattr(body, "IsFixed") and hasattr(body, "GetIdentifier")):
        raise ParameterError(f"{name} must be a ChBody, got {shown(body)}")


def unit(name: str, value: ArrayLike) -> Vector:
    """Three numbers scaled to length 1."""
    array = vector(name, value)
    length = float(np.linalg.norm(array))
    if length < 1e-12:
        raise ParameterError(f"{name} must not be the zero vector, got {array.tolist()}")
    return array / length


class SphereCore(NamedTuple):
    """A sphere on a body: centre in the body's frame and radius, in m."""

    centre: Vector
    radius: float


class Segment(NamedTuple):
    """A segment on a body with a radius around it, in m; `outward` points out of a box edge, otherwise it is zero."""

    start: Vector
    end: Vector
    radius: float
    outward: Vector


class Rim(NamedTuple):
    """A circle on a body with a radius around it: its centre, its axis times its radius, and the radius, in m."""

    centre: Vector
    axis: Vector
    radius: float


class Round(NamedTuple):
    """An ellipsoid on a body: its centre in m and its shape matrix in m^2."""

    centre: Vector
    matrix: Vector


class Target(NamedTuple):
    """Something that a sphere can touch: the kind of the element, and the B side of its geometry by name."""

    kind: int
    parts: dict[str, ArrayLike]


def sphere_target(sphere: SphereCore) -> Target:
    """A sphere as a target of another sphere."""
    return Target(SPHERE_SPHERE, {"b0": sphere.centre, "b1": sphere.centre, "b_radius": sphere.radius})


def segment_target(segment: Segment) -> Target:
    """A segment as a target of a sphere."""
    return Target(SEGMENT_SEGMENT, {"b0": segment.start, "b1": segment.end, "b_radius": segment.radius})


POINTS, CAPSULE, TORUS, ELLIPSOID, FACED, GROUND = range(6)
"""Ranks of shapes: in a pair of which one has a single point of contact, that of the lower rank looks for it."""


class Shape(ABC):
    """A shape on a body, made of spheres and segments, all in one frame of the body and in m.

    A shape of the user provides spheres, segments, or both. Spheres of another shape can touch these, unless `targets`
    says otherwise.
    """

    body: Any
    """The ChBody."""

    frame: str = REFERENCE
    """The frame of the body in which the shape is given: "reference", as in Chrono, or "centre_of_mass"."""

    rank: ClassVar[int] = FACED
    """See POINTS and the other ranks."""

    is_curved: ClassVar[bool] = False
    """Whether edges and axes of another shape can touch its side."""

    @property
    def spheres(self) -> Sequence[SphereCore]:
        """Spheres of the shape: points, corners or ends that can touch other shapes."""
        return ()

    @property
    def rims(self) -> Sequence[Rim]:
        """Circles of the shape: rims of its faces, or the ring of a torus."""
        return ()

    @property
    def rounds(self) -> Sequence[Round]:
        """Ellipsoids of the shape."""
        return ()

    @property
    def axes(self) -> Sequence[Segment]:
        """Axis of a curved side, with the radius of the side."""
        return ()

    @property
    def sides(self) -> Sequence[tuple[ConeSide, float]]:
        """Sides of cones, each with a radius around it in m."""
        return ()

    @property
    def segments(self) -> Sequence[Segment]:
        """Segments of the shape: edges that can touch other edges."""
        return ()

    @property
    def targets(self) -> Sequence[Target]:
        """What a sphere of another shape can touch."""
        return [*map(sphere_target, self.spheres), *map(segment_target, self.segments)]


@dataclass(frozen=True, eq=False)
class Points(Shape):
    """Spheres of equal radius at several positions on a body, such as corners or feet.

    Attributes:
        body: the ChBody. at: positions in m, one row each. radius: in m. frame: see `Shape`.
    """

    body: Any
    at: ArrayLike
    radius: float = 0.0
    frame: str = REFERENCE
    rank: ClassVar[int] = POINTS
    centres: Vector = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_body("body", self.body)
        check_frame(self.frame)
        not_negative("radius", self.radius)
        given = numbers("at", self.at)
        if given.ndim == 0:
            raise ParameterError(f"at must be positions in m, three finite numbers each, got {shown(self.at)}")
        rows = np.atleast_2d(given)
        object.__setattr__(self, "centres", np.array([vector("at", row) for row in rows]))

    @property
    def spheres(self) -> Sequence[SphereCore]:
        """The spheres."""
        return [SphereCore(centre, self.radius) for centre in self.centres]


@dataclass(frozen=True, eq=False)
class Sphere(Points):
    """A sphere: its centre on the body in m, its radius in m."""

    at: ArrayLike = (0.0, 0.0, 0.0)
    radius: float = 0.0

    def __post_init__(self) -> None:
        check_body("body", self.body)
        if isinstance(self.at, int | float):
            raise ParameterError(
                f"at must be three finite numbers, the centre in m, got {self.at}: for a radius write "
                f"Sphere(body, radius={self.at})"
            )
        vector("at", self.at)
        positive("radius", self.radius)
        super().__post_init__()


def rotation_matrix(quaternion: Sequence[float]) -> Vector:
    """Rotation matrix of a quaternion (e0, e1, e2, e3); it need not have length 1."""
    try:
        e = np.asarray(quaternion, float).ravel()
    except (TypeError, ValueError):
        e = np.zeros(0)
    norm = float(np.linalg.norm(e))
    if e.size != 4 or not math.isfinite(norm) or norm < 1e-12:
        raise ParameterError(f"rotation must be a quaternion (e0, e1, e2, e3), got {shown(quaternion)}")
    e0, e1, e2, e3 = e / norm
    return np.array(
        [
            [1 - 2 * (e2 * e2 + e3 * e3), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
            [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 - e0 * e1)],
            [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1 * e1 + e2 * e2)],
        ]
    )


def _edges(size: float | Sequence[float]) -> Vector:
    """Edge lengths in m of a box from its size: three numbers, or one for a cube."""
    try:
        given = np.asarray(size, float).ravel()
    except (TypeError, ValueError):
        given = np.zeros(0)
    if given.size not in (1, 3):
        raise ParameterError(f"size must be a number or three finite numbers, the edge lengths in m, got {shown(size)}")
    return np.array([positive("size", edge) for edge in np.broadcast_to(given, 3)])


@dataclass(frozen=True, eq=False)
class Box(Shape):
    """A box with rounded edges: a core of the given size, and a radius around it.

    Attributes:
        body: the ChBody. size: edge lengths of the core in m, one number for a cube.
        radius: of the corner spheres and edges in m. at: centre in m. rotation: quaternion of the box on the body.
        frame: see `Shape`.
    """

    body: Any
    size: float | Sequence[float]
    radius: float = 0.0
    at: ArrayLike = (0.0, 0.0, 0.0)
    rotation: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    frame: str = REFERENCE
    half: Vector = field(init=False, repr=False)
    centre: Vector = field(init=False, repr=False)
    turn: Vector = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_body("body", self.body)
        check_frame(self.frame)
        not_negative("radius", self.radius)
        edges = _edges(self.size)
        object.__setattr__(self, "half", 0.5 * edges)
        object.__setattr__(self, "centre", vector("at", self.at))
        object.__setattr__(self, "turn", rotation_matrix(self.rotation))

    @property
    def centres(self) -> Vector:
        """The eight corners."""
        signs = np.array([(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], float)
        return self.centre + (signs * self.half) @ self.turn.T

    @property
    def spheres(self) -> Sequence[SphereCore]:
        """The eight corners."""
        return [SphereCore(corner, self.radius) for corner in self.centres]

    @property
    def segments(self) -> Sequence[Segment]:
        """The twelve edges."""
        return [self._edge(axis, signs) for axis in range(3) for signs in ((-1, -1), (-1, 1), (1, -1), (1, 1))]

    def _edge(self, axis: int, signs: tuple[int, int]) -> Segment:
        """The edge along an axis of the box, at the given sides of the two other axes."""
        middle = np.zeros(3)
        outward = np.zeros(3)
        for other, sign in zip([i for i in range(3) if i != axis], signs, strict=True):
            middle[other] = sign * self.half[other]
            outward[other] = sign
        along = np.zeros(3)
        along[axis] = self.half[axis]
        start = self.centre + self.turn @ (middle - along)
        end = self.centre + self.turn @ (middle + along)
        return Segment(start, end, self.radius, self.turn @ outward)

    @property
    def targets(self) -> Sequence[Target]:
        """The whole box."""
        parts: dict[str, ArrayLike] = {"b0": self.centre, "b1": self.half, "b_turn": self.turn, "b_radius": self.radius}
        return [Target(SPHERE_BOX, parts)]


@dataclass(frozen=True, eq=False)
class Capsule(Shape):
    """A cylinder with round ends: a segment of the given length and a radius around it.

    Attributes:
        body: the ChBody. radius: in m. length: of the segment between the round ends' centres, in m.
        at: middle in m. axis: direction of the segment. frame: see `Shape`.
    """

    body: Any
    radius: float
    length: float
    at: ArrayLike = (0.0, 0.0, 0.0)
    axis: ArrayLike = (0.0, 0.0, 1.0)
    frame: str = REFERENCE
    rank: ClassVar[int] = CAPSULE
    ends: Vector = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_body("body", self.body)
        check_frame(self.frame)
        positive("radius", self.radius)
        positive("length", self.length)
        half = 0.5 * self.length * unit("axis", self.axis)
        middle = vector("at", self.at)
        object.__setattr__(self, "ends", np.array([middle - half, middle + half]))

    @property
    def spheres(self) -> Sequence[SphereCore]:
        """The two round ends."""
        return [SphereCore(end, self.radius) for end in self.ends]

    @property
    def segments(self) -> Sequence[Segment]:
        """The axis."""
        return [Segment(self.ends[0], self.ends[1], self.radius, np.zeros(3))]

    @property
    def targets(self) -> Sequence[Target]:
        """The whole capsule: its axis reaches from end to end."""
        return [segment_target(self.segments[0])]


@dataclass(frozen=True, eq=False)
class Plane(Shape):
    """A half-space: everything behind a plane through a point.

    Attributes:
        body: the ChBody. at: a point of the plane in m. normal: outward direction. frame: see `Shape`.
    """

    body: Any
    at: ArrayLike = (0.0, 0.0, 0.0)
    normal: ArrayLike = (0.0, 0.0, 1.0)
    frame: str = REFERENCE
    rank: ClassVar[int] = GROUND
    point: Vector = field(init=False, repr=False)
    direction: Vector = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_body("body", self.body)
        check_frame(self.frame)
        object.__setattr__(self, "point", vector("at", self.at))
        object.__setattr__(self, "direction", unit("normal", self.normal))

    @property
    def targets(self) -> Sequence[Target]:
        """The half-space."""
        return [Target(SPHERE_PLANE, {"b0": self.point, "b1": self.direction})]
