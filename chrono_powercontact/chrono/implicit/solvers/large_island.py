"""A large island of contacts alone: sweeps over the contacts, accelerated by directions that are nearly conjugate.

Sweeps alone carry a load only slowly through a heap. After each sweep the impulses therefore go on along the last
direction, as in the nonlinear conjugate gradient method of Fletcher and Reeves, with the change of a sweep in place of
the gradient (Silcowitz, Niebe and Erleben 2010). It starts anew when the changes grow.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ....kernel import kernel
from ....numerics.vectors import minus, norm, plus, store, times, triple
from ....sealed import sealed
from ..blocks import CONTACT
from ..island import EFFORT, PROBLEM, VELOCITIES, Problem
from .contact_sweeps import SWEPT, Motion, begin_sweeps, end_sweeps, give, motion_of, put_motion, sweep

Array = Any

FIRST = 4
"""Number of sweeps at the start in which the openings of filters follow the slip."""
FALLEN = 0.1
"""Part of the first change, as an energy, below which the changes must fall."""


@kernel
def has_contacts_only(problem: Problem) -> bool:
    """Whether an island has neither links nor joint forces."""
    others = problem.island.rows.size
    for e in problem.island.blocks:
        others += problem.blocks[e].kind != CONTACT
    return others == 0


@kernel
def go_on(problem: Problem, motion: Motion, contacts: Array, before: Array, ahead: Array, fraction: float) -> None:
    """Change all impulses by a fraction of the direction `ahead`; then turn it by their last change. None pulls.

    `before` are the impulses before the last sweep; it receives those before the next.
    """
    for m in range(contacts.size):
        swept = contacts[m]
        then = before[m]
        way = ahead[m]
        push = max(fraction * way.push, -swept.push)
        rubbed = times(fraction, triple(way.rub))
        turned = times(fraction, triple(way.twist))
        way.push = push + swept.push - then.push
        store(plus(rubbed, minus(triple(swept.rub), triple(then.rub))), way.rub)
        store(plus(turned, minus(triple(swept.twist), triple(then.twist))), way.twist)
        then.push = swept.push + push
        store(plus(triple(swept.rub), rubbed), then.rub)
        store(plus(triple(swept.twist), turned), then.twist)
        if push != 0.0 or norm(rubbed) > 0.0 or norm(turned) > 0.0:
            swept.push = then.push
            store(then.rub, swept.rub)
            store(then.twist, swept.twist)
            block = problem.blocks[problem.island.blocks[m]]
            give(motion, block, swept, minus(times(push, triple(block.normal)), rubbed), times(-1.0, turned))


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
    motion = motion_of(problem, free)
    contacts = begin_sweeps(problem, motion)
    before = contacts.copy()
    ahead = np.zeros(contacts.size, SWEPT)
    changed = np.inf
    count = 0
    for count in range(most):
        last = changed
        changed = sweep(problem, motion, contacts, count % 2 == 1, count < FIRST)
        if count == 0:
            enough = max(close, min(enough, FALLEN * changed))
        if not changed > enough:
            break
        go_on(problem, motion, contacts, before, ahead, changed / last if changed < last else 0.0)
    end_sweeps(problem, contacts)
    put_motion(problem, motion, w)
    return count + 1, changed
