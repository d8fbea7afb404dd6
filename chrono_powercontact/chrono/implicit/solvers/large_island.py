"""A large island of contacts alone: sweeps over the contacts, accelerated by directions that are nearly conjugate.

Sweeps alone carry a load only slowly through a heap. Between sweeps the impulses therefore go on along the last
direction, as in the nonlinear conjugate gradient method of Fletcher and Reeves, with the change of a sweep in place of
the gradient (Silcowitz, Niebe and Erleben 2010). It starts anew when the changes grow. Velocities are linear in the
impulses and go on in the same way. An impulse may pull then; its next visit mends that, and the last sweep is not
followed by any.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ....kernel import kernel
from ....sealed import sealed
from ..blocks import CONTACT
from ..island import EFFORT, PROBLEM, VELOCITIES, Problem
from .coloured_sweeps import by_columns, coloured, columns_of, sweep_by_colours
from .contact_sweeps import begin_sweeps, end_sweeps, motion_of, put_motion, sweep

Array = Any

FIRST = 4
"""Number of sweeps at the start in which the openings of filters follow the slip."""
MOST_LINKED = 1000
"""Largest number of contacts of an island with links: each moves all bodies."""
FALLEN = 0.1
"""Part of the first change, as an energy, below which the changes must fall."""


@kernel
def joint_forces_of(problem: Problem) -> int:
    """Number of the blocks of an island that are no contacts."""
    others = 0
    for e in problem.island.blocks:
        others += problem.blocks[e].kind != CONTACT
    return others


@kernel
def has_contacts_only(problem: Problem) -> bool:
    """Whether an island has neither links nor joint forces."""
    return problem.island.rows.size == 0 and joint_forces_of(problem) == 0


@kernel
def can_be_swept(problem: Problem) -> bool:
    """Whether an island has no joint forces and, if it has links, is small enough for sweeps."""
    if problem.island.rows.size > 0 and problem.island.blocks.size > MOST_LINKED:
        return False
    return joint_forces_of(problem) == 0


@kernel
def go_on(values: Array, before: Array, ahead: Array, fraction: float) -> None:
    """Change values by a fraction of the direction `ahead`; then turn it by their last change.

    `before` are the values before the last sweep; it receives those before the next.
    """
    for i in range(values.size):
        step = fraction * ahead[i]
        ahead[i] = step + values[i] - before[i]
        values[i] += step
        before[i] = values[i]


@sealed(EFFORT(PROBLEM, VELOCITIES, VELOCITIES, types.float64, types.float64, types.int64))
def solve_by_sweeps(
    problem: Problem, w: Array, free: Array, close: float, enough: float, most: int
) -> tuple[int, float]:
    """Forces of the contacts of an island, and its velocities w; returns the sweeps and what the last one changed.

    It ends when a sweep changes little: less than `enough`, and less than a part of what the first one changed, unless
    that is less than `close`. So a heap that comes to rest is solved better and better.

    Args:
        free: velocities without our forces. close, enough: twice the kinetic energy in J of the changes of a sweep.
        most: number of sweeps.
    """
    columns = columns_of(problem)
    problem = by_columns(problem, columns)
    motion = motion_of(problem, free)
    sweeps = begin_sweeps(problem, motion)
    colours = coloured(sweeps, motion, problem.laws, columns)
    impulses = sweeps.impulses.copy()
    speeds = motion.u.copy()
    ahead = np.zeros(impulses.size)
    faster = np.zeros(speeds.size)
    changed = np.inf
    count = 0
    for count in range(most):
        last = changed
        if colours.order.size > 0:
            changed = sweep_by_colours(problem.laws, sweeps, colours, count % 2 == 1, count < FIRST)
        else:
            changed = sweep(problem.laws, motion, sweeps, count % 2 == 1, count < FIRST)
        if count == 0:
            enough = max(close, min(enough, FALLEN * changed))
        if not changed > enough or count + 1 == most:
            break
        fraction = changed / last if changed < last else 0.0
        go_on(sweeps.impulses, impulses, ahead, fraction)
        go_on(motion.u, speeds, faster, fraction)
    end_sweeps(problem, sweeps)
    put_motion(problem, motion, w)
    return count + 1, changed
