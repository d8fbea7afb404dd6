"""Derivatives of a scenario's run by its parameters: of its columns and of its metrics.

The runs that a scenario asks the reference engine for are done with dual numbers. What Python makes of the parameters
before a run, and of the records after it, costs little and is repeated for nearby values: it is differentiated by
differences to about ten digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError, UnknownNameError
from ..lagrange.runs import RunPlan, runs_by, told_of_others
from ..lagrange.sensitivity.tangent_runs import Direction, run_tangent, with_derivatives
from ..lagrange.sensitivity.variables import Setting
from ..progress import Progress, unwatched
from ..trajectory import Trajectory
from .parameters import CHRONO, REFERENCE, Known, P, Parameter
from .scenario import Metrics, Outcome, Scenario, Sensitivities

Array = NDArray[np.float64]
Slopes = dict[str, dict[str, Any]]
"""Derivative of each metric by each parameter: a number, or a list of them; None where there is none."""

EXACT = "exact"
DIFFERENCES = "differences"
"""How derivatives are found: with dual numbers; on Chrono, in closed loops and other engines from several runs."""

APART = {REFERENCE: 1e-4, CHRONO: 1e-3}
"""Change of a parameter between two runs that are compared, as a fraction of it; Chrono's solvers have tolerances."""

NEAR = 1e-6
"""Change of a parameter over which metrics are compared, as a fraction of it."""

KINK = 1e-3
"""Relative difference of the slopes to both sides from which a metric counts as having a kink."""

RUGGED = 0.5
"""The same for differences of runs, between which a metric bends."""

ROUNDING = 1e-12
"""Relative difference of two metrics that is their rounding."""

FIXED = ("step", "time")
"""Numbers of a run by which its motion has no derivative: how it is computed, and for how long."""


class Differentiated(NamedTuple):
    """A run with its derivatives.

    Attributes:
        trajectory: the columns, and behind them d(column)/d(parameter).
        metrics: of the run. slopes: their derivatives.
    """

    trajectory: Trajectory
    metrics: Metrics
    slopes: Slopes


class NotExactError(ParameterError):
    """A scenario makes no run that could be done with dual numbers."""


class _Planned(Exception):
    """Ends a simulation at the run whose plan was wanted."""

    def __init__(self, plan: RunPlan) -> None:
        super().__init__()
        self.plan = plan


@dataclass(frozen=True)
class _Run:
    """A run of the reference engine with its derivatives, a table like that of the run for each parameter."""

    plan: RunPlan
    trajectory: Trajectory
    rates: list[Array]

    def moved(self, direction: int, change: float) -> Trajectory:
        """The run for a small change of a parameter."""
        return replace(self.trajectory, data=self.trajectory.data + change * self.rates[direction])


@dataclass
class _Replay:
    """Answers a scenario with runs that are done, in their order; one that it has not is planned, not done."""

    runs: list[Trajectory]
    count: int = 0

    def __call__(self, plan: RunPlan) -> Trajectory:
        if self.count == len(self.runs):
            raise _Planned(plan)
        self.count += 1
        return self.runs[self.count - 1]


@dataclass
class _Recorder:
    """Does the runs of a scenario with dual numbers, and keeps them."""

    scenario: Scenario[Any]
    p: Any
    names: Sequence[str]
    progress: Progress
    done: list[_Run] = field(default_factory=list)

    def __call__(self, plan: RunPlan) -> Trajectory:
        along = [Direction(n, float(getattr(self.p, n)), partial(self._setting, plan.step, n)) for n in self.names]
        self.done.append(_Run(plan, *run_tangent(plan, along)))
        return self.done[-1].trajectory

    def _planned(self, name: str, value: float) -> RunPlan:
        """The plan of the next run with another value of a parameter."""
        earlier = [run.moved(self.names.index(name), value - float(getattr(self.p, name))) for run in self.done]
        try:
            with runs_by(_Replay(earlier)):
                self.scenario.simulate(changed(self.p, name, value), unwatched)
        except _Planned as ended:
            return ended.plan
        raise ParameterError(f"scenario {self.scenario.name!r} makes fewer runs where {name} is {value:g}")

    def _setting(self, step: float, name: str, value: float) -> Setting:
        """What the next run begins with; raises where its step follows from the parameter and so changes by itself."""
        with _beside(name, float(getattr(self.p, name))):
            plan = self._planned(name, value)
        if plan.step != step:
            raise ParameterError(f"there is no derivative by {name}: the integration step follows from it")
        return Setting(plan.system, plan.start)


