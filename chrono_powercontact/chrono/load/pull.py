"""A spring whose far end moves with time; integrators evaluate its force at every stage."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable
from typing import Any

from ...errors import not_negative, positive
from ..api.bridge import pychrono
from .load import load_class

Path = Callable[[float], tuple[float, float, float]]
"""Position of a point in m as a function of time in s."""


class SpringPull:
    """A linear spring from a body's centre of mass to an end that moves on a path; keep it as long as the system.

    Args:
        stiffness: in N/m. length: free length in m; 0 gives a force proportional to the distance.
    """

    context = None

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
        """Nothing to do: the spring does not depend on the step."""

    def evaluate(self, residual: Any, factor: float) -> bool:
        """Compute the force at the state that the load has gathered, at the time of the system."""
        system = self._system()
        if system is None:
            return False
        q = self._load.q.data
        q.fill(0.0)
        q[0], q[1], q[2] = self.force(system.GetChTime(), *self._load.x.data[:3].tolist())
        return True

    def force(self, time: float, x: float, y: float, z: float) -> tuple[float, float, float]:
        """Force in N on the body at a time in s and a position in m."""
        ex, ey, ez = self._end(time)
        dx = ex - x
        dy = ey - y
        dz = ez - z
        reach = math.sqrt(dx * dx + dy * dy + dz * dz)
        pull = self.stiffness * (1.0 - self._length / reach) if self._length and reach else self.stiffness
        return pull * dx, pull * dy, pull * dz
