"""The arms of the rake cleaner: reduced against full, how many modes, dropped modes, and the flow over the depth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ..parameters import choice
from ..scenario import Check, Metrics, Outcome, Scenario
from .modes.arm_case import ArmCase, ArmModesParameters
from .modes.beams_case import BEAMS
from .modes.count_case import COUNT
from .modes.dropped_case import DROPPED
from .modes.flow_case import FLOW
from .modes.machine_case import MACHINE
from .modes.reduction_case import REDUCTION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory

CASES: dict[str, ArmCase] = {
    "reduction": REDUCTION,
    "machine": MACHINE,
    "beams": BEAMS,
    "count": COUNT,
    "dropped": DROPPED,
    "flow": FLOW,
}


@dataclass(frozen=True)
class ArmStudyParameters(ArmModesParameters):
    """Which case is run."""

    case: str = choice("reduction", "what is looked at", tuple(CASES))
    inherited: ClassVar[None]


class ArmModes(Scenario[ArmStudyParameters]):
    """Six cases around the arms, alone and in the machine; "beams" needs PyChrono with its module fea."""

    name = "arm_modes"
    claim = (
        "A reduced arm moves and is stressed as the full one, at a fraction of its coordinates; dropping constraint "
        "modes stiffens it by what was published; a flow profile is found from runs with and against it."
    )
    source = "Maier 2019: 2.2.5, 4.3, 5.1 with Table 5.1, 5.2; stand-in numbers"
    parameters = ArmStudyParameters

    def simulate(self, p: ArmStudyParameters, progress: Progress) -> Trajectory:
        return CASES[p.case].run(p, progress)

    def measure(self, p: ArmStudyParameters, trajectory: Trajectory) -> Metrics:
        return CASES[p.case].measure(p, trajectory)

    def check(self, p: ArmStudyParameters, metrics: Metrics) -> list[Check]:
        return CASES[p.case].check(p, metrics)

    def plot(self, outcome: Outcome[ArmStudyParameters], figure: Figure) -> None:
        p = outcome.parameters
        CASES[p.case].plot(p, outcome.trajectory, outcome.metrics, figure)
