"""An inverted double pendulum falls on the ground (sections 3.3.2 and 4.3.1, Tables 3.3 and 4.1)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...chrono.run.surfaces import BUILT_IN
from ...laws.design import stable_contact_step
from ...report.style import BLUE, ORANGE, energy_panel, ground, panel, stage
from ..constants import GRAVITY
from ..events import episodes
from ..parameters import CHRONO, REFERENCE
from ..scenario import (
    Check,
    Metrics,
    Outcome,
    Redraw,
    ReferenceRun,
    Scenario,
    StepLimit,
    below,
    energy_gain,
    solves_for_forces,
)
from ..scenes.moving_scenes import Planar, ball, bars, plate, scene_of, touch
from ..scenes.rival_laws import only_on_chrono
from ..timing import every_tenth_millisecond
from .energy_claim import energy_claim
from .pendulum_model import RIVALS, PendulumParameters, double_pendulum

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...lagrange.system import System
    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording

ROUNDING = 1e-9
"""Rise of T + V + U in J that the steps of a run may make."""

CLOSED = 1e-4
"""Ledger error over the start energy that a run may have."""

TURN = 0.1
"""Angle in rad by which a rod may turn in a step."""


def turned_energy(run: Trajectory) -> float:
    """Energy in J per step in s that links take which keep their directions over a step: the integral of 2 T w^2.

    In a step of h in s a rod turns by w h, and its mass leaves its circle with w h times its speed, which the joint
    takes back: (w h)^2 of its kinetic energy, twice at most.
    """
    rate = np.maximum(np.abs(run["phi1_dot"]), np.abs(run["phi1_dot"] + run["phi2_dot"]))
    taken = 2.0 * run["kinetic"] * rate**2
    return float(0.5 * (taken[1:] + taken[:-1]) @ np.diff(run["t"]))


class Pendulum(Scenario[PendulumParameters]):
    """Impacts, sliding and rest of both masses; friction at the second mass."""

    name = "pendulum"
    claim = (
        "Contacts and friction only take energy: T + V + U falls, but for the part that friction filters hand back, "
        "and the ledger closes."
    )
    source = "thesis 3.3.2 and 4.3.1, Tables 3.3 and 4.1"
    parameters = PendulumParameters
    engines = (CHRONO, REFERENCE)
    recorded_with = {"time": 0.5}
    also_recorded = {"friction": {"mu_c": 0.36, "mu_s": 0.4, "time": 0.3, "step": 2e-5}}
    models = {**{law: {"law": law} for law in RIVALS}, "anchored": {"memory": "anchored"}}
    compared = (("t", "s_2", "height of mass 2 in m"), ("t", "F_2", "force at mass 2 in N"))
    ranked = (
        "contact_times_1",
        "contact_times_2",
        "rest_angles",
        "energy_end",
        "max_energy_gain",
        "energy_gain",
        "penetration",
    )

    def system(self, p: PendulumParameters) -> System:
        """The model with its numbers."""
        return double_pendulum(p)

    def reference_run(self, p: PendulumParameters) -> ReferenceRun:
        only_on_chrono(p.law)
        system = self.system(p)
        start = system.state([p.phi1_0, p.phi2_0], [0.0, 0.0])
        return ReferenceRun(system, start, p.step, p.time, every_tenth_millisecond(p.step))

    def simulate(self, p: PendulumParameters, progress: Progress) -> Trajectory:
        from ...lagrange.runs import run_rk4

        return run_rk4(*self.reference_run(p), progress)

    def simulate_chrono(self, p: PendulumParameters, progress: Progress) -> Trajectory:
        if p.law in BUILT_IN:
            from .body_rivals import pendulum_under_rival

            return pendulum_under_rival(p, progress)
        from .body_chrono import pendulum_on_chrono

        return pendulum_on_chrono(p, progress)

    def not_on_chrono(self, p: PendulumParameters) -> str | None:
        if p.memory != "coordinate" or p.mu_s == 0.0:
            return None
        return "a filter per angle (memory=coordinate) is not possible on Chrono, only one at the point"

    def contacts(self, p: PendulumParameters, run: Trajectory, i: int) -> np.ndarray:
        """Begin and end in s of each contact of mass i, one row each."""
        touching = run[f"F_{i}"] if p.law in BUILT_IN else p.s_0 - run[f"s_{i}"]
        return episodes(run["t"], touching)

    def peaks(self, run: Trajectory, i: int, contacts: np.ndarray) -> list[float]:
        """Largest force in N in each contact of mass i."""
        t = run["t"]
        force = run[f"F_{i}"]
        return [float(force[(t >= begin) & (t <= end)].max(initial=0.0)) for begin, end in contacts]

    def measure(self, p: PendulumParameters, trajectory: Trajectory) -> Metrics:
        first = self.contacts(p, trajectory, 1)
        second = self.contacts(p, trajectory, 2)
        mechanical = trajectory["kinetic"] + trajectory["potential"]
        lowest = min(trajectory["s_1"].min(), trajectory["s_2"].min())
        start = max(abs(trajectory.energy[0]), 1e-12)
        return {
            "contact_times_1": first[:, 0].tolist(),
            "contact_times_2": second[:, 0].tolist(),
            "contact_peaks_1": self.peaks(trajectory, 1, first),
            "contact_peaks_2": self.peaks(trajectory, 2, second),
            "rest_angles": [float(trajectory["phi1"][-1]), float(trajectory["phi2"][-1])],
            "rest_forces": [float(trajectory["F_1"][-1]), float(trajectory["F_2"][-1])],
            "energy_start": float(mechanical[0]),
            "energy_end": float(mechanical[-1]),
            "max_energy_gain": trajectory.max_energy_gain,
            "turned_energy": turned_energy(trajectory) / start,
            "energy_gain": energy_gain(trajectory),
            "penetration": max(float(p.s_0 - lowest), 0.0),
            "friction_heat": float(trajectory["friction_heat"][-1]),
            "handed_back": float(trajectory["handed_back"][-1]),
            "ledger_error": float(np.abs(trajectory.ledger_error).max() / start),
        }

    def behaves(self, p: PendulumParameters, metrics: Metrics) -> list[Check]:
        swing = GRAVITY * (p.m1 * p.l1 + p.m2 * (p.l1 + p.l2))
        return [
            below("energy above the start", metrics["energy_gain"], 1e-3 * swing, "J"),
            below("depth over s_0", metrics["penetration"] / p.s_0, 1.0),
        ]

    def check_on(self, engine: str, p: PendulumParameters, metrics: Metrics) -> list[Check]:
        checks = self.check(p, metrics)
        if p.law in BUILT_IN or engine != CHRONO or not solves_for_forces(p):
            return checks
        allowed = CLOSED + p.step * metrics["turned_energy"]
        return [*checks[:-1], below("ledger error over start energy", metrics["ledger_error"], allowed)]

    def check(self, p: PendulumParameters, metrics: Metrics) -> list[Check]:
        if p.law in BUILT_IN:
            return self.behaves(p, metrics)
        filtered = p.mu_s > 0.0 and p.memory != "anchored"
        return [
            *energy_claim(metrics, filtered, ROUNDING),
            below("ledger error over start energy", metrics["ledger_error"], CLOSED),
        ]

    def stable_step(self, p: PendulumParameters) -> float | None:
        if p.law != "power":
            return None
        masses = self.system(p).effective_mass([p.phi1_0, p.phi2_0]).values()
        return stable_contact_step(p.restriction(), min(masses), integrator="rk4")

    def long_step_limit(self, p: PendulumParameters) -> StepLimit:
        first = p.l1 * math.sin(p.phi1_0)
        second = first + p.l2 * math.sin(p.phi1_0 + p.phi2_0)
        fall = max(first, second) + max(p.y0, 0.0)
        speed = math.sqrt(2.0 * GRAVITY * max(fall, 0.1 * p.l1))
        longest = TURN * min(p.l1, p.l2) / speed
        why = "joints keep the direction of a rod over a step, and it turns by more than a tenth"
        return StepLimit(longest, "the longest step for rods that fall", why)

    def joints(self, p: PendulumParameters, run: Trajectory) -> tuple[np.ndarray, np.ndarray]:
        """x and y in m of pivot, first and second mass, one column per record."""
        a = run["phi1"]
        b = run["phi1"] + run["phi2"]
        x = np.array([0.0 * a, p.l1 * np.cos(a), p.l1 * np.cos(a) + p.l2 * np.cos(b)])
        y = np.array([0.0 * a, p.l1 * np.sin(a), p.l1 * np.sin(a) + p.l2 * np.sin(b)])
        return x, y + p.y0

    def plot(self, outcome: Outcome[PendulumParameters], figure: Figure) -> None:
        run = outcome.trajectory
        t = run["t"]
        (a, b), (c, d) = figure.subplots(2, 2)
        panel(a, t, {"phi1": run["phi1"], "phi2": run["phi2"]}, "angles", "time in s", "angle in rad")
        heights = {"mass 1": run["s_1"] * 1e3, "mass 2": run["s_2"] * 1e3}
        panel(b, t, heights, "heights above the ground", "time in s", "height in mm")
        panel(c, t, {"F 1": run["F_1"], "F 2": run["F_2"]}, "normal forces", "time in s", "force in N")
        energy_panel(d, run)

    def scene(self, outcome: Outcome[PendulumParameters]) -> Recording:
        run = outcome.trajectory
        p = outcome.parameters
        x, y = self.joints(p, run)
        radius = 0.04 * (p.l1 + p.l2)
        masses = [Planar(x[i], y[i]) for i in (1, 2)]
        bodies = [*bars([np.stack([x, y], axis=1)]), plate([0.0, p.l1 + p.l2], 0.2 * (p.l1 + p.l2))]
        bodies += [ball(f"mass {i + 1}", radius, at) for i, at in enumerate(masses)]
        contacts = touch(run, masses[0], "F_1")
        contacts += touch(run, masses[1], "F_2", "Ft_2", 0.0, np.gradient(x[2], run["t"]))
        return scene_of(self, outcome, bodies, contacts, ("F_1", "F_2"))

    def animate(self, outcome: Outcome[PendulumParameters], axes: Axes) -> Redraw:
        run = outcome.trajectory
        p = outcome.parameters
        x, y = self.joints(p, run)
        reach = 1.1 * (p.l1 + p.l2)
        stage(axes, (-0.3 * reach, reach), (-0.15 * reach, 0.75 * reach))
        ground(axes)
        (trace,) = axes.plot([], [], color=ORANGE, linewidth=0.8, alpha=0.7)
        (rods,) = axes.plot([], [], "o-", color=BLUE, linewidth=3, markersize=9)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            rods.set_data(x[:, i], y[:, i])
            trace.set_data(x[2, : i + 1 : 5], y[2, : i + 1 : 5])
            label.set_text(f"pendulum: t = {run['t'][i]:.3f} s, F = {run['F_1'][i]:.1f} and {run['F_2'][i]:.1f} N")

        return redraw
