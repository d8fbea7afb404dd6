"""What dropping a constraint mode does: the published static errors of 20 %."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ....lagrange.beams.beams import Beam, Section
from ....lagrange.beams.reduction import ReducedBeam, reduce_beam
from ....report.style import PALETTE, legend
from ....trajectory import Trajectory
from ...scenario import Check, Metrics, below, within
from .arm_case import ArmCase, ArmModesParameters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....progress import Progress

EXPECTED = {0: (22, 34, 45), 2: (10, 18, 28), 4: (13, 14, 18), 8: (8, 9, 11)}
"""Per cent by which the tip is too stiff, by fixed-interface modes, with 1, 2, 3 orthonormal modes dropped."""

COLUMNS = ("modes", "dropped", "error")


def free_beam() -> Beam:
    """A beam of unit length and stiffness in 20 elements, with a rigid motion still in it."""
    return Beam.uniform(1.0, Section(1.0, 1.0))


def stiffening(modes: int, dropped: int) -> float:
    """Per cent by which the deflection of the tip is too small.

    Three masters, at the base, at three tenths and at the tip; the beam is held at its base after the modes were
    dropped, as a multibody program does that imports a free body.
    """
    reduced = reduce_beam(free_beam(), {"base": 0.0, "inside": 0.3, "tip": 1.0}, modes, held={})
    return too_stiff(without(reduced, dropped))


def without(reduced: ReducedBeam, dropped: int) -> ReducedBeam:
    """The orthonormal modes without the highest ones; constraint modes may be among them."""
    whole = reduced.orthonormal
    keep = len(whole.names) - dropped
    return replace(whole, names=whole.names[:keep], basis=whole.basis[:, :keep])


def too_stiff(kept: ReducedBeam) -> float:
    """Per cent by which a unit load at the tip bends the arm too little, held at its base by constraints."""
    base = kept.displacement("base")[1:]
    load = kept.displacement("tip")[1]
    n = len(kept.names)
    saddle = np.block([[kept.stiffness, base.T], [base, np.zeros((2, 2))]])
    q = np.linalg.lstsq(saddle, np.append(load, [0.0, 0.0]), rcond=None)[0][:n]
    return float(100.0 * (1.0 - 3.0 * load @ q))


def run_dropped(p: ArmModesParameters, progress: Progress) -> Trajectory:
    """One row for each number of modes and of dropped ones, none dropped included."""
    rows = [[float(modes), float(dropped), stiffening(modes, dropped)] for modes in EXPECTED for dropped in range(4)]
    progress(1.0)
    return Trajectory(COLUMNS, np.array(rows), len(rows))


def measure_dropped(p: ArmModesParameters, run: Trajectory) -> Metrics:
    """Errors in per cent by number of modes."""
    return {str(modes): run["error"][run["modes"] == modes].tolist() for modes in EXPECTED}


def check_dropped(p: ArmModesParameters, m: Metrics) -> list[Check]:
    """Exact while nothing is dropped; else the published figures, to half of their last digit."""
    checks = []
    for modes, expected in EXPECTED.items():
        whole, *errors = m[str(modes)]
        checks.append(below(f"{modes} modes, none dropped: error in per cent", abs(whole), 1e-6))
        for dropped, (error, wanted) in enumerate(zip(errors, expected, strict=True), start=1):
            checks.append(within(f"{modes} modes, {dropped} dropped: per cent", error, wanted, 0.5))
    return checks


def plot_dropped(p: ArmModesParameters, run: Trajectory, m: Metrics, figure: Figure) -> None:
    """Error over the number of dropped modes."""
    axes = figure.subplots()
    for colour, modes in zip(PALETTE, EXPECTED, strict=False):
        axes.plot(range(4), m[str(modes)], "o-", color=colour, label=f"{modes} fixed-interface modes")
    axes.set(title="tip too stiff", xlabel="orthonormal modes dropped", ylabel="per cent", xticks=range(4))
    legend(axes)


DROPPED = ArmCase(run_dropped, measure_dropped, check_dropped, plot_dropped)
