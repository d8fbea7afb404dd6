"""The cylinders as closed loops of the general engine: reactions at their cuts against the forces of their lines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....trajectory import Trajectory
from ...scenario import Check, Metrics, below
from ..motion.setup import run
from .load_cases import RakeParameters, setup_of, time_of

if TYPE_CHECKING:
    from ....progress import Progress

Array = NDArray[np.float64]

APART, COMPARED = 1e-3, 1000
"""Time in s between two records, from which accelerations are taken; and every so many of them are compared."""
STEP = 2e-4
"""Longest step in s: rigid arms press three times as hard, and at 1 ms friction smoothed over 5 mm/s chatters."""
LOOPS = ("t", "F1", "F2", "R_B", "R_D", "across_B", "across_D")
"""Time; forces in N of both lines in the run; reactions in N at the cuts along the cylinders, and across them."""
SAME = 1e-3
"""Part of its range by which a reaction may differ from the force of its line."""


def loop_table(p: RakeParameters, progress: Progress) -> Trajectory:
    """A cycle of the rigid machine, and what its cylinder loops say of the same motion."""
    from ..machine.cylinder_loops import LoopedMachine

    setup = setup_of(replace(p, arms="rigid", case="lc3"))
    cycle = run(setup, min(p.step, STEP), time_of(p), progress, APART)
    looped = LoopedMachine(setup.machine)
    lengths = np.array([cycle["l1"], cycle["l2"]])
    rates = np.gradient(lengths, cycle["t"], axis=1)
    accelerations = np.gradient(rates, cycle["t"], axis=1)
    force = np.outer(setup.rack.normal, cycle["N"]) + np.outer(setup.rack.tangent, cycle["F_t"])
    rows = []
    for k in range(COMPARED, len(cycle) - 1, COMPARED):
        said = looped.forces(lengths[:, k], rates[:, k], accelerations[:, k], force[:, k])
        rows.append((cycle["t"][k], cycle["F1"][k], cycle["F2"][k], *said.axial, *said.across))
    return Trajectory(LOOPS, np.array(rows), cycle.steps)


def loop_metrics(p: RakeParameters, table: Trajectory) -> Metrics:
    """Largest differences over the range of each force, and the largest force across a cylinder in N."""
    off = {
        name: float(np.abs(table[reaction] - table[name]).max() / np.ptp(table[name]))
        for name, reaction in (("F1", "R_B"), ("F2", "R_D"))
    }
    across = max(float(np.abs(table[name]).max()) for name in ("across_B", "across_D"))
    return {"f1_difference": off["F1"], "f2_difference": off["F2"], "across": across}


def loop_claim(p: RakeParameters, metrics: Metrics, engine: str) -> list[Check]:
    """The reactions at the cuts are the forces of the cylinders, and nothing acts across them."""
    return [
        below("main cylinders: reaction at B off by a part of its range", metrics["f1_difference"], SAME),
        below("knuckle cylinder: reaction at D off by a part of its range", metrics["f2_difference"], SAME),
        below("force across a cylinder", metrics["across"], 1.0, "N"),
    ]
