"""The friction catalogue: what a dry contact is known to do, and which of three laws does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...laws.design import stable_anchor_step
from ...report.style import legend
from ...trajectory import Trajectory
from ..parameters import choice
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario
from .lab import loaded, pressed
from .lab import prescribed_motion as prescribed
from .lab.case import Case, Curve
from .lab.lab_pictures import blocks, draw_case
from .lab.lab_scene import masses
from .lab.three_laws import LAWS, LabParameters

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...view.recording import Recording

CASES: dict[str, Case] = prescribed.CASES | loaded.CASES | pressed.CASES


@dataclass(frozen=True)
class FrictionLabParameters(LabParameters):
    """The experiments and the numbers of the three laws."""

    case: str = choice("all", "experiment", ("all", *CASES))
    inherited: ClassVar[None]

    def cases(self) -> dict[str, Case]:
        """The experiments of a run."""
        return CASES if self.case == "all" else {self.case: CASES[self.case]}


class FrictionLab(Scenario[FrictionLabParameters]):
    """Eight experiments, each with the filtered power law, the anchored law and LuGre; amplitudes of Table 2.1."""

    name = "friction_lab"
    claim = "Below stiction the anchored law stays at rest, where LuGre ratchets and the power law creeps."
    source = "the friction literature's catalogue; thesis 2.2 and 2.3, Tables 2.1 and 2.2"
    parameters = FrictionLabParameters

    def simulate(self, p: FrictionLabParameters, progress: Progress) -> Trajectory:
        """One row per point of a curve: number of the case, number of the law, x and y."""
        blocks = []
        steps = 0
        chosen = p.cases()
        for name, case in chosen.items():
            case_number = float(list(CASES).index(name))
            for law_number, law in enumerate(LAWS):
                curve = case.curve(p, law)
                which = np.full(curve.x.size, case_number)
                under = np.full(curve.x.size, float(law_number))
                blocks.append(np.column_stack([which, under, curve.x, curve.y]))
                steps += curve.steps
                progress(len(blocks) / (len(chosen) * len(LAWS)))
        return Trajectory(("case", "law", "x", "y"), np.concatenate(blocks), steps)

    def curves(self, trajectory: Trajectory, name: str) -> dict[str, Curve]:
        """The curves of an experiment, by law."""
        of_case = trajectory["case"] == list(CASES).index(name)
        found = {}
        for number, law in enumerate(LAWS):
            rows = of_case & (trajectory["law"] == number)
            found[law] = Curve(trajectory["x"][rows], trajectory["y"][rows], 0)
        return found

    def measure(self, p: FrictionLabParameters, trajectory: Trajectory) -> Metrics:
        return {name: case.measure(p, self.curves(trajectory, name)) for name, case in p.cases().items()}

    def check(self, p: FrictionLabParameters, metrics: Metrics) -> list[Check]:
        checks = []
        for name, case in p.cases().items():
            checks += [Check(f"{name}: {check.text}", check.passed) for check in case.check(p, metrics[name])]
        return checks

    def stable_step(self, p: FrictionLabParameters) -> float | None:
        return stable_anchor_step(p.power_law("fine"), p.mass, p.anchor(), integrator="rk4")

    def plot(self, outcome: Outcome[FrictionLabParameters], figure: Figure) -> None:
        chosen = outcome.parameters.cases()
        shape = (2, 4) if len(chosen) > 1 else (1, 1)
        grid = figure.subplots(*shape, squeeze=False).ravel()
        for axes, (name, case) in zip(grid, chosen.items(), strict=True):
            draw_case(axes, case, self.curves(outcome.trajectory, name))
        legend(grid[0])

    def animate(self, outcome: Outcome[FrictionLabParameters], axes: Axes) -> Redraw | None:
        if "dither" not in outcome.parameters.cases():
            return None
        return blocks(axes, self.curves(outcome.trajectory, "dither"), len(outcome.trajectory))

    def scene(self, outcome: Outcome[FrictionLabParameters]) -> Recording | None:
        if "dither" not in outcome.parameters.cases():
            return None
        return masses(self.curves(outcome.trajectory, "dither"), f"{self.name}: {self.claim}")
