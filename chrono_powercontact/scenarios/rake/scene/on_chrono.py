"""Which engine runs the machine, and what Chrono can run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...parameters import CHRONO
from ..cases.load_cases import RakeParameters, time_of
from ..motion.setup import Setup, run

if TYPE_CHECKING:
    from ....progress import Progress
    from ....trajectory import Trajectory

LAWS_ON_CHRONO = ("regularised", "power", "anchored", "smc", "nsc")
SUMS = ("lc5", "lc6")
"""Load cases that sum up static forces of the water: there is nothing to run."""


def obstacle(p: RakeParameters) -> str | None:
    """Why Chrono cannot run with these parameters, in one sentence; None where it can."""
    if p.case == "lc11":
        return "lc11 compares two models of the reference engine: leave --engine chrono out"
    if p.case in SUMS:
        return f"{p.case} sums up static forces and runs on no engine: on Chrono take lc3 with flow or buoyancy"
    if p.arms not in ("rigid", "segments"):
        return f"on Chrono the arms are rigid or segments, got {p.arms}"
    if p.law == "lugre":
        return f"on Chrono the laws are {', '.join(LAWS_ON_CHRONO)}, got lugre"
    if p.law == "nsc" and p.version == "v3":
        return "the seals of version v3 need a solver for linear systems, which NSC's contacts do not allow"
    return None


def run_machine(p: RakeParameters, setup: Setup, progress: Progress, engine: str) -> Trajectory:
    """Run a machine on an engine."""
    if engine != CHRONO:
        return run(setup, p.step, time_of(p), progress)
    from .scene_run import run_on_chrono

    return run_on_chrono(setup, p.law, p.step, time_of(p), progress, p.integrator)
