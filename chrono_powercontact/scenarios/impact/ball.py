"""A ball flies horizontally at a wall (section 3.3.1, Table 3.1a)."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ...laws import Hertz, Hooke, NormalLaw, Restriction
from ...laws.design import stable_contact_step
from ...laws.impact import deepest_distance, peak_force, restitution
from ..events import episodes
from ..parameters import Parameter, mass, step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, below, within
from ..scenes.chrono_scenes import point_mass_scene
from .point_mass import ball_scene, contact_parameters, energy_panel, loop_plot, point_mass
from .rival_contacts import LAWS, matched

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory

GAP = 2e-3
"""Distance in m between s_0 and the start, where the barrier is not yet felt (Table 3.1a)."""

CONTACT_PARAMETERS = (
    Parameter("s_0", 0.01, "distance at which the contact begins", "m"),
    Parameter("s_c", 0.009, "distance at which the activation is complete; below s_0", "m"),
    Parameter("r_f", 200.0, "largest force of the wall", "N", minimum=0.0, above=True),
)


def back_again(p: SimpleNamespace) -> tuple[float, float, Callable[[Trajectory], np.ndarray]]:
    """Distance in m at which a flight begins, its longest time in s, and the test whether it is back there."""
    start = p.s_0 + GAP * (p.s_0 - p.s_c) / 1e-3
    longest = 60.0 * (start - p.s_c) / p.speed + 0.2
    return start, longest, lambda run: (run["s"] > start) & (run["s_dot"] > 0.0)


def fly(law: object, p: SimpleNamespace, progress: Progress) -> Trajectory:
    """A free mass at p.speed against any normal law, until it is back where it started."""
    from ...lagrange.runs import run_rk4

    system = point_mass(p.mass, law)  # type: ignore[arg-type]
    start, longest, ended = back_again(p)
    return run_rk4(system, system.state([start], [-p.speed]), p.step, longest, 1, progress, ended)


def impact_metrics(p: SimpleNamespace, run: Trajectory) -> Metrics:
    """Restitution, contact time, peak force and least distance of one impact."""
    touching = episodes(run["t"], p.s_0 - run["s"])
    return {
        "restitution": float(run["s_dot"][-1] / p.speed),
        "contact_time": float(np.sum(touching[:, 1] - touching[:, 0])),
        "peak_force": float(run["F_barrier"].max()),
        "least_force": float(run["F_barrier"].min()),
        "min_distance": float(run["s"].min()),
    }


class Ball(Scenario):
    """One impact without gravity."""

    name = "ball"
    claim = "A free impact returns exactly the speed that the closed form says."
    source = "thesis 3.3.1, Table 3.1a"
    parameters = (
        Parameter("speed", 1.0, "impact speed", "m/s", minimum=0.0, above=True),
        Parameter("r_d", 1.0, "dissipation of the contact", "s/m", minimum=0.0),
        mass(0.05),
        *CONTACT_PARAMETERS,
        Parameter("law", "power", "contact law; rivals are matched at this impact", choices=LAWS),
        step(1e-5),
    )
    engines = ("chrono", "reference")
    models = {law: {"law": law} for law in LAWS}
    compared = (("t", "s", "distance in m"), ("s", "F_barrier", "force in N"))
    ranked = ("restitution", "closed_form_restitution", "contact_time", "peak_force", "least_force", "min_distance")

    def law(self, p: SimpleNamespace) -> NormalLaw | Hooke | Hertz:
        """The wall."""
        return matched(p.law, Restriction(**contact_parameters(p)), p.mass, p.speed)

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        return fly(self.law(p), p, progress)

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        start, longest, ended = back_again(p)
        scene = point_mass_scene(p.mass, self.law(p), start, -p.speed, p.integrator)
        return scene.run(p.step, longest, 1, progress, ended)

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        law = Restriction(**contact_parameters(p))
        return {
            **impact_metrics(p, trajectory),
            "closed_form_restitution": float(restitution(p.r_d, p.speed)),
            "closed_form_min_distance": deepest_distance(law, p.mass, p.speed),
            "closed_form_peak_force": peak_force(law, p.mass, p.speed),
            "ledger_error": float(np.abs(trajectory.ledger_error).max() / trajectory.energy[0]),
        }

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        if p.law != "power":
            return [
                within("restitution asked and got", metrics["restitution"], metrics["closed_form_restitution"], 0.02)
            ]
        return [
            within("restitution", metrics["restitution"], metrics["closed_form_restitution"], 1e-5),
            within(
                "least distance",
                metrics["min_distance"],
                metrics["closed_form_min_distance"],
                1e-3 * (p.s_0 - p.s_c),
                "m",
            ),
            below("ledger error over start energy", metrics["ledger_error"], 1e-6),
        ]

    def stable_step(self, p: SimpleNamespace) -> float:
        return stable_contact_step(Restriction(**contact_parameters(p)), p.mass)

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import panel

        run, ((a, b), (c, d)) = outcome.trajectory, figure.subplots(2, 2)
        ms = run["t"] * 1e3
        panel(a, ms, {"s": run["s"] * 1e3}, "distance", "time in ms", "s in mm")
        panel(b, ms, {"v": run["s_dot"]}, f"speed: e = {outcome.metrics['restitution']:.4f}", "time in ms", "v in m/s")
        loop_plot(c, run, "force loop: its area is the heat")
        energy_panel(d, run)

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw:
        p = outcome.parameters
        return ball_scene(axes, outcome.trajectory, p.s_0, (-0.5 * p.s_0, 0.0), "ball")
