"""What a scenario is: a system of the sources with parameters, metrics, a claim, a picture and an animation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

from .parameters import Parameter

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..lagrange.integrate import Progress, Trajectory

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
    """One system; each engine that can run it returns a trajectory with the same columns."""

    name: ClassVar[str]
    claim: ClassVar[str]
    source: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    engines: ClassVar[tuple[str, ...]] = ("reference",)
    models: ClassVar[dict[str, dict[str, object]]] = {}
    """Laws that `compare` may put side by side: the parameters that choose each of them."""
    compared: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    """Signals in the picture of `compare`: column across, column, label."""
    ranked: ClassVar[tuple[str, ...]] = ()
    """Metrics in the table of `compare`."""

    @abstractmethod
    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        """Run on the reference engine."""

    @abstractmethod
    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        """Metrics of a run, as they stand in summary.json."""

    @abstractmethod
    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        """The claim, part by part."""

    @abstractmethod
    def plot(self, outcome: Outcome, figure: Figure) -> None:
        """Draw the run."""

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw | None:
        """Set up a scene and return the function that draws record number i; None where nothing moves."""
        return None

    def stable_step(self, p: SimpleNamespace) -> float | None:
        """Largest step in s that the explicit integrator may take, where a rule is known."""
        return None

    def run(self, p: SimpleNamespace, progress: Progress = lambda share: None) -> Outcome:
        """Run on the reference engine, measure, and check the claim."""
        trajectory = self.simulate(p, progress)
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
