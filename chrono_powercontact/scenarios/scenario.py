"""What a scenario is: a system of the sources with parameters, metrics, a claim, a picture and an animation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple

from ..chrono.api.bridge import LINEARIZED
from ..chrono.run.collision_defaults import chronos_own_defaults
from ..chrono.run.surfaces import BUILT_IN
from ..errors import ParameterError
from ..progress import Progress, unwatched
from .parameters import CHRONO, REFERENCE, Known, P, Parameters, Stepped, Timed, Value

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from ..lagrange.system import System
    from ..observer.filters.sigma_point_filter import SigmaPointFilter
    from ..trajectory import Trajectory
    from ..view.recording import Recording
    from .co_simulation import Unit

Metrics = dict[str, Any]
Redraw = Callable[[int], None]


class StepLimit(NamedTuple):
    """The longest step in s with which a run can keep its claim.

    Attributes:
        step: in s.
        name: what it is called.
        why: what happens beyond it.
    """

    step: float
    name: str = "the largest stable step"
    why: str = "the result may be wrong"

    def __str__(self) -> str:
        return f"{self.name} {self.step:.3g} s: {self.why}"


class ReferenceRun(NamedTuple):
    """A run of the reference engine, with the arguments of `run_rk4` and `run_ensemble`; step and time in s."""

    system: System
    start: NDArray[np.float64]
    step: float
    time: float
    every: int


@dataclass(frozen=True)
class Check:
    """One part of a claim.

    Attributes:
        text: what was compared, with its numbers.
        passed: whether it holds.
    """

    text: str
    passed: bool


@dataclass(frozen=True)
class Sensitivities:
    """Derivatives of a run's metrics.

    Attributes:
        by: parameters by which the run was differentiated.
        method: "exact", or "differences" of runs.
        metrics: derivative of each metric by each parameter, of a list of numbers one for each; None where there is
            none: what is no number or has a kink.
    """

    by: tuple[str, ...]
    method: str
    metrics: dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Outcome(Generic[P]):
    """What a run gave.

    Attributes:
        parameters: as they were used.
        trajectory: recorded columns.
        metrics: as summary.json holds them.
        checks: the claim, part by part.
        sensitivities: derivatives of the metrics, where they were asked for.
    """

    parameters: P
    trajectory: Trajectory
    metrics: Metrics
    checks: list[Check] = field(default_factory=list)
    sensitivities: Sensitivities | None = None

    @property
    def passed(self) -> bool | None:
        """Whether every part of the claim holds; None where no part of it could be judged."""
        return verdict(self.checks)


def verdict(checks: Sequence[Check]) -> bool | None:
    """Whether all checks hold; None where there are none, for what was not judged did not pass."""
    return all(check.passed for check in checks) if checks else None


class Scenario(ABC, Generic[P]):
    """One system; each engine that can run it returns a trajectory with the columns that are measured and drawn."""

    name: ClassVar[str]
    claim: ClassVar[str]
    source: ClassVar[str]
    parameters: type[P]
    """The dataclass that declares what may be set."""
    engines: ClassVar[tuple[str, ...]] = (REFERENCE,)
    """Engines that can run it; ("chrono", "reference") where there is a Chrono scene."""
    in_time: ClassVar[bool] = True
    """Whether the rows of its trajectories are instants; `powercontact record` leaves out the others."""
    recorded: ClassVar[tuple[str, ...]] = ()
    """Columns that `powercontact record` keeps; all unless given."""
    recorded_with: ClassVar[dict[str, Value]] = {}
    """Parameters of the recorded run, where the defaults take long."""
    also_recorded: ClassVar[dict[str, dict[str, Value]]] = {}
    """Parameters of further recorded runs, by a word that their file is named after."""
    models: ClassVar[dict[str, dict[str, object]]] = {}
    """Laws that `compare` may put side by side: the parameters that choose each of them."""
    compared: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    """Signals in the picture of `compare`: column across, column, label."""
    log_from: ClassVar[float | None] = None
    """Size from which the axes of that picture are logarithmic, where the laws differ by orders of magnitude."""
    ranked: ClassVar[tuple[str, ...]] = ()
    """Metrics in the table of `compare`."""

    @abstractmethod
    def simulate(self, p: P, progress: Progress) -> Trajectory:
        """Run on the reference engine."""

    def reference_run(self, p: P) -> ReferenceRun | None:
        """The run that `simulate` makes, where it is one run of RK4: many of them can then be an ensemble."""
        return None

    def simulate_chrono(self, p: P, progress: Progress) -> Trajectory:
        """Run on Chrono; `p.integrator` names its integrator."""
        raise ParameterError(f"scenario {self.name!r} has no Chrono scene; its engines are {', '.join(self.engines)}")

    def not_on_chrono(self, p: P) -> str | None:
        """Why Chrono cannot run with these parameters, in one sentence; None where it can."""
        return None

    def parameters_on(self, engine: str) -> Known[P]:
        """The parameters on an engine: Chrono has an integrator, and its own defaults where they differ."""
        return Known(self.parameters, engine)

    @abstractmethod
    def measure(self, p: P, trajectory: Trajectory) -> Metrics:
        """Metrics of a run, as summary.json holds them."""

    @abstractmethod
    def check(self, p: P, metrics: Metrics) -> list[Check]:
        """The claim, part by part; nothing where no part can be judged with these parameters."""

    def check_on(self, engine: str, p: P, metrics: Metrics) -> list[Check]:
        """The claim of a run on an engine; the same on every one unless a scenario allows one of them more."""
        return self.check(p, metrics)

    def behaves(self, p: P, metrics: Metrics) -> list[Check]:
        """What a run must do for its step to count as small enough in `compare`; the same for every law."""
        return self.check(p, metrics)

    @abstractmethod
    def plot(self, outcome: Outcome[P], figure: Figure) -> None:
        """Draw the run."""

    def documents(self, outcome: Outcome[P]) -> dict[str, str]:
        """Texts that a run folder holds besides, by the name of their file; nothing unless a scenario has some."""
        return {}

    def animate(self, outcome: Outcome[P], axes: Axes) -> Redraw | None:
        """Set up a scene and return the function that draws record number i; None where nothing moves."""
        return None

    def scene(self, outcome: Outcome[P]) -> Recording | None:
        """The run as a moving 3-D scene, see `record`; None where nothing moves, or where a run was not watched."""
        scene: Recording | None = outcome.trajectory.scene
        return None if scene is None else replace(scene, title=f"{self.name}: {self.claim}")

    def comparison(self, models: Sequence[str], given: Mapping[str, object], folder: Path) -> dict[str, Any] | None:
        """A comparison of its own: "models" with a row each, and "missing"; None where `compare` runs each one once."""
        return None

    def exported_observer(self, p: P) -> SigmaPointFilter | None:
        """The observer that `powercontact export` writes as C; None where the scenario has none."""
        return None

    def export_samples(self, p: P) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Inputs and measurements, one row per sample, on which an exported observer is compared with its twin."""
        raise ParameterError(f"scenario {self.name!r} has no samples for an observer")

    def unit(self, p: P) -> Unit | None:
        """The plant or observer that `powercontact export` writes as an FMU; None where the scenario has none."""
        return None

    def step(self, p: P) -> float | None:
        """The integration step in s that a run takes; None where it has none."""
        return p.step if isinstance(p, Stepped) else None

    def time(self, p: P) -> float | None:
        """Length of a run in s; None where it is not known before."""
        return p.time if isinstance(p, Timed) else None

    def stable_step(self, p: P) -> float | None:
        """Largest step in s that the reference engine may take, where a rule is known."""
        return None

    def step_limit(self, engine: str, p: P) -> StepLimit | None:
        """The longest step that an engine may take, where a rule is known."""
        if engine == CHRONO and solves_for_forces(p):
            return self.long_step_limit(p)
        stable = self.stable_step(p)
        return None if stable is None else StepLimit(stable)

    def long_step_limit(self, p: P) -> StepLimit | None:
        """The longest step where contact forces are those at its end; None where the claim holds at any."""
        return None

    def fit_to_step(self, p: P) -> P:
        """Parameters on Chrono with the integrator for their step: beyond the stable one, that with forces at its end.

        Only for an integrator that the user did not choose.
        """
        step = self.step(p)
        stable = self.stable_step(p)
        if step is None or stable is None or step <= stable:
            return p
        return replace(p, integrator=LINEARIZED[0])

    def run(
        self, p: P, progress: Progress = unwatched, engine: str = REFERENCE, sensitivities: Sequence[str] = ()
    ) -> Outcome[P]:
        """Run on an engine, measure, and check the claim.

        Args:
            sensitivities: parameters by which columns and metrics are differentiated: exactly on the reference engine,
                by differences of runs on Chrono.
        """
        if len(sensitivities) > 0:
            from .scenario_sensitivity import run_differentiated

            return run_differentiated(self, p, progress, engine, sensitivities)
        if engine == CHRONO:
            with chronos_own_defaults():
                trajectory = self.simulate_chrono(p, progress)
        else:
            trajectory = self.simulate(p, progress)
        metrics = self.measure(p, trajectory)
        return Outcome(p, trajectory, metrics, self.check_on(engine, p, metrics))


