"""A ladder that leans on a wall: it stays at rest or slips, and the angle between the two is a textbook's."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...report.style import BLUE, GREY, energy_panel, legend, level, panel, stage
from ..constants import GRAVITY
from ..scenario import Check, Metrics, Outcome, Redraw, energy_gain, within
from ..scenes.moving_scenes import Planar, bar, block, plate, scene_of, touch
from ..timing import timed_run
from .held import HeldScene, drift, drift_title, held_step, left_open
from .ladder_model import LadderParameters, ladder

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording


class Ladder(HeldScene[LadderParameters]):
    """Two contacts hold each other: neither floor nor wall alone says how much of the load it takes."""

    name = "ladder"
    claim = "A ladder stays at rest against a wall above the textbook's limit angle and slips below it."
    source = "statics: tan(limit) = (1 - mu mu_wall)/(2 mu)"
    parameters = LadderParameters
    compared = (("t", "x", "distance of its middle from the wall in m"), ("t", "phi", "angle to the floor in rad"))
    recorded = ("x", "z", "phi")
    recorded_with = {"time": 0.5}

    def limit(self, p: LadderParameters) -> float:
        """Angle in rad below which no friction within its bounds holds the ladder."""
        return math.atan(max(1.0 - p.mu * p.mu_wall, 0.0) / (2.0 * p.mu))

    def holds(self, p: LadderParameters) -> bool:
        """Above the limit angle."""
        return p.lean() > self.limit(p)

    def simulate(self, p: LadderParameters, progress: Progress) -> Trajectory:
        system = ladder(p)
        start = system.state([*p.start(), p.lean()], [0.0] * 3)
        return timed_run(system, start, p, progress)

    def simulate_chrono(self, p: LadderParameters, progress: Progress) -> Trajectory:
        from .held_chrono import ladder_on_chrono

        return ladder_on_chrono(p, progress)

    def measure(self, p: LadderParameters, trajectory: Trajectory) -> Metrics:
        run = trajectory
        c = math.cos(p.lean())
        s = math.sin(p.lean())
        floor = float(run["F_floor"][-1])
        wall = float(run["F_wall"][-1])
        floor_friction = float(run["Ft_floor"][-1])
        wall_friction = float(run["Ft_wall"][-1]) if "Ft_wall" in run.names else 0.0
        turning = 0.5 * p.length * (floor * c - wall * s)
        turning += 0.5 * p.length * (wall_friction * c - floor_friction * s)
        lowest = float(min(run[f"s_{end}"].min() for end in ("floor", "wall", "top")))
        return {
            "drift": drift(run["t"], np.column_stack([run["x"], run["z"]]), self.settled(p)),
            "limit_angle": math.degrees(self.limit(p)),
            "end_angle": math.degrees(float(run["phi"][-1])),
            "upward": floor - wall_friction,
            "weight": p.mass * GRAVITY,
            "sideways": wall - floor_friction,
            "turning": turning,
            "used_floor": floor_friction / max(p.mu * floor, 1e-300),
            "used_wall": abs(wall_friction) / max(p.mu_wall * wall, 1e-300),
            "penetration": max(p.s_0 - lowest, 0.0),
            "energy_gain": energy_gain(run),
            "step_cost": run.step_cost,
            **left_open(ladder(p), (*p.start(), p.lean()), self.holds(p)),
        }

    def check(self, p: LadderParameters, metrics: Metrics) -> list[Check]:
        held = self.held(p, metrics)
        if not self.holds(p):
            return [held]
        weight = metrics["weight"]
        return [
            held,
            within("forces upward", metrics["upward"], weight, 1e-3 * weight, "N"),
            within("forces sideways", metrics["sideways"], 0.0, 1e-3 * weight, "N"),
        ]

    def stable_step(self, p: LadderParameters) -> float:
        return held_step(p, p.mass / 8.0, p.mass * GRAVITY, p.mass / 4.0)

    def plot(self, outcome: Outcome[LadderParameters], figure: Figure) -> None:
        run = outcome.trajectory
        t = run["t"]
        (a, b), (c, d) = figure.subplots(2, 2)
        moves = {"away from the wall": (run["x"] - run["x"][0]) * 1e6, "up": (run["z"] - run["z"][0]) * 1e6}
        title = drift_title(outcome.metrics["drift"])
        panel(a, t, moves, title, "time in s", "displacement in um")
        panel(b, t, {"phi": np.degrees(run["phi"])}, "angle to the floor", "time in s", "angle in degrees")
        level(b, outcome.metrics["limit_angle"], "limit angle")
        names = ("F_floor", "Ft_floor", "F_wall", "Ft_wall")
        forces = {name: run[name] for name in names if name in run.names}
        panel(c, t, forces, "forces", "time in s", "force in N")
        legend(c, 2, (0.45, 0.58))
        energy_panel(d, run)

    def scene(self, outcome: Outcome[LadderParameters]) -> Recording:
        run = outcome.trajectory
        length = outcome.parameters.length
        across = 0.5 * length * np.cos(run["phi"])
        up = 0.5 * length * np.sin(run["phi"])
        foot = Planar(run["x"] + across, run["z"] - up)
        top = Planar(run["x"] - across, run["z"] + up)
        zero = 0.0 * across
        wall = block(
            "wall", (0.02 * length, length, 1.2 * length), Planar(zero - 0.01 * length, zero + 0.6 * length), fixed=True
        )
        bodies = [bar("ladder", top, foot, 0.015 * length), wall, plate([0.0, length], 0.3 * length)]
        contacts = touch(run, foot, "F_floor", "Ft_floor", 0.0, "x_dot")
        contacts += touch(run, top, "F_wall", "Ft_wall", 0.5 * np.pi, "z_dot")
        return scene_of(self, outcome, bodies, contacts, ("phi", "F_floor", "F_wall"))

    def animate(self, outcome: Outcome[LadderParameters], axes: Axes) -> Redraw:
        run = outcome.trajectory
        length = outcome.parameters.length
        stage(axes, (-0.1 * length, 1.2 * length), (-0.1 * length, 1.1 * length))
        axes.plot([0.0, 0.0, 1.2 * length], [1.1 * length, 0.0, 0.0], color=GREY, linewidth=3)
        (rod,) = axes.plot([], [], color=BLUE, linewidth=5, solid_capstyle="round")
        label = axes.set_title("")

        def redraw(i: int) -> None:
            half = 0.5 * length * np.array([math.cos(run["phi"][i]), -math.sin(run["phi"][i])])
            middle = np.array([run["x"][i], run["z"][i]])
            rod.set_data(*np.array([middle - half, middle + half]).T)
            label.set_text(f"ladder: t = {run['t'][i]:.2f} s, {math.degrees(run['phi'][i]):.3f} degrees")

        return redraw
