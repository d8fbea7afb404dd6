"""A ball against a wall of finite thickness (section 3.3.1, Table 3.2): it rebounds or breaks through."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ...laws import Barrier
from ...laws.design import stable_contact_step
from ...laws.impact import breakthrough_speed, exit_velocity
from ..parameters import Parameter, mass, step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, within
from ..scenes.chrono_scenes import point_mass_scene
from .point_mass import ball_scene, contact_parameters, energy_panel, loop_plot, point_mass

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory


class Wall(Scenario):
    """A finite barrier (3.21)-(3.24)."""

    name = "wall"
    claim = "The ball breaks through exactly when the closed form says so, and leaves with its speed."
    source = "thesis 3.3.1, Table 3.2"
    engines = ("chrono", "reference")
    parameters = (
        Parameter("speed", 270.0, "impact speed", "m/s", minimum=0.0, above=True),
        mass(0.05),
        Parameter("s_0", 0.1, "distance at which the contact begins", "m"),
        Parameter("s_c", 0.08, "distance at which the activation is complete; below s_0", "m"),
        Parameter("r_f", 1e4, "largest force of the wall", "N", minimum=0.0, above=True),
        Parameter("r_d", 0.05, "dissipation of the wall", "s/m", minimum=0.0),
        Parameter("thickness", 0.2, "thickness of the wall", "m", minimum=0.0, above=True),
        Parameter("s_c_back", -0.05, "distance at which the back side's release begins", "m"),
        step(1e-5),
    )

    def law(self, p: SimpleNamespace) -> Barrier:
        """The wall."""
        return Barrier(**contact_parameters(p), thickness=p.thickness, s_c_back=p.s_c_back)

    def flight(self, p: SimpleNamespace) -> tuple[float, float, Callable[[Trajectory], np.ndarray]]:
        """Distance in m where it begins, its longest time in s, and the test whether the ball is clear of the wall."""
        wall = self.law(p)
        start = wall.s_0 + 5.0 * (wall.s_0 - wall.s_c)
        behind = wall.s_0_back - 2.0 * (wall.s_c_back - wall.s_0_back)
        longest = 400.0 * (start - behind) / p.speed + 0.02
        return start, longest, lambda run: ((run["s"] > start) & (run["s_dot"] > 0.0)) | (run["s"] < behind)

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from ...lagrange.runs import run_rk4

        system = point_mass(p.mass, self.law(p))
        start, longest, gone = self.flight(p)
        return run_rk4(system, system.state([start], [-p.speed]), p.step, longest, 1, progress, gone)

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        start, longest, gone = self.flight(p)
        scene = point_mass_scene(p.mass, self.law(p), start, -p.speed, p.integrator)
        return scene.run(p.step, longest, 1, progress, gone)

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        wall = self.law(p)
        return {
            "exit_velocity": float(trajectory["s_dot"][-1]),
            "broke_through": bool(trajectory["s"][-1] < wall.r_c_back),
            "peak_force": float(trajectory["F_barrier"].max()),
            "min_distance": float(trajectory["s"].min()),
            "closed_form_exit_velocity": exit_velocity(wall, p.mass, p.speed),
            "breakthrough_speed": breakthrough_speed(wall, p.mass),
            "energy_start": float(trajectory["kinetic"][0]),
            "energy_end": float(trajectory["kinetic"][-1]),
            "least_power": float(np.min(trajectory["F_barrier"] * trajectory["s_dot"])),
        }

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        expected = p.speed > metrics["breakthrough_speed"]
        fate = "breaks through" if metrics["broke_through"] else "rebounds"
        return [
            Check(
                f"{fate} (critical speed {metrics['breakthrough_speed']:.4f} m/s)", metrics["broke_through"] == expected
            ),
            within(
                "exit velocity", metrics["exit_velocity"], metrics["closed_form_exit_velocity"], 1e-4 * p.speed, "m/s"
            ),
        ]

    def stable_step(self, p: SimpleNamespace) -> float:
        return stable_contact_step(self.law(p), p.mass)

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import panel

        run, ((a, b), (c, d)) = outcome.trajectory, figure.subplots(2, 2)
        ms, wall = run["t"] * 1e3, self.law(outcome.parameters)
        panel(a, ms, {"s": run["s"]}, "distance; the wall is grey", "time in ms", "s in m")
        a.axhspan(wall.s_0_back, wall.s_0, color="0.6", alpha=0.3)
        title = f"velocity: leaves with {outcome.metrics['exit_velocity']:.2f} m/s"
        panel(b, ms, {"v": run["s_dot"]}, title, "time in ms", "v in m/s")
        loop_plot(c, run, "force over distance: bounded by r_f", 1.0)
        energy_panel(d, run)

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw:
        wall = self.law(outcome.parameters)
        reach = wall.s_0 - wall.s_c
        return ball_scene(axes, outcome.trajectory, reach, (wall.s_0_back, wall.s_0), "wall")
