"""A ball dropped on the floor (section 3.3.1, Table 3.1b): it bounces, settles, and carries its weight."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ...laws import Hertz, Hooke, NormalLaw, Restriction, RigidRestriction
from ...laws.design import stable_contact_step
from ...laws.impact import restitution
from ..events import episodes, settled_since
from ..parameters import Parameter, duration, mass, step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, below, within
from ..scenes.chrono_scenes import point_mass_scene
from ..scenes.rival_scenes import BUILT_IN, asked_restitution, ball_under, in_impact, only_on_chrono
from .point_mass import contact_parameters, energy_panel, loop_plot, point_mass
from .rival_contacts import LAWS, matched, newton_bounces

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory

REST_SPEED = 1e-3
"""A ball slower than this, in m/s, until the end of the run has settled."""


RIVALS = (*LAWS, "newton", *BUILT_IN)


def bounces(run: Trajectory, s_0: float) -> list[float]:
    """Restitution of each bounce: speeds at leaving and entering s_0."""
    t, v = run["t"], run["s_dot"]
    contacts = episodes(t, s_0 - run["s"])
    finished = contacts[contacts[:, 1] < t[-1]]
    entering, leaving = (np.interp(finished[:, i], t, v) for i in (0, 1))
    return [float(e) for e in -leaving / entering]


def first_restitution(v: np.ndarray) -> float:
    """Fastest rise over fastest fall: the first bounce, also of a law that never goes below s_0."""
    impact = int(np.argmin(v))
    return float(max(v[impact:].max(), 0.0) / max(-v[impact], 1e-300))


class Drop(Scenario):
    """Vertical bounces under gravity, with the elastic activation (3.2) or the rigid one (3.5)."""

    name = "drop"
    claim = (
        "An elastic ball comes to rest at the closed-form distance and carries its weight; a rigid one never settles."
    )
    source = "thesis 3.3.1, Table 3.1b"
    parameters = (
        Parameter("height", 0.1, "height of the centre at release", "m", minimum=0.0, above=True),
        Parameter("body", "elastic", "activation of the contact", choices=("elastic", "rigid")),
        mass(0.05),
        Parameter("s_0", 0.01, "distance at which the contact begins", "m"),
        Parameter("s_c", 0.0095, "distance at which the activation is complete; below s_0", "m"),
        Parameter("r_f", 20.0, "largest force of the floor", "N", minimum=0.0, above=True),
        Parameter("r_d", 5.9, "dissipation of the contact", "s/m", minimum=0.0),
        Parameter("gravity", 9.81, "gravity towards the floor", "m/s^2", minimum=0.0, above=True),
        Parameter("law", "power", "contact law; rivals are matched at the first impact", choices=RIVALS),
        duration(1.0),
        step(1e-5),
    )
    engines = ("chrono", "reference")
    recorded_with = {"time": 0.45, "step": 2e-5}
    models = {law: {"law": law} for law in RIVALS}
    compared = (("t", "s", "height in m"), ("t", "F_barrier", "force in N"))
    ranked = ("restitution_asked", "restitution_got", "restitutions", "rest_distance", "rest_force", "settle_time",
              "peak_force", "penetration", "energy_gain")  # fmt: skip

    def law(self, p: SimpleNamespace) -> NormalLaw | Hooke | Hertz:
        """The floor."""
        if p.body == "rigid":
            return RigidRestriction(p.s_0, p.r_f, p.r_d)
        return matched(p.law, self.power_law(p), p.mass, self.impact_speed(p))

    def power_law(self, p: SimpleNamespace) -> Restriction:
        """The floor of an elastic ball, to which rivals are matched."""
        return Restriction(**contact_parameters(p))

    def impact_speed(self, p: SimpleNamespace) -> float:
        """Speed in m/s of the first impact."""
        return math.sqrt(2.0 * p.gravity * max(p.height - p.s_0, 1e-6))

    def newton(self, p: SimpleNamespace) -> Trajectory:
        """Newton's impact law, in closed form."""
        from ...trajectory import Trajectory

        t = np.arange(round(p.time / p.step) + 1) * p.step
        s, v = newton_bounces(t, p.height, p.s_0, float(restitution(p.r_d, self.impact_speed(p))), p.gravity)
        kinetic, potential = 0.5 * p.mass * v**2, p.mass * p.gravity * s
        heat = kinetic[0] + potential[0] - kinetic - potential
        columns = {"t": t, "s": s, "s_dot": v, "F_barrier": 0.0 * t, "kinetic": kinetic, "potential": potential}
        columns |= {"stored": 0.0 * t, "contact_heat": heat, "friction_heat": 0.0 * t, "handed_back": 0.0 * t}
        return Trajectory(tuple(columns), np.column_stack(list(columns.values())), t.size - 1)

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from ...lagrange.runs import run_rk4

        only_on_chrono(p.law)
        if p.law == "newton":
            return self.newton(p)
        system = point_mass(p.mass, self.law(p), p.gravity)
        return run_rk4(system, system.state([p.height], [0.0]), p.step, p.time, 1, progress)

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        if p.law in BUILT_IN:
            return ball_under(p, in_impact(self.power_law(p), p.mass, p.mass, 0.0, self.impact_speed(p)), progress)
        scene = point_mass_scene(p.mass, self.law(p), p.height, 0.0, p.integrator, p.gravity)
        return scene.run(p.step, p.time, 1, progress)

    def not_on_chrono(self, p: SimpleNamespace) -> str | None:
        return (
            "Newton's impact law (law=newton) is a closed form of the reference engine" if p.law == "newton" else None
        )

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        late = trajectory["t"] >= 0.9 * trajectory["t"][-1]
        weight = p.mass * p.gravity
        mechanical = trajectory["kinetic"] + trajectory["potential"]
        balanced = p.body == "elastic" and p.law == "power" and weight < 0.5 * p.r_f
        return {
            "restitutions": bounces(trajectory, p.s_0),
            "restitution_asked": asked_restitution(p.law, p.r_d, self.impact_speed(p)),
            "restitution_got": first_restitution(trajectory["s_dot"]),
            "rest_distance": float(trajectory["s"][late].mean()),
            "rest_force": float(trajectory["F_barrier"][late].mean()),
            "rest_force_spread": float(trajectory["F_barrier"][late].std()),
            "settle_time": settled_since(trajectory["t"], trajectory["s_dot"], REST_SPEED),
            "closed_form_rest_distance": Restriction(**contact_parameters(p)).rest_distance(weight)
            if balanced
            else None,
            "weight": weight,
            "min_distance": float(trajectory["s"].min()),
            "peak_force": float(trajectory["F_barrier"].max()),
            "penetration": max(float(p.s_0 - trajectory["s"].min()), 0.0),
            "energy_gain": float(max((mechanical - mechanical[0]).max(), 0.0)),
        }

    def settles(self, metrics: Metrics) -> Check:
        """Whether the ball comes to rest before the run ends."""
        since = metrics["settle_time"]
        return Check(
            "the ball never settles" if since is None else f"the ball settles after {since:.4g} s", since is not None
        )

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        if p.body == "rigid":
            return [Check("a rigid ball keeps hopping, its force jumps", metrics["settle_time"] is None)]
        if p.law != "power":
            return [self.settles(metrics)]
        if metrics["closed_form_rest_distance"] is None:
            return [below("weight against the half of r_f that can carry it", metrics["weight"], 0.5 * p.r_f, "N")]
        return [
            self.settles(metrics),
            within(
                "rest distance",
                metrics["rest_distance"],
                metrics["closed_form_rest_distance"],
                1e-3 * (p.s_0 - p.s_c),
                "m",
            ),
            within("rest force", metrics["rest_force"], metrics["weight"], 1e-3 * metrics["weight"], "N"),
        ]

    def behaves(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        got, asked = metrics["restitution_got"], metrics["restitution_asked"]
        return [
            self.settles(metrics),
            within("restitution asked and got", got, asked, 0.15),
            below("energy above the start", metrics["energy_gain"], 1e-3 * p.mass * p.gravity * p.height, "J"),
        ]

    def stable_step(self, p: SimpleNamespace) -> float | None:
        return stable_contact_step(Restriction(**contact_parameters(p)), p.mass) if p.body == "elastic" else None

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import panel

        run, ((a, b), (c, d)) = outcome.trajectory, figure.subplots(2, 2)
        panel(a, run["t"], {"s": run["s"] * 1e3}, "height of the centre", "time in s", "s in mm")
        panel(b, run["t"], {"F": run["F_barrier"]}, "normal force", "time in s", "F in N")
        b.axhline(outcome.metrics["weight"], color="k", linewidth=0.8, linestyle=":")
        loop_plot(c, run, "force loops of all bounces")
        c.set_xlim(run["s"].min() * 1e3 - 0.1, outcome.parameters.s_0 * 1e3 + 0.5)
        energy_panel(d, run)

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw:
        from matplotlib.patches import Ellipse

        from ...report.style import BLUE, ground, stage

        run, p = outcome.trajectory, outcome.parameters
        s, radius = run["s"], p.s_0
        stage(axes, (-0.6 * p.height, 0.6 * p.height), (-0.1 * p.height, p.height + 1.2 * radius))
        ground(axes)
        body = Ellipse((0.0, s[0]), 2.0 * radius, 2.0 * radius, color=BLUE, alpha=0.85)
        axes.add_patch(body)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            low = max(s[i] - radius, 0.0)
            body.set_center((0.0, 0.5 * (low + s[i] + radius)))
            body.set_height(s[i] + radius - low)
            label.set_text(f"drop: t = {run['t'][i]:.3f} s, F = {np.round(run['F_barrier'][i], 2)} N")

        return redraw
