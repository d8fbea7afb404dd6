"""Seal friction and flow, found from strokes without contact, as the machine's author did."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....errors import ParameterError
from .machine_twin import MachineTwin
from .strokes import Strokes

Array = NDArray[np.float64]

NAMES = ("seal friction of the main cylinders", "seal friction of the knuckle cylinder", "flow")
SCALE = np.array([1e3, 1e3, 1.0])
"""Units of what is searched: N, N, m/s."""

FIRST = (1.0, 1.0, 0.3)
LOW, HIGH = (-20.0, -20.0, 0.0), (50.0, 50.0, 5.0)
"""Where the search begins, and its bounds, in these units. A negative seal friction is a machine of other masses."""

SILENT = 0.02
"""Where a unit of a number changes the forces by less than this in kN rms, they say nothing about it."""


@dataclass(frozen=True)
class FreeStrokes:
    """What free strokes told.

    Attributes:
        seals: friction in N of both lines. flow: in m/s. residual: rms misfit of the forces in N.
    """

    seals: Array
    flow: float
    residual: float


def identify_strokes(twin: MachineTwin, strokes: Strokes, forces: Array) -> FreeStrokes:
    """Fit seals and flow to the forces in N that pressures showed along strokes without contact, one row per line."""
    from scipy.optimize import least_squares

    known = twin.held(strokes) + twin.inertia(strokes) / strokes.levers

    def misfit(x: Array) -> Array:
        seals = x[:2, None] * SCALE[:2, None] * strokes.directions
        predicted = known + seals - twin.water(strokes, float(x[2])) / strokes.levers
        return np.asarray((predicted - forces).ravel() / 1e3)

    fit = least_squares(misfit, FIRST, bounds=(LOW, HIGH), diff_step=1e-3)
    told = np.sqrt(np.mean(fit.jac**2, axis=0))
    for name, size in zip(NAMES, told[:2], strict=False):
        if size < SILENT:
            raise ParameterError(f"the free stroke says nothing about the {name}: this line hardly moves there")
    seals = fit.x[:2] * SCALE[:2]
    return FreeStrokes(seals, float(fit.x[2]), 1e3 * float(np.sqrt(np.mean(fit.fun**2))))
