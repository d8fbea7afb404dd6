"""Runs of closed loops: RK4 with a fixed step, SciPy's adaptive integrators, and Adams' method with its history.

All switch their independent coordinates on the way: the present ones are held while their volume by (5) is at least
`hold` times that of the best; hold = 0 never switches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import DivergedError, ParameterError, UnknownNameError, finite, not_negative, positive
from ...numerics.adams import Adams
from ...progress import Progress, unwatched
from ...trajectory import Trajectory
from . import loop_engine
from .loop_kinematics import CLOSED, SWITCHED
from .loops import Floats, Ints, LoopSystem

HOLD = 0.7
METHODS = ("DOP853", "RK45", "RK23", "Radau", "BDF")


@dataclass(frozen=True)
class LoopTrajectory(Trajectory):
    """Recorded columns of a run with closed loops.

    Attributes:
        switches: how often the independent coordinates changed.
        evaluations: of the equations of motion.
    """

    switches: int = 0
    evaluations: int = 0


class _Run:
    """A run on its way: the choice of coordinates, the full state and what was counted."""

    def __init__(self, system: LoopSystem, x0: Floats, independent: Sequence[str] | None, hold: float) -> None:
        if not_negative("hold", hold) > 1.0:
            raise ParameterError(f"hold must be from 0 (never switch) to 1 (always the best), got {hold:g}")
        system.check_state(x0)
        self.system, self.x, self.hold = system, x0.copy(), hold
        self.choice = system.choice(x0[: len(system.names)], independent)
        self.switches = self.evaluations = 0
        self.fault = CLOSED
        self.rows: list[Floats] = []

    @property
    def z(self) -> Floats:
        """The state that is integrated under the present choice."""
        return self.system.reduce(self.x, self.choice)

    @property
    def integrated(self) -> Ints:
        """Rows of the full state that are integrated."""
        n, chosen = len(self.system.names), self.choice[2 : 2 + self.system.loop.freedom]
        return np.concatenate([chosen, n + chosen, np.arange(2 * n, self.x.size)])

    def look(self, t: float, z: Floats, hold: float) -> tuple[int, Floats, Floats]:
        """What the engine says, the derivative of the full state (not a number on failure), and the record."""
        row = np.zeros(len(self.system.columns))
        self.evaluations += 1
        status, dx = self.system.evaluate(t, np.ascontiguousarray(z), self.choice, self.x, hold, row)
        self.fault = CLOSED if status == SWITCHED else status
        if self.fault != CLOSED:
            dx[:] = np.nan
        self.switches += status == SWITCHED
        return status, dx, row

    def must(self, t: float, z: Floats, hold: float) -> tuple[int, Floats, Floats]:
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
        message = f"the run of {self.system.loop.name!r} left the finite numbers after {t:.6g} s: take a smaller step"
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
    positive("step", step)
    positive("time", time)
    if not isinstance(every, int) or every < 1:
        raise ParameterError(f"every must be a whole number of at least 1, got {every!r}")
    run, count = _Run(system, x0, independent, hold), max(round(time / step / every), 1)
    z, chunk, watch = run.z, max(count // 50, 1), np.array([np.nan, 0.0])
    p, *laws = system.tree.arguments
    for begin in range(0, count, chunk):
        block = np.zeros((min(chunk, count - begin), len(system.columns)))
        start = (0.0, z, p, *laws, system.masks, run.choice, float(hold), run.x)
        done, switches, status = loop_engine.rk4_loop(
            loop_engine.evaluate_loop, *system.kernels, *start, step, begin * every, every, watch, block
        )
        run.switches, run.fault = run.switches + switches, status
        run.evaluations += 4 * every * done
        run.rows += list(block[:done])
        if status != CLOSED:
            raise run.diverged((begin + done) * every * step, z)
        progress((begin + len(block)) / count)
    run.rows.append(run.must(count * every * step, z, 0.0)[2])
    return run.result(count * every)


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

    positive("time", time)
    if not isinstance(records, int) or records < 2:
        raise ParameterError(f"records must be a whole number of at least 2, got {records!r}")
    if method not in METHODS:
        raise UnknownNameError("method", method, METHODS)
    run, times = _Run(system, x0, independent, hold), np.linspace(0.0, time, records)
    run.rows, steps = [run.must(0.0, run.z, hold)[2]], 0

    def rate(t: float, z: Floats) -> Floats:
        return np.asarray(run.look(t, z, -1.0)[1][run.integrated])

    def solver(t: float, first: float | None) -> integrate.OdeSolver:
        kind = getattr(integrate, method)
        return kind(rate, t, run.z, time, rtol=rtol, atol=atol, first_step=first)

    running = solver(0.0, None)
    while running.status == "running":
        message = running.step()
        if running.status == "failed":
            stopped = run.diverged(running.t, running.y)
            raise DivergedError(f"{stopped} ({method}: {message})", stopped.trajectory)
        steps += 1
        last = int(np.searchsorted(times, running.t, side="right"))
        if last > len(run.rows):
            between = running.dense_output()
            run.rows += [run.must(t, between(t), 0.0)[2] for t in times[len(run.rows) : last]]
        if run.must(running.t, running.y, hold)[0] == SWITCHED and running.t < time:
            running = solver(running.t, min(running.h_abs, time - running.t))
        progress(running.t / time)
    return run.result(steps)


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

    Args:
        history: what a switch does to the integrator's past derivatives: "convert" reads them in the new coordinates
            and keeps order and step; "restart" throws them away and begins at order 1, for comparison.
    """
    positive("time", time)
    finite("rtol", rtol)
    if history not in ("convert", "restart"):
        raise UnknownNameError("history", history, ("convert", "restart"))
    run = _Run(system, x0, independent, hold)
    turned = [False]

    def rate(t: float, z: Floats, accepted: bool) -> Floats:
        status, dx, row = (run.must if accepted else run.look)(t, z, hold if accepted else -1.0)
        if accepted and (not run.rows or t > run.rows[-1][0]):
            run.rows.append(row)
        turned[0] = status == SWITCHED
        return dx

    adams = Adams(rate, run.integrated, 0.0, run.z, rtol, atol)
    while adams.t < time * (1.0 - 1e-14):
        if turned[0]:
            (adams.convert if history == "convert" else adams.restart)(run.integrated, run.z)
        try:
            adams.step(time)
        except DivergedError as error:
            raise DivergedError(str(error), run.result(adams.steps)) from None
        progress(adams.t / time)
    return run.result(adams.steps)
