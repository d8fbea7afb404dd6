"""Backlash as two contacts (section 5.3.3): a mass with friction between the flanks of a drive that swings."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ....laws.friction.anchor import Anchor
from ....laws.friction.dissipation import Dissipation
from ....laws.material import Material
from ....report.style import panel
from ...scenario import Check, Metrics, below, within
from .impact_case import ImpactCase, ImpactPhasesParameters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....lagrange.model import Model
    from ....progress import Progress
    from ....trajectory import Trajectory

PERIOD = 4.0
"""Of the drive, in s."""

PERIODS = 2.0
"""Number of its periods."""

EVERY = 20
"""Steps between records."""


@cache
def backlash_model() -> Model:
    """Mass m at x with friction; the flanks are half a play in front of and behind a drive at stroke sin(w t)."""
    import sympy as sp

    from ....lagrange.model import TIME, ContactPoint, FrictionPoint, Model, coordinates, velocities

    (x,) = coordinates("x")
    (v,) = velocities((x,))
    p = sp.symbols("m half stroke w", positive=True)
    m, half, stroke, w = p
    drive = stroke * sp.sin(w * TIME)
    behind = ContactPoint("behind", x - drive + half)
    before = ContactPoint("before", drive - x + half)
    guide = FrictionPoint("guide", (v,))
    return Model("backlash", (x,), m * v**2 / 2, sp.Integer(0), p, contacts=(behind, before), frictions=(guide,))


def drag_of(p: ImpactPhasesParameters) -> Dissipation:
    """Friction of the mass, in N."""
    return Dissipation(p.drag, p.drag, 1e-3)


def run_backlash(p: ImpactPhasesParameters, progress: Progress) -> Trajectory:
    """Two swings of the drive."""
    from ....lagrange.runs import run_rk4
    from ....lagrange.system import System

    half = 0.5 * p.play + p.s_0
    numbers = {"m": p.mass, "half": half, "stroke": p.stroke, "w": 2.0 * math.pi / PERIOD}
    flank = Material(p.wall())
    system = System(
        backlash_model(),
        numbers,
        {"behind": flank, "before": flank},
        {"guide": drag_of(p)},
        {"guide": Anchor(1e-4, 1e-3)},
    )
    return run_rk4(system, system.state([0.0], [0.0]), 2.0 * p.step, PERIODS * PERIOD, EVERY, progress)


def drive_of(p: ImpactPhasesParameters, t: np.ndarray) -> np.ndarray:
    """Position of the drive in m."""
    return p.stroke * np.sin(2.0 * math.pi / PERIOD * t)


def measure_backlash(p: ImpactPhasesParameters, run: Trajectory) -> Metrics:
    """Width of the loop where the drive passes its middle, and how far the mass moves while it crosses the play."""
    t = run["t"]
    behind = drive_of(p, t) - run["x"]
    middle = [float(np.interp(k * PERIOD / 2.0, t, behind)) for k in (2, 3)]
    rest = p.wall().rest_distance(p.drag)
    late = t > 0.5 * PERIOD
    return {
        "width": middle[0] - middle[1],
        "closed_form_width": p.play + 2.0 * (p.s_0 - rest),
        "amplitude": float(np.ptp(run["x"][late]) / 2.0),
        "closed_form_amplitude": p.stroke - 0.5 * p.play - (p.s_0 - rest),
        "most_at_once": float(np.minimum(run["F_behind"], run["F_before"]).max()),
        "ledger_error": float(np.abs(run.ledger_error).max()),
        "heat": float(run["friction_heat"][-1] + run["contact_heat"][-1]),
    }


def check_backlash(p: ImpactPhasesParameters, m: Metrics) -> list[Check]:
    """The loop is as wide as the play and the flanks' give; the mass swings by so much less; never both flanks push."""
    give = 0.02 * (p.s_0 - p.s_c)
    return [
        within("width of the loop", m["width"], m["closed_form_width"], give, "m"),
        within("amplitude of the mass", m["amplitude"], m["closed_form_amplitude"], give, "m"),
        below("both flanks push at once by", m["most_at_once"], 1e-9, "N"),
        below("ledger error over the heat", m["ledger_error"] / m["heat"], 1e-3),
    ]


def plot_backlash(p: ImpactPhasesParameters, run: Trajectory, m: Metrics, figure: Figure) -> None:
    """Mass over drive, motion and forces over time."""
    loop, motion, force = figure.subplots(1, 3)
    t = run["t"]
    drive = drive_of(p, t)
    panel(loop, drive * 1e3, {"mass": run["x"] * 1e3}, "hysteresis of the play", "drive in mm", "mass in mm")
    panel(motion, t, {"drive": drive * 1e3, "mass": run["x"] * 1e3}, "the mass follows late", "time in s", "in mm")
    flanks = {"flank behind": run["F_behind"], "flank before": run["F_before"]}
    panel(force, t, flanks, "one flank at a time", "time in s", "force in N")


BACKLASH = ImpactCase(run_backlash, measure_backlash, check_backlash, plot_backlash)
