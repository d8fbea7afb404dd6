"""A ball against a wall of finite thickness (section 3.3.1, Table 3.2): it rebounds or breaks through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...laws.design import stable_contact_step
from ...laws.impact import breakthrough_speed, exit_velocity
from ...laws.normal.restriction import Barrier
from ...report.style import energy_panel, panel
from ..events import largest, least
from ..groups import Contact
from ..parameters import CHRONO, REFERENCE, Stepped, mass_of, number, time_step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, StepLimit, within
from ..scenes.moving_scenes import scene_of
from .impact_pictures import ball_animation, loop_plot
from .impact_scenes import flight
from .point_mass import Flight, fly

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording

STEPS_THROUGH = 10
"""Steps that a ball must take through the wall, at least, to feel its force."""


@dataclass(frozen=True)
class WallParameters(Contact, Stepped):
    """A ball against a wall of finite thickness."""

    speed: float = number(270.0, "impact speed", "m/s", above=0.0)
    mass: float = mass_of(0.05)
    s_0: float = number(0.1, "distance at which the contact begins", "m")
    s_c: float = number(0.08, "distance at which the activation is complete; below s_0", "m")
    r_f: float = number(1e4, "largest force of the wall", "N", above=0.0)
    r_d: float = number(0.05, "dissipation of the wall", "s/m", minimum=0.0)
    thickness: float = number(0.2, "thickness of the wall", "m", above=0.0)
    s_c_back: float = number(-0.05, "distance at which the back side's release begins", "m")
    step: float = time_step(1e-5)

    def wall(self) -> Barrier:
        """The wall."""
        return Barrier(
            s_0=self.s_0,
            s_c=self.s_c,
            r_f=self.r_f,
            r_d=self.r_d,
            thickness=self.thickness,
            s_c_back=self.s_c_back,
        )


def through_or_back(p: WallParameters) -> Flight:
    """A flight that ends when the ball is clear of the wall, on either side."""
    wall = p.wall()
    start = wall.s_0 + 5.0 * (wall.s_0 - wall.s_c)
    behind = wall.s_0_back - 2.0 * (wall.s_c_back - wall.s_0_back)
    longest = 400.0 * (start - behind) / p.speed + 0.02

    def clear(run: Trajectory) -> np.ndarray:
        rebounded = (run["s"] > start) & (run["s_dot"] > 0.0)
        return rebounded | (run["s"] < behind)

    return Flight(start, p.speed, longest, clear)


def longest_felt(p: WallParameters) -> float:
    """Longest step in s with which a ball still feels the force of the wall at several places."""
    return p.thickness / (STEPS_THROUGH * p.speed)


class Wall(Scenario[WallParameters]):
    """A finite barrier (3.21)-(3.24)."""

    name = "wall"
    claim = "The ball breaks through exactly when the closed form says so, and leaves with its speed."
    source = "thesis 3.3.1, Table 3.2"
    parameters = WallParameters
    engines = (CHRONO, REFERENCE)

    def simulate(self, p: WallParameters, progress: Progress) -> Trajectory:
        return fly(p.mass, p.wall(), through_or_back(p), p.step, progress)

    def simulate_chrono(self, p: WallParameters, progress: Progress) -> Trajectory:
        from .impact_chrono import fly_on_chrono

        stepping = "auto" if p.step <= self.stable_step(p) else "implicit"
        return fly_on_chrono(p.mass, p.wall(), through_or_back(p), p.integrator, p.step, progress, stepping)

    def measure(self, p: WallParameters, trajectory: Trajectory) -> Metrics:
        wall = p.wall()
        return {
            "exit_velocity": float(trajectory["s_dot"][-1]),
            "broke_through": bool(trajectory["s"][-1] < wall.r_c_back),
            "peak_force": largest(trajectory["F_barrier"]),
            "min_distance": least(trajectory["s"]),
            "closed_form_exit_velocity": exit_velocity(wall, p.mass, p.speed),
            "breakthrough_speed": breakthrough_speed(wall, p.mass),
            "energy_start": float(trajectory["kinetic"][0]),
            "energy_end": float(trajectory["kinetic"][-1]),
            "least_power": float(np.min(trajectory["F_barrier"] * trajectory["s_dot"])),
        }

    def check(self, p: WallParameters, metrics: Metrics) -> list[Check]:
        critical = metrics["breakthrough_speed"]
        expected = p.speed > critical
        fate = "breaks through" if metrics["broke_through"] else "rebounds"
        velocity = metrics["closed_form_exit_velocity"]
        return [
            Check(f"{fate} (critical speed {critical:.4f} m/s)", metrics["broke_through"] == expected),
            within("exit velocity", metrics["exit_velocity"], velocity, 1e-4 * p.speed, "m/s"),
        ]

    def stable_step(self, p: WallParameters) -> float:
        stable: float = stable_contact_step(p.wall(), p.mass, integrator="rk4")
        return min(stable, longest_felt(p))

    def step_limit(self, engine: str, p: WallParameters) -> StepLimit | None:
        limit = super().step_limit(engine, p)
        if limit is None or limit.step < longest_felt(p):
            return limit
        return StepLimit(
            limit.step, "the longest step that feels the wall", "a wall that breaks within a step takes no energy"
        )

    def plot(self, outcome: Outcome[WallParameters], figure: Figure) -> None:
        run = outcome.trajectory
        wall = outcome.parameters.wall()
        ms = run["t"] * 1e3
        (a, b), (c, d) = figure.subplots(2, 2)
        panel(a, ms, {"s": run["s"]}, "distance; the wall is grey", "time in ms", "s in m")
        a.axhspan(wall.s_0_back, wall.s_0, color="0.6", alpha=0.3)
        title = f"velocity: leaves with {outcome.metrics['exit_velocity']:.2f} m/s"
        panel(b, ms, {"v": run["s_dot"]}, title, "time in ms", "v in m/s")
        loop_plot(c, run, "force over distance: bounded by r_f", 1.0)
        energy_panel(d, run, "ms")

    def scene(self, outcome: Outcome[WallParameters]) -> Recording:
        wall = outcome.parameters.wall()
        drawn = flight(outcome.trajectory, wall.s_0 - wall.s_c, (wall.s_0_back, wall.s_0))
        return scene_of(self, outcome, *drawn, ("s", "s_dot", "F_barrier"))

    def animate(self, outcome: Outcome[WallParameters], axes: Axes) -> Redraw:
        wall = outcome.parameters.wall()
        radius = wall.s_0 - wall.s_c
        return ball_animation(axes, outcome.trajectory, radius, (wall.s_0_back, wall.s_0), "wall")
