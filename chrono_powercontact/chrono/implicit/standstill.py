"""Standstill: a step that begins as the last one did, with all bodies at rest, has the same forces.

Forces at the end of a step follow from the states of the bodies, the impulses of all other forces, the length of the
step, and a memory that rest does not change. If none of these has changed, nothing needs to be evaluated.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

from ...kernel import kernel
from ..contact.addresses import doubles, integers
from ..contact.bodies import SPEED_WIDTH, STATE_WIDTH
from ..contact.last_step import last_step
from . import step_kernel as step

Array = Any

SAME_STATE = 2e-15
"""Change of a coordinate in m, or of an entry of a quaternion, that is round-off. Anchors of 5 um change their force by
less than 1e-9 of it."""
SAME_IMPULSE = 1e-10
"""Change of an impulse, and momentum of a body, relative to its impulses of other forces, that are round-off."""


@kernel
def largest_of(impulse: Array, first: int) -> float:
    """Largest of three impulses."""
    return max(abs(impulse[first]), abs(impulse[first + 1]), abs(impulse[first + 2]))


@kernel
def stays(directory: Array, body: int) -> bool:
    """Whether a moving body is at rest, under the impulses of the last step."""
    impulse = doubles(directory, step.IMPULSE)
    residual = doubles(directory, step.RESIDUAL)
    places = integers(directory, step.PLACES)
    w = doubles(directory, step.SPEEDS)
    first = SPEED_WIDTH * body
    if places[first] < 0:
        return True
    push = SAME_IMPULSE * largest_of(impulse, first)
    fast = push / doubles(directory, step.MASS)[body]
    for i in range(first, first + 3):
        if not abs(residual[places[i]] - impulse[i]) <= push:
            return False
        if not (abs(w[i]) <= fast and abs(w[i + 3]) <= fast):
            return False
    twist = SAME_IMPULSE * largest_of(impulse, first + 3)
    for i in range(first + 3, first + SPEED_WIDTH):
        if not abs(residual[places[i]] - impulse[i]) <= twist + SAME_STATE * push:
            return False
    return True


@kernel
def begins_alike(directory: Array) -> bool:
    """Whether a step begins as the last one that was solved, with all bodies at rest."""
    x = doubles(directory, step.STATE)
    before = last_step(doubles(directory, step.KEPT)).x
    for i in range(x.size):
        if not np.abs(x[i] - before[i]) <= SAME_STATE:
            return False
    moved = 0
    for body in range(x.size // STATE_WIDTH):
        moved += not stays(directory, body)
    return moved == 0


@njit(types.boolean(types.int64[::1], types.float64), cache=True, error_model="numpy")
def repeat_rest(directory: Array, h: float) -> bool:
    """Let a step h end at rest if it begins as the last one did; for the directory see `step_kernel`.

    The forces are those of the last step, but for round-off: they balance the other impulses, and what there is of
    velocities is taken off.
    """
    if not begins_alike(directory):
        return False
    mass = doubles(directory, step.MASS)
    inertia = doubles(directory, step.INERTIA)
    residual = doubles(directory, step.RESIDUAL)
    places = integers(directory, step.PLACES)
    w = doubles(directory, step.SPEEDS)
    load = doubles(directory, step.LOAD)
    for body in range(mass.size):
        k = SPEED_WIDTH * body
        for i in range(3):
            if places[k] < 0:
                break
            spun = 0.0
            for j in range(3):
                spun += inertia[9 * body + 3 * i + j] * w[k + 3 + j]
            load[k + i] = -(residual[places[k + i]] + mass[body] * w[k + i]) / h
            load[k + 3 + i] = -(residual[places[k + 3 + i]] + spun) / h
    return True
