"""A leg on a slide, moved at hip and slide by motors or let go: a loop with two degrees of freedom."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...report.style import panel
from ..constants import GRAVITY
from ..parameters import REFERENCE, choice, number, run_length, time_step
from ..scenario import Check, Metrics, Outcome, within
from .dyad import angle_of, pin_between
from .free_bodies import Bar, TurningPoint, along, force_of_two
from .loop_scenario import LoopParameters, LoopScenario

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...lagrange.loops.loops import LoopSystem
    from ...progress import Progress
    from ...trajectory import Trajectory

NUMBERS = {
    "L_t": 0.42, "L_s": 0.43, "L_f": 0.12, "h": 0.88, "m_t": 8.0, "m_s": 3.5, "m_f": 1.2, "m_p": 2.0, "J_t": 0.13,
    "J_s": 0.06, "J_f": 0.004, "c_t": 0.18, "c_s": 0.19, "c_f": 0.05,
}  # fmt: skip
"""The leg of our digest: lengths in m, masses in kg, moments of inertia in kg m^2, centres of mass in m."""

DIGEST_TIME = 0.3
DIGEST = {"tau": 10.26427, "F": -6.74587, "R_ankle_1": -5.83887, "R_ankle_2": 0.13654}
"""Time in s at which our digest has the loads of the motors, in N m and N, and the ankle's reaction, in N."""

DIGITS = {REFERENCE: 1e-5, "chrono": 2e-3}
"""Differences from these figures that are allowed."""


@dataclass(frozen=True)
class LegParameters(LoopParameters):
    """How the leg is moved."""

    drive: str = choice("motors", "motors move hip and slide, or the leg is free", ("motors", "free"))
    hip_mean: float = number(0.20, "mean angle of the hip", "rad")
    hip_swing: float = number(0.15, "amplitude of the hip", "rad", minimum=0.0)
    slide_mean: float = number(0.05, "mean position of the slide", "m")
    slide_swing: float = number(0.05, "amplitude of the slide", "m", minimum=0.0)
    frequency: float = number(0.5, "frequency of both", "Hz", above=0.0)
    inherited: ClassVar[None]
    time: float = run_length(2.0)
    step: float = time_step(1e-3, on_chrono=1e-4)

    def prescribed(self, t: float) -> np.ndarray:
        """Hip and slide by columns: position, velocity, acceleration."""
        w = 2.0 * math.pi * self.frequency
        hip = self.hip_swing * np.array([math.sin(w * t), w * math.cos(w * t), -(w**2) * math.sin(w * t)])
        slide = self.slide_swing * np.array([math.cos(w * t), -w * math.sin(w * t), -(w**2) * math.cos(w * t)])
        return np.column_stack([hip, slide]) + np.array([[self.hip_mean, self.slide_mean], [0.0, 0.0], [0.0, 0.0]])

    def is_digest(self) -> bool:
        """Whether the motors move as in our digest, for long enough."""
        usual = LegParameters()
        names = ("drive", "hip_mean", "hip_swing", "slide_mean", "slide_swing", "frequency")
        return self.time >= DIGEST_TIME and all(getattr(self, name) == getattr(usual, name) for name in names)


