"""A spring whose far end moves with time, asked for its force at every stage of every integrator."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable
from typing import Any

from ...errors import not_negative, positive
from ..api.bridge import pychrono
from .load import load_class

Path = Callable[[float], tuple[float, float, float]]
"""Where a point is at a time in s, in m."""


class SpringPull:
    """A linear spring from the centre of mass of a body to an end that moves on a path. Keep it as long as the system.

    Args:
        stiffness: in N/m. length: of the relaxed spring in m; 0 gives a force in proportion to the distance.
    """

    def __init__(self, system: Any, body: Any, end: Path, stiffness: float, length: float = 0.0) -> None:
        self._system = weakref.ref(system)
        self._end = end
        self.stiffness = positive("stiffness", stiffness)
        self._length = not_negative("length", length)
        self._load = load_class()([body], self)
        self._container = pychrono().ChLoadContainer()
        self._container.Add(self._load)
        system.Add(self._container)

    def scattered(self) -> None:
        """Nothing depends on the step."""

    def evaluate(self) -> bool:
        """The force at the state that the load has gathered, at the time of the system."""
        system = self._system()
        if system is None:
            return False
        q = self._load.q.data
        q.fill(0.0)
        q[0], q[1], q[2] = self.force(system.GetChTime(), *self._load.x.data[:3].tolist())
        return True

    def force(self, time: float, x: float, y: float, z: float) -> tuple[float, float, float]:
        """Force in N on the body at a time in s and a place in m."""
        ex, ey, ez = self._end(time)
        dx = ex - x
        dy = ey - y
        dz = ez - z
        reach = math.sqrt(dx * dx + dy * dy + dz * dz)
        pull = self.stiffness * (1.0 - self._length / reach) if self._length and reach else self.stiffness
        return pull * dx, pull * dy, pull * dz
