"""The leg of the gait trainer in its drives, springs, friction and stops (sections 5.1 and 5.2, Table 5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..events import episodes
from ..parameters import CHRONO, REFERENCE, Timed, choice, chrono_integrator, count, mass_of, number, switch, time_step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, below
from ..scenes.moving_scenes import scene_of
from .leg.drives import EXERCISES
from .leg.leg_bodies import leg_bodies
from .leg.stages import FRICTIONS, MEMORIES, S_RANGE, STAGES, Stage, stage
from .leg.trainer_leg import REST, Leg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording
    from ..co_simulation import Unit

RECORD = 1e-3
"""Time between two records, in s."""

MOVING = 0.05
"""A slide faster than this, in m/s, moves rather than creeps."""

STANDSTILL = (1.5, 2.8)
"""Time in s in which the slide of exercise 2 should be at rest: after the impact on the knee, before break-away."""

LEAST_WORK = 1.0
"""The ledger's error is reported relative to the work of the drives, or to this in J where they do less."""

CLOSED = 1e-3
"""Ledger error over the work of the drives that a run may have."""


@dataclass(frozen=True)
class GaitTrainerParameters(Timed):
    """The leg, its exercise, and the stage of its model."""

    scenario: int = count(2, "exercise: 1 free, 2 to the knee stop, 3 to all stops", minimum=1, maximum=3)
    stage: str = choice("s3", "stage of the model: S0 bare to S4 with foot contact", STAGES)
    friction: str = choice("table", "friction numbers: Table 5.1, sharper, or LuGre", tuple(FRICTIONS))
    memory: str = choice("lpv", "filter of the friction from stage S2 on", MEMORIES)
    coriolis: bool = switch(True, "Coriolis and centrifugal terms; the thesis drops them")
    foot: str = choice(
        "slide",
        "speed and filter of the foot's friction in S4: the slide's (the thesis) or the point's",
        ("slide", "point"),
        on_chrono="point",
    )
    phi_0: float = number(REST[0], "hip angle at the start", "rad")
    s_0: float = number(REST[1], "slide position at the start", "m")
    l_os: float = number(0.414, "length of the thigh", "m", above=0.0)
    l_us: float = number(0.390, "length of the shank", "m", above=0.0)
    l_st: float = number(0.260, "length of the foot unit, from ankle to slide", "m", above=0.0)
    m_kg: float = mass_of(2.0, "mass in the knee")
    m_sg: float = mass_of(5.7, "mass in the ankle")
    m_sl: float = mass_of(6.4, "mass of the slide")
    time: float = number(0.0, "length of the run; 0 takes the exercise's", "s", minimum=0.0)
    step: float = time_step(2e-4, on_chrono=5e-4)
    integrator: str = chrono_integrator("hht")


