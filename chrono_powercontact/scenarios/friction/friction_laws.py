"""Fourteen friction laws on one rig: which of the known phenomena of dry friction each of them has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...errors import ParameterError
from ...report.style import GREY, PALETTE, legend
from ...trajectory import Trajectory
from ..parameters import choice
from ..scenario import Check, Metrics, Outcome, Scenario
from .rivals.phenomena import FREQUENCIES, PHENOMENA, figures_of, has, lag_area
from .rivals.rival_set import BUILDERS, RIVALS, RivalParameters
from .rivals.rival_table import EXPECTED, SAID

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress

AREAS = tuple(f"lag_area_{frequency:g}" for frequency in FREQUENCIES)
"""Columns of the area of the lag loop in W, by frequency in Hz."""


@dataclass(frozen=True)
class FrictionLawsParameters(RivalParameters):
    """The laws and their numbers."""

    law: str = choice("all", "friction law", ("all", *RIVALS))
    inherited: ClassVar[None]

    def laws(self) -> tuple[str, ...]:
        """The laws of a run."""
        return RIVALS if self.law == "all" else (self.law,)


class FrictionLaws(Scenario[FrictionLawsParameters]):
    """Classical and dynamic friction laws of the sources beside the power law and the anchored law with its options."""

    name = "friction_laws"
    claim = (
        "Every law has the phenomena that the literature says it has, and no other; strands and a lag give the "
        "anchored law what it lacks, and it still does not creep."
    )
    source = "thesis 2.1.2 and 2.2.1, (2.7) to (2.8), (2.15); rake thesis 2.3.3 and 2.3.4"
    parameters = FrictionLawsParameters

    def simulate(self, p: FrictionLawsParameters, progress: Progress) -> Trajectory:
        """One row per law: its number, the figure of every phenomenon, the lag area over the frequency."""
        if p.f_s <= p.f_c:
            raise ParameterError(f"f_s must be above f_c, got f_s={p.f_s:g} and f_c={p.f_c:g}")
        rows = []
        for law in p.laws():
            rival = BUILDERS[law](p)
            figures = figures_of(p, rival)
            areas = [lag_area(p, rival, frequency) for frequency in FREQUENCIES]
            rows.append([float(RIVALS.index(law)), *figures.values(), *areas])
            progress(len(rows) / len(p.laws()))
        return Trajectory(("law", *PHENOMENA, *AREAS), np.array(rows), len(rows))

    def measure(self, p: FrictionLawsParameters, trajectory: Trajectory) -> Metrics:
        found: Metrics = {}
        for row, law in enumerate(p.laws()):
            figures = {name: float(trajectory[name][row]) for name in PHENOMENA}
            found[law] = {
                "figures": figures,
                "has": [name for name, figure in figures.items() if has(name, figure)],
                "lag_area": [float(trajectory[name][row]) for name in AREAS],
            }
        return found

    def check(self, p: FrictionLawsParameters, metrics: Metrics) -> list[Check]:
        checks = []
        for law, found in metrics.items():
            expected = [name for name in PHENOMENA if name in EXPECTED[law]]
            text = f"{law} has {', '.join(found['has'])}; the literature says {', '.join(expected)}"
            checks.append(Check(text, found["has"] == expected))
            if law in SAID:
                said = SAID[law]
                agrees = said.has <= set(found["has"]) and not said.lacks & set(found["has"])
                checks.append(Check(f"{law} agrees with what its source says ({said.where})", agrees))
            if "lag" in expected:
                slow, fast, *_ = found["lag_area"]
                text = f"{law}: the area of the lag loop grows with the frequency, {slow:.2g} W to {fast:.2g} W"
                checks.append(Check(text, 0.0 < slow < fast))
        return checks

    def plot(self, outcome: Outcome[FrictionLawsParameters], figure: Figure) -> None:
        table, lag = figure.subplots(1, 2, width_ratios=(2.2, 1.0))
        self.draw_table(table, outcome)
        laws = [law for law in outcome.parameters.laws() if "lag" in outcome.metrics[law]["has"]]
        for number, law in enumerate(laws):
            areas = 1e3 * np.array(outcome.metrics[law]["lag_area"])
            style = "-" if number < len(PALETTE) else "--"
            lag.plot(FREQUENCIES, areas, style, color=PALETTE[number % len(PALETTE)], marker=".", label=law)
        lag.set(title="area of the lag loop", xlabel="frequency in Hz", ylabel="area in mW", xscale="log", yscale="log")
        if laws:
            legend(lag)

    def draw_table(self, axes: Axes, outcome: Outcome[FrictionLawsParameters]) -> None:
        """A row for each law, a column for each phenomenon: filled where the law has it, ringed where it should."""
        laws = outcome.parameters.laws()
        for row, law in enumerate(laws):
            found = outcome.metrics[law]["has"]
            for column, name in enumerate(PHENOMENA):
                axes.plot(column, row, "o", color=PALETTE[0] if name in found else "white", markersize=9)
                edge = PALETTE[0] if name in EXPECTED[law] else GREY
                axes.plot(column, row, "o", markerfacecolor="none", markeredgecolor=edge, markersize=9)
        titles = [phenomenon.title for phenomenon in PHENOMENA.values()]
        axes.set_xticks(range(len(titles)), titles, rotation=40, ha="right", fontsize=7)
        axes.set_yticks(range(len(laws)), [law.replace("_", " ") for law in laws], fontsize=7)
        axes.invert_yaxis()
        axes.set_title("measured (filled) and expected (ring)")
        axes.grid(visible=False)
