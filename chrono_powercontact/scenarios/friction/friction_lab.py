"""The friction catalogue: what a dry contact is known to do, and which of three laws does it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ...laws.design import stable_anchor_step
from ..anchored import ANCHOR, anchor_of
from ..parameters import Parameter, mass, step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario
from .lab import loaded, pressed
from .lab import prescribed_motion as prescribed
from .lab.case import Case, Curve
from .lab.lab_pictures import blocks, draw_case
from .lab.three_laws import LAWS, law_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory

CASES: dict[str, Case] = prescribed.CASES | loaded.CASES | pressed.CASES


class FrictionLab(Scenario):
    """Eight experiments, each with the filtered power law, the anchored law and LuGre; amplitudes of Table 2.1."""

    name = "friction_lab"
    claim = "Below stiction the anchored law stands, where LuGre ratchets and the power law creeps."
    source = "the friction literature's catalogue; thesis 2.2 to 2.4, Tables 2.1 and 2.2"
    parameters = (
        Parameter("case", "all", "experiment", choices=("all", *CASES)),
        mass(0.1),
        Parameter("k", 10.0, "stiffness of the pulling spring", "N/m", minimum=0.0, above=True),
        Parameter("f_c", 1.0, "Coulomb amplitude", "N", minimum=0.0, above=True),
        Parameter("f_s", 1.4, "stiction amplitude; at least f_c", "N", minimum=0.0, above=True),
        Parameter("d", 0.1, "viscous coefficient", "N s/m", minimum=0.0),
        *ANCHOR,
        step(1e-4),
    )

    def cases(self, p: SimpleNamespace) -> dict[str, Case]:
        """The experiments of a run."""
        return CASES if p.case == "all" else {p.case: CASES[p.case]}

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        """One row per point of a curve: number of the case, number of the law, x and y."""
        from ...trajectory import Trajectory

        blocks, steps, chosen = [], 0, self.cases(p)
        for name, case in chosen.items():
            for number, law in enumerate(LAWS):
                curve = case.curve(p, law)
                at = np.full(curve.x.size, float(list(CASES).index(name)))
                blocks.append(np.column_stack([at, np.full(curve.x.size, float(number)), curve.x, curve.y]))
                steps += curve.steps
                progress(len(blocks) / (len(chosen) * len(LAWS)))
        return Trajectory(("case", "law", "x", "y"), np.concatenate(blocks), steps)

    def curves(self, trajectory: Trajectory, name: str) -> dict[str, Curve]:
        """The curves of an experiment, by law."""
        of_case = trajectory["case"] == list(CASES).index(name)
        found = {law: of_case & (trajectory["law"] == number) for number, law in enumerate(LAWS)}
        return {law: Curve(trajectory["x"][at], trajectory["y"][at], 0) for law, at in found.items()}

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        return {name: case.measure(p, self.curves(trajectory, name)) for name, case in self.cases(p).items()}

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        checks = []
        for name, case in self.cases(p).items():
            checks += [Check(f"{name}: {check.text}", check.passed) for check in case.check(p, metrics[name])]
        return checks

    def stable_step(self, p: SimpleNamespace) -> float | None:
        law, _ = law_of(p, "anchored")
        return stable_anchor_step(law, p.mass, anchor_of(p))  # type: ignore[arg-type]

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        chosen = self.cases(outcome.parameters)
        shape = (2, 4) if len(chosen) > 1 else (1, 1)
        grid = figure.subplots(*shape, squeeze=False).ravel()
        for axes, (name, case) in zip(grid, chosen.items(), strict=True):
            draw_case(axes, case, self.curves(outcome.trajectory, name))
        grid[0].legend()

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw | None:
        if "dither" not in self.cases(outcome.parameters):
            return None
        return blocks(axes, self.curves(outcome.trajectory, "dither"), len(outcome.trajectory))
