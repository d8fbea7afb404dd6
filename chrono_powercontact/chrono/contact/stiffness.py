"""Whether a step is short enough for the anchors: each is a spring between two bodies, as stiff as its load."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...laws.friction.anchor import TAU, grip_slope
from ...laws.rows import ANCHORED
from . import contact_kernel as ck

Array = NDArray[np.float64]


def inverse_masses(bodies: Sequence[Any]) -> Array:
    """One over the mass of each body in 1/kg, zero where it is fixed."""
    return np.array([0.0 if body.IsFixed() else 1.0 / body.GetMass() for body in bodies])


def anchored(rows: Array) -> bool:
    """Whether some material among rows of the kernel has an anchor."""
    return bool(len(rows)) and bool((rows[:, ck.FRICTION_LAW] == ANCHORED).any())


def longest_step(elements: NDArray[np.int64], memory: Array, rows: Array, inverse: Array) -> float:
    """Longest step in s at which the stiffest anchor of loaded elements is stable, infinite where there is none.

    Semi-implicit Euler on x'' = -w^2 (x + tau x') is stable while h (h + 2 tau) w^2 < 4. The bodies are taken as they
    move without turning: at a corner the anchor feels less than their mass, so the limit is an upper bound.
    """
    if not len(elements):
        return np.inf
    laws = rows[elements[:, ck.MATERIAL], ck.FRICTION_LAW : ck.ROLLING_LAW]
    slopes = np.array([grip_slope(law, 0.0) if law[0] == ANCHORED else 0.0 for law in rows[:, ck.FRICTION_LAW :]])
    share = inverse[elements[:, ck.BODY_A]] + inverse[elements[:, ck.BODY_B]]
    square = memory[:, ck.LOAD] * slopes[elements[:, ck.MATERIAL]] * share
    worst = int(np.argmax(square))
    if not square[worst] > 0.0:
        return np.inf
    tau = float(laws[worst, TAU])
    return float(np.sqrt(tau * tau + 4.0 / square[worst]) - tau)
