"""Five spheres dropped on one another come to rest as a column: stacking of Chrono's own tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...laws.design import stable_contact_step
from ...report.style import PALETTE, energy_panel, ground, level, panel, stage
from ..constants import GRAVITY
from ..events import settled_since
from ..parameters import CHRONO, REFERENCE
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, below, energy_gain
from ..scenes.moving_scenes import Planar, ball, plate, scene_of, touch
from ..scenes.rival_laws import LAWS, only_on_chrono
from ..timing import timed_run
from .stack_model import StackParameters, column

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording

REST_ENERGY = 1e-9
"""Mean kinetic energy in J of a sphere below which the column rests (stacking)."""

DRIFT = 1e-6
"""Distance in m from the axis that a sphere may have at the end (stacking)."""


class Stack(Scenario[StackParameters]):
    """Impacts run up and down the column until it rests; each contact then carries what is above it."""

    name = "stack"
    claim = "Spheres dropped on one another come to rest as a column: no jitter, no drift, at closed-form heights."
    source = "Project Chrono, unit test stacking"
    parameters = StackParameters
    engines = (CHRONO, REFERENCE)
    models = {**{law: {"law": law} for law in LAWS}, "anchored": {"memory": "anchored"}}
    compared = (("t", "z1", "height of the lowest sphere in m"), ("t", "kinetic", "kinetic energy in J"))
    ranked = ("mean_kinetic", "settle_time", "drift", "rest_height", "energy_gain", "penetration")

    def simulate(self, p: StackParameters, progress: Progress) -> Trajectory:
        only_on_chrono(p.law)
        system = column(p)
        return timed_run(system, system.state(p.start_heights(), np.zeros(p.spheres)), p, progress)

    def simulate_chrono(self, p: StackParameters, progress: Progress) -> Trajectory:
        if p.law != "power":
            from .body_rivals import column_under_rival

            return column_under_rival(p, progress)
        from .body_chrono import column_on_chrono

        return column_on_chrono(p, progress)

    def measure(self, p: StackParameters, trajectory: Trajectory) -> Metrics:
        mean = trajectory["kinetic"] / p.spheres
        end = np.array([trajectory[f"z{i + 1}"][-1] for i in range(p.spheres)])
        expected = p.rest_heights()
        deepest = min(trajectory[f"s_{i + 1}"].min() for i in range(p.spheres))
        return {
            "mean_kinetic": float(mean[-1]),
            "settle_time": settled_since(trajectory["t"], mean, REST_ENERGY),
            "drift": float(trajectory["drift"].max()) if "drift" in trajectory.names else 0.0,
            "rest_height": float(end[-1]),
            "closed_form_rest_height": float(expected[-1]),
            "height_error": float(np.abs(end - expected).max()),
            "penetration": max(-float(deepest), 0.0),
            "energy_gain": energy_gain(trajectory),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: StackParameters, metrics: Metrics) -> list[Check]:
        checks = self.behaves(p, metrics)
        if p.law == "power":
            checks.append(below("error of the rest heights", metrics["height_error"], 1e-3 * p.width, "m"))
        return checks

    def behaves(self, p: StackParameters, metrics: Metrics) -> list[Check]:
        settled = metrics["settle_time"]
        text = "the column does not settle" if settled is None else f"the column settles after {settled:.4g} s"
        return [
            Check(f"{text} (allowed {p.time:g} s)", settled is not None),
            below("distance from the axis", metrics["drift"], DRIFT, "m"),
        ]

    def stable_step(self, p: StackParameters) -> float:
        return stable_contact_step(p.gap_law(), p.mass / 4.0, integrator="rk4")

    def plot(self, outcome: Outcome[StackParameters], figure: Figure) -> None:
        run = outcome.trajectory
        p = outcome.parameters
        t = run["t"]
        numbers = range(1, p.spheres + 1)
        (a, b), (c, d) = figure.subplots(2, 2)
        heights = {f"z{i}": run[f"z{i}"] for i in numbers}
        panel(a, t, heights, "heights of the middles", "time in s", "height in m")
        mean = run["kinetic"] / p.spheres + 1e-30
        panel(b, t, {"T": mean}, "mean kinetic energy", "time in s", "energy in J")
        b.set(yscale="log", ylim=(1e-20, 1e3))
        level(b, REST_ENERGY, "counts as rest")
        forces = {f"F {i}": run[f"F_{i}"] for i in numbers}
        panel(c, t, forces, "normal forces", "time in s", "force in N")
        c.set_ylim(0.0, 4.0 * p.spheres * p.mass * GRAVITY)
        energy_panel(d, run)

    def scene(self, outcome: Outcome[StackParameters]) -> Recording:
        run = outcome.trajectory
        p = outcome.parameters
        zero = 0.0 * run["t"]
        heights = [run[f"z{i + 1}"] for i in range(p.spheres)]
        bodies = [ball(f"sphere {i + 1}", p.radius, Planar(zero, z)) for i, z in enumerate(heights)]
        contacts = []
        for i, z in enumerate(heights):
            contacts += touch(run, Planar(zero, z - p.radius), f"F_{i + 1}")
        bodies.append(plate([0.0], 4.0 * p.radius))
        return scene_of(self, outcome, bodies, contacts, ("F_1", f"z{p.spheres}"))

    def animate(self, outcome: Outcome[StackParameters], axes: Axes) -> Redraw:
        from matplotlib.patches import Circle

        run = outcome.trajectory
        p = outcome.parameters
        highest = max(run[f"z{p.spheres}"].max(), p.start_heights()[-1])
        top = float(highest) + 1.5 * p.radius
        stage(axes, (-0.8 * top, 0.8 * top), (-0.05 * top, top))
        ground(axes)
        balls = [Circle((0.0, 0.0), p.radius, color=PALETTE[i % 6], alpha=0.85) for i in range(p.spheres)]
        for circle in balls:
            axes.add_patch(circle)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            for number, circle in enumerate(balls):
                circle.set_center((0.0, run[f"z{number + 1}"][i]))
            label.set_text(f"stack: t = {run['t'][i]:.2f} s, T = {run['kinetic'][i]:.2g} J")

        return redraw