def solves_for_forces(p: Parameters) -> bool:
    """Whether a run on Chrono takes our forces at the end of a step where the step is long."""
    return p.integrator in LINEARIZED and getattr(p, "law", None) not in BUILT_IN


def within(name: str, value: float, target: float, tolerance: float, unit: str = "") -> Check:
    """A check that a value meets a target to an absolute tolerance."""
    tail = f" {unit}" if unit else ""
    difference = f"difference {abs(value - target):.2g}, allowed {tolerance:.2g}"
    text = f"{name} {value:.6g}{tail} against {target:.6g}{tail} ({difference})"
    return Check(text, bool(abs(value - target) <= tolerance))


def below(name: str, value: float, limit: float, unit: str = "") -> Check:
    """A check that a value does not exceed a limit."""
    tail = f" {unit}" if unit else ""
    return Check(f"{name} {value:.3g}{tail} (allowed {limit:.3g}{tail})", bool(value <= limit))


def above(name: str, value: float, limit: float, unit: str = "") -> Check:
    """A check that a value exceeds a limit."""
    tail = f" {unit}" if unit else ""
    return Check(f"{name} {value:.3g}{tail} (more than {limit:.3g}{tail})", bool(value > limit))


def energy_gain(trajectory: Trajectory) -> float:
    """How far kinetic and potential energy rise above their start, in J; zero where they do not."""
    mechanical = trajectory["kinetic"] + trajectory["potential"]
    return float(max((mechanical - mechanical[0]).max(), 0.0))
