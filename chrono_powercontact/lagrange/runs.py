"""Integrators of the reference engine: RK4 with a fixed step, and SciPy's adaptive ones. Both record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import DivergedError, ModelError, ParameterError, positive
from ..progress import Progress, unwatched
from ..trajectory import Trajectory
from . import engine
from .system import System


def initial_record(system: System, x0: NDArray[np.float64], t0: float) -> NDArray[np.float64]:
    """The record of the initial state at t0 in s, after checking that it is a state and can be evaluated."""
    size = system.state_size
    if x0.dtype != np.float64 or x0.shape != (size,) or not np.all(np.isfinite(x0)):
        raise ParameterError(
            f"the state must have {size} entries, all finite, as System.state gives it; got shape {x0.shape}"
        )
    row = np.zeros(len(system.columns))
    if not engine.evaluate(system.terms, t0, x0, *system.arguments, np.zeros(x0.size), row):
        raise ModelError(f"the mass matrix of {system.model.name!r} is not positive definite at the start")
    return row


def record_count(step: float, time: float, every: int) -> int:
    """Number of records after the first, for a step and a time in s and `every` steps a record; checks all three."""
    positive("step", step)
    positive("time", time)
    if not isinstance(every, int) or every < 1:
        raise ParameterError(f"every must be an integer of at least 1, got {every!r}")
    return max(round(time / step / every), 1)


Stop = Callable[[Trajectory], NDArray[np.bool_]]
"""Says of each record whether a run may end there."""


class RunPlan(NamedTuple):
    """A run of RK4 before it is done; see `run_rk4`."""

    system: System
    start: NDArray[np.float64]
    step: float
    time: float
    every: int = 1
    progress: Progress = unwatched
    stop: Stop | None = None

    def ends(self, records: Trajectory) -> NDArray[np.intp]:
        """Numbers of the records at which the run may end."""
        return np.flatnonzero(self.stop(records)) if self.stop is not None else np.zeros(0, np.intp)


def run_rk4(
    system: System,
    x0: NDArray[np.float64],
    step: float,
    time: float,
    every: int = 1,
    progress: Progress = unwatched,
    stop: Stop | None = None,
    sensitivities: Sequence[str] = (),
) -> Trajectory:
    """Classical RK4 with a fixed step.

    Args:
        x0: full state from `System.state`.
        step: in s. time: length of the run in s.
        every: steps between two records.
        progress: called now and then with the fraction that is done.
        stop: says of each record whether the run may end there; it ends at the first.
        sensitivities: parameters of the model, numbers of its laws and starts (`"m"`, `"r_d"`, `"hip.f_c"`,
            `"s_dot(0)"`) by which every column is differentiated, exactly; the derivatives are columns
            `d(column)/d(parameter)` behind the others.
    """
    plan = RunPlan(system, x0, step, time, every, progress, stop)
    if len(sensitivities) == 0:
        return _RUNNER.get()(plan)
    from .sensitivity.tangent_runs import run_with_sensitivities

    return run_with_sensitivities(plan, sensitivities)


def integrate(plan: RunPlan) -> Trajectory:
    """Do a run of RK4."""
    system = plan.system
    every = plan.every
    step = plan.step
    count = record_count(step, plan.time, every)
    names = tuple(system.columns)
    rows = np.zeros((count + 1, len(names)))
    rows[0] = initial_record(system, plan.start, 0.0)
    x = plan.start.copy()
    chunk = max(count // 50, 1)
    for begin in range(0, count, chunk):
        block = rows[begin : min(begin + chunk, count)]
        done = engine.rk4(system.terms, 0.0, x, *system.arguments, step, begin * every, every, block)
        if done < len(block):
            kept = Trajectory(names, rows[: max(begin + done, 1)].copy(), (begin + done) * every)
            raise _diverged(system, kept, f" after {kept['t'][-1]:.6g} s with a step of {step:g} s")
        plan.progress(min((begin + len(block)) / count, 1.0))
        ends = plan.ends(Trajectory(names, block, 0))
        if ends.size:
            plan.progress(1.0)
            last = begin + int(ends[0])
            return Trajectory(names, rows[: last + 1].copy(), last * every)
    if not _final_record(system, x, count * every * step, rows[count]):
        raise _diverged(system, Trajectory(names, rows[:count].copy(), (count - 1) * every), "")
    return Trajectory(names, rows, count * every)


Runner = Callable[[RunPlan], Trajectory]

_RUNNER: ContextVar[Runner] = ContextVar("runner", default=integrate)
"""What does the runs that `run_rk4` is asked for."""


@contextmanager
def runs_by(runner: Runner) -> Iterator[None]:
    """Let something else do the runs that `run_rk4` is asked for within a `with` block: with their derivatives, say."""
    token = _RUNNER.set(runner)
    try:
        yield
    finally:
        _RUNNER.reset(token)


def _unnoticed(name: str) -> None:
    """Nobody asks which engines are used."""


_OTHERS: ContextVar[Callable[[str], None]] = ContextVar("others", default=_unnoticed)
"""What is told of engines that have no dual numbers."""


def other_engine(name: str) -> None:
    """Tell that an engine without dual numbers is about to run: what differentiates a scenario must know of it."""
    _OTHERS.get()(name)


@contextmanager
def told_of_others(listener: Callable[[str], None]) -> Iterator[None]:
    """Let something be told of every engine without dual numbers that runs within a `with` block."""
    token = _OTHERS.set(listener)
    try:
        yield
    finally:
        _OTHERS.reset(token)


def _final_record(system: System, x: NDArray[np.float64], time: float, row: NDArray[np.float64]) -> bool:
    """Write the record of the state at the end of a run; False if that state is not finite."""
    if not np.all(np.isfinite(x)):
        return False
    return bool(engine.evaluate(system.terms, time, x, *system.arguments, np.zeros(x.size), row))


def _diverged(system: System, kept: Trajectory, when: str) -> DivergedError:
    """The error of a run whose state is no longer finite, with its finite records."""
    return DivergedError(f"the run of {system.model.name!r} is no longer finite{when}: use a smaller step", kept)


def run_adaptive(
    system: System,
    x0: NDArray[np.float64],
    time: float,
    records: int = 1001,
    method: str = "DOP853",
    rtol: float = 1e-9,
    atol: float = 1e-12,
    progress: Progress = unwatched,
) -> Trajectory:
    """An adaptive integrator of SciPy (`solve_ivp`): DOP853, RK45, Radau, BDF or LSODA."""
    from scipy.integrate import solve_ivp

    positive("time", time)
    if not isinstance(records, int) or records < 1:
        raise ParameterError(f"records must be an integer of at least 1, got {records!r}")
    names = tuple(system.columns)
    scratch = initial_record(system, x0, 0.0)
    dx = np.zeros(x0.size)

    def right_side(t: float, x: NDArray[np.float64]) -> NDArray[np.float64]:
        if not engine.evaluate(system.terms, t, np.ascontiguousarray(x), *system.arguments, dx, scratch):
            raise ModelError(f"the mass matrix of {system.model.name!r} is not positive definite at {t:.6g} s")
        progress(min(t / time, 1.0))
        return dx.copy()

    times = np.linspace(0.0, time, records)
    solution = solve_ivp(right_side, (0.0, time), x0, method=method, t_eval=times, rtol=rtol, atol=atol)
    rows = np.zeros((len(solution.t), len(names)))
    for row, t, x in zip(rows, solution.t, np.reshape(solution.y, (x0.size, -1)).T, strict=True):
        engine.evaluate(system.terms, t, np.ascontiguousarray(x), *system.arguments, dx, row)
    trajectory = Trajectory(names, rows, int(solution.nfev))
    if not solution.success:
        raise DivergedError(
            f"{method} gave up after {rows[-1, 0] if len(rows) else 0.0:.6g} s: {solution.message}", trajectory
        )
    return trajectory
