"""Stiff systems on the reference engine: linearly implicit steps, of a fixed size or within a tolerance.

    run = run_implicit(system, start, step=2e-3, time=10.0)                       # fixed, third order
    run = run_implicit(system, start, step=2e-2, time=10.0, tolerance=1e-4)       # a record every 20 ms

Stiff springs, dampers and steep friction do not limit the step; the accuracy does. The ledger is integrated with the
motion and closes to the same order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

from ..errors import DivergedError, ParameterError, positive
from ..kernel import kernel
from ..laws.friction.friction_table import remembers
from ..numerics.rosenbrock import DONE, FAILED, SIZE, STEPPED, STEPS, TIME, Stepper, begin, proceed, set_out, stepper
from ..progress import Progress, unwatched
from ..trajectory import Trajectory
from . import engine
from .runs import _start
from .system import System

Array = Any


@kernel
def system_rates(terms: Any, data: Any, t: float, x: Array, dx: Array) -> bool:
    """dx/dt of a system, the rates of its anchors resolved; False where the mass matrix is not positive definite."""
    p, n_q, n_u, laws, work = data
    memory = x[n_q + n_u : x.size - engine.LEDGER]
    return engine.derivative(terms, t, x, p, n_q, n_u, laws, work, memory, True, dx)


@kernel
def advance(terms: Any, data: Any, t: float, end: float, x: Array, s: Stepper) -> bool:
    """Bring x from t to the end; False where that cannot be done."""
    begin(s, x, t, end)
    while s.book[DONE] == 0.0:
        answer = proceed(s, x, system_rates(terms, data, s.book[TIME], s.point, s.rate))
        if answer == FAILED:
            return False
        if answer == STEPPED:
            set_out(s, x)
    return True


_INTS = types.int64[::1]
_TAIL = (types.float64, types.int64, types.int64, _INTS, _INTS, engine._VECTOR, types.float64, engine._VECTOR)


@njit(types.int64(*engine._SYSTEM, *_TAIL, engine._MATRIX), cache=True, error_model="numpy")
def rosenbrock(
    terms: Any, t: float, x: Array, p: Array, sizes: Array,
    normal: Array, points: Array, friction: Array, filters: Array, mode: int,
    h: float, first: int, every: int, active: Array, passive: Array, absolute: Array, relative: float, book: Array,
    rows: Array,
) -> int:  # fmt: skip
    """Linearly implicit steps, one record before each `every` times h; returns the records written.

    The state x is advanced in place, `book` is kept from call to call. Stops early where no step can be taken.
    """
    work = engine.workspace(sizes[0], sizes[1], sizes[2], sizes[3])
    data = (p, sizes[0], sizes[1], (normal, points, friction, filters, mode), work)
    s = stepper(active, passive, absolute, relative, book[0])
    dx, steps = np.zeros(x.size), book[1]
    for r in range(rows.shape[0]):
        now = t + (first + r * every) * h
        rows[r] = np.nan
        if not system_rates(terms, data, now, x, dx):
            return r
        engine.record(now, x, normal, work, rows[r])
        moved = advance(terms, data, now, t + (first + (r + 1) * every) * h, x, s)
        book[0], book[1] = s.book[SIZE], steps + s.book[STEPS]
        if not moved:
            return r
    return rows.shape[0]


def active_states(system: System) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """States on which rates depend, and the others: ledger, and memory that no law uses."""
    n_q, n_u = int(system.sizes[0]), int(system.sizes[1])
    active = list(range(n_q + n_u))
    _, _, _, points, friction, _, mode = system.arguments
    if mode == engine.COORDINATE_MEMORY:
        active += range(n_q + n_u, 2 * n_u + n_q)
    else:
        for (first, size, _), row in zip(points, friction, strict=True):
            if remembers(row):
                active += range(n_q + n_u + first, n_q + n_u + first + size)
    passive = sorted(set(range(system.state_size)) - set(active))
    return np.array(active, np.int64), np.array(passive, np.int64)


def run_implicit(
    system: System,
    x0: NDArray[np.float64],
    step: float,
    time: float,
    every: int = 1,
    tolerance: float | None = None,
    absolute: float | NDArray[np.float64] = 1e-6,
    progress: Progress = unwatched,
) -> Trajectory:
    """Linearly implicit steps (ROS34PW2, third order).

    Args:
        x0: full state from `System.state`.
        step: in s, fixed unless there is a tolerance. time: length of the run in s.
        every: steps between two records; with a tolerance, records are step times every apart.
        tolerance: relative error of each step that is allowed; None keeps the step fixed.
        absolute: the same in the units of the states: one number, or one per active state (`active_states`).
        progress: called now and then with the share that is done.
    """
    positive("step", step)
    positive("time", time)
    if not isinstance(every, int) or every < 1:
        raise ParameterError(f"every must be a whole number of at least 1, got {every!r}")
    relative = 0.0 if tolerance is None else positive("tolerance", tolerance)
    active, passive = active_states(system)
    scale = np.broadcast_to(np.asarray(absolute, float), active.shape).copy()
    if not np.all(scale > 0.0):
        raise ParameterError(f"absolute must be greater than 0, got {scale.min():g}")
    count = max(round(time / step / every), 1)
    rows = np.zeros((count + 1, len(system.columns)))
    rows[0] = _start(system, x0, 0.0)
    x, book, chunk = x0.copy(), np.array([step, 0.0]), max(count // 50, 1)
    options = (active, passive, scale, relative, book)
    for head in range(0, count, chunk):
        block = rows[head : min(head + chunk, count)]
        done = rosenbrock(system.terms, 0.0, x, *system.arguments, step, head * every, every, *options, block)
        if done < len(block):
            raise _diverged(system, rows[: head + done + 1], step, int(book[1]))
        progress(min((head + len(block)) / count, 1.0))
    engine.evaluate(system.terms, count * every * step, x, *system.arguments, np.zeros(x.size), rows[count])
    return Trajectory(tuple(system.columns), rows, int(book[1]))


def _diverged(system: System, rows: NDArray[np.float64], step: float, steps: int) -> DivergedError:
    """The error of a run that could not go on, with its finite records."""
    broken = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    finite = rows[: int(broken[0])] if broken.size else rows
    kept = Trajectory(tuple(system.columns), finite.copy(), steps)
    return DivergedError(
        f"the run of {system.model.name!r} could not go on after {kept['t'][-1]:.6g} s with a step of {step:g} s: "
        "take a smaller step or a tolerance",
        kept,
    )
