"""A ladder that leans on a wall: it stands or slips, and the angle between the two is a textbook's."""

from __future__ import annotations

import math
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ..impact.point_mass import energy_panel
from ..parameters import Parameter, duration, mass, step
from ..scenario import Check, Metrics, Outcome, Redraw, within
from ..timing import timed_run
from .held import HELD, HeldScene, drift, held_material, held_step
from .held_scenes import ladder_on_chrono
from .planar_box import CONTACT, GRAVITY

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...lagrange.model import Model
    from ...progress import Progress
    from ...trajectory import Trajectory


@cache
def ladder_model() -> Model:
    """A rod of mass m and length k between the centres of its round ends, of radius r; the wall is at x = 0.

    phi is the angle between ladder and floor. Friction acts half way between the surfaces. The upper end may fall to
    the floor, too: `top`.
    """
    import sympy as sp

    from ...lagrange import ContactPoint, Model, coordinates, velocities

    q = x, z, phi = coordinates("x z phi")
    p = m, k, r, g = sp.symbols("m k r g", real=True)
    vx, vz, spin = velocities(q)
    height, away = z - k / 2 * sp.sin(phi), x - k / 2 * sp.cos(phi)
    floor = ContactPoint("floor", height, (vx + spin * ((height - r) / 2 - z),))
    wall = ContactPoint("wall", away, (vz - spin * ((away - r) / 2 - x),))
    above = z + k / 2 * sp.sin(phi)
    top = ContactPoint("top", above, (vx + spin * ((above - r) / 2 - z),))
    kinetic = m * (vx**2 + vz**2) / 2 + m * k**2 * spin**2 / 24
    return Model("ladder", q, kinetic, m * g * z, p, contacts=(floor, wall, top))


