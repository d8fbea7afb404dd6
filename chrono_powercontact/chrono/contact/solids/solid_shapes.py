"""Cylinder, cone, torus and ellipsoid on a body; positions and sizes in m, see `shapes` for frames.

Edges of cylinders and cones may be rounded: the core is then smaller by the rounding, and faces and sides stay where
they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ....errors import ParameterError, not_negative, positive
from ..shapes import (
    ELLIPSOID,
    REFERENCE,
    TORUS,
    Rim,
    Round,
    Segment,
    Shape,
    SphereCore,
    Target,
    Vector,
    check_body,
    check_frame,
    rotation_matrix,
    unit,
    vector,
)
from . import probes as pr
from .cone_sides import ConeSide


def frame_along(axis: Vector) -> Vector:
    """A rotation matrix whose third column is a unit vector."""
    first = np.cross(np.eye(3)[int(np.argmin(np.abs(axis)))], axis)
    first /= np.linalg.norm(first)
    return np.column_stack([first, np.cross(axis, first), axis])


def solid_target(target: int, centre: Vector, turn: Vector, size: ArrayLike, radius: float) -> Target:
    """A solid as a target of probes: its core's size, and a radius around it."""
    parts: dict[str, ArrayLike] = {"b0": centre, "b1": size, "b_turn": turn, "b_radius": radius}
    return Target(pr.TARGETS * pr.POINT + target, parts)


@dataclass(frozen=True, eq=False)
class Cylinder(Shape):
    """A cylinder.

    Attributes:
        body: the ChBody. radius, length: in m. rounding: radius of its edges in m. at: middle in m.
        axis: direction. frame: see `Shape`.
    """

    body: Any
    radius: float
    length: float
    rounding: float = 0.0
    at: ArrayLike = (0.0, 0.0, 0.0)
    axis: ArrayLike = (0.0, 0.0, 1.0)
    frame: str = REFERENCE
    is_curved: ClassVar[bool] = True
    centre: Vector = field(init=False, repr=False)
    direction: Vector = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_body("body", self.body)
        check_frame(self.frame)
        positive("radius", self.radius)
        positive("length", self.length)
        not_negative("rounding", self.rounding)
        most = min(self.radius, 0.5 * self.length)
        if self.rounding >= most:
            raise ParameterError(
                f"rounding must be less than the radius and half the length, {most:g} m, got {self.rounding:g}"
            )
        object.__setattr__(self, "centre", vector("at", self.at))
        object.__setattr__(self, "direction", unit("axis", self.axis))

    @property
    def _core(self) -> tuple[float, float]:
        """Radius and half length of the core."""
        return self.radius - self.rounding, 0.5 * self.length - self.rounding

    @property
    def rims(self) -> Sequence[Rim]:
        """The rims of both ends."""
        radius, half = self._core
        out = self.direction
        return [Rim(self.centre + side * half * out, radius * out, self.rounding) for side in (-1.0, 1.0)]

    @property
    def axes(self) -> Sequence[Segment]:
        """The axis, with the radius of the side."""
        along = self._core[1] * self.direction
        return [Segment(self.centre - along, self.centre + along, self.radius, np.zeros(3))]

    @property
    def targets(self) -> Sequence[Target]:
        """The whole cylinder."""
        radius, half = self._core
        turn = frame_along(self.direction)
        return [solid_target(pr.CYLINDER, self.centre, turn, (radius, radius, half), self.rounding)]


def cone_core(radius: float, height: float, rounding: float) -> tuple[float, float, float]:
    """Radius and height of the core of a cone with rounded edges, and how far its middle lies above that of the cone.

    The core's faces lie inside those of the cone by the rounding.
    """
    slant = float(np.hypot(radius, height))
    lower = rounding
    upper = rounding * slant / radius
    core = height - lower - upper
    return radius * core / height, core, 0.5 * (lower - upper)