class Leg(LoopScenario[LegParameters]):
    """Cut at the ankle between shank and foot link."""

    name = "leg"
    claim = (
        "Motors that move hip and slide of a leg need the torque and force of the digest, the ankle's reaction is that "
        "of free bodies, and their work is the leg's energy."
    )
    source = "closed loops, leg on a slide"
    parameters = LegParameters
    longest = 1e-3
    cut = "ankle"
    angles = ("theta", "kappa", "epsilon")
    first = ("theta", "s")
    recorded = ("theta", "kappa", "epsilon", "s", "tau", "F")
    recorded_with = {"time": 0.4}

    def numbers(self, p: LegParameters) -> dict[str, float]:
        return NUMBERS | {"g": GRAVITY, "tau": 0.0, "F": 0.0}

    def build(self, p: LegParameters) -> LoopSystem:
        from .mechanism_systems import leg_system

        return leg_system(self.numbers(p))

    def start(self, p: LegParameters) -> tuple[list[float], list[float]]:
        (hip, slide), speeds, _ = p.prescribed(0.0)
        knee = NUMBERS["L_t"] * np.array([math.sin(hip), -math.cos(hip)])
        pivot = np.array([slide, -NUMBERS["h"]])
        ankle = pin_between(knee, pivot, (NUMBERS["L_s"], NUMBERS["L_f"]), -1.0, ("a shank", "a foot link"))
        shank = angle_of(knee, ankle) + 0.5 * math.pi
        foot = angle_of(pivot, ankle) - 0.5 * math.pi
        return [float(hip), float(hip) - shank, math.remainder(foot, 2.0 * math.pi), float(slide)], speeds.tolist()

    def simulate(self, p: LegParameters, progress: Progress) -> Trajectory:
        if p.drive == "free":
            return super().simulate(p, progress)
        from .leg_drives import driven_leg

        return driven_leg(self.build(p), self.start(p)[0], p, progress)

    def _ends(self, run: Trajectory) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Knee, pivot, and the ankle as shank and foot link say, by rows."""
        n = NUMBERS
        knee = n["L_t"] * along(run["theta"] - 0.5 * np.pi)
        pivot = np.column_stack([run["s"], np.full(len(run), -n["h"])])
        shank = knee + n["L_s"] * along(run["theta"] - run["kappa"] - 0.5 * np.pi)
        return knee, pivot, shank, pivot + n["L_f"] * along(run["epsilon"] + 0.5 * np.pi)

    def gap(self, p: LegParameters, run: Trajectory) -> np.ndarray:
        _, _, shank, foot = self._ends(run)
        return np.asarray(np.linalg.norm(shank - foot, axis=1))

    def pins(self, p: LegParameters, run: Trajectory) -> list[np.ndarray]:
        knee, pivot, ankle, _ = self._ends(run)
        return [np.stack([0.0 * knee.T, knee.T]), np.stack([knee.T, ankle.T]), np.stack([pivot.T, ankle.T])]

    def free_body_force(self, p: LegParameters, run: Trajectory) -> np.ndarray:
        n = NUMBERS
        t = run["t"]
        shank_angle = run["theta"] - run["kappa"] - 0.5 * np.pi
        foot_angle = run["epsilon"] + 0.5 * np.pi
        hip = TurningPoint(np.zeros((len(run), 2)))
        knee = hip.along(n["L_t"], run["theta"] - 0.5 * np.pi, run["theta_dot"])
        pivot = TurningPoint(np.column_stack([run["s_dot"], np.zeros(len(run))]))
        shank = Bar(n["L_s"], n["c_s"], n["m_s"], n["J_s"])
        foot = Bar(n["L_f"], n["c_f"], n["m_f"], n["J_f"])
        first = shank.pin_moment(t, knee, shank_angle, run["theta_dot"] - run["kappa_dot"])
        second = foot.pin_moment(t, pivot, foot_angle, run["epsilon_dot"])
        arms = (n["L_s"] * along(shank_angle), n["L_f"] * along(foot_angle))
        return force_of_two(arms, (first, second))

    def measure(self, p: LegParameters, trajectory: Trajectory) -> Metrics:
        found = super().measure(p, trajectory)
        if not p.is_digest():
            return found
        return found | {
            f"{name}_at_digest_time": float(np.interp(DIGEST_TIME, trajectory["t"], trajectory[name]))
            for name in DIGEST
        }

    def own_checks(self, engine: str, p: LegParameters, metrics: Metrics) -> list[Check]:
        if not p.is_digest():
            return []
        units = {"tau": "N m"}
        return [
            within(f"{name} at {DIGEST_TIME:g} s", metrics[f"{name}_at_digest_time"], figure, DIGITS[engine],
                   units.get(name, "N"))
            for name, figure in DIGEST.items()
        ]  # fmt: skip

    def plot(self, outcome: Outcome[LegParameters], figure: Figure) -> None:
        super().plot(outcome, figure)
        run = outcome.trajectory
        if outcome.parameters.drive == "free":
            return
        last = figure.axes[3]
        last.clear()
        loads = {"hip torque in N m": run["tau"], "slide force in N": run["F"]}
        panel(last, run["t"], loads, "loads of the motors", "time in s", "N m or N")
        last.plot([DIGEST_TIME] * 2, [DIGEST["tau"], DIGEST["F"]], "ko", markersize=4)
