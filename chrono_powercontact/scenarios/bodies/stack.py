"""Five spheres dropped on one another come to rest as a column: stacking of Chrono's own tests."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ...laws import Friction, Material, Restriction
from ...laws.design import stable_contact_step
from ..anchored import ANCHOR, anchor_of
from ..boxes.planar_box import GRAVITY
from ..events import settled_since
from ..impact.point_mass import energy_panel
from ..parameters import Parameter, duration, mass, step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, below
from ..scenes.free_bodies import column_on_chrono
from ..scenes.rival_scenes import LAWS, column_under, only_on_chrono
from ..timing import timed_run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...lagrange.model import Model
    from ...progress import Progress
    from ...trajectory import Trajectory

REST_ENERGY = 1e-9
"""Mean kinetic energy in J of a sphere below which the column rests (stacking)."""

DRIFT = 1e-6
"""Distance in m from the axis that a sphere may have at the end (stacking)."""


@cache
def column_model(count: int) -> Model:
    """Spheres of mass m and radius r above one another: heights z1, z2, ... of their middles.

    A column that starts upright moves along its axis alone, so heights are enough.
    """
    import sympy as sp

    from ...lagrange import ContactPoint, Model, coordinates, velocities

    q = coordinates(" ".join(f"z{i + 1}" for i in range(count)))
    p = m, r, g = sp.symbols("m r g", real=True)
    kinetic = sum((m * v**2 / 2 for v in velocities(q)), sp.Integer(0))
    below_it = (-r, *q[:-1])
    gaps = tuple(ContactPoint(f"{i + 1}", q[i] - below_it[i] - 2 * r) for i in range(count))
    return Model(f"column_{count}", q, kinetic, m * g * sum(q, sp.Integer(0)), p, contacts=gaps)


class Stack(Scenario):
    """Impacts run up and down the column until it rests; each contact then carries what is above it."""

    name = "stack"
    claim = "Spheres dropped on one another come to rest as a column: no jitter, no drift, at closed-form heights."
    source = "Project Chrono, unit test stacking"
    parameters = (
        Parameter("spheres", 5, "number of spheres", minimum=1, maximum=20),
        Parameter("radius", 1.0, "radius of a sphere", "m", minimum=0.0, above=True),
        mass(1.0),
        Parameter("height", 5.0, "height of the lowest middle at the start", "m", minimum=0.0, above=True),
        Parameter("spacing", 2.5, "distance of two middles at the start", "m", minimum=0.0, above=True),
        Parameter("mu", 0.3, "coefficient of friction", minimum=0.0),
        Parameter("memory", "static", "memory of the friction force", choices=("static", "anchored")),
        *ANCHOR,
        Parameter("width", 0.05, "s_0 - s_c: way on which a contact is activated", "m", minimum=0.0, above=True),
        Parameter("r_f", 4000.0, "largest force of a contact", "N", minimum=0.0, above=True),
        Parameter("r_d", 2.0, "dissipation of a contact", "s/m", minimum=0.0),
        Parameter("law", "power", "contact law; rivals are Chrono's own, matched at rest", choices=LAWS),
        duration(10.0),
        step(1e-4),
    )
    engines = ("chrono", "reference")
    integrator = "euler_implicit_linearized"
    models = {**{law: {"law": law} for law in LAWS}, "anchored": {"memory": "anchored"}}
    compared = (("t", "z1", "height of the lowest sphere in m"), ("t", "kinetic", "kinetic energy in J"))
    ranked = ("mean_kinetic", "settle_time", "drift", "rest_height", "energy_gain", "penetration")

    def material(self, p: SimpleNamespace) -> Material:
        """All contacts; their distance is the radius where two surfaces begin to touch."""
        law = Restriction(p.radius, p.radius - p.width, p.r_f, p.r_d)
        if not p.mu:
            return Material(law)
        return Material(law, Friction(p.mu, p.mu, 1e-3), anchor_of(p) if p.memory == "anchored" else None)

    def heights(self, p: SimpleNamespace) -> np.ndarray:
        """Heights in m of the middles at the start."""
        return p.height + p.spacing * np.arange(p.spheres)

    def rest_heights(self, p: SimpleNamespace) -> np.ndarray:
        """Heights in m of the middles at rest, in closed form."""
        law = Restriction(0.0, -p.width, p.r_f, p.r_d)
        gaps = [law.rest_distance((p.spheres - i) * p.mass * GRAVITY) for i in range(p.spheres)]
        return np.asarray(np.cumsum(gaps) + p.radius * (2 * np.arange(p.spheres) + 1))

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from ...lagrange.system import System

        only_on_chrono(p.law)
        model, law = column_model(p.spheres), Restriction(0.0, -p.width, p.r_f, p.r_d)
        numbers = {"m": p.mass, "r": p.radius, "g": GRAVITY}
        system = System(model, numbers, {point.name: Material(law) for point in model.contacts})
        return timed_run(system, system.state(self.heights(p), np.zeros(p.spheres)), p, progress)

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        if p.law != "power":
            return column_under(p, self.heights(p), Restriction(0.0, -p.width, p.r_f, p.r_d), progress)
        return column_on_chrono(p, self.heights(p), self.material(p), progress)

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        mechanical = trajectory["kinetic"] + trajectory["potential"]
        mean = trajectory["kinetic"] / p.spheres
        end = np.array([trajectory[f"z{i + 1}"][-1] for i in range(p.spheres)])
        deepest = min(trajectory[f"s_{i + 1}"].min() for i in range(p.spheres))
        return {
            "mean_kinetic": float(mean[-1]),
            "settle_time": settled_since(trajectory["t"], mean, REST_ENERGY),
            "drift": float(trajectory["drift"].max()) if "drift" in trajectory.names else 0.0,
            "rest_height": float(end[-1]),
            "closed_form_rest_height": float(self.rest_heights(p)[-1]),
            "height_error": float(np.abs(end - self.rest_heights(p)).max()),
            "penetration": max(-float(deepest), 0.0),
            "energy_gain": float(max((mechanical - mechanical[0]).max(), 0.0)),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        checks = self.behaves(p, metrics)
        if p.law == "power":
            checks.append(below("error of the rest heights", metrics["height_error"], 1e-3 * p.width, "m"))
        return checks

    def behaves(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        settled = metrics["settle_time"]
        told = "the column does not settle" if settled is None else f"the column settles after {settled:.4g} s"
        return [
            Check(f"{told} (allowed {p.time:g} s)", settled is not None),
            below("distance from the axis", metrics["drift"], DRIFT, "m"),
        ]

    def stable_step(self, p: SimpleNamespace) -> float:
        return stable_contact_step(Restriction(0.0, -p.width, p.r_f, p.r_d), p.mass / 4.0)

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import panel

        run, p, ((a, b), (c, d)) = outcome.trajectory, outcome.parameters, figure.subplots(2, 2)
        t, numbers = run["t"], range(1, p.spheres + 1)
        panel(a, t, {f"z{i}": run[f"z{i}"] for i in numbers}, "heights of the middles", "time in s", "height in m")
        panel(b, t, {"T": run["kinetic"] / p.spheres + 1e-30}, "mean kinetic energy", "time in s", "energy in J")
        b.set(yscale="log", ylim=(1e-20, 1e3))
        b.axhline(REST_ENERGY, color="k", linewidth=0.8, linestyle=":")
        panel(c, t, {f"F {i}": run[f"F_{i}"] for i in numbers}, "normal forces", "time in s", "force in N")
        c.set_ylim(0.0, 4.0 * p.spheres * p.mass * GRAVITY)
        energy_panel(d, run)

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw:
        from matplotlib.patches import Circle

        from ...report.style import PALETTE, ground, stage

        run, p = outcome.trajectory, outcome.parameters
        top = float(max(run[f"z{p.spheres}"].max(), self.heights(p)[-1])) + 1.5 * p.radius
        stage(axes, (-0.8 * top, 0.8 * top), (-0.05 * top, top))
        ground(axes)
        balls = [Circle((0.0, 0.0), p.radius, color=PALETTE[i % 6], alpha=0.85) for i in range(p.spheres)]
        for ball in balls:
            axes.add_patch(ball)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            for number, ball in enumerate(balls):
                ball.set_center((0.0, run[f"z{number + 1}"][i]))
            label.set_text(f"stack: t = {run['t'][i]:.2f} s, T = {run['kinetic'][i]:.2g} J")

        return redraw
