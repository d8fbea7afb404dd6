"""What a sensor on a joint of Chrono tells: readings for an observer that rides on the run."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import joint_kernel as jk
from .joints import Vector, _frame, _joint


def _spin(body: Any) -> Vector:
    """Angular velocity in rad/s, in world components."""
    w = body.GetAngVelParent()
    return np.array((w.x, w.y, w.z))


def _speed_at(body: Any, point: Vector) -> Vector:
    """Velocity in m/s of the point of a body that is at a place in the world."""
    v, origin = body.GetPosDt(), _frame(body)[0]
    return np.array((v.x, v.y, v.z)) + np.cross(_spin(body), point - origin)


class JointSensor:
    """Angle in rad or position in m of a revolute or prismatic joint, and its rate, counted as Chrono does.

    >>> sensor = JointSensor(system, hinge)
    >>> ride = Ride(observer, {"phi": sensor.place}, truth={"phi": sensor.place, "omega": sensor.speed})

    Args:
        system, link: the joint; its frames are read once, here.
        start: angle in rad near which the present one is counted; from then on full turns are kept.
    """

    def __init__(self, system: Any, link: Any, start: float = 0.0) -> None:
        self._bodies, self._motion, geometry = _joint(link, system)
        places = (jk.POINT, jk.MARK, jk.ORIGIN, jk.AXIS, jk.SIDE)
        self._point, self._mark, self._origin, self._axis, self._side = (geometry[at : at + 3] for at in places)
        self._last = start

    def place(self) -> float:
        """Angle in rad, on the turn nearest to the last one read, or position in m."""
        (centre_1, turn_1), (centre_2, turn_2) = (_frame(body) for body in self._bodies)
        if self._motion == jk.SLIDE:
            way = centre_1 + turn_1 @ self._point - centre_2 - turn_2 @ self._origin
            return float(way @ turn_2 @ self._axis)
        mark = turn_2.T @ turn_1 @ self._mark
        angle = float(np.arctan2(mark @ np.cross(self._axis, self._side), mark @ self._side))
        self._last = angle + 2.0 * np.pi * round((self._last - angle) / (2.0 * np.pi))
        return self._last

    def speed(self) -> float:
        """Rate of the angle in rad/s or of the position in m/s."""
        first, second = self._bodies
        axis = _frame(second)[1] @ self._axis
        if self._motion == jk.TURN:
            return float(axis @ (_spin(first) - _spin(second)))
        centre, turn = _frame(first)
        point = centre + turn @ self._point
        return float(axis @ (_speed_at(first, point) - _speed_at(second, point)))
