"""What happens to a leg in closed loop at some moment: wear of the slide, or a sensor that sticks."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ....errors import ParameterError, UnknownNameError
from .control_names import FAULTY
from .leg_plants import WORN, LegPlant, ReferencePlant

Array = NDArray[np.float64]


class Mishap:
    """Nothing, or one thing from a time in s on: `wear` of the slide, or a `sensor` of the hip that sticks."""

    def __init__(self, kind: str = "none", begin: float = math.inf) -> None:
        if kind not in FAULTY:
            raise UnknownNameError("fault", kind, FAULTY)
        self.kind = kind
        self.begin = begin
        self._stuck = math.nan

    def measured(self, t: float, y: Array, plant: LegPlant) -> Array:
        """What is measured at a time in s of what should be; the plant wears."""
        if t < self.begin - 1e-9:
            self._stuck = float(y[0])
            return y
        if self.kind == "wear":
            if not isinstance(plant, ReferencePlant):
                raise ParameterError("only the plant of the reference engine wears")
            plant.wear(WORN)
        if self.kind == "sensor":
            return np.array([self._stuck, y[1]])
        return y
