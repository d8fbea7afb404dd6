"""How much of the load each foot really takes: the thesis' reference, a beam, finite elements, and who agrees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...laws.friction.anchor import Anchor
from ...laws.friction.dissipation import Friction
from ...laws.friction.prestress import presliding_for
from ...laws.material import Material
from ...report.style import BLUE, GREEN, GREY, ORANGE, RED, VIOLET
from ...setvalued.plane_stress import PlaneBlock, block_compliance, missing_library, pinned_share
from ...trajectory import Trajectory
from ..parameters import Parameters, count, number
from ..scenario import Check, Metrics, Outcome, Scenario, within
from .block_models import (
    DEPTH,
    HEIGHT,
    REST,
    WEIGHT,
    WIDTH,
    Springs,
    cut_block,
    load_of,
    resting_normals,
    rigid_block,
    sagging,
    spring_share,
)
from .smooth_block import V_C, foot_law, resting_state, run_smooth, smooth_block

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...setvalued.contact_set import ContactSet

MU = 0.1

NAMES = ("thesis", "beam", "fe", "arbiter", "minimum_norm", "anchored")
"""Who splits the load: the cut block with the thesis' springs and with a beam's, finite elements on pinned pads, least strain
energy within the friction cones, least norm, and the anchored law with the arbiter's stiffness."""


@dataclass(frozen=True)
class HyperstaticTruthParameters(Parameters):
    """The load, and the pads and mesh of the finite elements."""

    force: float = number(3.0, "constant load", "N", above=0.0, maximum=5.0)
    pad: float = number(0.01, "width of the pads under the corners", "m", minimum=0.0025, maximum=0.04)
    cells: int = count(20, "finite elements over the height of the block", minimum=4, maximum=80)


class HyperstaticTruth(Scenario[HyperstaticTruthParameters]):
    """The thesis' reference puts nearly all of the load on one foot; an elastic block shares it about equally."""

    name = "hyperstatic_truth"
    claim = "An elastic block shares its load nearly equally; with its stiffness the anchored law does the same."
    source = "Seiwald, TU Munich 2014, section 5.3, and its correction by finite elements"
    parameters = HyperstaticTruthParameters

    def simulate(self, p: HyperstaticTruthParameters, progress: Progress) -> Trajectory:
        shares = {"thesis": cut_share(THESIS, p.force), "beam": cut_share(BEAM, p.force)}
        progress(0.4)
        shares["minimum_norm"] = prox_share(p.force)
        if missing_library() is None:
            shares["fe"] = pinned_share(PlaneBlock(WIDTH, HEIGHT, DEPTH, p.pad, p.cells))
            shares["arbiter"] = arbiter_share(p)
            shares["anchored"] = anchored_share(p, shares["arbiter"])
        progress(1.0)
        row = [shares.get(name, float("nan")) for name in NAMES]
        return Trajectory(NAMES, np.array([row]), 1)

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
            within("share by finite elements on pinned pads", metrics["share_fe"], 0.555, 0.03),
            within("share of least strain energy against them", elastic, metrics["share_fe"], 0.06),
            within("share of the anchored law with the arbiter's stiffness", metrics["share_anchored"], elastic, 0.02 * elastic),
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


THESIS = Springs(1e6, 1e6)
BEAM = Springs(1e6, 1e6 * HEIGHT**2 / 12.0)
"""Springs of the cut: the thesis' ratio of stiffness, and that of a beam's cross-section, c_r = c_t b^2/12."""

SETTLED = 0.02
STEP = 2e-5


def cut_share(springs: Springs, force: float) -> float:
    """Fraction of a load in N that foot A of the cut block takes, from two runs with strong damping."""
    from ...lagrange.nonsmooth.moreau import Moreau, run_moreau

    inertia = 0.25 * WEIGHT / 9.81 * (0.25 * WIDTH**2 + HEIGHT**2) / 12.0
    damped = springs._replace(d_t=2000.0, d_r=float(np.sqrt(springs.c_r * inertia)))
    found = []
    for load in (0.0, force):
        block = cut_block(load_of("constant", load), damped, MU, MU)
        run = run_moreau(block, sagging(damped), np.zeros(6), SETTLED, Moreau(step=STEP))
        found.append(float(run["T_A"][-len(run) // 4 :].mean()))
    return (found[0] - found[1]) / force


def prox_share(force: float) -> float:
    """Fraction of a load in N that foot A of the rigid block takes under prox iterations from zero."""
    from ...lagrange.nonsmooth.moreau import Moreau, run_moreau

    run = run_moreau(rigid_block(load_of("constant", force)), REST, np.zeros(3), 0.01, Moreau(project=True))
    return float(-run["T_A"][-1] / force)


def block_contacts(force: float) -> ContactSet:
    """The feet of the block at rest under a load in N."""
    return rigid_block(load_of("constant", force), MU, MU).contact_set(REST)


def arbiter_share(p: HyperstaticTruthParameters) -> float:
    """Fraction of the load that foot A takes with the least strain energy, from a block relaxed under its weight."""
    from ...setvalued.elastic import Compliance, elastic_forces

    found = block_compliance(PlaneBlock(WIDTH, HEIGHT, DEPTH, p.pad, p.cells), p.force, 0.0)
    relaxed = np.array((0.0, 0.5 * WEIGHT, 0.0, 0.5 * WEIGHT))
    forces = elastic_forces(block_contacts(p.force), Compliance(found.matrix, found.bias - found.matrix @ relaxed))
    return float(-forces[0] / p.force)


def anchored_share(p: HyperstaticTruthParameters, share: float) -> float:
    """Fraction of the load on foot A under the anchored law, each foot with the stiffness of an elastic share."""
    friction = Friction(MU, MU, V_C)
    total = 1e8
    feet = {}
    for name, part, normal in zip("AB", (share, 1.0 - share), resting_normals(p.force), strict=True):
        presliding = presliding_for(friction, part * total, normal)
        feet[name] = Material(foot_law(), friction, Anchor(presliding, 1e-4))
    system = smooth_block(load_of("constant", p.force), feet)
    run = run_smooth(system, resting_state(system), 0.1, lambda part: None)
    t_a = float(run["T_A"][-1])
    return t_a / (t_a + float(run["T_B"][-1]))
