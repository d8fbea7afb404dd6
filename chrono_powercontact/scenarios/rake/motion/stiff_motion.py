"""The machine in motion with linearly implicit steps: stiff arms, bearings and friction do not limit the step."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....errors import DivergedError, positive
from ....kernel import kernel
from ....laws.rows import ANCHORED, LUGRE
from ....numerics.rosenbrock import (
    DONE,
    FAILED,
    SIZE,
    STEPPED,
    STEPS,
    TIME,
    Stepper,
    begin,
    proceed,
    set_out,
    stepper,
)
from ....progress import Progress
from ....trajectory import Trajectory
from ..machine.rack_contact import MEMORY, commit
from .gauges import GAUGE_COUNT, columns
from .rake_motion import LEDGER, World, rates, record, workspace

if TYPE_CHECKING:
    from .setup import Setup

Array = Any
FIRST_STEP = 1e-3
"""Size in s of the first step that is tried."""
TOLERANCE = 1e-5
"""Relative error that a step may make."""
ANGLE, SPEED, GRIP = 1e-7, 1e-6, 1e-7
"""Absolute errors that go with it: in coordinates, in their rates per s, and in the contact's memory."""


@kernel
def advance(world: Any, work: Any, gauges: Array, t: float, end: float, x: Array, s: Stepper) -> bool:
    """Bring x from t to the end, the contact's anchor committed step by step; False where that cannot be done."""
    n = world.mech.own.size
    begin(s, x, t, end)
    while s.book[DONE] == 0.0:
        fine = not np.isnan(rates(world, s.book[TIME], s.point, work, s.rate, gauges))
        answer = proceed(s, x, fine)
        if answer == FAILED:
            return False
        if answer == STEPPED:
            commit(world.normal, world.friction, gauges[6], x[2 * n : 2 * n + MEMORY])
            set_out(s, x)
    return True


@kernel
def implicit(
    world: Any, first: float, x: Array, apart: float, active: Array, passive: Array, absolute: Array, relative: float,
    book: Array, rows: Array,
) -> int:  # fmt: skip
    """Record, then advance by `apart` in s, for each row; returns the rows before no step could be taken.

    `book` holds the size of the next step in s and the steps so far.
    """
    work, gauges = workspace(world.mech.own.size), np.zeros(GAUGE_COUNT)
    dx, s = np.zeros(x.size), stepper(active, passive, absolute, relative, book[0])
    for r in range(rows.shape[0]):
        record(world, first + r * apart, x, work, dx, gauges, rows[r])
        if not np.isfinite(np.sum(rows[r])):
            return r
        if not advance(world, work, gauges, first + r * apart, first + (r + 1) * apart, x, s):
            return r
    book[0] = s.book[SIZE]
    book[1] += s.book[STEPS]
    return rows.shape[0]


def states(world: World) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """States on which rates depend, and the others: the ledger, and memory that the friction law does not use."""
    n, kind = 2 * world.mech.own.size, world.friction[0]
    active = list(range(n))
    if kind == ANCHORED:
        active.append(n + 1)
    elif kind == LUGRE or world.friction[8] > 0.0:
        active.append(n)
    passive = [i for i in range(n + MEMORY + LEDGER) if i not in active]
    return np.array(active, np.int64), np.array(passive, np.int64)


def tolerances(world: World, active: NDArray[np.int64], tolerance: float) -> NDArray[np.float64]:
    """Absolute errors per active state, in proportion to the relative one."""
    n = world.mech.own.size
    sizes = np.where(active < n, ANGLE, np.where(active < 2 * n, SPEED, GRIP))
    return sizes * tolerance / TOLERANCE


def run_stiff(
    setup: Setup, time: float, progress: Progress, apart: float = 0.02, tolerance: float = TOLERANCE
) -> Trajectory:
    """Run on the reference engine with linearly implicit steps within a tolerance; records are `apart` s apart."""
    positive("tolerance", tolerance)
    x, world, n = setup.start(), setup.world, len(setup.mech.own)
    active, passive = states(world)
    options = (active, passive, tolerances(world, active, tolerance), tolerance)
    count, book = max(round(time / apart), 1), np.array([FIRST_STEP, 0.0])
    rows = np.zeros((count + 1, len(columns(n))))
    implicit(world, 0.0, x.copy(), apart, *options, book.copy(), rows[:1])
    clock, chunk = perf_counter(), max(count // 50, 1)
    for first in range(0, count + 1, chunk):
        block = rows[first : first + chunk]
        done = implicit(world, first * apart, x, apart, *options, book, block)
        if done < len(block):
            kept = Trajectory(columns(n), rows[: max(first + done, 1)].copy(), int(book[1]))
            raise DivergedError(
                f"the run of the rake cleaner could not go on after {kept['t'][-1]:.6g} s with a tolerance of "
                f"{tolerance:g}: take a smaller one",
                kept,
            )
        progress(min((first + len(block)) / (count + 1), 1.0))
    return Trajectory(columns(n), rows, int(book[1]), 1e6 * (perf_counter() - clock) / max(book[1], 1.0))
