"""A box on an incline below its friction angle: what a regularised friction calls rest is a creep."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...laws import Friction
from ..impact.point_mass import energy_panel
from ..parameters import Parameter, duration, mass, step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, below, within
from ..scenes.free_bodies import box_on_chrono
from ..scenes.rival_scenes import LAWS, box_creep, box_under, only_on_chrono, standstill
from .planar_box import (
    CONTACT,
    FRICTION,
    GRAVITY,
    box_scene,
    box_step,
    friction_of,
    penetration,
    rest_height,
    run_box,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory


def creep_speed(law: Friction, grade: float) -> float | None:
    """Speed in m/s at which friction balances a slope of tan(angle) = grade; None where it cannot."""
    from scipy.optimize import brentq

    def held(v: Any) -> Any:
        speed = np.hypot(v, law.eps)
        return law.force(speed, 1.0) * v / np.maximum(speed, 1e-300)

    speeds = np.linspace(0.0, 5.0 * max(law.v_c, law.v_s or law.v_c), 4001)
    peak = int(np.argmax(held(speeds)))
    if not grade < held(speeds[peak]) * (1.0 - 1e-6):
        return None
    return float(brentq(lambda v: float(held(v)) - grade, 0.0, speeds[peak], xtol=1e-18, rtol=1e-13))


def foot_way(run: Trajectory) -> np.ndarray:
    """Way in m of the foot of the box: the box leans on its contacts, and its middle moves with that, too."""
    return np.asarray(run["x"] - run["z"] * run["phi"] - (run["x"][0] - run["z"][0] * run["phi"][0]))


class Slope(Scenario):
    """The complaint that users of every engine with smooth friction repeat: the box does not stand still."""

    name = "slope"
    claim = "Below the friction angle a box creeps no faster than the speed at which the static law carries it."
    source = "thesis 2.2.4 and 4.3.2: friction with memory under a constant load"
    parameters = (
        Parameter("angle", 20.0, "angle of the slope in degrees", "deg", minimum=0.0, maximum=44.0),
        Parameter("mu_s", 0.5, "stiction coefficient; at least mu_c", minimum=0.0),
        Parameter("mu_c", 0.5, "Coulomb coefficient", minimum=0.0),
        Parameter("size", 0.2, "outer edge of the cube", "m", minimum=0.0, above=True),
        mass(1.0),
        *FRICTION,
        *CONTACT,
        Parameter("law", "power", "contact law; rivals are Chrono's own, matched at rest", choices=LAWS),
        duration(4.0),
        step(1e-4),
    )
    engines = ("chrono", "reference")
    integrator = "euler_implicit_linearized"
    models = {**{law: {"law": law} for law in LAWS}, "anchored": {"memory": "anchored"}}
    compared = (("t", "x", "way downhill in m"), ("t", "x_dot", "speed downhill in m/s"))
    ranked = ("creep", "presliding", "energy_gain", "penetration")

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        only_on_chrono(p.law)
        return run_box(p, math.radians(p.angle), (rest_height(p, math.radians(p.angle)), 0.0), progress)

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        if p.law != "power":
            return box_under(p, math.radians(p.angle), 0.0, progress)
        return box_on_chrono(p, math.radians(p.angle), (rest_height(p, math.radians(p.angle)), 0.0), progress)

    def expected_creep(self, p: SimpleNamespace) -> float | None:
        """Speed in m/s at which the law balances the slope; None where it cannot."""
        if p.law == "power" and p.memory == "anchored":
            return 0.0 if math.tan(math.radians(p.angle)) < p.mu_s else None
        if p.law == "power":
            return creep_speed(friction_of(p), math.tan(math.radians(p.angle)))
        creep = box_creep(p, math.radians(p.angle))
        return creep if math.isfinite(creep) else None

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        t, x, angle = trajectory["t"], foot_way(trajectory), math.radians(p.angle)
        half = int(np.searchsorted(t, 0.5 * t[-1]))
        creep = float((x[-1] - x[half]) / (t[-1] - t[half]))
        mechanical = trajectory["kinetic"] + trajectory["potential"]
        balanced = self.expected_creep(p)
        slides = GRAVITY * (math.sin(angle) - p.mu_c * math.cos(angle)) * p.time
        normal = np.sum([trajectory[f"F_{i + 1}"] for i in range(4)], axis=0)
        return {
            "creep": creep,
            "closed_form_creep": balanced,
            "presliding": float(x[-1] - creep * t[-1]),
            "end_speed": float(trajectory["x_dot"][-1]),
            "closed_form_end_speed": slides if balanced is None else None,
            "rest_force": float(normal[half:].mean()),
            "normal_weight": p.mass * GRAVITY * math.cos(angle),
            "penetration": penetration(p, trajectory),
            "energy_gain": float(max((mechanical - mechanical[0]).max(), 0.0)),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        weight = metrics["normal_weight"]
        share = 1e-3 if p.law == "power" else 5e-2
        carried = within("normal force after settling", metrics["rest_force"], weight, share * weight, "N")
        expected, end = metrics["closed_form_creep"], metrics["closed_form_end_speed"]
        if expected is None:
            return [carried, within("speed at the end", metrics["end_speed"], end, 0.02 * abs(end) + 2 * p.v_s, "m/s")]
        unseen = 1e-9 if p.law == "power" else standstill(p.law)
        return [carried, below("creep after settling", abs(metrics["creep"]), 1.02 * expected + unseen, "m/s")]

    def stable_step(self, p: SimpleNamespace) -> float:
        return box_step(p, math.radians(p.angle))

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import panel

        run, metrics, ((a, b), (c, d)) = outcome.trajectory, outcome.metrics, figure.subplots(2, 2)
        t = run["t"]
        panel(a, t, {"x": run["x"] * 1e6}, f"creep {metrics['creep'] * 1e6:.3g} um/s", "time in s", "way in um")
        panel(b, t, {"v": run["x_dot"] * 1e6}, "speed downhill", "time in s", "speed in um/s")
        if metrics["closed_form_creep"] is not None:
            b.axhline(metrics["closed_form_creep"] * 1e6, color="k", linewidth=0.8, linestyle=":")
        if metrics["closed_form_creep"]:
            b.set_ylim(*(metrics["closed_form_creep"] * 1e6 * share for share in (-1.0, 5.0)))
        forces = {side: run[f"F_{i}"] for side, i in (("uphill corners", 1), ("downhill corners", 2))}
        panel(c, t, forces, "normal forces", "time in s", "force in N")
        energy_panel(d, run)

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw:
        p = outcome.parameters
        return box_scene(axes, outcome.trajectory, p, math.radians(p.angle), "slope")
