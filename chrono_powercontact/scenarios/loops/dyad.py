"""Assembling a loop by hand: the third corner of a triangle of bars, or a pin on a line."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError

Floats = NDArray[np.float64]

SIDES = {"open": 1.0, "crossed": -1.0}
"""On which side of the line between its ends a dyad is assembled."""


def pin_between(
    start: Floats, end: Floats, lengths: tuple[float, float], side: float, names: tuple[str, str]
) -> Floats:
    """The pin that joins a bar from `start` and a bar to `end`, lengths in m; left of start to end for side 1."""
    away = end - start
    reach = float(np.hypot(*away))
    first, second = lengths
    if not abs(first - second) <= reach <= first + second or reach == 0.0:
        raise ParameterError(
            f"the loop cannot be closed: {names[0]} of {first:g} m and {names[1]} of {second:g} m join ends that are "
            f"{abs(first - second):g} to {first + second:g} m apart, and these are {reach:.4g} m apart"
        )
    turn = side * math.acos((first**2 + reach**2 - second**2) / (2.0 * first * reach))
    angle = math.atan2(away[1], away[0]) + turn
    return np.asarray(start + first * np.array([math.cos(angle), math.sin(angle)]))


def pin_on_line(start: Floats, length: float, height: float) -> Floats:
    """The pin at the end of a bar from `start`, length in m, on the horizontal line at a height in m, to the right."""
    across = length**2 - (height - start[1]) ** 2
    if across < 0.0:
        raise ParameterError(
            f"the loop cannot be closed: a rod of {length:g} m does not reach the line at {height:g} m from a pin at "
            f"{start[1]:.4g} m"
        )
    return np.array([start[0] + math.sqrt(across), height])


def angle_of(start: Floats, end: Floats) -> float:
    """Angle in rad of the line from one point to another."""
    return math.atan2(end[1] - start[1], end[0] - start[0])