class GaitTrainer(Scenario[GaitTrainerParameters]):
    """One leg with two degrees of freedom; the stages S0 to S4 add friction, memory, stops and the foot's contact."""

    name = "gait_trainer"
    claim = "Friction stays below stiction, the stops hold knee, slide and foot, and the energy ledger closes."
    source = "thesis 5.1-5.2, Table 5.1"
    parameters = GaitTrainerParameters
    engines = (CHRONO, REFERENCE)
    recorded = ("phi", "s", "phi_dot", "s_dot", "knee", "F_knee", "Q_hip", "Q_slide", "kinetic", "potential")
    recorded_with = {"time": 6.0, "step": 1e-3}
    models = {name: {"friction": name} for name in FRICTIONS}
    compared = (("t", "s", "slide in m"), ("t", "phi", "hip angle in rad"), ("t", "Q_slide", "friction in N"))
    ranked = ("knee_contact", "slide_moves", "creep", "least_knee_angle", "peak_knee_torque", "ledger_error")

    def leg(self, p: GaitTrainerParameters) -> Leg:
        """The leg with its numbers."""
        return Leg(p.l_os, p.l_us, p.l_st, p.m_kg, p.m_sg, p.m_sl)

    def stage(self, p: GaitTrainerParameters) -> Stage:
        """The model of the chosen stage."""
        return stage(p.stage, self.leg(p), p.friction, p.memory, p.coriolis, p.foot == "point")

    def time(self, p: GaitTrainerParameters) -> float:
        """Length of the run in s."""
        return float(p.time or EXERCISES[p.scenario][1])

    def simulate(self, p: GaitTrainerParameters, progress: Progress) -> Trajectory:
        from .leg.simulate import run_stage

        drive = EXERCISES[p.scenario][0]
        every = max(round(RECORD / p.step), 1)
        return run_stage(self.stage(p), drive, p.step, self.time(p), (p.phi_0, p.s_0), every, progress)

    def unit(self, p: GaitTrainerParameters) -> Unit:
        from .leg.leg_unit import leg_unit

        return leg_unit(self.stage(p), (p.phi_0, p.s_0), p.step)

    def not_on_chrono(self, p: GaitTrainerParameters) -> str | None:
        if not p.coriolis:
            return "a motion without Coriolis terms (coriolis=false) is not possible on Chrono"
        if p.stage == "s4" and p.foot == "slide":
            return "friction of the foot with the slide's speed (foot=slide) is not possible on Chrono, only foot=point"
        return None

    def simulate_chrono(self, p: GaitTrainerParameters, progress: Progress) -> Trajectory:
        from .leg.leg_scene import leg_scene

        scene = leg_scene(self.stage(p), EXERCISES[p.scenario][0], (p.phi_0, p.s_0), p.integrator)
        return scene.run(p.step, self.time(p), max(round(RECORD / p.step), 1), progress)

    def measure(self, p: GaitTrainerParameters, trajectory: Trajectory) -> Metrics:
        t = trajectory["t"]
        model = self.stage(p)
        touch = episodes(t, (model.knee.s_0 if model.knee else 0.0) - trajectory["knee"])
        moves = episodes(t, np.where(t < STANDSTILL[0], -1.0, np.abs(trajectory["s_dot"]) - MOVING))
        still = (t >= STANDSTILL[0]) & (t <= STANDSTILL[1])
        exchanged = max(float(np.ptp(trajectory["drive_work"])), LEAST_WORK)
        return {
            "knee_contact": float(touch[0, 0]) if len(touch) else None,
            "slide_moves": float(moves[0, 0]) if len(moves) else None,
            "creep": float(np.ptp(trajectory["s"][still])) if p.scenario == 2 and np.any(still) else None,
            "least_knee_angle": float(trajectory["knee"].min()),
            "peak_knee_torque": float(trajectory["F_knee"].max()),
            "slide_range": [float(trajectory["s"].min()), float(trajectory["s"].max())],
            "hip_range": [float(trajectory["phi"].min()), float(trajectory["phi"].max())],
            "peak_slide_stops": [float(trajectory["F_lower"].max()), float(trajectory["F_upper"].max())],
            "least_foot_distance": float(trajectory["d_foot"].min()),
            "peak_foot_force": float(trajectory["F_foot"].max()),
            "peak_friction": [float(np.abs(trajectory[name]).max()) for name in ("Q_hip", "Q_slide")],
            "end": [float(trajectory["phi"][-1]), float(trajectory["s"][-1])],
            "exchanged": exchanged,
            "peak_drive_power": float(np.abs(np.gradient(trajectory["drive_work"], t)).max()),
            "ledger_error": float(np.abs(trajectory.ledger_error).max() / exchanged),
        }

    def check_on(self, engine: str, p: GaitTrainerParameters, metrics: Metrics) -> list[Check]:
        checks = self.check(p, metrics)
        if engine != CHRONO or not p.coriolis:
            return checks
        allowed = max(CLOSED, p.step * metrics["peak_drive_power"] / metrics["exchanged"])
        text = "ledger error over the work of the drives, which may be what they do in a step,"
        return [below(text, metrics["ledger_error"], allowed), *checks[1:]]

    def check(self, p: GaitTrainerParameters, metrics: Metrics) -> list[Check]:
        model = self.stage(p)
        checks = []
        if p.coriolis:
            checks.append(below("ledger error over the work of the drives", metrics["ledger_error"], CLOSED))
        if p.foot == "point" or p.stage != "s4":
            for axis, peak, unit in zip((model.hip, model.slide), metrics["peak_friction"], ("N m", "N"), strict=True):
                checks.append(below("friction", peak, 1.02 * axis.law.f_s, unit))
        if model.knee is not None:
            low, high = metrics["slide_range"]
            checks.append(below("knee over-stretched by", -metrics["least_knee_angle"], 0.05, "rad"))
            checks.append(below("slide beyond its stops by", max(S_RANGE[0] - low, high - S_RANGE[1]), 0.0, "m"))
        if model.foot is not None:
            checks.append(below("foot behind the guide by", -metrics["least_foot_distance"], 0.0, "m"))
        return checks

    def plot(self, outcome: Outcome[GaitTrainerParameters], figure: Figure) -> None:
        from .leg.leg_pictures import draw_run

        draw_run(figure, outcome.trajectory)

    def scene(self, outcome: Outcome[GaitTrainerParameters]) -> Recording:
        run = outcome.trajectory
        return scene_of(
            self,
            outcome,
            leg_bodies(self.leg(outcome.parameters), run["phi"], run["s"]),
            (),
            ("phi", "s", "M", "F", "F_knee"),
        )

    def animate(self, outcome: Outcome[GaitTrainerParameters], axes: Axes) -> Redraw:
        from .leg.leg_pictures import draw_guide, leg_drawer, leg_stage

        run = outcome.trajectory
        leg = self.leg(outcome.parameters)
        leg_stage(axes)
        draw_guide(axes, leg)
        move = leg_drawer(axes, leg, run["phi"], run["s"])
        label = axes.set_title("")

        def redraw(i: int) -> None:
            move(i)
            label.set_text(f"t = {run['t'][i]:.2f} s, knee {run['knee'][i]:.3f} rad, stop {run['F_knee'][i]:.1f} N m")

        return redraw
