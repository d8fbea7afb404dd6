"""A box slides to rest on the level: sliding_gravity of Chrono's own tests for smooth contact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...report.style import energy_panel, level, panel
from ..constants import GRAVITY
from ..parameters import CHRONO, REFERENCE, choice, mass_of, number, run_length, time_step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, energy_gain, within
from ..scenes.moving_scenes import scene_of
from ..scenes.rival_laws import LAWS, only_on_chrono
from ..timing import stopping_lag
from .box_pictures import box_animation
from .box_scenes import box_on_slope
from .planar_box import BoxParameters, Coefficients, box_penetration, box_step, run_box

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording

REST_ENERGY = 1e-8
"""Kinetic energy in J below which the box has stopped (sliding_gravity)."""

LEVEL = 0.0
"""Angle of the ground in rad."""


@dataclass(frozen=True)
class SlideParameters(BoxParameters):
    """A box that is pushed on the level."""

    speed: float = number(5.0, "speed at the start", "m/s", above=0.0)
    mu: float = number(0.5, "coefficient of friction", above=0.0)
    size: float = number(0.5, "outer edge of the cube", "m", above=0.0)
    mass: float = mass_of(1.0)
    inherited: ClassVar[None]
    law: str = choice("power", "contact law; rivals are Chrono's own, matched at rest", LAWS)
    time: float = run_length(2.0)
    step: float = time_step(1e-4)

    def coefficients(self) -> Coefficients:
        """Stiction and Coulomb friction are alike."""
        return Coefficients(self.mu, self.mu)


def first_rest(run: Trajectory) -> float | None:
    """Time in s at which the kinetic energy first falls below REST_ENERGY; None where it never does."""
    resting = np.flatnonzero(run["kinetic"] < REST_ENERGY)
    return float(run["t"][resting[0]]) if resting.size else None


class Slide(Scenario[SlideParameters]):
    """Settled, then pushed: the distance to rest shows whether the friction coefficient is the one that was set."""

    name = "slide"
    claim = "A sliding box stops after v^2/(2 mu g), to half a per cent."
    source = "Project Chrono, unit test sliding_gravity"
    parameters = SlideParameters
    engines = (CHRONO, REFERENCE)
    models = {**{law: {"law": law} for law in LAWS}, "anchored": {"memory": "anchored"}}
    compared = (("t", "x", "displacement in m"), ("t", "x_dot", "speed in m/s"))
    ranked = ("distance", "distance_error", "stop_time", "energy_gain", "penetration")

    def simulate(self, p: SlideParameters, progress: Progress) -> Trajectory:
        only_on_chrono(p.law)
        return run_box(p, LEVEL, p.speed, progress)

    def simulate_chrono(self, p: SlideParameters, progress: Progress) -> Trajectory:
        from .box_chrono import box_on_chrono, box_under_rival

        simulate = box_on_chrono if p.law == "power" else box_under_rival
        return simulate(p, LEVEL, p.speed, progress)

    def measure(self, p: SlideParameters, trajectory: Trajectory) -> Metrics:
        distance = float(trajectory["x"][-1] - trajectory["x"][0])
        expected = p.speed**2 / (2.0 * p.mu * GRAVITY)
        return {
            "distance": distance,
            "closed_form_distance": expected,
            "distance_error": distance / expected - 1.0,
            "stop_time": first_rest(trajectory),
            "closed_form_stop_time": p.speed / (p.mu * GRAVITY),
            "tilt": float(np.abs(trajectory["phi"]).max()),
            "penetration": box_penetration(p.s_0, trajectory),
            "energy_gain": energy_gain(trajectory),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: SlideParameters, metrics: Metrics) -> list[Check]:
        return self.check_on(REFERENCE, p, metrics)

    def check_on(self, engine: str, p: SlideParameters, metrics: Metrics) -> list[Check]:
        exact = metrics["closed_form_distance"]
        expected = exact - stopping_lag(p, engine, p.speed)
        stop = metrics["stop_time"]
        text = "the box does not stop" if stop is None else f"the box stops after {stop:.4g} s"
        return [
            Check(f"{text} (allowed {p.time:g} s)", stop is not None),
            within("distance", metrics["distance"], expected, 5e-3 * exact, "m"),
        ]

    def stable_step(self, p: SlideParameters) -> float:
        return box_step(p, LEVEL)

    def plot(self, outcome: Outcome[SlideParameters], figure: Figure) -> None:
        run = outcome.trajectory
        metrics = outcome.metrics
        t = run["t"]
        (a, b), (c, d) = figure.subplots(2, 2)
        title = f"displacement: {metrics['distance']:.5f} m"
        panel(a, t, {"x": run["x"]}, title, "time in s", "displacement in m")
        level(a, metrics["closed_form_distance"], "closed form")
        panel(b, t, {"v": run["x_dot"]}, "speed", "time in s", "speed in m/s")
        forces = {"rear corners": run["F_1"], "front corners": run["F_2"]}
        panel(c, t, forces, "normal forces: the box leans forward", "time in s", "force in N")
        energy_panel(d, run)

    def scene(self, outcome: Outcome[SlideParameters]) -> Recording:
        p = outcome.parameters
        drawn = box_on_slope(outcome.trajectory, p.size, LEVEL)
        return scene_of(self, outcome, *drawn, ("x", "x_dot"))

    def animate(self, outcome: Outcome[SlideParameters], axes: Axes) -> Redraw:
        return box_animation(axes, outcome.trajectory, outcome.parameters.size, LEVEL, "slide")
