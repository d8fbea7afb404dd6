"""A box on an incline below its friction angle: what a regularised friction calls rest is a creep."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...laws.friction.dissipation import Friction
from ...report.style import energy_panel, level, panel
from ..constants import GRAVITY
from ..parameters import CHRONO, REFERENCE, choice, mass_of, number, run_length, time_step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, below, energy_gain, within
from ..scenes.moving_scenes import scene_of
from ..scenes.rival_laws import LAWS, only_on_chrono
from .box_pictures import box_animation
from .box_scenes import box_on_slope
from .planar_box import BoxParameters, Coefficients, box_penetration, box_step, run_box

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording


@dataclass(frozen=True)
class SlopeParameters(BoxParameters):
    """A box on an incline."""

    angle: float = number(20.0, "angle of the slope in degrees", "deg", minimum=0.0, maximum=44.0)
    mu_s: float = number(0.5, "stiction coefficient; at least mu_c", minimum=0.0)
    mu_c: float = number(0.5, "Coulomb coefficient", minimum=0.0)
    size: float = number(0.2, "outer edge of the cube", "m", above=0.0)
    mass: float = mass_of(1.0)
    inherited: ClassVar[None]
    law: str = choice("power", "contact law; rivals are Chrono's own, matched at rest", LAWS)
    time: float = run_length(4.0)
    step: float = time_step(1e-4)

    def coefficients(self) -> Coefficients:
        """Friction coefficients of a corner."""
        return Coefficients(self.mu_s, self.mu_c)

    def slope(self) -> float:
        """Angle of the slope in rad."""
        return math.radians(self.angle)


def creep_speed(law: Friction, grade: float) -> float | None:
    """Speed in m/s at which friction balances a slope of tan(angle) = grade; None where it cannot."""
    from scipy.optimize import brentq

    def balanced_grade(v: Any) -> Any:
        speed = np.hypot(v, law.eps)
        return law.force(speed, 1.0) * v / np.maximum(speed, 1e-300)

    speeds = np.linspace(0.0, 5.0 * max(law.v_c, law.v_s or law.v_c), 4001)
    peak = int(np.argmax(balanced_grade(speeds)))
    if not grade < balanced_grade(speeds[peak]) * (1.0 - 1e-6):
        return None
    return float(brentq(lambda v: float(balanced_grade(v)) - grade, 0.0, speeds[peak], xtol=1e-18, rtol=1e-13))


def foot_displacement(run: Trajectory) -> np.ndarray:
    """Displacement in m of the foot of the box: it leans on its contacts, and its middle moves with that, too."""
    start = run["x"][0] - run["z"][0] * run["phi"][0]
    return np.asarray(run["x"] - run["z"] * run["phi"] - start)


class Slope(Scenario[SlopeParameters]):
    """A complaint of users of every engine with smooth friction: the box does not stay at rest."""

    name = "slope"
    claim = "Below the friction angle a box creeps no faster than the speed at which the static law carries it."
    source = "thesis 2.2.3 and 4.2: friction with memory under a constant load; the scene is ours"
    parameters = SlopeParameters
    engines = (CHRONO, REFERENCE)
    models = {**{law: {"law": law} for law in LAWS}, "anchored": {"memory": "anchored"}}
    compared = (("t", "x", "displacement downhill in m"), ("t", "x_dot", "speed downhill in m/s"))
    log_from = 1e-6
    ranked = ("creep", "presliding", "energy_gain", "penetration")

    def simulate(self, p: SlopeParameters, progress: Progress) -> Trajectory:
        only_on_chrono(p.law)
        return run_box(p, p.slope(), 0.0, progress)

    def simulate_chrono(self, p: SlopeParameters, progress: Progress) -> Trajectory:
        from .box_chrono import box_on_chrono, box_under_rival

        simulate = box_on_chrono if p.law == "power" else box_under_rival
        return simulate(p, p.slope(), 0.0, progress)

    def expected_creep(self, p: SlopeParameters) -> float | None:
        """Speed in m/s at which the law balances the slope; None where it cannot."""
        grade = math.tan(p.slope())
        if p.law == "power" and p.memory == "anchored":
            return 0.0 if grade < p.mu_s else None
        if p.law == "power":
            return creep_speed(p.friction(), grade)
        from .box_chrono import rival_creep

        creep = rival_creep(p, p.slope())
        return creep if math.isfinite(creep) else None

    def measure(self, p: SlopeParameters, trajectory: Trajectory) -> Metrics:
        t = trajectory["t"]
        x = foot_displacement(trajectory)
        angle = p.slope()
        half = int(np.searchsorted(t, 0.5 * t[-1]))
        creep = float((x[-1] - x[half]) / (t[-1] - t[half]))
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
            "penetration": box_penetration(p.s_0, trajectory),
            "energy_gain": energy_gain(trajectory),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: SlopeParameters, metrics: Metrics) -> list[Check]:
        weight = metrics["normal_weight"]
        tolerance = 1e-3 if p.law == "power" else 5e-2
        carried = within("normal force after settling", metrics["rest_force"], weight, tolerance * weight, "N")
        expected = metrics["closed_form_creep"]
        if expected is None:
            end = metrics["closed_form_end_speed"]
            allowed = 0.02 * abs(end) + 2 * p.v_s
            return [carried, within("speed at the end", metrics["end_speed"], end, allowed, "m/s")]
        allowed = 1.02 * expected + self.unseen_speed(p)
        return [carried, below("creep after settling", abs(metrics["creep"]), allowed, "m/s")]

    def unseen_speed(self, p: SlopeParameters) -> float:
        """Speed in m/s that counts as rest."""
        if p.law == "power":
            return 1e-9
        from .box_chrono import rest_resolution

        return rest_resolution(p.law)

    def stable_step(self, p: SlopeParameters) -> float:
        return box_step(p, p.slope())

    def plot(self, outcome: Outcome[SlopeParameters], figure: Figure) -> None:
        run = outcome.trajectory
        metrics = outcome.metrics
        t = run["t"]
        (a, b), (c, d) = figure.subplots(2, 2)
        title = f"creep {metrics['creep'] * 1e6:.3g} um/s"
        panel(a, t, {"x": run["x"] * 1e6}, title, "time in s", "displacement in um")
        panel(b, t, {"v": run["x_dot"] * 1e6}, "speed downhill", "time in s", "speed in um/s")
        creep = metrics["closed_form_creep"]
        if creep is not None:
            level(b, creep * 1e6, "static law")
        if creep:
            b.set_ylim(-creep * 1e6, 5.0 * creep * 1e6)
        forces = {"uphill corners": run["F_1"], "downhill corners": run["F_2"]}
        panel(c, t, forces, "normal forces", "time in s", "force in N")
        energy_panel(d, run)

    def scene(self, outcome: Outcome[SlopeParameters]) -> Recording:
        p = outcome.parameters
        drawn = box_on_slope(outcome.trajectory, p.size, p.slope())
        return scene_of(self, outcome, *drawn, ("x", "x_dot"))

    def animate(self, outcome: Outcome[SlopeParameters], axes: Axes) -> Redraw:
        p = outcome.parameters
        return box_animation(axes, outcome.trajectory, p.size, p.slope(), "slope")
