"""Impacts in detail: their phases, gravity, the sides of a wall, backlash as two contacts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ...laws.design import stable_contact_step
from ..parameters import choice
from ..scenario import Check, Metrics, Outcome, Scenario
from .phases.backlash_case import BACKLASH
from .phases.gravity_case import GRAVITY
from .phases.impact_case import ImpactCase, ImpactPhasesParameters
from .phases.phase_case import PHASES
from .phases.sides_case import SIDES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory

CASES: dict[str, ImpactCase] = {"phases": PHASES, "gravity": GRAVITY, "sides": SIDES, "backlash": BACKLASH}


@dataclass(frozen=True)
class ImpactDetailParameters(ImpactPhasesParameters):
    """Which case is run."""

    case: str = choice("phases", "what is looked at", tuple(CASES))
    inherited: ClassVar[None]


class ImpactPhases(Scenario[ImpactDetailParameters]):
    """Four cases; Tables 3.1a, 3.1b and 3.2."""

    name = "impact_phases"
    claim = (
        "Durations, losses and peak of an impact are those of integrals over the speed; gravity, rigid sides and "
        "play do what closed forms say."
    )
    source = "thesis 3.2.4, 3.2.5, 3.3.1, 5.3.3; Figs. 3.7, 3.8, 3.10, 3.13"
    parameters = ImpactDetailParameters

    def simulate(self, p: ImpactDetailParameters, progress: Progress) -> Trajectory:
        return CASES[p.case].run(p, progress)

    def measure(self, p: ImpactDetailParameters, trajectory: Trajectory) -> Metrics:
        return CASES[p.case].measure(p, trajectory)

    def check(self, p: ImpactDetailParameters, metrics: Metrics) -> list[Check]:
        return CASES[p.case].check(p, metrics)

    def stable_step(self, p: ImpactDetailParameters) -> float | None:
        return stable_contact_step(p.restriction(), p.mass, integrator="rk4") if p.case == "phases" else None

    def plot(self, outcome: Outcome[ImpactDetailParameters], figure: Figure) -> None:
        p = outcome.parameters
        CASES[p.case].plot(p, outcome.trajectory, outcome.metrics, figure)
