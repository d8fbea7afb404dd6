"""A cube tumbles onto the ground with eight touching corners (sections 3.3.3 and 4.3.2, Tables 3.4 and 4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...laws.design import stable_contact_step
from ...report.style import energy_panel, panel
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
    below,
    energy_gain,
    solves_for_forces,
    within,
)
from ..scenes.moving_scenes import scene_of
from ..scenes.rival_laws import LAWS, only_on_chrono
from ..timing import every_tenth_millisecond
from .cube_model import START_MOTION, CubeParameters, tumbling_cube
from .cube_pictures import cube_animation
from .cube_scene import tumbling
from .energy_claim import energy_claim

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...lagrange.system import System
    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording

ROUNDING = 1e-6
"""Rise of T + V + U in J that the steps of a run may make."""

KICK = (0.0, 0.0, 0.0, 0.0, 0.0, 1e-3)
"""Start of the filters per velocity, where friction has them."""


def unpaid_energy(run: Trajectory) -> float:
    """How far T + V rises above the least T + V + U before, in J; zero where it does not.

    A corner that a long step takes deep into the ground stores what it cannot give back: T + V + U may rise, T + V not.
    """
    mechanical = run["kinetic"] + run["potential"]
    least = np.minimum.accumulate(run.energy)
    return float(max(np.max(mechanical[1:] - least[:-1], initial=0.0), 0.0))


class Cube(Scenario[CubeParameters]):
    """The chaotic cube: at a fine step two engines can be compared up to 0.69 s, through its first contacts."""

    name = "cube"
    claim = (
        "The tumbling cube gains no energy, but for the part that friction filters hand back; "
        "without friction its horizontal velocity stays exactly as it was."
    )
    source = "thesis 3.3.3 and 4.3.2, Tables 3.4 and 4.2"
    parameters = CubeParameters
    engines = (CHRONO, REFERENCE)
    recorded = ("x", "y", "z", "v_x", "v_y", "v_z", "w_x", "w_y", "w_z", "kinetic", "potential", "stored")
    recorded_with = {"step": 1e-5, "time": 0.69}
    also_recorded = {"smooth": {"friction": False, "step": 1e-5, "time": 0.69}}
    models = {**{law: {"law": law} for law in LAWS}, "anchored": {"memory": "anchored"}}
    compared = (("t", "z", "height of the centre in m"), ("t", "kinetic", "kinetic energy in J"))
    ranked = ("first_contact", "energy_start", "energy_end", "energy_gain", "penetration")

    def system(self, p: CubeParameters) -> System:
        """The model with its numbers."""
        return tumbling_cube(p)

    def reference_run(self, p: CubeParameters) -> ReferenceRun:
        only_on_chrono(p.law)
        system = self.system(p)
        upright = (1.0, 0.0, 0.0, 0.0) if p.rotation == "quaternion" else (0.0, 0.0, 0.0)
        kick = KICK if p.memory == "coordinate" and p.friction else None
        start = system.state((0.0, 0.0, p.height, *upright), START_MOTION, kick)
        return ReferenceRun(system, start, p.step, p.time, every_tenth_millisecond(p.step))

    def simulate(self, p: CubeParameters, progress: Progress) -> Trajectory:
        from ...lagrange.runs import run_rk4

        return run_rk4(*self.reference_run(p), progress)

    def simulate_chrono(self, p: CubeParameters, progress: Progress) -> Trajectory:
        if p.law != "power":
            from .body_rivals import cube_under_rival

            return cube_under_rival(p, progress)
        from .body_chrono import cube_on_chrono

        return cube_on_chrono(p, progress)

    def not_on_chrono(self, p: CubeParameters) -> str | None:
        if p.rotation != "quaternion":
            return f"Chrono turns bodies by quaternion, rotation={p.rotation} is for the reference engine"
        if p.friction and p.memory == "coordinate":
            return "a filter per velocity (memory=coordinate) is not possible on Chrono, only one at each corner"
        return None

    def velocity(self, p: CubeParameters, run: Trajectory) -> tuple[np.ndarray, np.ndarray]:
        """Horizontal velocity of the centre in m/s."""
        if p.rotation == "angles":
            return run["x_dot"], run["y_dot"]
        return run["v_x"], run["v_y"]

    def total_force(self, run: Trajectory) -> np.ndarray:
        """Sum of the normal forces in N."""
        return np.asarray(np.sum([run[f"F_{i + 1}"] for i in range(8)], axis=0))

    def measure(self, p: CubeParameters, trajectory: Trajectory) -> Metrics:
        gap = np.min([trajectory[f"s_{i + 1}"] for i in range(8)], axis=0)
        touching = p.s_0 - gap if p.law == "power" else self.total_force(trajectory)
        contacts = episodes(trajectory["t"], touching)
        mechanical = trajectory["kinetic"] + trajectory["potential"]
        vx, vy = self.velocity(p, trajectory)
        drift = np.hypot(vx - START_MOTION[0], vy - START_MOTION[1])
        return {
            "first_contact": float(contacts[0, 0]) if len(contacts) else None,
            "energy_start": float(mechanical[0]),
            "energy_end": float(mechanical[-1]),
            "max_energy_gain": trajectory.max_energy_gain,
            "unpaid_energy": unpaid_energy(trajectory),
            "energy_gain": energy_gain(trajectory),
            "penetration": max(float(p.s_0 - gap.min()), 0.0),
            "velocity_drift": float(drift.max()),
            "final_position": [float(trajectory[name][-1]) for name in "xyz"],
            "friction_heat": float(trajectory["friction_heat"][-1]),
            "handed_back": float(trajectory["handed_back"][-1]),
            "ledger_error": float(np.abs(trajectory.ledger_error).max() / trajectory.energy[0]),
        }

    def check_on(self, engine: str, p: CubeParameters, metrics: Metrics) -> list[Check]:
        checks = self.check(p, metrics)
        if p.law != "power" or engine != CHRONO or not solves_for_forces(p) or p.step <= self.stable_step(p):
            return checks
        unpaid = metrics["unpaid_energy"]
        return [below("T + V above the least T + V + U before", unpaid, 1e-6, "J"), *checks[1:]]

    def check(self, p: CubeParameters, metrics: Metrics) -> list[Check]:
        if p.law != "power":
            return self.behaves(p, metrics)
        if p.friction:
            filtered = p.memory != "anchored"
            return [*energy_claim(metrics, filtered, ROUNDING), self.energy_falls(metrics)]
        return [
            *energy_claim(metrics, False, ROUNDING),
            below("drift of the horizontal velocity", metrics["velocity_drift"], 1e-9, "m/s"),
        ]

    def behaves(self, p: CubeParameters, metrics: Metrics) -> list[Check]:
        rest = p.mass * GRAVITY * (0.5 * p.edge + p.s_0)
        at_rest = within("energy at the end", metrics["energy_end"], rest, 0.05 * rest, "J")
        return [
            below("energy above the start", metrics["energy_gain"], 1e-3 * metrics["energy_start"], "J"),
            below("depth over an edge", metrics["penetration"] / p.edge, 0.5),
            at_rest if p.friction else self.energy_falls(metrics),
        ]

    def energy_falls(self, metrics: Metrics) -> Check:
        """Whether the cube has no more energy at the end than at the start."""
        return below("energy at the end over the start", metrics["energy_end"] / metrics["energy_start"], 1.0)

    def stable_step(self, p: CubeParameters) -> float:
        return stable_contact_step(p.restriction(), p.mass / 4.0, integrator="rk4")

    def plot(self, outcome: Outcome[CubeParameters], figure: Figure) -> None:
        run = outcome.trajectory
        t = run["t"]
        vx, vy = self.velocity(outcome.parameters, run)
        (a, b), (c, d) = figure.subplots(2, 2)
        position = {name: run[name] for name in "xyz"}
        panel(a, t, position, "position of the centre", "time in s", "position in m")
        panel(b, t, {"v_x": vx, "v_y": vy}, "horizontal velocity", "time in s", "velocity in m/s")
        panel(c, t, {"F": self.total_force(run)}, "sum of the normal forces", "time in s", "force in N")
        energy_panel(d, run)

    def scene(self, outcome: Outcome[CubeParameters]) -> Recording:
        return scene_of(self, outcome, *tumbling(outcome.trajectory, outcome.parameters), ("z", "F_1"))

    def animate(self, outcome: Outcome[CubeParameters], axes: Axes) -> Redraw:
        return cube_animation(axes, outcome.trajectory, outcome.parameters)
