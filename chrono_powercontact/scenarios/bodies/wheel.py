"""A wheel with rolling friction on a slight slope: it rolls to rest, and stays."""

from __future__ import annotations

import math
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ...laws import Anchor, Material, SpinFriction
from ..boxes.held import DRIFT, HELD, HeldScene, drift, held_material, held_step
from ..boxes.held_scenes import wheel_on_chrono
from ..boxes.planar_box import CONTACT, GRAVITY
from ..impact.point_mass import energy_panel
from ..parameters import Parameter, duration, mass, step
from ..scenario import Check, Metrics, Outcome, Redraw, below, within
from ..timing import timed_run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...lagrange.model import Model
    from ...progress import Progress
    from ...trajectory import Trajectory

DISC = 0.5
"""Moment of inertia of a wheel over its mass and its squared radius."""


@cache
def wheel_model() -> Model:
    """A wheel of mass m, moment j and radius b on a ground inclined by theta; x downhill, phi the angle about y.

    z is the height of its middle above where it touches with its full radius, plus r, the distance s_0 of its contact.
    """
    import sympy as sp

    from ...lagrange import ContactPoint, Model, coordinates, velocities

    q = x, z, _ = coordinates("x z phi")
    p = m, b, j, r, g, theta = sp.symbols("m b j r g theta", real=True)
    vx, vz, spin = velocities(q)
    kinetic = m * (vx**2 + vz**2) / 2 + j * spin**2 / 2
    potential = m * g * (z * sp.cos(theta) - x * sp.sin(theta))
    point = ContactPoint("ground", z, (vx - (b + (z - r) / 2) * spin,), rolling=(spin,))
    return Model("wheel", q, kinetic, potential, p, contacts=(point,))