def changed(p: P, name: str, value: float) -> P:
    """Parameters with another value of one of them."""
    values: dict[str, Any] = {name: value}
    return replace(p, **values)


@contextmanager
def _beside(name: str, value: float) -> Iterator[None]:
    """Tells of a parameter at a limit that values beside it are refused."""
    try:
        yield
    except ParameterError as error:
        raise ParameterError(
            f"there is no derivative by {name} at {value:g}: a value beside it is refused ({error})"
        ) from None


def check_names(scenario: Scenario[P], names: Sequence[str], engine: str) -> None:
    """Raise where something is no parameter of the scenario, or one without a derivative."""
    if isinstance(names, str):
        raise ParameterError(f"sensitivities must be a list of names, got {names!r}")
    known: dict[str, Parameter] = {parameter.name: parameter for parameter in Known(scenario.parameters, engine)}
    for name in names:
        if name not in known:
            raise UnknownNameError("parameter to differentiate by", name, known)
        default = known[name].default
        if isinstance(default, bool | int | str):
            kind = "true or false" if isinstance(default, bool) else "a word" if isinstance(default, str) else "a count"
            raise ParameterError(f"there is no derivative by {name}: it is {kind}")
        if name in FIXED:
            raise ParameterError(f"there is no derivative by {name}: the motion does not depend on it")


def differentiate(
    scenario: Scenario[P], p: P, names: Sequence[str], progress: Progress = unwatched
) -> Differentiated:  # fmt: skip
    """Run a scenario on the reference engine, with the exact derivatives of its columns and metrics."""
    check_names(scenario, names, REFERENCE)
    recorder = _Recorder(scenario, p, names, progress)

    def refuse(engine: str) -> None:
        raise NotExactError(
            f"scenario {scenario.name!r} runs on {engine}, which has no exact derivatives: "
            "take differences over a sweep"
        )

    with told_of_others(refuse):
        with runs_by(recorder):
            trajectory = scenario.simulate(p, progress)
        metrics = scenario.measure(p, trajectory)
    if not recorder.done:
        refuse("an engine of its own")
    rates: dict[str, Array] = {}
    slopes: Slopes = {name: {} for name in metrics}
    run = recorder.done[-1]
    is_run = trajectory is run.trajectory
    for direction, name in enumerate(names):
        low, high = (_nearby(recorder, direction, side, is_run) for side in (-1.0, 1.0))
        rates[name] = run.rates[direction] if is_run else _rates(low, high)
        for metric, slope in _metric_slopes(metrics, low, high).items():
            slopes[metric][name] = slope
    return Differentiated(with_derivatives(trajectory, rates), metrics, slopes)


class _End(NamedTuple):
    """What a scenario gives for a nearby value of a parameter: the change, its columns, its metrics."""

    change: float
    trajectory: Trajectory
    metrics: Metrics


def _nearby(recorder: _Recorder, direction: int, side: float, is_run: bool) -> _End:
    """The scenario with a slightly different parameter, its runs moved along their derivatives.

    Where the columns of the scenario are those of its run, it need not simulate again.
    """
    name = recorder.names[direction]
    value = float(getattr(recorder.p, name))
    change = side * NEAR * (abs(value) or 1.0)
    moved = [run.moved(direction, change) for run in recorder.done]
    with _beside(name, value):
        p = changed(recorder.p, name, value + change)
        if is_run:
            return _End(change, moved[-1], recorder.scenario.measure(p, moved[-1]))
        with runs_by(_Replay(moved)):
            trajectory = recorder.scenario.simulate(p, unwatched)
        return _End(change, trajectory, recorder.scenario.measure(p, trajectory))


