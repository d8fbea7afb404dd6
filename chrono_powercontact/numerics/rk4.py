"""The classical Runge-Kutta method of fourth order, compiled and written once for every engine.

The method calls no right-hand side, so it is compiled once for all of them. A step is a loop of its caller:

    room = rk4_room(x.size)
    for stage in range(STAGES):
        rk4_stage(room, x, stage, h)
        ...                                 # rates at the time t + REACH[stage]*h and the state room.point: room.rate
        rk4_add(room, stage)
    rk4_finish(room, x, h)                  # x is the state at t + h

What else a caller averages over a step, for instance a normal force, it adds up with WEIGHT[stage].
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernel import kernel

STAGES = 4
REACH = (0.0, 0.5, 0.5, 1.0)
"""How far into the step each stage is taken, as a fraction of it."""
WEIGHT = (1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0)
"""Weight of each stage in the mean rate of the step."""

Array = Any


class Rk4Room(NamedTuple):
    """Arrays of a step.

    Attributes:
        point: state at which the rates of a stage are asked for. rate: those rates. total: mean rate so far.
    """

    point: NDArray[np.float64]
    rate: NDArray[np.float64]
    total: NDArray[np.float64]


@kernel
def rk4_room(size: int) -> Rk4Room:
    """Fresh arrays for a state of this size."""
    return Rk4Room(np.zeros(size), np.zeros(size), np.zeros(size))


@kernel
def rk4_stage(room: Rk4Room, x: Array, stage: int, h: float) -> None:
    """Set the point of a stage of a step from x over h; the rate of the stage before leads to it."""
    if stage == 0:
        for i in range(x.size):
            room.point[i] = x[i]
            room.total[i] = 0.0
        return
    ahead = REACH[stage] * h
    for i in range(x.size):
        room.point[i] = x[i] + ahead * room.rate[i]


@kernel
def rk4_add(room: Rk4Room, stage: int) -> None:
    """Add the rate of a stage to the mean rate of the step."""
    weight = WEIGHT[stage]
    for i in range(room.rate.size):
        room.total[i] += weight * room.rate[i]


@kernel
def rk4_finish(room: Rk4Room, x: Array, h: float) -> None:
    """Take the step: move x by the mean rate over h, in place."""
    for i in range(x.size):
        x[i] += h * room.total[i]
