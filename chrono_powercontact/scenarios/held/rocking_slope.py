"""A box on a slope that rocks below its friction angle: what a creeping friction loses in every swing adds up."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...report.style import BLUE, GREY, panel, stage
from ..boxes.box_scenes import box_on_slope
from ..boxes.planar_box import box_penetration
from ..constants import GRAVITY
from ..scenario import Check, Metrics, Outcome, Redraw, within
from ..scenes.moving_scenes import scene_of
from ..timing import timed_run
from .held import HeldScene, creep_under, drift, drift_title, held_step, with_columns
from .rocking_model import RockingParameters, rocking_box

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording

PHASES = 400
"""Moments of a swing over which the creep speed is averaged."""


class RockingSlope(HeldScene[RockingParameters]):
    """Every swing loads and unloads the contacts: friction with a true standstill loses nothing."""

    name = "rocking_slope"
    claim = "A box on a slope that rocks below the friction angle is where it was after every swing, to 10 um."
    source = "anchored friction: standstill under a changing load"
    parameters = RockingParameters
    compared = (("t", "x", "displacement downhill in m"), ("t", "theta", "slope in rad"))
    ranked = ("drift", "way", "penetration")
    recorded = ("x", "z", "phi", "theta")
    recorded_with = {"time": 1.0}

    def simulate(self, p: RockingParameters, progress: Progress) -> Trajectory:
        system = rocking_box(p)
        run = timed_run(system, system.state([0.0, p.start_height(), 0.0], [0.0] * 3), p, progress)
        theta = p.theta(run["t"])
        c = np.cos(theta)
        s = np.sin(theta)
        x = run["X"] * c - run["Z"] * s
        z = run["X"] * s + run["Z"] * c
        return with_columns(run, {"theta": theta, "x": x, "z": z})

    def simulate_chrono(self, p: RockingParameters, progress: Progress) -> Trajectory:
        from .held_chrono import rocking_on_chrono

        return rocking_on_chrono(p, progress)

    def holds(self, p: RockingParameters) -> bool:
        """Below the friction angle; how the slope speeds up adds less than a tenth of gravity along it."""
        return math.tan(math.radians(p.angle)) < 0.95 * p.mu

    def expected_drift(self, p: RockingParameters, seconds: float) -> float:
        """Displacement in m by which friction without an anchor creeps: its creep speed, averaged over a swing."""
        times = (np.arange(PHASES) + 0.5) / PHASES / p.frequency
        slopes = np.tan(p.theta(times))
        return seconds * float(np.mean([creep_under(p, slope / p.mu) for slope in slopes]))

    def measure(self, p: RockingParameters, trajectory: Trajectory) -> Metrics:
        t = trajectory["t"]
        period = 1.0 / p.frequency
        swings = max(math.floor(t[-1] * p.frequency + 1e-9), 1)
        first = min(period, t[-1] / 2.0) if swings < 2 else period
        normal = np.sum([trajectory[f"F_{i + 1}"] for i in range(4)], axis=0)
        return {
            "drift": drift(t, trajectory["x"], first, swings * period),
            "closed_form_drift": self.expected_drift(p, (swings - 1) * period),
            "swings": swings,
            "way": float(np.ptp(trajectory["x"])),
            "rest_force": float(np.interp(swings * period, t, normal)),
            "weight": p.mass * GRAVITY,
            "penetration": box_penetration(p.s_0, trajectory),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: RockingParameters, metrics: Metrics) -> list[Check]:
        held = self.held(p, metrics)
        if not self.holds(p):
            return [held]
        weight = metrics["weight"]
        level = within("normal force where it is level again", metrics["rest_force"], weight, 0.02 * weight, "N")
        return [held, level]

    def stable_step(self, p: RockingParameters) -> float:
        return held_step(p, p.mass / 4.0, p.mass * GRAVITY, p.mass / 2.5)

    def plot(self, outcome: Outcome[RockingParameters], figure: Figure) -> None:
        run = outcome.trajectory
        t = run["t"]
        (a, b), (c, d) = figure.subplots(2, 2)
        panel(a, t, {"slope": np.degrees(run["theta"])}, "slope", "time in s", "angle in degrees")
        title = drift_title(outcome.metrics["drift"])
        panel(b, t, {"x": run["x"] * 1e6}, title, "time in s", "displacement in um")
        forces = {"uphill corners": run["F_1"], "downhill corners": run["F_2"]}
        panel(c, t, forces, "normal forces", "time in s", "force in N")
        friction = run["Ft_1"] + run["Ft_2"] + run["Ft_3"] + run["Ft_4"]
        panel(d, t, {"friction": friction}, "friction", "time in s", "force in N")

    def scene(self, outcome: Outcome[RockingParameters]) -> Recording:
        run = outcome.trajectory
        level = replace(
            run, data=np.where(np.array(run.names) == "phi", (run["phi"] - run["theta"])[:, None], run.data)
        )
        drawn = box_on_slope(level, outcome.parameters.size, run["theta"])
        return scene_of(self, outcome, *drawn, ("x", "theta"))

    def animate(self, outcome: Outcome[RockingParameters], axes: Axes) -> Redraw:
        from matplotlib.patches import Polygon

        run = outcome.trajectory
        size = outcome.parameters.size
        outline = 0.5 * size * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)
        reach = float(np.abs(run["x"]).max()) + 2.0 * size
        stage(axes, (-reach, reach), (-0.6 * reach, 0.8 * reach))
        (line,) = axes.plot([], [], color=GREY, linewidth=3)
        body = Polygon(outline, color=BLUE, alpha=0.85)
        axes.add_patch(body)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            c = math.cos(run["theta"][i])
            s = math.sin(run["theta"][i])
            to_world = np.array([[c, -s], [s, c]])
            body.set_xy((outline + np.array([run["x"][i], run["z"][i]])) @ to_world)
            line.set_data(*(np.array([(-reach, 0.0), (reach, 0.0)]) @ to_world).T)
            label.set_text(f"rocking_slope: t = {run['t'][i]:.2f} s, x = {1e6 * run['x'][i]:.1f} um")

        return redraw
