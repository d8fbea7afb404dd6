"""Runs of closed loops: RK4 with a fixed step, SciPy's adaptive integrators, and Adams' method with its history.

All switch their independent coordinates during the run: the present ones are held while their volume by (5) is at least
`hold` times that of the best; hold = 0 never switches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...errors import DivergedError, ParameterError, UnknownNameError, finite, not_negative, positive
from ...numerics.adams import Adams
from ...progress import Progress, unwatched
from ...trajectory import Trajectory
from ..runs import other_engine, record_count
from . import loop_engine
from .loop_history import unwound_rates
from .loop_kinematics import CLOSED, SWITCHED
from .loops import Floats, Ints, LoopSystem

HOLD = 0.7
TIME_COLUMN = 0
METHODS = ("DOP853", "RK45", "RK23", "Radau", "BDF")
HISTORIES = ("convert", "unwind", "restart")
"""What a switch of coordinates does to the history of Adams' method."""


@dataclass(frozen=True)
class LoopTrajectory(Trajectory):
    """Recorded columns of a run with closed loops.

    Attributes:
        switches: how often the independent coordinates changed.
        evaluations: of the equations of motion.
    """

    switches: int = 0
    evaluations: int = 0


class Look(NamedTuple):
    """One evaluation: CLOSED, SWITCHED or what is wrong; rate of the full state, not a number on failure; record."""

    status: int
    rate: Floats
    row: Floats


class LoopRun:
    """A run under way: the choice of coordinates, the full state and what was counted."""

    def __init__(self, system: LoopSystem, x0: Floats, independent: Sequence[str] | None, hold: float) -> None:
        if not_negative("hold", hold) > 1.0:
            raise ParameterError(f"hold must be from 0 (never switch) to 1 (always the best), got {hold:g}")
        other_engine("closed loops")
        system.check_state(x0)
        self.system = system
        self.x = x0.copy()
        self.hold = hold
        self.choice = system.choice(x0[: len(system.names)], independent)
        self.switches = 0
        self.evaluations = 0
        self.fault = CLOSED
        self.rows: list[Floats] = []

    @property
    def z(self) -> Floats:
        """The state that is integrated under the present choice."""
        return self.system.reduce(self.x, self.choice)

    @property
    def integrated(self) -> Ints:
        """Rows of the full state that are integrated."""
        n = len(self.system.names)
        chosen = self.system.split(self.choice).independent
        return np.concatenate([chosen, n + chosen, np.arange(2 * n, self.x.size)])

    def look(self, t: float, z: Floats, hold: float) -> Look:
        """What the engine says, the derivative of the full state (not a number on failure), and the record."""
        row = np.zeros(len(self.system.columns))
        self.evaluations += 1
        status, dx = self.system.evaluate(t, np.ascontiguousarray(z), self.choice, self.x, hold, row)
        self.fault = CLOSED if status == SWITCHED else status
        if self.fault != CLOSED:
            dx[:] = np.nan
        self.switches += status == SWITCHED
        return Look(status, dx, row)

    def must(self, t: float, z: Floats, hold: float) -> Look:
        """The same, where a failure ends the run."""
        found = self.look(t, z, hold)
        if self.fault != CLOSED:
            raise self.diverged(t, z)
        return found

    def result(self, steps: int) -> LoopTrajectory:
        """What was recorded."""
        data = np.array(self.rows).reshape(-1, len(self.system.columns))
        names = tuple(self.system.columns)
        return LoopTrajectory(names, data, steps, switches=self.switches, evaluations=self.evaluations)

    def diverged(self, t: float, z: Floats) -> DivergedError:
        """The error of a run that cannot go on from the state z."""
        message = f"the run of {self.system.loop.name!r} is no longer finite after {t:.6g} s: use a smaller step"
        if np.all(np.isfinite(z)):
            message = self.system.complaint(self.fault, t, self.x)
        return DivergedError(message, self.result(len(self.rows)))


