"""The machine's way to Chrono from a scenario's parameters: what it can run, and the run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

from .cases import setup_of, time_of

if TYPE_CHECKING:
    from ...lagrange.integrate import Progress, Trajectory

CYCLES = ("lc2", "lc3", "lc7", "lc9")
"""Load cases that are one cleaning cycle on a plane."""
EULER_REACH = 2.0
"""Step times damping rate up to which Chrono's linearised Euler, whose forces are explicit, is stable."""


def obstacle(p: SimpleNamespace) -> str | None:
    """Why Chrono cannot run with these parameters, in one sentence; None where it can."""
    if p.case not in CYCLES:
        return f"on Chrono the load cases are {', '.join(CYCLES)}, got {p.case}"
    if p.arms not in ("rigid", "segments"):
        return f"on Chrono the arms are rigid or segments, got {p.arms}"
    if p.law == "lugre":
        return "LuGre friction is not available in Chrono"
    if p.rack != "plane":
        return f"on Chrono the rack is one plane, got {p.rack}"
    if p.flow or p.buoyancy or p.debris:
        return "flow, buoyancy and debris are in the reference engine only"
    return None


def simulate_chrono(p: SimpleNamespace, progress: Progress) -> Trajectory:
    """A cleaning cycle on Chrono."""
    from .scene_run import run_on_chrono

    return run_on_chrono(setup_of(p), p.law, p.step, time_of(p), progress, p.integrator)