@dataclass(frozen=True, eq=False)
class Cone(Shape):
    """A cone.

    Attributes:
        body: the ChBody. radius: of the base in m. height: in m. rounding: radius of its edge and apex in m.
        at: middle of the axis in m. axis: direction from base to apex. frame: see `Shape`.
    """

    body: Any
    radius: float
    height: float
    rounding: float = 0.0
    at: ArrayLike = (0.0, 0.0, 0.0)
    axis: ArrayLike = (0.0, 0.0, 1.0)
    frame: str = REFERENCE
    is_curved: ClassVar[bool] = True
    centre: Vector = field(init=False, repr=False)
    direction: Vector = field(init=False, repr=False)
    core: tuple[float, float] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_body("body", self.body)
        check_frame(self.frame)
        positive("radius", self.radius)
        positive("height", self.height)
        not_negative("rounding", self.rounding)
        radius, height, shift = cone_core(self.radius, self.height, self.rounding)
        if height <= 0.0:
            most = self.height / (1.0 + np.hypot(self.radius, self.height) / self.radius)
            raise ParameterError(
                f"rounding must be less than {most:g} m, the radius of a ball inside, got {self.rounding:g}"
            )
        object.__setattr__(self, "direction", unit("axis", self.axis))
        object.__setattr__(self, "centre", vector("at", self.at) + shift * self.direction)
        object.__setattr__(self, "core", (radius, height))

    @property
    def spheres(self) -> Sequence[SphereCore]:
        """The apex."""
        return [SphereCore(self.centre + 0.5 * self.core[1] * self.direction, self.rounding)]

    @property
    def rims(self) -> Sequence[Rim]:
        """The rim of the base."""
        radius, height = self.core
        return [Rim(self.centre - 0.5 * height * self.direction, radius * self.direction, self.rounding)]

    @property
    def sides(self) -> Sequence[tuple[ConeSide, float]]:
        """The side, by which two cones touch whose sides cross."""
        radius, height = self.core
        along = 0.5 * height * self.direction
        return [(ConeSide(self.centre + along, self.centre - along, radius), self.rounding)]

    @property
    def targets(self) -> Sequence[Target]:
        """The whole cone."""
        radius, height = self.core
        turn = frame_along(self.direction)
        return [solid_target(pr.CONE, self.centre, turn, (radius, radius, 0.5 * height), self.rounding)]


@dataclass(frozen=True, eq=False)
class Torus(Shape):
    """A torus, such as a tyre.

    Attributes:
        body: the ChBody. ring: radius of the circle in the middle of the tube, in m. tube: radius of the tube in m.
        at: centre in m. axis: of revolution. frame: see `Shape`.
    """

    body: Any
    ring: float
    tube: float
    at: ArrayLike = (0.0, 0.0, 0.0)
    axis: ArrayLike = (0.0, 0.0, 1.0)
    frame: str = REFERENCE
    rank: ClassVar[int] = TORUS
    is_curved: ClassVar[bool] = True
    centre: Vector = field(init=False, repr=False)
    direction: Vector = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_body("body", self.body)
        check_frame(self.frame)
        positive("ring", self.ring)
        positive("tube", self.tube)
        if self.tube >= self.ring:
            raise ParameterError(f"tube must be thinner than the ring, less than {self.ring:g} m, got {self.tube:g}")
        object.__setattr__(self, "centre", vector("at", self.at))
        object.__setattr__(self, "direction", unit("axis", self.axis))

    @property
    def rims(self) -> Sequence[Rim]:
        """The circle in the middle of the tube."""
        return [Rim(self.centre, self.ring * self.direction, self.tube)]

    @property
    def targets(self) -> Sequence[Target]:
        """The whole torus."""
        size = (self.ring, self.ring, 0.0)
        return [solid_target(pr.TORUS, self.centre, frame_along(self.direction), size, self.tube)]


@dataclass(frozen=True, eq=False)
class Ellipsoid(Shape):
    """An ellipsoid.

    Attributes:
        body: the ChBody. half_axes: three lengths in m. at: centre in m. rotation: quaternion on the body.
        frame: see `Shape`.
    """

    body: Any
    half_axes: ArrayLike
    at: ArrayLike = (0.0, 0.0, 0.0)
    rotation: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    frame: str = REFERENCE
    rank: ClassVar[int] = ELLIPSOID
    is_curved: ClassVar[bool] = True
    size: Vector = field(init=False, repr=False)
    centre: Vector = field(init=False, repr=False)
    turn: Vector = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_body("body", self.body)
        check_frame(self.frame)
        size = vector("half_axes", self.half_axes)
        for length in size:
            positive("half_axes", float(length))
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "centre", vector("at", self.at))
        object.__setattr__(self, "turn", rotation_matrix(self.rotation))

    @property
    def rounds(self) -> Sequence[Round]:
        """The ellipsoid with its shape matrix."""
        return [Round(self.centre, self.turn @ np.diag(self.size**2) @ self.turn.T)]

    @property
    def targets(self) -> Sequence[Target]:
        """The whole ellipsoid."""
        return [solid_target(pr.ELLIPSOID, self.centre, self.turn, self.size, 0.0)]
