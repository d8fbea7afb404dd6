"""Stiff systems on the reference engine: linearly implicit steps, of a fixed size or within a tolerance.

    run = run_implicit(system, start, step=2e-3, time=10.0)                       # fixed, third order
    run = run_implicit(system, start, step=2e-2, time=10.0, tolerance=1e-4)       # a record every 20 ms

Stiff springs, dampers and steep friction do not limit the step; the accuracy does. The ledger is integrated with the
motion and closes to the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

from ..errors import DivergedError, ParameterError, positive
from ..kernel import expanded, inlined
from ..laws.friction.friction_table import remembers
from ..numerics.rosenbrock import (
    FAILED,
    STEPPED,
    Stepper,
    asked_time,
    begin,
    is_done,
    proceed,
    set_out,
    stepper_like,
    steps_taken,
    target_size,
)
from ..progress import Progress, unwatched
from ..trajectory import Trajectory
from . import engine
from .equations import SystemData, Work, system_data, workspace_like
from .layout import COORDINATE_MEMORY, INTEGERS, MATRIX, VECTOR
from .runs import RunPlan, initial_record, record_count
from .system import System

Array = Any

STEP_SIZE, STEPS_SO_FAR = range(2)
"""What is kept from call to call of the entry kernel: target size of the next step in s, and the number of steps."""


@expanded
def advance(system: SystemData, work: Work, t: float, end: float, x: Array, s: Stepper) -> bool:
    """Bring x from t to the end; False where that cannot be done."""
    begin(s, x, t, end)
    while not is_done(s):
        answer = proceed(s, x, engine.resolved_rates(system, asked_time(s), s.point, work, s.rate))
        if answer == FAILED:
            return False
        if answer == STEPPED:
            set_out(s, x)
    return True


class Marks(NamedTuple):
    """When records are written: every so many times h in s, from time number `first` on."""

    h: float
    first: int
    every: int


@inlined
def rosenbrock_march(
    system: SystemData, t: float, x: Array, marks: Marks, s: Stepper, kept: Array, rows: Array
) -> int:  # fmt: skip
    """See `rosenbrock`; with floats or with dual numbers."""
    h, first, every = marks
    work = workspace_like(x, system.sizes)
    dx = np.zeros(x.size, x.dtype)
    steps = kept[STEPS_SO_FAR]
    for r in range(rows.shape[0]):
        now = t + (first + r * every) * h
        for i in range(rows.shape[1]):
            rows[r, i] = np.nan
        if not engine.resolved_rates(system, now, x, work, dx):
            return r
        engine.record(now, x, system, work, rows[r])
        moved = advance(system, work, now, t + (first + (r + 1) * every) * h, x, s)
        kept[STEP_SIZE] = target_size(s)
        kept[STEPS_SO_FAR] = steps + steps_taken(s)
        if not moved:
            return r
    return int(rows.shape[0])


_OPTIONS = (types.float64, types.int64, types.int64, INTEGERS, INTEGERS, VECTOR, types.float64, VECTOR)


@njit(types.int64(*engine.SYSTEM, *_OPTIONS, MATRIX), cache=True, error_model="numpy")
def rosenbrock(
    terms: Any, t: float, x: Array, p: Array, sizes: Array,
    normal: Array, points: Array, friction: Array, filters: Array, mode: int,
    h: float, first: int, every: int, active: Array, passive: Array, absolute: Array, relative: float, kept: Array,
    rows: Array,
) -> int:  # fmt: skip
    """Linearly implicit steps, one record before each `every` times h; returns the records written.

    The state x is advanced in place; for `kept` see STEP_SIZE. Stops early where no step can be taken.
    """
    system = system_data(terms, p, sizes, normal, points, friction, filters, mode)
    s = stepper_like(x, active, passive, absolute, relative, kept[STEP_SIZE])
    return rosenbrock_march(system, t, x, Marks(h, first, every), s, kept, rows)


def active_states(system: System) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """States on which rates depend, and the others: ledger, and memory that no law uses."""
    first = system.sizes.n_q + system.sizes.n_u
    active = list(range(first))
    tables = system.arguments
    if tables.mode == COORDINATE_MEMORY:
        active += range(first, first + system.sizes.n_u)
    else:
        for point, law in zip(tables.points, tables.friction, strict=True):
            if remembers(law):
                begins = first + int(point["first"])
                active += range(begins, begins + int(point["size"]))
    passive = sorted(set(range(system.state_size)) - set(active))
    return np.array(active, np.int64), np.array(passive, np.int64)


def absolute_errors(absolute: float | NDArray[np.float64], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """The absolute error of each active state, if all are positive."""
    scale = np.broadcast_to(np.asarray(absolute, float), shape).copy()
    if not np.all(scale > 0.0):
        raise ParameterError(f"absolute must be greater than 0, got {scale.min():g}")
    return scale


def run_implicit(
    system: System,
    x0: NDArray[np.float64],
    step: float,
    time: float,
    every: int = 1,
    tolerance: float | None = None,
    absolute: float | NDArray[np.float64] = 1e-6,
    progress: Progress = unwatched,
    sensitivities: Sequence[str] = (),
) -> Trajectory:
    """Linearly implicit steps (ROS34PW2, third order).

    Args:
        x0: full state from `System.state`.
        step: in s, fixed unless there is a tolerance. time: length of the run in s.
        every: steps between two records; with a tolerance, records are step times every apart.
        tolerance: relative error of each step that is allowed; None keeps the step fixed.
        absolute: the same in the units of the states: one number, or one per active state (`active_states`).
        progress: called now and then with the fraction that is done.
        sensitivities: see `run_rk4`; at most eight at a time.
    """
    if len(sensitivities) > 0:
        from .sensitivity.implicit_tangent import run_implicit_tangent

        plan = RunPlan(system, x0, step, time, every, progress)
        return run_implicit_tangent(plan, sensitivities, tolerance, absolute)
    count = record_count(step, time, every)
    relative = 0.0 if tolerance is None else positive("tolerance", tolerance)
    active, passive = active_states(system)
    scale = absolute_errors(absolute, active.shape)
    rows = np.zeros((count + 1, len(system.columns)))
    rows[0] = initial_record(system, x0, 0.0)
    x = x0.copy()
    kept = np.zeros(2)
    kept[STEP_SIZE] = step
    options = (active, passive, scale, relative, kept)
    chunk = max(count // 50, 1)
    for head in range(0, count, chunk):
        block = rows[head : min(head + chunk, count)]
        done = rosenbrock(system.terms, 0.0, x, *system.arguments, step, head * every, every, *options, block)
        if done < len(block):
            raise _diverged(system, rows[: head + done + 1], step, int(kept[STEPS_SO_FAR]))
        progress(min((head + len(block)) / count, 1.0))
    engine.evaluate(system.terms, count * every * step, x, *system.arguments, np.zeros(x.size), rows[count])
    return Trajectory(tuple(system.columns), rows, int(kept[STEPS_SO_FAR]))


def _diverged(system: System, rows: NDArray[np.float64], step: float, steps: int) -> DivergedError:
    """The error of a run that could not go on, with its finite records."""
    broken = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    finite = rows[: int(broken[0])] if broken.size else rows
    kept = Trajectory(tuple(system.columns), finite.copy(), steps)
    return DivergedError(
        f"the run of {system.model.name!r} could not go on after {kept['t'][-1]:.6g} s with a step of {step:g} s: "
        "use a smaller step or a tolerance",
        kept,
    )
