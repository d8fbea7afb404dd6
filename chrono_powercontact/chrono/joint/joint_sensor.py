"""Sensor on a Chrono joint: readings for an observer that runs alongside the simulation."""

from __future__ import annotations

from typing import Any

import numpy as np

from .joint_records import SLIDE, TURN
from .joints import Vector, frame_of, joint_of


def angular_velocity_of(body: Any) -> Vector:
    """Angular velocity in rad/s, in world components."""
    w = body.GetAngVelParent()
    return np.array((w.x, w.y, w.z))


def _speed_at(body: Any, point: Vector) -> Vector:
    """Velocity in m/s of the point of a body that is at a world position."""
    v = body.GetPosDt()
    origin = frame_of(body)[0]
    return np.array((v.x, v.y, v.z)) + np.cross(angular_velocity_of(body), point - origin)


class JointSensor:
    """Angle in rad or position in m of a revolute or prismatic joint, and its rate, with Chrono's sign convention.

    >>> sensor = JointSensor(system, hinge)
    >>> ride = Ride(observer, {"phi": sensor.place}, truth={"phi": sensor.place, "omega": sensor.speed})

    Args:
        system, link: the joint; its frames are read once, here.
        start: angle in rad near which the present angle is unwrapped; from then on full turns are counted.
    """

    def __init__(self, system: Any, link: Any, start: float = 0.0) -> None:
        self._bodies, self._motion, geometry = joint_of(link, system)
        self._geometry = geometry
        self._last = start

    def place(self) -> float:
        """Angle in rad, unwrapped to be nearest to the last reading, or position in m."""
        (centre_1, turn_1), (centre_2, turn_2) = (frame_of(body) for body in self._bodies)
        if self._motion == SLIDE:
            displacement = centre_1 + turn_1 @ self._geometry["point"] - centre_2 - turn_2 @ self._geometry["origin"]
            return float(displacement @ turn_2 @ self._geometry["axis"])
        mark = turn_2.T @ turn_1 @ self._geometry["mark"]
        angle = float(
            np.arctan2(mark @ np.cross(self._geometry["axis"], self._geometry["side"]), mark @ self._geometry["side"])
        )
        self._last = angle + 2.0 * np.pi * round((self._last - angle) / (2.0 * np.pi))
        return self._last

    def speed(self) -> float:
        """Rate of the angle in rad/s or of the position in m/s."""
        first, second = self._bodies
        axis = frame_of(second)[1] @ self._geometry["axis"]
        if self._motion == TURN:
            return float(axis @ (angular_velocity_of(first) - angular_velocity_of(second)))
        centre, turn = frame_of(first)
        point = centre + turn @ self._geometry["point"]
        return float(axis @ (_speed_at(first, point) - _speed_at(second, point)))
