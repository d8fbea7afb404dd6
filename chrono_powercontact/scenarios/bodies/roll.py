"""A sphere rolls down a plane: the inclined plane of Drake's tests."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...laws.design import stable_contact_step, stable_friction_step
from ...report.style import BLUE, GREY, ORANGE, energy_panel, panel, stage
from ..constants import GRAVITY
from ..parameters import CHRONO, REFERENCE
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, within
from ..scenes.moving_scenes import rolling_scene
from ..timing import timed_run
from .roll_model import RollParameters, rolling_sphere

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording

TOLERANCE = 5.5e-4
"""Relative error that Drake's own test allows."""

SLIPPING_TOLERANCE = 1e-2
"""Relative error that a slipping sphere may have."""


class Roll(Scenario[RollParameters]):
    """Friction must hold the contact point without knowing that the sphere rolls."""

    name = "roll"
    claim = "A sphere rolls down a slope without slipping, at five sevenths of g sin(angle) t, to Drake's tolerance."
    source = "Drake, inclined_plane_test"
    parameters = RollParameters
    engines = (CHRONO, REFERENCE)

    def simulate(self, p: RollParameters, progress: Progress) -> Trajectory:
        system = rolling_sphere(p)
        return timed_run(system, system.state([0.0, p.start_height(), 0.0], [0.0] * 3), p, progress)

    def simulate_chrono(self, p: RollParameters, progress: Progress) -> Trajectory:
        from .body_chrono import sphere_on_chrono

        return sphere_on_chrono(p, progress)

    def rolls(self, p: RollParameters) -> bool:
        """Whether stiction can hold the contact point."""
        return math.tan(p.slope()) < 3.5 * p.mu_s

    def expected(self, p: RollParameters) -> tuple[float, float]:
        """Speed in m/s and angular velocity in rad/s at the end, of a sphere that rolls or slips."""
        angle = p.slope()
        if self.rolls(p):
            speed = 5.0 / 7.0 * GRAVITY * math.sin(angle) * p.time
            return speed, speed / p.radius
        speed = GRAVITY * (math.sin(angle) - p.mu_c * math.cos(angle)) * p.time
        return speed, 2.5 * p.mu_c * GRAVITY * math.cos(angle) * p.time / p.radius

    def measure(self, p: RollParameters, trajectory: Trajectory) -> Metrics:
        speed = float(trajectory["x_dot"][-1])
        rotation = float(trajectory["phi_dot"][-1])
        expected_speed, expected_rotation = self.expected(p)
        mechanical = trajectory["kinetic"] + trajectory["potential"]
        return {
            "speed": speed,
            "closed_form_speed": expected_speed,
            "spin": rotation,
            "closed_form_spin": expected_rotation,
            "slip": speed - p.radius * rotation,
            "penetration": max(float(p.radius - trajectory["s_ground"].min()), 0.0),
            "energy_loss": float((mechanical[0] - mechanical[-1]) / trajectory["kinetic"][-1]),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: RollParameters, metrics: Metrics) -> list[Check]:
        speed = metrics["closed_form_speed"]
        rotation = metrics["closed_form_spin"]
        allowed = TOLERANCE if self.rolls(p) else SLIPPING_TOLERANCE
        return [
            within("speed", metrics["speed"], speed, allowed * speed, "m/s"),
            within("angular velocity", metrics["spin"], rotation, allowed * rotation, "rad/s"),
        ]

    def stable_step(self, p: RollParameters) -> float:
        contact = stable_contact_step(p.restriction(), p.mass, integrator="rk4")
        rolling = stable_friction_step(p.friction(), p.mass / 3.5, p.friction_memory(), p.load(), integrator="rk4")
        return min(contact, rolling)

    def plot(self, outcome: Outcome[RollParameters], figure: Figure) -> None:
        run = outcome.trajectory
        t = run["t"]
        rolled = outcome.parameters.radius * run["phi_dot"]
        (a, b), (c, d) = figure.subplots(2, 2)
        speeds = {"v": run["x_dot"], "R omega": rolled}
        panel(a, t, speeds, "speed and rolled speed", "time in s", "speed in m/s", nested=True)
        panel(b, t, {"v - R omega": (run["x_dot"] - rolled) * 1e6}, "slip", "time in s", "speed in um/s")
        panel(c, t, {"normal": run["F_ground"], "friction": run["Ft_ground"]}, "forces", "time in s", "force in N")
        energy_panel(d, run)

    def scene(self, outcome: Outcome[RollParameters]) -> Recording:
        return rolling_scene(self, outcome, "sphere", outcome.trajectory["z"])

    def animate(self, outcome: Outcome[RollParameters], axes: Axes) -> Redraw:
        from matplotlib.patches import Circle

        run = outcome.trajectory
        radius = outcome.parameters.radius
        angle = outcome.parameters.slope()
        to_world = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        line = np.array([(-2.0 * radius, 0.0), (float(run["x"].max()) + 2.0 * radius, 0.0)]) @ to_world.T
        bottom = line[1, 1] - radius
        stage(axes, (line[0, 0], line[1, 0]), (bottom, line[0, 1] + 2.5 * radius))
        axes.fill_between(line[:, 0], bottom, line[:, 1], color=GREY, alpha=0.18, hatch="//", linewidth=0.0)
        body = Circle((0.0, 0.0), radius, color=BLUE, alpha=0.85)
        axes.add_patch(body)
        (spoke,) = axes.plot([], [], color=ORANGE, linewidth=2)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            centre = np.array([run["x"][i], run["z"][i]]) @ to_world.T
            turn = run["phi"][i] + angle
            tip = centre + radius * np.array([math.sin(turn), math.cos(turn)])
            body.set_center(tuple(centre))
            spoke.set_data([centre[0], tip[0]], [centre[1], tip[1]])
            label.set_text(f"roll: t = {run['t'][i]:.2f} s, v = {run['x_dot'][i]:.3f} m/s")

        return redraw