class Wheel(HeldScene):
    """Rolling friction is a moment of the contact, anchored like the force: below its limit nothing turns."""

    name = "wheel"
    claim = "A wheel rolls to rest after the way that its rolling friction says, and stays there on the slope."
    source = "anchored friction: rolling"
    parameters = (
        Parameter("speed", 1.0, "speed downhill at the start; the wheel rolls", "m/s", minimum=0.0),
        Parameter("arm", 0.02, "rolling friction: largest moment over the normal force", "m", minimum=0.0, above=True),
        Parameter("turn", 1e-4, "angle at which rolling friction reaches its limit", "rad", minimum=0.0, above=True),
        Parameter("turn_tau", 2e-3, "damping time of that angle", "s", minimum=0.0),
        Parameter("angle", 1.0, "angle of the slope in degrees", "deg", minimum=0.0, maximum=20.0),
        Parameter("radius", 0.3, "radius of the wheel", "m", minimum=0.0, above=True),
        mass(1.0),
        *HELD,
        *CONTACT,
        duration(10.0),
        step(1e-4),
    )
    compared = (("t", "x", "way downhill in m"), ("t", "phi_dot", "spin in rad/s"))
    ranked = ("way", "drift", "energy_gain", "penetration")
    recorded = ("x", "phi", "x_dot", "phi_dot")
    recorded_with = {"time": 1.0}

    def material(self, p: SimpleNamespace) -> Material:
        """The ground; distances count from s_0."""
        own = held_material(p)
        return Material(own.normal, own.friction, own.memory, rolling=SpinFriction(p.arm, Anchor(p.turn, p.turn_tau)))

    def start_height(self, p: SimpleNamespace) -> float:
        """Distance in m at which the ground carries the wheel."""
        load = p.mass * GRAVITY * math.cos(math.radians(p.angle))
        return float(held_material(p).normal.rest_distance(load))  # type: ignore[union-attr]

    def spin(self, p: SimpleNamespace) -> float:
        """Spin in rad/s with which the wheel rolls at the start."""
        return float(p.speed / (p.radius + 0.5 * (self.start_height(p) - p.s_0)))

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from ...lagrange.system import System

        moment, angle = DISC * p.mass * p.radius**2, math.radians(p.angle)
        numbers = {"m": p.mass, "b": p.radius, "j": moment, "r": p.s_0, "g": GRAVITY, "theta": angle}
        system = System(wheel_model(), numbers, {"ground": self.material(p)})
        start = system.state([0.0, self.start_height(p), 0.0], [p.speed, 0.0, self.spin(p)])
        return timed_run(system, start, p, progress)

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        return wheel_on_chrono(p, self.start_height(p), self.spin(p), self.material(p), progress)

    def braking(self, p: SimpleNamespace) -> float:
        """Deceleration in m/s^2 of the rolling wheel; negative where the slope is steeper than arm over radius."""
        angle = math.radians(p.angle)
        return GRAVITY * (p.arm / p.radius * math.cos(angle) - math.sin(angle)) / (1.0 + DISC)

    def holds(self, p: SimpleNamespace) -> bool:
        """Rolling friction outweighs the slope."""
        return self.braking(p) > 0.0

    def stop_time(self, p: SimpleNamespace) -> float:
        """When the wheel comes to rest, in s; infinite where it does not."""
        return float(p.speed / self.braking(p)) if self.holds(p) else math.inf

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        run, stop = trajectory, self.stop_time(p)
        rests = stop + 1.0 < run["t"][-1]
        mechanical = run["kinetic"] + run["potential"]
        return {
            "way": float(run["x"][-1]),
            "closed_form_way": 0.5 * p.speed * stop if rests else None,
            "closed_form_stop_time": stop if rests else None,
            "drift": drift(run["t"], run["x"], stop + 1.0) if rests else 0.0,
            "end_speed": float(run["x_dot"][-1]),
            "closed_form_end_speed": 0.0 if rests else p.speed - self.braking(p) * float(run["t"][-1]),
            "end_spin": float(run["phi_dot"][-1]),
            "slip": float(np.abs(run["x_dot"] - p.radius * run["phi_dot"]).max()),
            "penetration": max(p.s_0 - float(run["s_ground"].min()), 0.0),
            "energy_gain": float(max((mechanical - mechanical[0]).max(), 0.0)),
            "step_cost": run.step_cost,
        }

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        way, end = metrics["closed_form_way"], metrics["closed_form_end_speed"]
        if way is None:
            allowed = 5e-3 * max(abs(end), p.speed) + 2e-3
            return [within("speed at the end", metrics["end_speed"], end, allowed, "m/s")]
        return [
            within("way to rest", metrics["way"], way, 2e-3 * way + 10.0 * p.radius * p.turn, "m"),
            below("drift at rest", metrics["drift"], DRIFT, "m"),
            below("spin at rest", abs(metrics["end_spin"]), 1e-6, "rad/s"),
        ]

    def stable_step(self, p: SimpleNamespace) -> float:
        return held_step(p, p.mass, p.mass * GRAVITY, p.mass / (1.0 + 1.0 / DISC))

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import panel

        run, p, ((a, b), (c, d)) = outcome.trajectory, outcome.parameters, figure.subplots(2, 2)
        t = run["t"]
        panel(a, t, {"x": run["x"]}, f"way {outcome.metrics['way']:.5f} m", "time in s", "way in m")
        if outcome.metrics["closed_form_way"] is not None:
            a.axhline(outcome.metrics["closed_form_way"], color="k", linewidth=0.8, linestyle=":")
        panel(b, t, {"v": run["x_dot"], "radius spin": p.radius * run["phi_dot"]}, "speed", "time in s", "speed in m/s")
        panel(c, t, {"friction": run["Ft_ground"]}, "friction", "time in s", "force in N")
        energy_panel(d, run)

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw:
        from matplotlib.patches import Circle

        from ...report.style import BLUE, GREY, ORANGE, stage

        run, p, angle = outcome.trajectory, outcome.parameters, math.radians(outcome.parameters.angle)
        down = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        low, high = float(run["x"].min()) - 2.0 * p.radius, float(run["x"].max()) + 2.0 * p.radius
        line = np.array([(low, 0.0), (high, 0.0)]) @ down
        stage(axes, (low, high), (line[1, 1] - p.radius, line[0, 1] + 2.5 * p.radius))
        axes.plot(*line.T, color=GREY, linewidth=3)
        body = Circle((0.0, 0.0), p.radius, color=BLUE, alpha=0.85)
        axes.add_patch(body)
        (spoke,) = axes.plot([], [], color=ORANGE, linewidth=2)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            centre = np.array([run["x"][i], p.radius]) @ down
            turn = run["phi"][i] + angle
            tip = centre + p.radius * np.array([math.sin(turn), math.cos(turn)])
            body.set_center(tuple(centre))
            spoke.set_data([centre[0], tip[0]], [centre[1], tip[1]])
            label.set_text(f"wheel: t = {run['t'][i]:.2f} s, v = {run['x_dot'][i]:.4f} m/s")

        return redraw
