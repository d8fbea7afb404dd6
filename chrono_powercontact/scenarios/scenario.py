"""What a scenario is: a system of the sources with parameters, metrics, a claim, a picture and an animation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

from ..errors import ParameterError
from .parameters import Parameter, Value, integrator

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..progress import Progress
    from ..trajectory import Trajectory

Metrics = dict[str, Any]
Redraw = Callable[[int], None]


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
class Outcome:
    """What a run gave: parameters, trajectory, metrics and the checks of the claim."""

    parameters: SimpleNamespace
    trajectory: Trajectory
    metrics: Metrics
    checks: list[Check] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether every part of the claim holds."""
        return all(check.passed for check in self.checks)


class Scenario(ABC):
    """One system; each engine that can run it returns a trajectory with the columns that are measured and drawn."""

    name: ClassVar[str]
    claim: ClassVar[str]
    source: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    engines: ClassVar[tuple[str, ...]] = ("reference",)
    """Engines that can run it; ("chrono", "reference") where there is a Chrono scene."""
    integrator: ClassVar[str] = "runge_kutta"
    """Chrono's integrator unless set, by the names of `chrono.api.INTEGRATORS`."""
    chrono_defaults: ClassVar[dict[str, Value]] = {}
    """Defaults that differ on Chrono."""
    recorded: ClassVar[tuple[str, ...]] = ()
    """Columns that `powercontact record` keeps; all unless given."""
    recorded_with: ClassVar[dict[str, Value]] = {}
    """Parameters of the recorded run, where the defaults take long."""
    models: ClassVar[dict[str, dict[str, object]]] = {}
    """Laws that `compare` may put side by side: the parameters that choose each of them."""
    compared: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    """Signals in the picture of `compare`: column across, column, label."""
    ranked: ClassVar[tuple[str, ...]] = ()
    """Metrics in the table of `compare`."""

    @abstractmethod
    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        """Run on the reference engine."""

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        """Run on Chrono; `p.integrator` names its integrator."""
        raise ParameterError(f"scenario {self.name!r} has no Chrono scene; its engines are {', '.join(self.engines)}")

    def not_on_chrono(self, p: SimpleNamespace) -> str | None:
        """Why Chrono cannot run with these parameters, in one sentence; None where it can."""
        return None

    def parameters_on(self, engine: str) -> tuple[Parameter, ...]:
        """The parameters of an engine: Chrono has an integrator, and its own defaults where they differ."""
        if engine != "chrono":
            return self.parameters
        own = (replace(x, default=self.chrono_defaults.get(x.name, x.default)) for x in self.parameters)
        return (*own, integrator(self.integrator))

    @abstractmethod
    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        """Metrics of a run, as they stand in summary.json."""

    @abstractmethod
    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        """The claim, part by part."""

    def behaves(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        """What a run must do for its step to count as small enough in `compare`; the same for every law."""
        return self.check(p, metrics)

    @abstractmethod
    def plot(self, outcome: Outcome, figure: Figure) -> None:
        """Draw the run."""

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw | None:
        """Set up a scene and return the function that draws record number i; None where nothing moves."""
        return None

    def comparison(self, models: Sequence[str], given: Mapping[str, object], folder: Path) -> dict[str, Any] | None:
        """A comparison of its own: "models" with a row each, and "missing"; None where `compare` runs each one once."""
        return None

    def step(self, p: SimpleNamespace) -> float | None:
        """The integration step in s that a run takes; None where it has none."""
        return getattr(p, "step", None)

    def time(self, p: SimpleNamespace) -> float | None:
        """Length of a run in s; None where it is not known before."""
        return getattr(p, "time", None)

    def stable_step(self, p: SimpleNamespace) -> float | None:
        """Largest step in s that the explicit integrator may take, where a rule is known."""
        return None

    def run(self, p: SimpleNamespace, progress: Progress = lambda share: None, engine: str = "reference") -> Outcome:
        """Run on an engine, measure, and check the claim."""
        trajectory = self.simulate_chrono(p, progress) if engine == "chrono" else self.simulate(p, progress)
        metrics = self.measure(p, trajectory)
        return Outcome(p, trajectory, metrics, self.check(p, metrics))


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
