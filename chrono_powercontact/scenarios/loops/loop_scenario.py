"""What the scenarios of closed loops share: running, the claim about energy, reaction and switching, the picture."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from ...report.style import energy_panel, panel
from ..parameters import CHRONO, REFERENCE, Timed, chrono_integrator, number, run_length, time_step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, StepLimit, below
from ..scenes.moving_scenes import bars, scene_of
from ..timing import steps_per_record
from .free_bodies import largest_difference
from .loop_pictures import history_panel, linkage, reaction_panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...lagrange.loops.loops import LoopSystem
    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording
    from .histories import HistoryCost

CLOSED = 1e-9
"""How far the pins of a loop may gape, in m, on the reference engine."""

ENERGY = {REFERENCE: 1e-7, CHRONO: 2e-3}
"""Largest error of the ledger over the largest kinetic energy."""

SAVED = 0.05
"""Least fraction of evaluations that a kept history saves where switches are about 0.1 s apart."""

REACTION = {REFERENCE: 1e-5, CHRONO: 2e-3}
"""Largest difference of the reaction from that of the free bodies, over its size; Chrono's joints are closed to the
order of its step."""


@dataclass(frozen=True)
class LoopParameters(Timed):
    """Parameters that every mechanism has."""

    hold: float = number(
        0.7,
        "coordinates are kept while their volume is at least this fraction of the best one's; 0 never switches",
        minimum=0.0,
        maximum=1.0,
    )
    time: float = run_length(1.0)
    step: float = time_step(1e-4)
    integrator: str = chrono_integrator("hht")


L = TypeVar("L", bound=LoopParameters)


class LoopScenario(Scenario[L]):
    """A mechanism whose loop is cut at one pin on the reference engine and closed by joints on Chrono."""

    engines: ClassVar[tuple[str, ...]] = (CHRONO, REFERENCE)
    cut: ClassVar[str]
    """Name of the pin at which the loop is cut."""
    angles: ClassVar[tuple[str, ...]]
    """Coordinates that are angles."""
    first: ClassVar[tuple[str, ...]]
    """Independent coordinates in which the start is given."""
    longest: ClassVar[float]
    """The longest step in s with which Chrono's joints keep the claim."""

    @abstractmethod
    def numbers(self, p: L) -> dict[str, float]:
        """Parameters of the reference model by name."""

    @abstractmethod
    def start(self, p: L) -> tuple[list[float], list[float]]:
        """All coordinates at the start, and the velocities of the independent ones."""

    @abstractmethod
    def pins(self, p: L, run: Trajectory) -> list[np.ndarray]:
        """Lines of the drawing: positions in m of the pins along each chain of bars, by record."""

    @abstractmethod
    def free_body_force(self, p: L, run: Trajectory) -> np.ndarray:
        """The reaction at the cut by Newton and Euler from the recorded motion, by rows in N."""

    @abstractmethod
    def gap(self, p: L, run: Trajectory) -> np.ndarray:
        """How far the cut pin gapes in m, by record."""

    @abstractmethod
    def build(self, p: L) -> LoopSystem:
        """The mechanism with its numbers on the reference engine."""

    def begins_with(self, p: L) -> Sequence[str] | None:
        """Independent coordinates to begin with; the best ones unless a mechanism lets the user choose."""
        return None

    def simulate(self, p: L, progress: Progress) -> Trajectory:
        from ...lagrange.loops.loop_runs import run_loop_rk4

        system = self.build(p)
        q, u = self.start(p)
        x = system.state(q, u, self.first)
        return run_loop_rk4(
            system, x, p.step, p.time, steps_per_record(p), self.begins_with(p), p.hold, progress
        )  # fmt: skip

    def simulate_chrono(self, p: L, progress: Progress) -> Trajectory:
        from .loop_chrono import run_on_chrono

        return run_on_chrono(self, p, progress)

    def histories(self, p: L) -> Mapping[str, HistoryCost]:
        """Cost and error of Adams' method with each treatment of its history."""
        from .histories import history_costs

        q, u = self.start(p)
        return history_costs(self.build(p), q, u, self.first, p.time, p.hold)

    def step_limit(self, engine: str, p: L) -> StepLimit | None:
        if engine != CHRONO:
            return super().step_limit(engine, p)
        why = "its joints are closed, and their reactions known, to the order of the step"
        return StepLimit(self.longest, "the longest step of Chrono's that keeps the claim", why)

    def reaction(self, run: Trajectory) -> np.ndarray:
        """The recorded reaction at the cut, by rows in N."""
        return np.column_stack([run[f"R_{self.cut}_{i}"] for i in (1, 2)])

    def measure(self, p: L, trajectory: Trajectory) -> Metrics:
        run = trajectory
        found = {
            "energy_start": float(run.energy[0]),
            "ledger_error": float(np.abs(run.ledger_error).max() / run["kinetic"].max()),
            "gap": float(self.gap(p, run).max()),
            "reaction_start": self.reaction(run)[0].tolist(),
            "reaction_peak": float(np.linalg.norm(self.reaction(run), axis=1).max()),
            "reaction_error": largest_difference(run["t"], self.reaction(run), self.free_body_force(p, run)),
            "switches": None,
            "least_volume": None,
        }
        if "independent" in run.names:
            found["switches"] = int(np.count_nonzero(np.diff(run["independent"])))
            found["coordinates_used"] = len(set(run["independent"].tolist()))
            found["least_volume"] = float(run["volume"].min())
        if found["switches"]:
            found |= measured_histories(self.histories(p))
        return found

    def check(self, p: L, metrics: Metrics) -> list[Check]:
        return self.check_on(REFERENCE, p, metrics)

    def check_on(self, engine: str, p: L, metrics: Metrics) -> list[Check]:
        checks = [
            below("ledger error over kinetic energy", metrics["ledger_error"], ENERGY[engine]),
            below("reaction away from the free bodies'", metrics["reaction_error"], REACTION[engine]),
        ]
        if engine == REFERENCE:
            checks.append(below("gap of the cut pin", metrics["gap"], CLOSED, "m"))
        return [*checks, *self.own_checks(engine, p, metrics)]

    def own_checks(self, engine: str, p: L, metrics: Metrics) -> list[Check]:
        """What one mechanism claims beyond the others."""
        return []

    def plot(self, outcome: Outcome[L], figure: Figure) -> None:
        run = outcome.trajectory
        (a, b), (c, d) = figure.subplots(2, 2)
        angles = {name: run[name] for name in self.angles}
        panel(a, run["t"], angles, "coordinates", "time in s", "angle in rad")
        reaction_panel(b, run, self.reaction(run), self.free_body_force(outcome.parameters, run))
        energy_panel(c, run)
        history_panel(d, run, outcome.metrics)

    def scene(self, outcome: Outcome[L]) -> Recording:
        run = outcome.trajectory
        return scene_of(self, outcome, bars(self.pins(outcome.parameters, run)), (), (*self.angles, "volume"))

    def animate(self, outcome: Outcome[L], axes: Axes) -> Redraw:
        return linkage(self.name, outcome.trajectory, self.pins(outcome.parameters, outcome.trajectory), axes)


def measured_histories(costs: Mapping[str, HistoryCost]) -> dict[str, Any]:
    """Evaluations and errors of Adams' method by the treatment of its history, and what conversion saves."""
    restart = costs["restart"].evaluations
    return {
        "adams_switches": costs["convert"].switches,
        "evaluations": {name: cost.evaluations for name, cost in costs.items()},
        "end_errors": {name: cost.error for name, cost in costs.items()},
        "saved_by_convert": 1.0 - costs["convert"].evaluations / restart,
        "saved_by_unwind": 1.0 - costs["unwind"].evaluations / restart,
    }


def saves(metrics: Metrics, least: float) -> list[Check]:
    """Checks that both ways of keeping the history save a fraction of the evaluations; none without a switch."""
    if not metrics["switches"]:
        return []
    return [
        Check(f"{name} saves {metrics[key]:.1%} of the evaluations (at least {least:.0%})", metrics[key] >= least)
        for name, key in (("conversion", "saved_by_convert"), ("unwinding", "saved_by_unwind"))
    ]
