"""How much of the load each foot really takes: the thesis' reference, a beam, finite elements, and who agrees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...report.style import BLUE, GREEN, GREY, ORANGE, RED, VIOLET
from ...trajectory import Trajectory
from ..parameters import Parameters, count, number
from ..scenario import Check, Metrics, Outcome, Scenario, within
from .block.block_statics import HEIGHT, Springs, spring_share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...progress import Progress

MU = 0.1

ELASTIC = (0.555, 0.025)
"""Share of foot A in an elastic block on pads of 2.5 to 40 mm, 0.53 to 0.58: middle and half width."""

NAMES = ("thesis", "beam", "fe", "arbiter", "minimum_norm", "anchored")
"""Who splits the load: the cut block with the thesis' springs and with a beam's, finite elements on pinned pads, least
strain energy within the friction cones, least norm, and the anchored law with the arbiter's stiffness."""


@dataclass(frozen=True)
class HyperstaticTruthParameters(Parameters):
    """The load, and the pads and mesh of the finite elements."""

    force: float = number(3.0, "constant load", "N", above=0.0, maximum=5.0)
    pad: float = number(0.005, "width of the pads under the corners and of the load", "m", minimum=0.0025, maximum=0.04)
    cells: int = count(20, "finite elements over the height of the block", minimum=20, maximum=80)


class HyperstaticTruth(Scenario[HyperstaticTruthParameters]):
    """The thesis' reference puts nearly all of the load on one foot; an elastic block shares it about equally."""

    name = "hyperstatic_truth"
    claim = "An elastic block shares its load nearly equally; with its stiffness the anchored law does the same."
    source = "Seiwald, TU Munich 2014, section 5.3, and its correction by finite elements"
    parameters = HyperstaticTruthParameters

    def simulate(self, p: HyperstaticTruthParameters, progress: Progress) -> Trajectory:
        from .truth_runs import shares_of

        shares = shares_of(p, progress)
        return Trajectory(NAMES, np.array([[shares.get(name, float("nan")) for name in NAMES]]), 1)

    def measure(self, p: HyperstaticTruthParameters, trajectory: Trajectory) -> Metrics:
        shares = {f"share_{name}": float(trajectory[name][0]) for name in NAMES}
        return {name: value if np.isfinite(value) else None for name, value in shares.items()}

    def check(self, p: HyperstaticTruthParameters, metrics: Metrics) -> list[Check]:
        checks = [
            within("share of foot A in the thesis' reference", metrics["share_thesis"], spring_share(THESIS), 2e-3),
            within("share with a beam's stiffness", metrics["share_beam"], 0.75, 5e-3),
            within("share of least norm", metrics["share_minimum_norm"], 0.5, 1e-3),
        ]
        if metrics["share_fe"] is None:
            return checks
        elastic = metrics["share_arbiter"]
        return [
            *checks,
            within("share by finite elements on pinned pads", metrics["share_fe"], *ELASTIC),
            within("share of least strain energy, on pads that press evenly", elastic, *ELASTIC),
            within(
                "share of the anchored law with the arbiter's stiffness",
                metrics["share_anchored"],
                elastic,
                0.02 * elastic,
            ),
        ]

    def plot(self, outcome: Outcome[HyperstaticTruthParameters], figure: Figure) -> None:
        axes = figure.subplots()
        labels = {
            "thesis": "two halves,\nthe thesis' springs",
            "beam": "two halves,\na beam's springs",
            "fe": "finite elements,\npinned pads",
            "arbiter": "least strain energy\nin the cones",
            "minimum_norm": "least norm\n(prox, NSC Jacobi)",
            "anchored": "anchored law,\nelastic stiffness",
        }
        colours = (RED, ORANGE, GREEN, GREEN, GREY, BLUE, VIOLET)
        shares = [outcome.metrics[f"share_{name}"] or 0.0 for name in NAMES]
        bars = axes.bar(range(len(NAMES)), shares, color=colours[: len(NAMES)], alpha=0.85)
        axes.bar_label(bars, [f"{share:.4g}" for share in shares])
        axes.set_xticks(range(len(NAMES)), [labels[name] for name in NAMES])
        axes.set(title="fraction of the load on the far foot A", ylabel="fraction", ylim=(0.0, 1.0))


THESIS = Springs(1e8, 1e8)
BEAM = Springs(1e8, 1e8 * HEIGHT**2 / 12.0)
"""Springs of the cut: the thesis' ratio of stiffness, and that of a beam's cross-section, c_r = c_t b^2/12."""
