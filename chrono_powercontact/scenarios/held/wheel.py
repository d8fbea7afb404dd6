"""A wheel with rolling friction on a slight slope: it rolls to rest, and stays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...report.style import BLUE, GREY, ORANGE, energy_panel, level, panel, stage
from ..constants import GRAVITY
from ..parameters import REFERENCE
from ..scenario import Check, Metrics, Outcome, Redraw, below, energy_gain, within
from ..scenes.moving_scenes import rolling_scene
from ..timing import stopping_lag, timed_run
from .held import DRIFT, HeldScene, drift, held_step
from .wheel_model import DISC, WheelParameters, wheel

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording

SETTLING = 1.0
"""Time in s after the stop from which the drift counts."""


class Wheel(HeldScene[WheelParameters]):
    """Rolling friction is a moment of the contact, anchored like the force: below its limit nothing turns."""

    name = "wheel"
    claim = "A wheel rolls to rest after the distance that its rolling friction says, and stays there on the slope."
    source = "anchored friction: rolling"
    parameters = WheelParameters
    compared = (("t", "x", "displacement downhill in m"), ("t", "phi_dot", "angular velocity in rad/s"))
    ranked = ("way", "drift", "energy_gain", "penetration")
    recorded = ("x", "phi", "x_dot", "phi_dot")
    recorded_with = {"time": 1.0}

    def simulate(self, p: WheelParameters, progress: Progress) -> Trajectory:
        system = wheel(p)
        start = system.state([0.0, p.start_height(), 0.0], [p.speed, 0.0, p.start_rotation()])
        return timed_run(system, start, p, progress)

    def simulate_chrono(self, p: WheelParameters, progress: Progress) -> Trajectory:
        from .held_chrono import wheel_on_chrono

        return wheel_on_chrono(p, progress)

    def braking(self, p: WheelParameters) -> float:
        """Deceleration in m/s^2 of the rolling wheel; negative where the slope is steeper than arm over radius."""
        return GRAVITY * (p.arm / p.radius * math.cos(p.slope()) - math.sin(p.slope())) / (1.0 + DISC)

    def holds(self, p: WheelParameters) -> bool:
        """Rolling friction outweighs the slope."""
        return self.braking(p) > 0.0

    def stop_time(self, p: WheelParameters) -> float:
        """When the wheel comes to rest, in s; infinite where it does not."""
        return float(p.speed / self.braking(p)) if self.holds(p) else math.inf

    def measure(self, p: WheelParameters, trajectory: Trajectory) -> Metrics:
        run = trajectory
        stop = self.stop_time(p)
        rests = stop + SETTLING < run["t"][-1]
        return {
            "way": float(run["x"][-1]),
            "closed_form_way": 0.5 * p.speed * stop if rests else None,
            "closed_form_stop_time": stop if rests else None,
            "drift": drift(run["t"], run["x"], stop + SETTLING) if rests else 0.0,
            "end_speed": float(run["x_dot"][-1]),
            "closed_form_end_speed": 0.0 if rests else p.speed - self.braking(p) * float(run["t"][-1]),
            "end_spin": float(run["phi_dot"][-1]),
            "slip": float(np.abs(run["x_dot"] - p.radius * run["phi_dot"]).max()),
            "penetration": max(p.s_0 - float(run["s_ground"].min()), 0.0),
            "energy_gain": energy_gain(run),
            "step_cost": run.step_cost,
        }

    def check(self, p: WheelParameters, metrics: Metrics) -> list[Check]:
        return self.check_on(REFERENCE, p, metrics)

    def check_on(self, engine: str, p: WheelParameters, metrics: Metrics) -> list[Check]:
        distance = metrics["closed_form_way"]
        if distance is None:
            end = metrics["closed_form_end_speed"]
            allowed = 5e-3 * max(abs(end), p.speed) + 2e-3
            return [within("speed at the end", metrics["end_speed"], end, allowed, "m/s")]
        allowed = 2e-3 * distance + 10.0 * p.radius * p.turn
        expected = distance - stopping_lag(p, engine, p.speed)
        return [
            within("distance to rest", metrics["way"], expected, allowed, "m"),
            below("drift at rest", metrics["drift"], DRIFT, "m"),
            below("angular velocity at rest", abs(metrics["end_spin"]), 1e-6, "rad/s"),
        ]

    def stable_step(self, p: WheelParameters) -> float:
        return held_step(p, p.mass, p.mass * GRAVITY, p.mass / (1.0 + 1.0 / DISC))

    def plot(self, outcome: Outcome[WheelParameters], figure: Figure) -> None:
        run = outcome.trajectory
        metrics = outcome.metrics
        t = run["t"]
        (a, b), (c, d) = figure.subplots(2, 2)
        panel(a, t, {"x": run["x"]}, f"displacement {metrics['way']:.5f} m", "time in s", "displacement in m")
        if metrics["closed_form_way"] is not None:
            level(a, metrics["closed_form_way"], "closed form")
        speeds = {"v": run["x_dot"], "R omega": outcome.parameters.radius * run["phi_dot"]}
        panel(b, t, speeds, "speed", "time in s", "speed in m/s", nested=True)
        panel(c, t, {"friction": run["Ft_ground"]}, "friction", "time in s", "force in N")
        energy_panel(d, run)

    def scene(self, outcome: Outcome[WheelParameters]) -> Recording:
        return rolling_scene(self, outcome, "wheel", np.full(len(outcome.trajectory), outcome.parameters.radius))

    def animate(self, outcome: Outcome[WheelParameters], axes: Axes) -> Redraw:
        from matplotlib.patches import Circle

        run = outcome.trajectory
        radius = outcome.parameters.radius
        angle = outcome.parameters.slope()
        to_world = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        low = float(run["x"].min()) - 2.0 * radius
        high = float(run["x"].max()) + 2.0 * radius
        line = np.array([(low, 0.0), (high, 0.0)]) @ to_world
        stage(axes, (low, high), (line[1, 1] - radius, line[0, 1] + 2.5 * radius))
        axes.plot(*line.T, color=GREY, linewidth=3)
        body = Circle((0.0, 0.0), radius, color=BLUE, alpha=0.85)
        axes.add_patch(body)
        (spoke,) = axes.plot([], [], color=ORANGE, linewidth=2)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            centre = np.array([run["x"][i], radius]) @ to_world
            turn = run["phi"][i] + angle
            tip = centre + radius * np.array([math.sin(turn), math.cos(turn)])
            body.set_center(tuple(centre))
            spoke.set_data([centre[0], tip[0]], [centre[1], tip[1]])
            label.set_text(f"wheel: t = {run['t'][i]:.2f} s, v = {run['x_dot'][i]:.4f} m/s")

        return redraw