class Ladder(HeldScene):
    """Two contacts hold each other: neither floor nor wall alone says how much of the load it takes."""

    name = "ladder"
    claim = "A ladder stands against a wall above the textbook's limit angle and slips below it."
    source = "statics: tan(limit) = (1 - mu mu_wall)/(2 mu)"
    parameters = (
        Parameter("angle", 50.0, "angle between ladder and floor in degrees", "deg", minimum=5.0, maximum=85.0),
        Parameter("mu_wall", 0.3, "coefficient of friction of the wall", minimum=0.0),
        Parameter("length", 2.0, "length of the ladder", "m", minimum=0.0, above=True),
        Parameter("width", 0.4, "distance of its rails; in Chrono only", "m", minimum=0.0, above=True),
        mass(5.0),
        *HELD,
        *CONTACT,
        duration(10.0),
        step(1e-4),
    )
    compared = (("t", "x", "distance of its middle from the wall in m"), ("t", "phi", "angle to the floor in rad"))
    recorded = ("x", "z", "phi")
    recorded_with = {"time": 0.5}

    def limit(self, p: SimpleNamespace) -> float:
        """Angle in rad below which no friction within its bounds holds the ladder."""
        return math.atan(max(1.0 - p.mu * p.mu_wall, 0.0) / (2.0 * p.mu))

    def holds(self, p: SimpleNamespace) -> bool:
        """Above the limit angle."""
        return math.radians(p.angle) > self.limit(p)

    def start(self, p: SimpleNamespace) -> tuple[float, float]:
        """Place x and z in m of the middle at which floor and wall carry what they would if the wall were smooth."""
        angle, law = math.radians(p.angle), held_material(p, 2).normal
        weight = p.mass * GRAVITY
        floor, wall = (law.rest_distance(force) for force in (weight, 0.5 * weight / math.tan(angle)))  # type: ignore[union-attr]
        return float(wall + 0.5 * p.length * math.cos(angle)), float(floor + 0.5 * p.length * math.sin(angle))

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from ...lagrange.system import System

        ground = held_material(p, 2)
        materials = {"floor": ground, "wall": held_material(p, 2, p.mu_wall), "top": ground}
        system = System(ladder_model(), {"m": p.mass, "k": p.length, "r": p.s_0, "g": GRAVITY}, materials)
        start = system.state([*self.start(p), math.radians(p.angle)], [0.0] * 3)
        return timed_run(system, start, p, progress)

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        return ladder_on_chrono(p, self.start(p), (held_material(p), held_material(p, 1, p.mu_wall)), progress)

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        run, angle = trajectory, math.radians(p.angle)
        end = {name: float(run[name][-1]) for name in ("F_floor", "F_wall", "Ft_floor")}
        rub = float(run["Ft_wall"][-1]) if "Ft_wall" in run.names else 0.0
        turning = 0.5 * p.length * (end["F_floor"] * math.cos(angle) - end["F_wall"] * math.sin(angle))
        turning += 0.5 * p.length * (rub * math.cos(angle) - end["Ft_floor"] * math.sin(angle))
        mechanical = run["kinetic"] + run["potential"]
        return {
            "drift": drift(run["t"], np.column_stack([run["x"], run["z"]]), self.settled(p)),
            "limit_angle": math.degrees(self.limit(p)),
            "end_angle": math.degrees(float(run["phi"][-1])),
            "upward": end["F_floor"] - rub,
            "weight": p.mass * GRAVITY,
            "sideways": end["F_wall"] - end["Ft_floor"],
            "turning": turning,
            "used_floor": end["Ft_floor"] / max(p.mu * end["F_floor"], 1e-300),
            "used_wall": abs(rub) / max(p.mu_wall * end["F_wall"], 1e-300),
            "penetration": max(p.s_0 - float(min(run[f"s_{end}"].min() for end in ("floor", "wall", "top"))), 0.0),
            "energy_gain": float(max((mechanical - mechanical[0]).max(), 0.0)),
            "step_cost": run.step_cost,
        }

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        weight = metrics["weight"]
        if not self.holds(p):
            return [self.held(p, metrics)]
        return [
            self.held(p, metrics),
            within("forces upward", metrics["upward"], weight, 1e-3 * weight, "N"),
            within("forces sideways", metrics["sideways"], 0.0, 1e-3 * weight, "N"),
        ]

    def stable_step(self, p: SimpleNamespace) -> float:
        return held_step(p, p.mass / 8.0, p.mass * GRAVITY, p.mass / 4.0)

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import panel

        run, ((a, b), (c, d)) = outcome.trajectory, figure.subplots(2, 2)
        t = run["t"]
        ways = {"away from the wall": (run["x"] - run["x"][0]) * 1e6, "up": (run["z"] - run["z"][0]) * 1e6}
        panel(a, t, ways, f"drift {outcome.metrics['drift'] * 1e6:.3g} um", "time in s", "way in um")
        panel(b, t, {"phi": np.degrees(run["phi"])}, "angle to the floor", "time in s", "angle in degrees")
        b.axhline(outcome.metrics["limit_angle"], color="k", linewidth=0.8, linestyle=":")
        names = ("F_floor", "Ft_floor", "F_wall", "Ft_wall")
        panel(c, t, {name: run[name] for name in names if name in run.names}, "forces", "time in s", "force in N")
        energy_panel(d, run)

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw:
        from ...report.style import BLUE, GREY, stage

        run, p = outcome.trajectory, outcome.parameters
        stage(axes, (-0.1 * p.length, 1.2 * p.length), (-0.1 * p.length, 1.1 * p.length))
        axes.plot([0.0, 0.0, 1.2 * p.length], [1.1 * p.length, 0.0, 0.0], color=GREY, linewidth=3)
        (rod,) = axes.plot([], [], color=BLUE, linewidth=5, solid_capstyle="round")
        label = axes.set_title("")

        def redraw(i: int) -> None:
            half = 0.5 * p.length * np.array([math.cos(run["phi"][i]), -math.sin(run["phi"][i])])
            middle = np.array([run["x"][i], run["z"][i]])
            rod.set_data(*np.array([middle - half, middle + half]).T)
            label.set_text(f"ladder: t = {run['t'][i]:.2f} s, {math.degrees(run['phi'][i]):.3f} degrees")

        return redraw
