"""The machine in motion with linearly implicit steps: stiff arms, bearings and friction do not limit the step."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....errors import DivergedError, positive
from ....kernel import kernel
from ....laws.friction.friction_table import ANCHORED, remembers
from ....numerics.rosenbrock import (
    FAILED,
    STEPPED,
    Stepper,
    asked_time,
    begin,
    is_done,
    proceed,
    set_out,
    stepper,
    steps_taken,
    target_size,
)
from ....progress import Progress
from ....trajectory import Trajectory
from ..machine.rack_contact import HELD, MEMORY, SLID
from .gauges import LEDGER_SIZE, columns
from .rake_motion import World, commit_contact, rates, workspace, write_record

if TYPE_CHECKING:
    from .setup import Setup

Array = Any
FIRST_STEP = 1e-3
"""Size in s of the first step that is tried."""
TOLERANCE = 1e-5
"""Relative error that a step may make."""
ANGLE, SPEED, GRIP = 1e-7, 1e-6, 1e-7
"""Absolute errors that go with it: in coordinates, in their rates per s, and in the contact's memory."""
SO_FAR = np.dtype([("size", np.float64), ("steps", np.float64)])
"""What is carried from one part of a run to the next: size of the next step in s, and the number of steps so far."""


@kernel
def advance(world: Any, work: Any, t: float, end: float, x: Array, s: Stepper) -> bool:
    """Bring x from t to the end, the contact's anchor committed step by step; False where that cannot be done."""
    begin(s, x, t, end)
    while not is_done(s):
        fine = not np.isnan(rates(world, asked_time(s), s.point, work, s.rate))
        answer = proceed(s, x, fine)
        if answer == FAILED:
            return False
        if answer == STEPPED:
            commit_contact(world, x, work)
            set_out(s, x)
    return True


@kernel
def implicit(
    world: Any, first: float, x: Array, apart: float, active: Array, passive: Array, absolute: Array, relative: float,
    so_far: Array, rows: Array,
) -> int:  # fmt: skip
    """Record, then advance by `apart` in s, for each row; returns the rows before no step could be taken.

    `so_far` is one record.
    """
    work = workspace(world.mech.own.size)
    dx = np.zeros(x.size)
    s = stepper(active, passive, absolute, relative, so_far[0].size)
    for r in range(rows.shape[0]):
        write_record(world, first + r * apart, x, work, dx, rows[r])
        if not np.isfinite(np.sum(rows[r])):
            return r
        if not advance(world, work, first + r * apart, first + (r + 1) * apart, x, s):
            return r
    so_far[0].size = target_size(s)
    so_far[0].steps += steps_taken(s)
    return int(rows.shape[0])


def states(world: World) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """States on which rates depend, and the others: the ledger, and memory that the friction law does not use."""
    n = 2 * world.mech.own.size
    friction = world.contact.friction
    active = list(range(n))
    if friction["kind"] == ANCHORED:
        active.append(n + SLID)
    elif remembers(friction):
        active.append(n + HELD)
    passive = [i for i in range(n + MEMORY + LEDGER_SIZE) if i not in active]
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
    x = setup.start()
    world = setup.world
    names = columns(len(setup.mech.own))
    active, passive = states(world)
    options = (active, passive, tolerances(world, active, tolerance), tolerance)
    count = max(round(time / apart), 1)
    so_far = np.array([(FIRST_STEP, 0.0)], SO_FAR)
    rows = np.zeros((count + 1, len(names)))
    implicit(world, 0.0, x.copy(), apart, *options, so_far.copy(), rows[:1])
    clock = perf_counter()
    chunk = max(count // 50, 1)
    for first in range(0, count + 1, chunk):
        block = rows[first : first + chunk]
        done = implicit(world, first * apart, x, apart, *options, so_far, block)
        if done < len(block):
            kept = Trajectory(names, rows[: max(first + done, 1)].copy(), int(so_far["steps"][0]))
            raise DivergedError(
                f"the run of the rake cleaner could not go on after {kept['t'][-1]:.6g} s with a tolerance of "
                f"{tolerance:g}: take a smaller one",
                kept,
            )
        progress(min((first + len(block)) / (count + 1), 1.0))
    steps = int(so_far["steps"][0])
    return Trajectory(names, rows, steps, 1e6 * (perf_counter() - clock) / max(steps, 1))
