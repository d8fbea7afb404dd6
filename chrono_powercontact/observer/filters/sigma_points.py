"""Compiled parts that sigma point filters share: prediction of all points, outputs, gain and bounds.

Points are rows: the centre, then n points along the columns of the factor, then n against them. Numbers of the model
that are estimated are the last states: they stay as they are, and the model reads them in its p.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ...lagrange.equations import workspace
from ...numerics.rk4 import REACH, STAGES, rk4_add, rk4_finish, rk4_room, rk4_stage
from ..filter_model import MEASURE, RHS
from ..system_rate import system_rate, unpacked
from .factors import solve_lower, solve_upper
from .filter_layout import Equations

Array = Any


@kernel
def draw(x: Array, s: Array, h: float, points: Array) -> None:
    """Points at x and at h times the columns of S from it, on both sides."""
    n = x.size
    for j in range(n):
        points[0, j] = x[j]
        for i in range(n):
            points[1 + i, j] = x[j] + h * s[j, i]
            points[1 + n + i, j] = x[j] - h * s[j, i]


@kernel
def clip(x: Array, lower: Array, upper: Array) -> None:
    """Put every entry that lies outside its bounds on the bound."""
    for j in range(x.size):
        x[j] = min(max(x[j], lower[j]), upper[j])


@kernel
def set_numbers(x: Array, slots: Array, p: Array) -> None:
    """Write the estimated numbers of a point, its last states, into the numbers of the model."""
    first = x.size - slots.size
    for j in range(slots.size):
        p[slots[j]] = x[first + j]


@kernel
def propagate_function(
    rhs: Any, t: float, points: Array, u: Array, p: Array, slots: Array, step: float, steps: int
) -> None:  # fmt: skip
    """`propagate` of a model that is a function."""
    moving = points.shape[1] - slots.size
    room = rk4_room(moving)
    for i in range(points.shape[0]):
        set_numbers(points[i], slots, p)
        x = points[i, :moving]
        for number in range(steps):
            for stage in range(STAGES):
                rk4_stage(room, x, stage, step)
                rhs(t + (number + REACH[stage]) * step, room.point, u, p, room.rate)
                rk4_add(room, stage)
            rk4_finish(room, x, step)


@kernel
def propagate_system(
    terms: Any, t: float, points: Array, u: Array, p: Array, slots: Array, step: float, steps: int
) -> None:  # fmt: skip
    """`propagate` of a model that is a system of the reference engine."""
    moving = points.shape[1] - slots.size
    room = rk4_room(moving)
    system, carried = unpacked(terms, p)
    work = workspace(system.sizes)
    for i in range(points.shape[0]):
        set_numbers(points[i], slots, p)
        x = points[i, :moving]
        for number in range(steps):
            for stage in range(STAGES):
                rk4_stage(room, x, stage, step)
                system_rate(t + (number + REACH[stage]) * step, room.point, u, system, work, carried, room.rate)
                rk4_add(room, stage)
            rk4_finish(room, x, step)


@kernel
def propagate(equations: Equations, t: float, points: Array, u: Array, step: float, steps: int) -> None:
    """Classical RK4 of every point in place, with the input held."""
    p = equations.p
    slots = equations.slots
    if len(equations.systems) > 0:
        propagate_system(equations.systems[0], t, points, u, p, slots, step, steps)
    else:
        propagate_function(equations.functions[RHS], t, points, u, p, slots, step, steps)


@kernel
def wrapped(angle: float) -> float:
    """An angle in rad, between -pi and pi."""
    return angle - 2.0 * np.pi * np.round(angle / (2.0 * np.pi))


@kernel
def outputs(equations: Equations, t: float, points: Array, u: Array, ys: Array) -> None:
    """Output of every point; angles on the turn nearest to that of the centre."""
    pick = equations.pick
    turns = equations.turns
    measure = equations.functions[MEASURE]
    for i in range(points.shape[0]):
        if pick.size > 0:
            for j in range(pick.size):
                ys[i, j] = points[i, pick[j]]
        else:
            set_numbers(points[i], equations.slots, equations.p)
            measure(t, points[i], u, equations.p, ys[i])
        for j in range(turns.size):
            if turns[j]:
                ys[i, j] = ys[0, j] + wrapped(ys[i, j] - ys[0, j])


@kernel
def innovate(y: Array, mean: Array, turns: Array, innovation: Array) -> None:
    """What was measured less what was expected."""
    for j in range(y.size):
        innovation[j] = y[j] - mean[j]
        if turns[j]:
            innovation[j] = wrapped(innovation[j])


@kernel
def gain(p_xy: Array, s_y: Array) -> None:
    """P_xy becomes the gain K = P_xy (S_y S_y^T)^-1."""
    for i in range(p_xy.shape[0]):
        solve_lower(s_y, p_xy[i])
        solve_upper(s_y, p_xy[i])


@kernel
def apply(k: Array, innovation: Array, x: Array) -> None:
    """Add the gain times the innovation to the state."""
    for i in range(x.size):
        for j in range(innovation.size):
            x[i] += k[i, j] * innovation[j]


@kernel
def normalised_square(innovation: Array, s_y: Array) -> float:
    """NIS: the square of the innovation in units of its expected spread."""
    z = innovation.copy()
    solve_lower(s_y, z)
    square = 0.0
    for value in z:
        square += value * value
    return square
