"""A sphere rolls down a plane: the inclined plane of Drake's tests."""

from __future__ import annotations

import math
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ...laws import Friction, Material, Restriction
from ...laws.design import stable_contact_step, stable_friction_step
from ..anchored import ANCHOR
from ..boxes.planar_box import GRAVITY, MEMORIES, memory_of
from ..impact.point_mass import energy_panel
from ..parameters import Parameter, duration, mass, step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, within
from ..scenes.free_bodies import sphere_on_chrono
from ..timing import timed_run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...lagrange.model import Model
    from ...progress import Progress
    from ...trajectory import Trajectory

TOLERANCE = 5.5e-4
"""Relative error that Drake's own test allows."""


@cache
def rolling_sphere_model() -> Model:
    """A sphere of mass m and radius r on a plane inclined by theta; x points downhill, phi turns about y.

    The surfaces touch half way between them, so the lever of friction is (z + r)/2.
    """
    import sympy as sp

    from ...lagrange import ContactPoint, Model, coordinates, velocities

    q = x, z, _ = coordinates("x z phi")
    p = m, r, g, theta = sp.symbols("m r g theta", real=True)
    vx, vz, spin = velocities(q)
    kinetic = m * (vx**2 + vz**2) / 2 + m * r**2 * spin**2 / 5
    potential = m * g * (z * sp.cos(theta) - x * sp.sin(theta))
    point = ContactPoint("ground", z, (vx - (z + r) / 2 * spin,))
    return Model("rolling_sphere", q, kinetic, potential, p, contacts=(point,))


