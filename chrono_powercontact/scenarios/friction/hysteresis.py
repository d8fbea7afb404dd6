"""Friction under a prescribed speed with rests (Figs. 2.6 to 2.9): who remembers?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...laws.friction.dissipation import Dissipation
from ...laws.friction.friction_table import friction_record
from ...laws.friction.memory import LPVFilter, LTIFilter
from ...report.style import legend, panel
from ...trajectory import Trajectory
from ..parameters import Stepped, choice, number, time_step
from ..scenario import Check, Metrics, Outcome, Scenario, below
from .law_levels import largest_friction
from .motion import Motion

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress

FILTERS = ("static", "lti", "lpv")

PROFILES = ("sine", "rests")
PERIODS = 3
"""Periods of the sine before the rest."""

GONE = 1e-6
"""Part of stiction that is left of a friction force which is gone."""

RECORDS = 30_000
"""Records of a run, about."""


@dataclass(frozen=True)
class HysteresisParameters(Stepped):
    """Friction under a prescribed speed; Table 2.1 with the speeds of Table 2.3."""

    filter: str = choice("lpv", "memory of the friction force", FILTERS)
    profile: str = choice(
        "sine", "motion: three periods of a sine and a rest, or with rests before, between and after", PROFILES
    )
    frequency: float = number(1.0, "frequency of the motion", "Hz", above=0.0)
    amplitude: float = number(0.1, "amplitude of the speed", "m/s", above=0.0)
    f_c: float = number(1.0, "Coulomb amplitude", "N", minimum=0.0)
    f_s: float = number(1.4, "stiction amplitude", "N", minimum=0.0)
    v_c: float = number(0.005, "transition speed", "m/s", above=0.0)
    v_s: float = number(0.01, "Stribeck speed", "m/s", above=0.0)
    d: float = number(0.1, "viscous coefficient", "N s/m", minimum=0.0)
    t_f: float = number(0.003, "time constant of the filter", "s", above=0.0)
    v_f: float = number(0.01, "speed at which the LPV filter closes", "m/s", above=0.0)
    step: float = time_step(1e-5)

    def law(self) -> Dissipation:
        """The friction law."""
        return Dissipation(self.f_c, self.f_s, self.v_c, self.v_s, self.d)

    def memory(self, filter: str) -> LTIFilter | None:
        """The memory by its name."""
        if filter == "lpv":
            return LPVFilter(self.t_f, self.v_f)
        return LTIFilter(self.t_f) if filter == "lti" else None

    def rest_time(self) -> float:
        """Length of a rest in s: 20 time constants of the filter, and half a second."""
        return 0.5 + 20.0 * self.t_f

    def motion(self) -> Motion:
        """The profile by its name."""
        period = 1.0 / self.frequency
        if self.profile == "sine":
            return Motion((PERIODS * period,), self.rest_time())
        return Motion((period, 0.5 * period), self.rest_time(), rests_first=True)


def held_forces(p: HysteresisParameters, run: Trajectory, filter: str) -> list[float]:
    """Friction in N under a filter at the end of each rest."""
    return [float(np.interp(end, run["t"], run[filter])) for end, _ in p.motion().rests(p.frequency)]


def held_check(end: float, sign: int, force: float, levels: tuple[float, float]) -> Check:
    """That the force in N of the LPV filter at the end of a rest in s lies between two levels and has a sign."""
    least, most = levels
    if sign == 0:
        return Check(f"LPV holds {force:.4g} N at {end:.3g} s, before the first motion (0 N)", force == 0.0)
    text = f"LPV holds {force:.4f} N at {end:.3g} s ({sign * least:g} N to {sign * most:.4f} N)"
    return Check(text, least <= sign * force <= most)


class Hysteresis(Scenario[HysteresisParameters]):
    """Motions of a sine with standstills between them."""

    name = "hysteresis"
    claim = (
        "Only the LPV filter keeps friction at rest: between the Coulomb and the stiction level, against the motion "
        "before; no law has any before the first motion."
    )
    source = "thesis 2.2.3, Figs. 2.6-2.9"
    parameters = HysteresisParameters
    models = {filter: {"filter": filter} for filter in FILTERS}
    compared = (("v", "force", "friction in N"), ("t", "force", "friction in N"))
    ranked = ("force_at_zero_speed", "zero_force_speed", "held_force", "peak_force")

    def simulate(self, p: HysteresisParameters, progress: Progress) -> Trajectory:
        from ...lagrange.prescribed import friction_along

        motion = p.motion()
        n = round(motion.end / p.step)
        half = np.arange(2 * n + 1, dtype=np.float64) * (0.5 * p.step)
        speed = motion.speed(half, p.amplitude, p.frequency)
        columns = {"t": half[::2], "v": speed[::2]}
        for done, filter in enumerate(FILTERS, start=1):
            law = friction_record(p.law(), p.memory(filter))
            columns[filter] = friction_along(law, speed, p.step)
            progress(done / len(FILTERS))
        columns["force"] = columns[p.filter]
        every = max(n // RECORDS, 1)
        return Trajectory(tuple(columns), np.column_stack(list(columns.values()))[::every], n)

    def last_period(self, p: HysteresisParameters, run: Trajectory) -> NDArray[np.bool_]:
        """Records of the last full period of the first motion."""
        motion = p.motion()
        end = motion.begins[0] + motion.lengths[0]
        return (run["t"] >= end - 1.0 / p.frequency) & (run["t"] <= end)

    def measure(self, p: HysteresisParameters, trajectory: Trajectory) -> Metrics:
        cycle = self.last_period(p, trajectory)
        speed = trajectory["v"][cycle]
        friction = trajectory[p.filter][cycle]
        reach = 0.9 * p.amplitude
        falling = np.gradient(speed) < 0.0
        slowing = np.flatnonzero(falling & (speed > -reach) & (speed < reach))[::-1]
        v = speed[slowing]
        force = friction[slowing]
        near_rest = v < 0.3 * p.amplitude
        return {
            "force_at_zero_speed": float(np.interp(0.0, v, force)),
            "zero_force_speed": float(np.interp(0.0, force[near_rest], v[near_rest])),
            "held_force": float(trajectory[p.filter][-1]),
            "held": {name: held_forces(p, trajectory, name) for name in FILTERS},
            "peak_force": float(friction.max()),
        }

    def check(self, p: HysteresisParameters, metrics: Metrics) -> list[Check]:
        held = metrics["held"]
        gone = [
            below(f"force of the {name} law at rest", max(map(abs, held[name])), GONE * p.f_s, "N")
            for name in ("static", "lti")
        ]
        most = largest_friction(p.law(), p.amplitude)
        rests = zip(p.motion().rests(p.frequency), held["lpv"], strict=True)
        return gone + [held_check(end, sign, force, (p.f_c, most)) for (end, sign), force in rests]

    def plot(self, outcome: Outcome[HysteresisParameters], figure: Figure) -> None:
        run = outcome.trajectory
        loop, history = figure.subplots(1, 2)
        self.draw_loop(loop, outcome)
        forces = {name: run[name] for name in FILTERS}
        panel(history, run["t"], forces, "motion and rest", "time in s", "friction in N", nested=True)
        twin = history.twinx()
        twin.plot(run["t"], run["v"], color="0.75", linewidth=0.8)
        twin.set_ylabel("speed in m/s", color="0.5")
        twin.grid(False)

    def draw_loop(self, axes: Axes, outcome: Outcome[HysteresisParameters]) -> None:
        """Friction over speed in the last period, the chosen filter in bold."""
        run = outcome.trajectory
        p = outcome.parameters
        cycle = self.last_period(p, run)
        for filter, style in zip(FILTERS, (":", "--", "-"), strict=True):
            width = 2.2 if filter == p.filter else 1.2
            axes.plot(run["v"][cycle], run[filter][cycle], style, label=filter, linewidth=width)
        axes.set(title="force over speed, one period", xlabel="speed in m/s", ylabel="friction in N")
        reach = min(p.amplitude, 6.0 * p.v_s)
        axes.set_xlim(-reach, reach)
        legend(axes)