def _rates(low: _End, high: _End) -> Array:
    """Derivatives of what a scenario made of its runs."""
    rates: Array = (high.trajectory.data - low.trajectory.data) / (high.change - low.change)
    return rates


class _Change(NamedTuple):
    """How far a parameter is below and above, and the relative difference of slopes that counts as a kink."""

    below: float
    above: float
    kink: float


def _metric_slopes(metrics: Metrics, low: _End, high: _End, kink: float = KINK) -> dict[str, Any]:
    """Derivatives of all metrics by one parameter."""
    change = _Change(low.change, high.change, kink)
    return {name: _slope(change, low.metrics.get(name), at, high.metrics.get(name)) for name, at in metrics.items()}


def _slope(change: _Change, below: Any, here: Any, above: Any) -> Any:
    """Derivative of a number, or of each in a list; None where something is no number or has a kink."""
    found = (below, here, above)
    if all(isinstance(x, list) for x in found) and len(below) == len(here) == len(above):
        slopes = [_slope(change, *each) for each in zip(*found, strict=True)]
        return slopes if any(slope is not None for slope in slopes) else None
    if not all(isinstance(x, float) and np.isfinite(x) for x in found):
        return None
    left = (below - here) / change.below
    right = (above - here) / change.above
    if abs(left - right) > change.kink * max(abs(left), abs(right)) + ROUNDING * abs(here / change.above):
        return None
    return float((above - below) / (change.above - change.below))


def run_differentiated(
    scenario: Scenario[P], p: P, progress: Progress, engine: str, names: Sequence[str]
) -> Outcome[P]:
    """Run on an engine with derivatives, measure, and check the claim."""
    check_names(scenario, names, engine)
    if engine == CHRONO:
        return _by_differences(scenario, p, progress, engine, names)
    try:
        found = differentiate(scenario, p, names, progress)
    except NotExactError:
        return _by_differences(scenario, p, progress, engine, names)
    checks = scenario.check_on(engine, p, found.metrics)
    return Outcome(p, found.trajectory, found.metrics, checks, Sensitivities(tuple(names), EXACT, found.slopes))


def _by_differences(scenario: Scenario[P], p: P, progress: Progress, engine: str, names: Sequence[str]) -> Outcome[P]:
    """A run on an engine, and two more for each parameter, which differ a little from it."""
    outcome = scenario.run(p, progress, engine)
    slopes: Slopes = {name: {} for name in outcome.metrics}
    rates: dict[str, Array] = {}
    for name in names:
        value = float(getattr(p, name))
        change = APART[engine] * (abs(value) or 1.0)
        changes = (-change, change)
        with _beside(name, value):
            runs = [scenario.run(changed(p, name, value + part), unwatched, engine) for part in changes]
        low, high = (_End(part, run.trajectory, run.metrics) for part, run in zip(changes, runs, strict=True))
        for metric, slope in _metric_slopes(outcome.metrics, low, high, RUGGED).items():
            slopes[metric][name] = slope
        if all(_same_rows(outcome.trajectory, end.trajectory) for end in (low, high)):
            rates[name] = _rates(low, high)
    found = Sensitivities(tuple(names), DIFFERENCES, slopes)
    return replace(outcome, trajectory=with_derivatives(outcome.trajectory, rates), sensitivities=found)


def _same_rows(run: Trajectory, other: Trajectory) -> bool:
    """Whether the rows of two runs belong together: the same columns at the same times."""
    same = run.names == other.names and run.data.shape == other.data.shape
    return same and ("t" not in run.names or bool(np.array_equal(run["t"], other["t"])))
