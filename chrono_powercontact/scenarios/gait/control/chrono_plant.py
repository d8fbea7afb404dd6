"""The leg as a plant on Chrono: its own joints and springs, with friction, stops and foot contact by the plugin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import DivergedError
from ..leg.gears import Gear
from ..leg.leg_scene import leg_on_chrono
from ..leg.stages import Stage
from ..leg.trainer_leg import REST
from .leg_plants import PIECE

Array = NDArray[np.float64]


def _planar(vector: Any) -> Array:
    return np.array([vector.x, vector.y])


class ChronoPlant:
    """The leg on Chrono under a held input.

    Args:
        model: the leg. start: hip angle in rad and slide position in m. integrator: of Chrono, by name.
        step: in s; a millisecond is a whole multiple of it. gear: between the hip's drive and the thigh, if any.
    """

    def __init__(
        self, model: Stage, start: Sequence[float] = REST, integrator: str = "hht", step: float = 5e-4,
        gear: Gear | None = None,
    ) -> None:  # fmt: skip
        self._leg = leg_on_chrono(model, start, integrator, gear=gear)
        self._step = step
        self._steps = round(PIECE / step)
        self._guide = np.array((model.leg.x_sl_0, model.leg.y_sl_0))
        self._along = np.array((math.cos(model.leg.delta_sl), math.sin(model.leg.delta_sl)))

    def motion(self) -> Array:
        thigh = self._leg.bodies["thigh"]
        slide = self._leg.bodies["slide"]
        knee = _planar(thigh.GetPos())
        s = (_planar(slide.GetPos()) - self._guide) @ self._along
        v = _planar(slide.GetPosDt()) @ self._along
        return np.array([math.atan2(knee[0], -knee[1]), s, thigh.GetAngVelParent().z, v])

    def hold(self, u: Array, patient: Array) -> None:
        load = self._leg.load
        for torque in patient:
            load.u[:] = u
            load.patient = float(torque)
            for _ in range(self._steps):
                self._leg.system.DoStepDynamics(self._step)
        if not np.all(np.isfinite(self.motion())):
            raise DivergedError("the leg on Chrono left the finite numbers in closed loop: take smaller gains")
