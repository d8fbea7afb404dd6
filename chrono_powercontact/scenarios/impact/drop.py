"""A ball dropped on the floor (section 3.3.1, Table 3.1b): it bounces, settles, and carries its weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...chrono.run.surfaces import BUILT_IN
from ...laws.design import stable_contact_step
from ...report.style import BLUE, energy_panel, ground, level, panel, stage
from ..events import episodes, settled_since
from ..parameters import CHRONO, REFERENCE
from ..scenario import Check, Metrics, Outcome, Redraw, ReferenceRun, Scenario, below, energy_gain, within
from ..scenes.moving_scenes import Planar, ball, plate, scene_of, touch
from ..scenes.rival_laws import only_on_chrono, target_restitution
from .drop_model import RIVALS, DropParameters, newton_drop
from .impact_pictures import loop_plot
from .point_mass import point_mass

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording

REST_SPEED = 1e-3
"""A ball slower than this, in m/s, until the end of the run has settled."""


def bounces(run: Trajectory, s_0: float) -> list[float]:
    """Restitution of each bounce: speeds at leaving and entering s_0 in m."""
    t = run["t"]
    contacts = episodes(t, s_0 - run["s"])
    finished = contacts[contacts[:, 1] < t[-1]]
    entering = np.interp(finished[:, 0], t, run["s_dot"])
    leaving = np.interp(finished[:, 1], t, run["s_dot"])
    return [float(e) for e in -leaving / entering]


def bounce_heights(run: Trajectory, s_0: float) -> list[float]:
    """Height in m over s_0 in m at which each flight after a bounce turns around; a flight at the end is left out."""
    s = run["s"]
    turning = np.flatnonzero((s[1:-1] > s[:-2]) & (s[1:-1] >= s[2:]) & (s[1:-1] > s_0)) + 1
    return [float(height) for height in s[turning] - s_0]


def first_restitution(v: np.ndarray) -> float:
    """Fastest rise over fastest fall: the first bounce, also of a law that never goes below s_0."""
    impact = int(np.argmin(v))
    return float(max(v[impact:].max(), 0.0) / max(-v[impact], 1e-300))


class Drop(Scenario[DropParameters]):
    """Vertical bounces under gravity, with the elastic activation (3.2) or the rigid one (3.5)."""

    name = "drop"
    claim = (
        "An elastic ball comes to rest at the closed-form distance and carries its weight; a rigid one never settles."
    )
    source = "thesis 3.3.1, Table 3.1b"
    parameters = DropParameters
    engines = (CHRONO, REFERENCE)
    recorded_with = {"time": 0.45, "step": 2e-5}
    models = {law: {"law": law} for law in RIVALS}
    compared = (("t", "s", "height in m"), ("t", "F_barrier", "force in N"))
    ranked = (
        "restitution_asked",
        "restitution_got",
        "restitutions",
        "rest_distance",
        "rest_force",
        "settle_time",
        "peak_force",
        "penetration",
        "energy_gain",
    )

    def reference_run(self, p: DropParameters) -> ReferenceRun | None:
        only_on_chrono(p.law)
        if p.law == "newton":
            return None
        system = point_mass(p.mass, p.floor(), p.gravity)
        return ReferenceRun(system, system.state([p.height], [0.0]), p.step, p.time, 1)

    def simulate(self, p: DropParameters, progress: Progress) -> Trajectory:
        from ...lagrange.runs import run_rk4

        run = self.reference_run(p)
        return newton_drop(p) if run is None else run_rk4(*run, progress)

    def simulate_chrono(self, p: DropParameters, progress: Progress) -> Trajectory:
        from .impact_chrono import drop_on_chrono, drop_under_rival

        simulate = drop_under_rival if p.law in BUILT_IN else drop_on_chrono
        return simulate(p, progress)

    def not_on_chrono(self, p: DropParameters) -> str | None:
        if p.law == "newton":
            return "Newton's impact law (law=newton) is a closed form of the reference engine"
        return None

    def expected_rest(self, p: DropParameters) -> float | None:
        """Distance in m at rest in closed form; None where there is none."""
        weight = p.mass * p.gravity
        balanced = p.body == "elastic" and p.law == "power" and weight < 0.5 * p.r_f
        return p.restriction().rest_distance(weight) if balanced else None

    def measure(self, p: DropParameters, trajectory: Trajectory) -> Metrics:
        late = trajectory["t"] >= 0.9 * trajectory["t"][-1]
        force = trajectory["F_barrier"]
        return {
            "restitutions": bounces(trajectory, p.s_0),
            "restitution_asked": target_restitution(p.law, p.r_d, p.impact_speed()),
            "restitution_got": first_restitution(trajectory["s_dot"]),
            "bounce_heights": bounce_heights(trajectory, p.s_0),
            "rest_distance": float(trajectory["s"][late].mean()),
            "rest_force": float(force[late].mean()),
            "rest_force_spread": float(force[late].std()),
            "settle_time": settled_since(trajectory["t"], trajectory["s_dot"], REST_SPEED),
            "closed_form_rest_distance": self.expected_rest(p),
            "weight": p.mass * p.gravity,
            "min_distance": float(trajectory["s"].min()),
            "peak_force": float(force.max()),
            "penetration": max(float(p.s_0 - trajectory["s"].min()), 0.0),
            "energy_gain": energy_gain(trajectory),
        }

    def settles(self, metrics: Metrics) -> Check:
        """Whether the ball comes to rest before the run ends."""
        since = metrics["settle_time"]
        if since is None:
            return Check("the ball never settles", False)
        return Check(f"the ball settles after {since:.4g} s", True)

    def check(self, p: DropParameters, metrics: Metrics) -> list[Check]:
        if p.body == "rigid":
            return [Check("a rigid ball keeps hopping, its force jumps", metrics["settle_time"] is None)]
        if p.law != "power":
            return [self.settles(metrics)]
        weight = metrics["weight"]
        expected = metrics["closed_form_rest_distance"]
        if expected is None:
            return [below("weight against the half of r_f that can carry it", weight, 0.5 * p.r_f, "N")]
        allowed = 1e-3 * (p.s_0 - p.s_c)
        return [
            self.settles(metrics),
            within("rest distance", metrics["rest_distance"], expected, allowed, "m"),
            within("rest force", metrics["rest_force"], weight, 1e-3 * weight, "N"),
        ]

    def behaves(self, p: DropParameters, metrics: Metrics) -> list[Check]:
        value = metrics["restitution_got"]
        target = metrics["restitution_asked"]
        return [
            self.settles(metrics),
            within("restitution against its target", value, target, 0.15),
            below("energy above the start", metrics["energy_gain"], 1e-3 * p.mass * p.gravity * p.height, "J"),
        ]

    def stable_step(self, p: DropParameters) -> float | None:
        return stable_contact_step(p.restriction(), p.mass, integrator="rk4") if p.body == "elastic" else None

    def plot(self, outcome: Outcome[DropParameters], figure: Figure) -> None:
        run = outcome.trajectory
        (a, b), (c, d) = figure.subplots(2, 2)
        panel(a, run["t"], {"s": run["s"] * 1e3}, "height of the centre", "time in s", "s in mm")
        panel(b, run["t"], {"F": run["F_barrier"]}, "normal force", "time in s", "F in N")
        level(b, outcome.metrics["weight"], "weight")
        loop_plot(c, run, "force loops of all bounces")
        c.set_xlim(run["s"].min() * 1e3 - 0.1, outcome.parameters.s_0 * 1e3 + 0.5)
        energy_panel(d, run)

    def scene(self, outcome: Outcome[DropParameters]) -> Recording:
        run = outcome.trajectory
        radius = outcome.parameters.s_0
        centre = Planar(0.0 * run["s"], run["s"])
        foot = Planar(0.0 * run["s"], np.maximum(run["s"] - radius, 0.0))
        bodies = [ball("ball", radius, centre), plate([0.0], 4.0 * radius)]
        return scene_of(self, outcome, bodies, touch(run, foot, "F_barrier"), ("s", "F_barrier"))

    def animate(self, outcome: Outcome[DropParameters], axes: Axes) -> Redraw:
        from matplotlib.patches import Ellipse

        run = outcome.trajectory
        s = run["s"]
        radius = outcome.parameters.s_0
        height = outcome.parameters.height
        stage(axes, (-0.6 * height, 0.6 * height), (-0.1 * height, height + 1.2 * radius))
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