class Roll(Scenario):
    """Friction must hold the contact point without being told that the sphere rolls."""

    name = "roll"
    claim = "A sphere rolls down a slope without slipping, at five sevenths of g sin(angle) t, to Drake's tolerance."
    source = "Drake, inclined_plane_test"
    parameters = (
        Parameter("angle", 15.0, "angle of the slope in degrees", "deg", minimum=0.0, above=True, maximum=80.0),
        Parameter("radius", 0.05, "radius of the sphere", "m", minimum=0.0, above=True),
        mass(0.1),
        Parameter("mu_s", 1.0, "stiction coefficient; at least mu_c", minimum=0.0),
        Parameter("mu_c", 0.5, "Coulomb coefficient", minimum=0.0),
        Parameter("v_c", 5e-5, "transition speed of the Coulomb part", "m/s", minimum=0.0, above=True),
        Parameter("v_s", 1e-4, "speed at which stiction peaks", "m/s", minimum=0.0, above=True),
        Parameter("eps", 1e-6, "speed that rounds the norm", "m/s", minimum=0.0),
        Parameter("memory", "lpv", "memory of the friction force", choices=MEMORIES),
        Parameter("t_f", 1e-3, "time constant of the memory", "s", minimum=0.0, above=True),
        Parameter("v_f", 1e-4, "speed below which the memory closes", "m/s", minimum=0.0, above=True),
        *ANCHOR,
        Parameter("width", 5e-4, "s_0 - s_c: way on which the contact is activated", "m", minimum=0.0, above=True),
        Parameter("r_f", 400.0, "largest force of the ground", "N", minimum=0.0, above=True),
        Parameter("r_d", 3.0, "dissipation of the contact", "s/m", minimum=0.0),
        duration(1.0),
        step(1e-4),
    )

    engines = ("chrono", "reference")
    integrator = "euler_implicit_linearized"

    def material(self, p: SimpleNamespace) -> Material:
        """The ground; distances count from the middle of the sphere."""
        law = Restriction(p.radius, p.radius - p.width, p.r_f, p.r_d)
        friction = Friction(p.mu_c, p.mu_s, p.v_c, p.v_s if p.mu_s > p.mu_c else None, 0.0, p.eps)
        return Material(law, friction, memory_of(p))

    def start_height(self, p: SimpleNamespace) -> float:
        """Height in m of the middle of the sphere at which the ground carries it."""
        load = p.mass * GRAVITY * math.cos(math.radians(p.angle))
        return float(self.material(p).normal.rest_distance(load))  # type: ignore[union-attr]

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from ...lagrange.system import System

        numbers = {"m": p.mass, "r": p.radius, "g": GRAVITY, "theta": math.radians(p.angle)}
        system = System(rolling_sphere_model(), numbers, {"ground": self.material(p)})
        return timed_run(system, system.state([0.0, self.start_height(p), 0.0], [0.0] * 3), p, progress)

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        return sphere_on_chrono(p, math.radians(p.angle), self.start_height(p), self.material(p), progress)

    def expected(self, p: SimpleNamespace) -> tuple[float, float]:
        """Speed in m/s and spin in rad/s at the end: rolling, or slipping where stiction cannot hold the sphere."""
        angle = math.radians(p.angle)
        if math.tan(angle) < 3.5 * p.mu_s:
            speed = 5.0 / 7.0 * GRAVITY * math.sin(angle) * p.time
            return speed, speed / p.radius
        speed = GRAVITY * (math.sin(angle) - p.mu_c * math.cos(angle)) * p.time
        return speed, 2.5 * p.mu_c * GRAVITY * math.cos(angle) * p.time / p.radius

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        speed, spin = float(trajectory["x_dot"][-1]), float(trajectory["phi_dot"][-1])
        mechanical = trajectory["kinetic"] + trajectory["potential"]
        expected_speed, expected_spin = self.expected(p)
        return {
            "speed": speed,
            "closed_form_speed": expected_speed,
            "spin": spin,
            "closed_form_spin": expected_spin,
            "slip": speed - p.radius * spin,
            "penetration": max(float(p.radius - trajectory["s_ground"].min()), 0.0),
            "energy_loss": float((mechanical[0] - mechanical[-1]) / trajectory["kinetic"][-1]),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        speed, spin = metrics["closed_form_speed"], metrics["closed_form_spin"]
        allowed = TOLERANCE if math.tan(math.radians(p.angle)) < 3.5 * p.mu_s else 1e-2
        return [
            within("speed", metrics["speed"], speed, allowed * speed, "m/s"),
            within("spin", metrics["spin"], spin, allowed * spin, "rad/s"),
        ]

    def stable_step(self, p: SimpleNamespace) -> float:
        material, load = self.material(p), p.mass * GRAVITY * math.cos(math.radians(p.angle))
        contact = stable_contact_step(material.normal, p.mass)  # type: ignore[arg-type]
        rolling = stable_friction_step(material.friction, p.mass / 3.5, material.memory, load)  # type: ignore[arg-type]
        return min(contact, rolling)

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import panel

        run, p, ((a, b), (c, d)) = outcome.trajectory, outcome.parameters, figure.subplots(2, 2)
        t, rolled = run["t"], p.radius * run["phi_dot"]
        panel(a, t, {"v": run["x_dot"], "R omega": rolled}, "speed and spin", "time in s", "speed in m/s")
        panel(b, t, {"v - R omega": (run["x_dot"] - rolled) * 1e6}, "slip", "time in s", "speed in um/s")
        panel(c, t, {"normal": run["F_ground"], "friction": run["Ft_ground"]}, "forces", "time in s", "force in N")
        energy_panel(d, run)

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw:
        from matplotlib.patches import Circle

        from ...report.style import BLUE, GREY, ORANGE, stage

        run, p, angle = outcome.trajectory, outcome.parameters, math.radians(outcome.parameters.angle)
        turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        line = np.array([(-2.0 * p.radius, 0.0), (float(run["x"].max()) + 2.0 * p.radius, 0.0)]) @ turn.T
        bottom = line[1, 1] - p.radius
        stage(axes, (line[0, 0], line[1, 0]), (bottom, line[0, 1] + 2.5 * p.radius))
        axes.fill_between(line[:, 0], bottom, line[:, 1], color=GREY, alpha=0.18, hatch="//", linewidth=0.0)
        body = Circle((0.0, 0.0), p.radius, color=BLUE, alpha=0.85)
        axes.add_patch(body)
        (spoke,) = axes.plot([], [], color=ORANGE, linewidth=2)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            centre = np.array([run["x"][i], run["z"][i]]) @ turn.T
            tip = centre + p.radius * np.array([math.sin(run["phi"][i] + angle), math.cos(run["phi"][i] + angle)])
            body.set_center(tuple(centre))
            spoke.set_data([centre[0], tip[0]], [centre[1], tip[1]])
            label.set_text(f"roll: t = {run['t'][i]:.2f} s, v = {run['x_dot'][i]:.3f} m/s")

        return redraw
