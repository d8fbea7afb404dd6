"""Water and debris in a Chrono scene: a force and a torque on each body of the knuckle arm, step by step."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....chrono.api.bridge import pychrono
from .rake_scene import Scene
from .scene_ledger import LOAD, wet_loads

Array = NDArray[np.float64]


class WaterLoads:
    """Forces of flow, buoyancy and debris, at the state that a step begins with."""

    def __init__(self, scene: Scene, water: Any) -> None:
        self._parts = scene.parts
        self._water = water
        self._loads = np.zeros(len(scene.bodies), LOAD)
        wet = np.unique(scene.parts.wet["part"]).tolist()
        self._bodies = [(i, scene.bodies[i], scene.bodies[i].AddAccumulator()) for i in wet]

    def apply(self, t: float, x: Array, w: Array) -> None:
        """Exert the forces at time t in s in a state of all bodies, as Chrono packs it."""
        vector: Any = pychrono().ChVector3d
        wet_loads(self._parts, self._water, t, x, w, self._loads)
        for i, body, number in self._bodies:
            fx, fz, torque = self._loads[i].tolist()
            body.EmptyAccumulator(number)
            body.AccumulateForce(number, vector(fx, 0.0, fz), body.GetPos(), False)
            body.AccumulateTorque(number, vector(0.0, torque, 0.0), False)