def run_loop_rk4(
    system: LoopSystem,
    x0: Floats,
    step: float,
    time: float,
    every: int = 1,
    independent: Sequence[str] | None = None,
    hold: float = HOLD,
    progress: Progress = unwatched,
) -> LoopTrajectory:
    """Classical RK4 with a fixed step; coordinates may switch at every step.

    Args:
        x0: full state from `LoopSystem.state`.
        step: in s. time: length of the run in s. every: steps between two records.
        independent: coordinates to begin with; the best unless given. hold: see the module.
    """
    count = record_count(step, time, every)
    run = LoopRun(system, x0, independent, hold)
    z = run.z
    watch = np.zeros(1, loop_engine.WATCH)
    watch["total"] = np.nan
    chunk = max(count // 50, 1)
    for begin in range(0, count, chunk):
        block = np.zeros((min(chunk, count - begin), len(system.columns)))
        done, switches, status = loop_engine.rk4_loop(
            *system.kernels, 0.0, z, *system.tree.arguments, system.masks, run.choice, float(hold), run.x,
            step, begin * every, every, watch, block,
        )  # fmt: skip
        run.switches += switches
        run.fault = status
        run.evaluations += 4 * every * done
        run.rows += list(block[:done])
        if status != CLOSED:
            raise run.diverged((begin + done) * every * step, z)
        progress((begin + len(block)) / count)
    run.rows.append(run.must(count * every * step, z, 0.0).row)
    return run.result(count * every)


def _record_times(time: float, records: int) -> Floats:
    """Times of equally spaced records, in s."""
    positive("time", time)
    if not isinstance(records, int) or records < 2:
        raise ParameterError(f"records must be an integer of at least 2, got {records!r}")
    return np.linspace(0.0, time, records)


def run_loop_adaptive(
    system: LoopSystem,
    x0: Floats,
    time: float,
    records: int = 1001,
    method: str = "DOP853",
    rtol: float = 1e-10,
    atol: float = 1e-12,
    independent: Sequence[str] | None = None,
    hold: float = HOLD,
    progress: Progress = unwatched,
) -> LoopTrajectory:
    """An adaptive integrator of SciPy: DOP853, RK45, RK23, Radau or BDF; a switch keeps its step."""
    from scipy import integrate

    times = _record_times(time, records)
    if method not in METHODS:
        raise UnknownNameError("method", method, METHODS)
    run = LoopRun(system, x0, independent, hold)
    run.rows.append(run.must(0.0, run.z, hold).row)
    steps = 0

    def rate(t: float, z: Floats) -> Floats:
        return np.asarray(run.look(t, z, loop_engine.KEEP_CHOICE).rate[run.integrated])

    def solver(t: float, first: float | None) -> integrate.OdeSolver:
        return getattr(integrate, method)(rate, t, run.z, time, rtol=rtol, atol=atol, first_step=first)

    running = solver(0.0, None)
    while running.status == "running":
        message = running.step()
        if running.status == "failed":
            stopped = run.diverged(running.t, running.y)
            raise DivergedError(f"{stopped} ({method}: {message})", stopped.trajectory)
        steps += 1
        due = times[len(run.rows) : int(np.searchsorted(times, running.t, side="right"))]
        if due.size:
            between = running.dense_output()
            run.rows += [run.must(t, between(t), 0.0).row for t in due]
        if run.must(running.t, running.y, hold).status == SWITCHED and running.t < time:
            running = solver(running.t, min(running.h_abs, time - running.t))
        progress(running.t / time)
    return run.result(steps)


def _switch_history(adams: Adams, run: LoopRun, history: str) -> None:
    """Continue Adams' method in the coordinates that a run has switched to."""
    if history == "restart":
        adams.restart(run.integrated, run.z)
    elif history == "convert":
        adams.convert(run.integrated, run.z)
    else:
        recovered = unwound_rates(run.system, adams, run.x[: len(run.system.names)])
        adams.adopt(run.integrated, run.z, recovered)


def run_loop_adams(
    system: LoopSystem,
    x0: Floats,
    time: float,
    rtol: float = 1e-9,
    atol: float = 1e-11,
    independent: Sequence[str] | None = None,
    hold: float = HOLD,
    history: str = "convert",
    progress: Progress = unwatched,
) -> LoopTrajectory:
    """Adams' method with one record per accepted step.

    A switch of coordinates reads the integrator's past derivatives in the new rows and keeps order and step. With the
    history "unwind" they are recovered from modified divided differences, as the paper does; with "restart" they are
    thrown away, and the integrator begins at order 1. Both are for comparison.
    """
    positive("time", time)
    finite("rtol", rtol)
    if history not in HISTORIES:
        raise UnknownNameError("history", history, HISTORIES)
    run = LoopRun(system, x0, independent, hold)
    turned = [False]

    def rate(t: float, z: Floats, accepted: bool) -> Floats:
        found = run.must(t, z, hold) if accepted else run.look(t, z, loop_engine.KEEP_CHOICE)
        if accepted and (not run.rows or t > run.rows[-1][TIME_COLUMN]):
            run.rows.append(found.row)
        turned[0] = found.status == SWITCHED
        return found.rate

    adams = Adams(rate, run.integrated, 0.0, run.z, rtol, atol)
    while adams.t < time * (1.0 - 1e-14):
        if turned[0]:
            _switch_history(adams, run, history)
        try:
            adams.step(time)
        except DivergedError as error:
            raise DivergedError(str(error), run.result(adams.steps)) from None
        progress(adams.t / time)
    return run.result(adams.steps)
