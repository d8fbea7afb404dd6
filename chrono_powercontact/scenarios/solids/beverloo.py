"""Beverloo's law of a hopper's discharge, for a slot: W = C rho sqrt(g) L (D - k d)^(3/2).

W is the flow in kg/s, rho the density of the bed in kg/m^3, L the length of the slot and D its width in m, d the
diameter of the grains in m. Through a round hole the power is 5/2, because both sides of the opening grow.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..constants import GRAVITY

Floats = NDArray[np.float64]

POWER = 1.5
"""Power of a slot."""
BLOCKED = 1.4
"""Beverloo's k: the edge of an opening, in diameters, through which no grain's centre passes."""


class Bed(NamedTuple):
    """A bed of grains: density in kg/m^3 with its voids, depth in m along the slot, mean diameter in m."""

    density: float
    depth: float
    diameter: float


def free_width(width: Floats | float, diameter: float) -> Floats:
    """D - k d in m."""
    return np.asarray(width - BLOCKED * diameter, float)


def fitted_power(widths: Floats, flows: Floats, diameter: float) -> float:
    """Power of the free width that fits flows in kg/s through slots of widths in m best."""
    return float(np.polyfit(np.log(free_width(widths, diameter)), np.log(flows), 1)[0])


def coefficient(width: float, flow: float, bed: Bed) -> float:
    """Beverloo's C of one flow in kg/s through a slot of a width in m."""
    unit = bed.density * math.sqrt(GRAVITY) * bed.depth * float(free_width(width, bed.diameter)) ** POWER
    return flow / unit


def steady_flow(times: Floats, passed: Floats) -> float:
    """Mean rate per s at which a count grows, from a straight line through it."""
    return float(np.polyfit(times, passed, 1)[0])
