"""Shapes that a PyChrono user names: spheres, point sets, boxes, capsules, planes. Each belongs to one body.

A shape is a core (points, segment, box, half-space) and a radius around it. Positions are in the body's frame, in m.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, not_negative, positive

Vector = NDArray[np.float64]


def _numbers(name: str, value: ArrayLike) -> Vector:
    """Numbers of any count, if they are numbers."""
    try:
        return np.asarray(value, float)
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be three finite numbers, got {value!r}") from None


def vector(name: str, value: ArrayLike) -> Vector:
    """Three finite numbers."""
    array = _numbers(name, value).ravel()
    if array.size != 3 or not np.all(np.isfinite(array)):
        raise ParameterError(f"{name} must be three finite numbers, got {np.asarray(value).tolist()}")
    return array


def check_body(name: str, body: Any) -> None:
    """Raise unless something is a body of Chrono."""
    if not (hasattr(body, "IsFixed") and hasattr(body, "GetIdentifier")):
        raise ParameterError(f"{name} must be a ChBody, got {type(body).__name__}")


def unit(name: str, value: ArrayLike) -> Vector:
    """Three numbers scaled to length 1."""
    array = vector(name, value)
    length = float(np.linalg.norm(array))
    if length < 1e-12:
        raise ParameterError(f"{name} must not be the zero vector, got {array.tolist()}")
    return array / length


@dataclass(frozen=True, eq=False)
class Points:
    """Spheres of one radius at several places of a body, as a set of corners or feet.

    Attributes:
        body: the ChBody. at: positions in m, one row each. radius: in m.
    """

    body: Any
    at: ArrayLike
    radius: float = 0.0
    centres: Vector = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_body("body", self.body)
        not_negative("radius", self.radius)
        rows = np.atleast_2d(_numbers("at", self.at))
        object.__setattr__(self, "centres", np.array([vector("at", row) for row in rows]))


@dataclass(frozen=True, eq=False)
class Sphere(Points):
    """A sphere: its centre on the body in m, its radius in m."""

    at: ArrayLike = (0.0, 0.0, 0.0)
    radius: float = 0.0

    def __post_init__(self) -> None:
        positive("radius", self.radius)
        super().__post_init__()


def rotation_matrix(quaternion: Sequence[float]) -> Vector:
    """Rotation matrix of a quaternion (e0, e1, e2, e3); it need not have length 1."""
    e = np.asarray(quaternion, float)
    norm = float(np.linalg.norm(e))
    if e.size != 4 or not math.isfinite(norm) or norm < 1e-12:
        raise ParameterError(f"rotation must be a quaternion (e0, e1, e2, e3), got {list(quaternion)}")
    e0, e1, e2, e3 = e / norm
    return np.array(
        [
            [1 - 2 * (e2 * e2 + e3 * e3), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
            [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 - e0 * e1)],
            [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1 * e1 + e2 * e2)],
        ]
    )


@dataclass(frozen=True, eq=False)
class Box:
    """A box with rounded edges: a core of the given size, and a radius around it.

    Attributes:
        body: the ChBody. size: edge lengths of the core in m, one number for a cube.
        radius: of the corner spheres and edges in m. at: centre in m. rotation: quaternion of the box on the body.
    """

    body: Any
    size: float | Sequence[float]
    radius: float = 0.0
    at: ArrayLike = (0.0, 0.0, 0.0)
    rotation: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    half: Vector = field(init=False, repr=False)
    centre: Vector = field(init=False, repr=False)
    turn: Vector = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_body("body", self.body)
        not_negative("radius", self.radius)
        edges = np.full(3, self.size, float) if np.ndim(self.size) == 0 else vector("size", self.size)
        for edge in edges:
            positive("size", edge)
        object.__setattr__(self, "half", 0.5 * edges)
        object.__setattr__(self, "centre", vector("at", self.at))
        object.__setattr__(self, "turn", rotation_matrix(self.rotation))

    @property
    def centres(self) -> Vector:
        """The eight corners in the body's frame."""
        signs = np.array([(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], float)
        return self.centre + (signs * self.half) @ self.turn.T

    @property
    def edges(self) -> Vector:
        """The twelve edges in the box's frame: start, end and the two outward directions, 3 + 3 + 3 numbers each."""
        rows = []
        for axis in range(3):
            others = [i for i in range(3) if i != axis]
            for signs in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
                start, outward = np.zeros(3), np.zeros(3)
                for i, sign in zip(others, signs, strict=True):
                    start[i], outward[i] = sign * self.half[i], sign
                end = start.copy()
                start[axis], end[axis] = -self.half[axis], self.half[axis]
                rows.append(np.concatenate([start, end, outward]))
        return np.array(rows)


@dataclass(frozen=True, eq=False)
class Capsule:
    """A cylinder with round ends: a segment of the given length and a radius around it.

    Attributes:
        body: the ChBody. radius: in m. length: of the segment between the round ends' centres, in m.
        at: middle in m. axis: direction of the segment.
    """

    body: Any
    radius: float
    length: float
    at: ArrayLike = (0.0, 0.0, 0.0)
    axis: ArrayLike = (0.0, 0.0, 1.0)
    ends: Vector = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_body("body", self.body)
        positive("radius", self.radius)
        positive("length", self.length)
        half = 0.5 * self.length * unit("axis", self.axis)
        middle = vector("at", self.at)
        object.__setattr__(self, "ends", np.array([middle - half, middle + half]))

    @property
    def centres(self) -> Vector:
        """The centres of the two round ends."""
        return self.ends


@dataclass(frozen=True, eq=False)
class Plane:
    """A half-space: everything behind a plane through a point, seen against its normal.

    Attributes:
        body: the ChBody. at: a point of the plane in m. normal: outward direction.
    """

    body: Any
    at: ArrayLike = (0.0, 0.0, 0.0)
    normal: ArrayLike = (0.0, 0.0, 1.0)
    point: Vector = field(init=False, repr=False)
    direction: Vector = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_body("body", self.body)
        object.__setattr__(self, "point", vector("at", self.at))
        object.__setattr__(self, "direction", unit("normal", self.normal))


Shape = Points | Box | Capsule | Plane
