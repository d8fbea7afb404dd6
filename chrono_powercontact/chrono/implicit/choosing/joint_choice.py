"""The explicit limit of stops and friction of joints, and of springs of Chrono's; see `choice`.

The effective mass, or moment of inertia about an axis, is that of the two bodies alone. Other links can only make them
harder to move, so the limit is a safe one.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...api.bridge import inertia_of
from ...joint.joint_records import LINE, TURN
from ...joint.joints import JointForce, frame_of
from ...joint.springs import Spring
from .choice import grip_limit, law_limit, longest_explicit, rub_limit

Floats = NDArray[np.float64]


class Side(NamedTuple):
    """A moving body of a joint, in its own frame.

    Attributes:
        mass: in kg. inertia: about the centre of mass, in kg m^2.
        lever: from the centre of mass to the joint, in m. axis: direction of the joint, zero for a line.
    """

    mass: float
    inertia: Floats
    lever: Floats
    axis: Floats

    @property
    def about_joint(self) -> float:
        """Moment of inertia about the axis through the joint, in kg m^2."""
        arm = np.cross(self.axis, self.lever)
        return float(self.axis @ self.inertia @ self.axis + self.mass * arm @ arm)

    @property
    def turned(self) -> float:
        """How easily the free body is turned about the axis, in 1/(kg m^2)."""
        return float(self.axis @ np.linalg.solve(self.inertia, self.axis))

    @property
    def pushed(self) -> Floats:
        """How easily the free body is pushed at the joint in each direction, a matrix in 1/kg."""
        across = np.cross(np.eye(3), self.lever)
        return np.eye(3) / self.mass + across @ np.linalg.solve(self.inertia, across.T)


def moving_sides(force: JointForce | Spring) -> list[Side]:
    """The bodies of a joint that can move, as they are now."""
    geometry = force.geometry
    (centre, pose), (origin, turn) = map(frame_of, force.bodies)
    point = centre + pose @ geometry["point"]
    axis = turn @ geometry["axis"]
    ends = point, origin + turn @ geometry["origin"] if force.motion in (LINE, TURN) else point
    sides = []
    for body, end in zip(force.bodies, ends, strict=True):
        if not body.IsFixed():
            place, own = frame_of(body)
            sides.append(Side(body.GetMass(), inertia_of(body), own.T @ (end - place), own.T @ axis))
    return sides


def effective_mass(force: JointForce | Spring) -> float:
    """Smallest effective mass in kg, or moment of inertia in kg m^2, that a joint force meets; infinite if none moves.

    A body that a joint guides along or about a fixed axis moves in no other way. Two that move turn and slide freely
    otherwise. Along a line, or where no joint guides them, the direction changes, so the easiest one counts.
    """
    sides = moving_sides(force)
    if not sides:
        return math.inf
    if force.guided and len(sides) == 1:
        return sides[0].about_joint if force.motion == TURN else sides[0].mass
    if force.motion == TURN:
        return 1.0 / sum(side.turned for side in sides)
    if force.guided:
        return 1.0 / sum(float(side.axis @ side.pushed @ side.axis) for side in sides)
    return 1.0 / sum(float(np.linalg.eigvalsh(side.pushed)[-1]) for side in sides)


def joint_limit(force: JointForce) -> float:
    """Longest stable explicit step in s of a joint force, with the steepest slopes of its laws."""
    mass = effective_mass(force)
    friction: Any = force.law["friction"]
    limit = min(grip_limit(friction, 1.0, mass, float(friction["anchor"]["d"])), rub_limit(friction, 1.0, mass))
    if force.stop is None or not math.isfinite(mass):
        return limit
    return min(limit, law_limit(force.stop, float(f"{mass:.3g}"), math.inf))


def spring_limit(spring: Spring) -> float:
    """Longest step in s at which a spring of Chrono's is stable with the force at its start."""
    mass = effective_mass(spring)
    return longest_explicit(*spring.slopes, mass) if math.isfinite(mass) else math.inf
