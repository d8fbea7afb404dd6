"""A ball flies horizontally at a wall (section 3.3.1, Table 3.1a)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...laws.design import stable_contact_step
from ...laws.impact import deepest_distance, peak_force, restitution
from ...laws.normal.normal_law import NormalLaw
from ...report.style import energy_panel, panel
from ..events import episodes, largest, least
from ..groups import Contact
from ..parameters import CHRONO, REFERENCE, Stepped, choice, mass_of, number, time_step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, below, solves_for_forces, within
from ..scenes.moving_scenes import scene_of
from .impact_pictures import ball_animation, loop_plot
from .impact_scenes import flight
from .point_mass import Flight, fly
from .rival_contacts import LAWS, matched

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording

GAP = 2e-3
"""Distance in m between s_0 and the start, where the wall of Table 3.1a is out of range."""

WIDTH = 1e-3
"""s_0 - s_c in m of that wall; another one has its gap in proportion."""

FELT = 1e-3
"""Part of r_f from which a force counts as contact, as `free_impacts` counts it. Crossing s_0 would not do: a slow ball
turns before it."""

RETURNED = (0.975, 1.005)
"""Least and largest speed after an impact over the exact one, where an impact lasts a few steps of first order or lies
within one: a bounce is then 5 % too low at most and never more than 1 % too high."""


@dataclass(frozen=True)
class BallParameters(Contact, Stepped):
    """A ball that flies at a wall."""

    speed: float = number(1.0, "impact speed", "m/s", above=0.0)
    r_d: float = number(1.0, "dissipation of the contact", "s/m", minimum=0.0)
    mass: float = mass_of(0.05)
    inherited: ClassVar[None]
    r_f: float = number(200.0, "largest force of the wall", "N", above=0.0)
    law: str = choice("power", "contact law; rivals are matched at this impact", LAWS)
    step: float = time_step(1e-5)

    def wall(self) -> NormalLaw:
        """The wall, by the chosen law."""
        return matched(self.law, self.restriction(), self.mass, self.speed)


def start_distance(s_0: float, s_c: float) -> float:
    """Distance in m at which a flight begins: out of range of a contact with s_0 and s_c in m."""
    return s_0 + GAP * (s_0 - s_c) / WIDTH


def time_above(t: np.ndarray, value: np.ndarray) -> float | None:
    """Time in s in which a value is positive; None where it never is."""
    spans = episodes(t, value)
    return float(np.sum(spans[:, 1] - spans[:, 0])) if len(spans) else None


def there_and_back(p: BallParameters) -> Flight:
    """A flight that ends when the ball is back where it started."""
    start = start_distance(p.s_0, p.s_c)
    longest = 60.0 * (start - p.s_c) / p.speed + 0.2
    return Flight(start, p.speed, longest, lambda run: (run["s"] > start) & (run["s_dot"] > 0.0))


class Ball(Scenario[BallParameters]):
    """One impact without gravity."""

    name = "ball"
    claim = "A free impact returns exactly the speed that the closed form says."
    source = "thesis 3.3.1, Table 3.1a"
    parameters = BallParameters
    engines = (CHRONO, REFERENCE)
    models = {law: {"law": law} for law in LAWS}
    compared = (("t", "s", "distance in m"), ("s", "F_barrier", "force in N"))
    ranked = ("restitution", "closed_form_restitution", "contact_time", "peak_force", "least_force", "min_distance")

    def simulate(self, p: BallParameters, progress: Progress) -> Trajectory:
        return fly(p.mass, p.wall(), there_and_back(p), p.step, progress)

    def simulate_chrono(self, p: BallParameters, progress: Progress) -> Trajectory:
        from .impact_chrono import fly_on_chrono

        return fly_on_chrono(p.mass, p.wall(), there_and_back(p), p.integrator, p.step, progress)

    def measure(self, p: BallParameters, trajectory: Trajectory) -> Metrics:
        law = p.restriction()
        t = trajectory["t"]
        return {
            "restitution": float(trajectory["s_dot"][-1] / p.speed),
            "contact_time": time_above(t, trajectory["F_barrier"] - FELT * p.r_f),
            "time_inside": time_above(t, p.s_0 - trajectory["s"]),
            "peak_force": largest(trajectory["F_barrier"]),
            "least_force": float(trajectory["F_barrier"].min()),
            "min_distance": least(trajectory["s"]),
            "closed_form_restitution": float(restitution(p.r_d, p.speed)),
            "closed_form_min_distance": deepest_distance(law, p.mass, p.speed),
            "closed_form_peak_force": peak_force(law, p.mass, p.speed),
            "ledger_error": float(np.abs(trajectory.ledger_error).max() / trajectory.energy[0]),
        }

    def check(self, p: BallParameters, metrics: Metrics) -> list[Check]:
        value = metrics["restitution"]
        expected = metrics["closed_form_restitution"]
        if p.law != "power":
            return [within("restitution against its target", value, expected, 0.02)]
        distance = metrics["closed_form_min_distance"]
        allowed = 1e-3 * (p.s_0 - p.s_c)
        return [
            within("restitution", value, expected, 1e-5),
            within("least distance", metrics["min_distance"], distance, allowed, "m"),
            below("ledger error over start energy", metrics["ledger_error"], 1e-6),
        ]

    def check_on(self, engine: str, p: BallParameters, metrics: Metrics) -> list[Check]:
        if p.law != "power" or engine != CHRONO or not solves_for_forces(p):
            return self.check(p, metrics)
        least, largest = RETURNED
        part = metrics["restitution"] / metrics["closed_form_restitution"]
        return [
            Check(f"speed returned over the exact one {part:.5f} ({least:g} to {largest:g})", least <= part <= largest),
            below("ledger error over start energy", metrics["ledger_error"], 1e-6),
        ]

    def stable_step(self, p: BallParameters) -> float:
        return stable_contact_step(p.restriction(), p.mass, integrator="rk4")

    def plot(self, outcome: Outcome[BallParameters], figure: Figure) -> None:
        run = outcome.trajectory
        ms = run["t"] * 1e3
        (a, b), (c, d) = figure.subplots(2, 2)
        panel(a, ms, {"s": run["s"] * 1e3}, "distance", "time in ms", "s in mm")
        title = f"speed: e = {outcome.metrics['restitution']:.4f}"
        panel(b, ms, {"v": run["s_dot"]}, title, "time in ms", "v in m/s")
        loop_plot(c, run, "force loop: its area is the heat")
        energy_panel(d, run, "ms")

    def scene(self, outcome: Outcome[BallParameters]) -> Recording:
        s_0 = outcome.parameters.s_0
        return scene_of(self, outcome, *flight(outcome.trajectory, s_0, (-0.5 * s_0, 0.0)), ("s", "F_barrier"))

    def animate(self, outcome: Outcome[BallParameters], axes: Axes) -> Redraw:
        s_0 = outcome.parameters.s_0
        return ball_animation(axes, outcome.trajectory, s_0, (-0.5 * s_0, 0.0), "ball")
