"""The classical fourth-order Runge-Kutta method, written once and compiled for every engine.

The method calls no right-hand side, so one compilation serves all of them. The caller writes a step as a loop:

    room = rk4_room(x.size)
    for stage in range(STAGES):
        rk4_stage(room, x, stage, h)
        ...                                 # rates at the time t + REACH[stage]*h and the state room.point: room.rate
        rk4_add(room, stage)
    rk4_finish(room, x, h)                  # x is the state at t + h

To average another quantity over a step, such as a normal force, the caller weights it with WEIGHT[stage].
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernel import inner, kernel

STAGES = 4
REACH = (0.0, 0.5, 0.5, 1.0)
"""Time of each stage, as a fraction of the step."""
WEIGHT = (1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0)
"""Weight of each stage in the mean rate of the step."""

Array = Any


class Rk4Room(NamedTuple):
    """Arrays of a step.

    Attributes:
        point: state at which the rates of a stage are needed. rate: those rates. total: mean rate so far.
    """

    point: NDArray[np.float64]
    rate: NDArray[np.float64]
    total: NDArray[np.float64]


@inner
def rk4_room_like(x: Array) -> Rk4Room:
    """New arrays for a state like x, of floats or of dual numbers."""
    return Rk4Room(np.zeros(x.size, x.dtype), np.zeros(x.size, x.dtype), np.zeros(x.size, x.dtype))


@kernel
def rk4_room(size: int) -> Rk4Room:
    """New arrays for a state of this size."""
    return rk4_room_like(np.zeros(size))


@kernel
def rk4_stage(room: Rk4Room, x: Array, stage: int, h: float) -> None:
    """Set the state of a stage, in a step h from x, with the rate of the stage before."""
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
    """Complete the step: advance x by h times the mean rate, in place."""
    for i in range(x.size):
        x[i] += h * room.total[i]
