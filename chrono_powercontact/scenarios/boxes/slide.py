"""A box slides to rest on the level: sliding_gravity of Chrono's own tests for smooth contact."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ..impact.point_mass import energy_panel
from ..parameters import Parameter, duration, mass, step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, within
from ..scenes.free_bodies import box_on_chrono
from ..scenes.rival_scenes import LAWS, box_under, only_on_chrono
from .planar_box import CONTACT, FRICTION, GRAVITY, box_scene, box_step, penetration, rest_height, run_box

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory

REST_ENERGY = 1e-8
"""Kinetic energy in J below which the box has stopped (sliding_gravity)."""


def first_rest(run: Trajectory) -> float | None:
    """Time in s at which the kinetic energy first falls below REST_ENERGY; None where it never does."""
    resting = np.flatnonzero(run["kinetic"] < REST_ENERGY)
    return float(run["t"][resting[0]]) if resting.size else None


class Slide(Scenario):
    """Settled, then pushed: the way to rest says whether the friction coefficient is what was asked for."""

    name = "slide"
    claim = "A sliding box stops after v^2/(2 mu g), to half a per cent."
    source = "Project Chrono, unit test sliding_gravity"
    parameters = (
        Parameter("speed", 5.0, "speed at the start", "m/s", minimum=0.0, above=True),
        Parameter("mu", 0.5, "coefficient of friction", minimum=0.0, above=True),
        Parameter("size", 0.5, "outer edge of the cube", "m", minimum=0.0, above=True),
        mass(1.0),
        *FRICTION,
        *CONTACT,
        Parameter("law", "power", "contact law; rivals are Chrono's own, matched at rest", choices=LAWS),
        duration(2.0),
        step(1e-4),
    )
    engines = ("chrono", "reference")
    integrator = "euler_implicit_linearized"
    models = {**{law: {"law": law} for law in LAWS}, "anchored": {"memory": "anchored"}}
    compared = (("t", "x", "way in m"), ("t", "x_dot", "speed in m/s"))
    ranked = ("distance", "distance_error", "stop_time", "energy_gain", "penetration")

    def numbers(self, p: SimpleNamespace) -> SimpleNamespace:
        """The parameters as the box reads them: stiction and Coulomb friction are alike."""
        return SimpleNamespace(**vars(p), mu_s=p.mu, mu_c=p.mu)

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        only_on_chrono(p.law)
        box = self.numbers(p)
        return run_box(box, 0.0, (rest_height(box, 0.0), p.speed), progress)

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        box = self.numbers(p)
        if p.law != "power":
            return box_under(box, 0.0, p.speed, progress)
        return box_on_chrono(box, 0.0, (rest_height(box, 0.0), p.speed), progress)

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        distance = float(trajectory["x"][-1] - trajectory["x"][0])
        expected = p.speed**2 / (2.0 * p.mu * GRAVITY)
        mechanical = trajectory["kinetic"] + trajectory["potential"]
        return {
            "distance": distance,
            "closed_form_distance": expected,
            "distance_error": distance / expected - 1.0,
            "stop_time": first_rest(trajectory),
            "closed_form_stop_time": p.speed / (p.mu * GRAVITY),
            "tilt": float(np.abs(trajectory["phi"]).max()),
            "penetration": penetration(p, trajectory),
            "energy_gain": float(max((mechanical - mechanical[0]).max(), 0.0)),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        expected, stop = metrics["closed_form_distance"], metrics["stop_time"]
        told = "the box does not stop" if stop is None else f"the box stops after {stop:.4g} s"
        return [
            Check(f"{told} (allowed {p.time:g} s)", stop is not None),
            within("distance", metrics["distance"], expected, 5e-3 * expected, "m"),
        ]

    def stable_step(self, p: SimpleNamespace) -> float:
        return box_step(self.numbers(p), 0.0)

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import panel

        run, metrics, ((a, b), (c, d)) = outcome.trajectory, outcome.metrics, figure.subplots(2, 2)
        t = run["t"]
        panel(a, t, {"x": run["x"]}, f"way: {metrics['distance']:.5f} m", "time in s", "way in m")
        a.axhline(metrics["closed_form_distance"], color="k", linewidth=0.8, linestyle=":")
        panel(b, t, {"v": run["x_dot"]}, "speed", "time in s", "speed in m/s")
        forces = {side: run[f"F_{i}"] for side, i in (("rear corners", 1), ("front corners", 2))}
        panel(c, t, forces, "normal forces: the box leans forward", "time in s", "force in N")
        energy_panel(d, run)

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw:
        return box_scene(axes, outcome.trajectory, outcome.parameters, 0.0, "slide")
