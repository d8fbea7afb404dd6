"""Longest stable step with anchors or bristles: springs between two bodies, each as stiff as its load demands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...laws.friction.friction_table import ANCHORED, LUGRE, presliding_spring
from .contact_table import Elements

Floats = NDArray[np.float64]

STILL = 0.1
"""Normal speed of a contact that lasts, relative to that of a fall over the presliding under its load."""


def inverse_masses(bodies: Sequence[Any]) -> NDArray[np.float64]:
    """Inverse mass of each body in 1/kg, zero if it is fixed."""
    return np.array([0.0 if body.IsFixed() else 1.0 / body.GetMass() for body in bodies])


def anchored(materials: NDArray[Any]) -> bool:
    """Whether any of the material records has an anchor or bristles."""
    return bool(np.isin(materials["friction"]["kind"], (ANCHORED, LUGRE)).any())


def at_rest(load: Floats, speed: Floats, spring: Floats, compliance: Floats) -> NDArray[np.bool_]:
    """Whether each contact lasts: its normal speed in m/s is a small part of what its load gives over the presliding.

    In an impact a contact carries hundreds of weights for a moment only.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        resting: NDArray[np.bool_] = speed**2 <= STILL**2 * load * compliance / spring
    return resting


def longest_step(table: Elements, inverse: NDArray[np.float64], lasting: bool = False) -> float:
    """Longest step in s at which the stiffest anchor of loaded elements is stable; infinite if there is none.

    Semi-implicit Euler on x'' = -w^2 (x + tau x') is stable while h (h + 2 tau) w^2 < 4. The bodies are assumed
    not to rotate. At a corner the effective mass is smaller, so the limit is an upper bound.

    Args:
        inverse: inverse masses of the bodies in 1/kg. lasting: whether only contacts at rest count, see `at_rest`.
    """
    if not len(table.elements):
        return np.inf
    laws = table.records["friction"]
    springs = np.array([presliding_spring(law) for law in laws])
    used = table.elements["material"]
    compliance = inverse[table.elements["a"]] + inverse[table.elements["b"]]
    load = table.memory["load"]
    square = load * springs[used, 0] * compliance
    if lasting:
        square[~at_rest(load, table.memory["speed"], springs[used, 0], compliance)] = 0.0
    worst = int(np.argmax(square))
    if not square[worst] > 0.0:
        return np.inf
    tau = float(springs[used[worst], 1])
    return float(np.sqrt(tau * tau + 4.0 / square[worst]) - tau)
