"""What the machine's control has to go by: where the joystick was, and what the pressures show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

STANDSTILL = 1e-4
"""Speed in m/s of a line below which its valve is closed."""


@dataclass(frozen=True)
class Pressures:
    """Readings of both lines.

    Attributes:
        commanded: lengths in m that the joystick asks for, one row per line. forces: in N, as the pressures show them.
        locked: when the valve of a line locked its pressure in, so that it tells nothing of the load.
    """

    commanded: Array
    forces: Array
    locked: NDArray[np.bool_]


def open_valves(commanded: Array, forces: Array) -> Pressures:
    """Pressures that follow their load at any time."""
    return Pressures(commanded, forces, np.zeros(forces.shape, bool))


def locking_valves(t: Array, commanded: Array, forces: Array) -> Pressures:
    """Pressures that stay what they were when a line comes to rest, until it moves again."""
    rates = np.gradient(commanded, t, axis=1)
    still = np.abs(rates) < STANDSTILL
    shown = forces.copy()
    for line, rests in zip(shown, still, strict=True):
        for k in range(1, line.size):
            if rests[k]:
                line[k] = line[k - 1]
    return Pressures(commanded, shown, still)
