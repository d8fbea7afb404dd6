"""Seal friction, flow and lag of the drive, found from strokes without contact, as the machine's author did."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....errors import ParameterError
from .machine_twin import MachineTwin
from .strokes import Strokes

Array = NDArray[np.float64]

NAMES = ("seal friction of the main cylinders", "seal friction of the knuckle cylinder", "flow", "lag")
SCALE = np.array([1e3, 1e3, 1.0, 1.0])
"""Units of what is searched: N, N, m/s, s."""

FIRST = (1.0, 1.0, 0.3, 0.1)
LOW, HIGH = (-20.0, -20.0, 0.0, -1.0), (50.0, 50.0, 5.0, 3.0)
"""Where the search begins, and its bounds, in these units. A negative seal friction is a machine of other masses."""

INNER = slice(3, None)
"""Readings that are compared: a lag reaches back before the first ones."""

SILENT = 0.02
"""Where a unit of a number changes the forces by less than this in kN rms, they say nothing about it."""


@dataclass(frozen=True)
class FreeStrokes:
    """What free strokes told.

    Attributes:
        seals: friction in N of both lines. flow: in m/s. lag: of the cylinders behind the joystick in s. residual: rms
            misfit of the forces in N.
    """

    seals: Array
    flow: float
    lag: float
    residual: float


def identify_strokes(twin: MachineTwin, strokes: Strokes, forces: Array) -> FreeStrokes:
    """Fit seals and flow to the forces in N that pressures showed along strokes without contact, one row per line."""
    from scipy.interpolate import CubicSpline
    from scipy.optimize import least_squares

    known = CubicSpline(strokes.t, twin.held(strokes) + twin.inertia(strokes) / strokes.levers, axis=1)

    def misfit(x: Array) -> Array:
        """Of what was to be felt a lag before; the first and last moments have no such before."""
        then = strokes.t[INNER] - x[3]
        seals = x[:2, None] * SCALE[:2, None] * strokes.directions
        moved = CubicSpline(strokes.t, seals - twin.water(strokes, float(x[2])) / strokes.levers, axis=1)
        return np.asarray((known(then) + moved(then) - forces[:, INNER]).ravel() / 1e3)

    fit = least_squares(misfit, FIRST, bounds=(LOW, HIGH), diff_step=1e-3)
    told = np.sqrt(np.mean(fit.jac**2, axis=0))
    for name, size in zip(NAMES, told[:2], strict=False):
        if size < SILENT:
            raise ParameterError(f"the free stroke says nothing about the {name}: this line hardly moves there")
    seals = fit.x[:2] * SCALE[:2]
    return FreeStrokes(seals, float(fit.x[2]), float(fit.x[3]), 1e3 * float(np.sqrt(np.mean(fit.fun**2))))
