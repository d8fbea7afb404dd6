"""The observer of the gait trainer notices what goes wrong: wear, a spasm, a hard stop, a sensor that sticks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...report.style import level, panel
from ..parameters import Parameters, choice, count, number
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, below
from ..scenes.moving_scenes import scene_of
from .control.control_names import FAULTY
from .leg.leg_bodies import leg_bodies
from .leg.trainer_leg import Leg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording

ALLOWED = {"wear": 5.0, "spasm": 0.3, "stop": 0.3, "sensor": 0.1}
"""Longest delay in s of each alarm."""

LANGUAGES = ("python", "c")

UNITS = {"wear": "level above one", "spasm": "N m", "stop": "N m", "sensor": "equal readings"}


@dataclass(frozen=True)
class GaitFaultsParameters(Parameters):
    """What happens, when, and how often it is tried."""

    fault: str = choice(
        "wear",
        "friction of the slide up by a tenth, a spasm, the knee stop hit too hard, a stuck sensor, or none",
        FAULTY,
    )
    begin: float = number(7.0, "when it happens", "s", minimum=4.0)
    seeds: int = count(2, "patients and noises that are tried", minimum=1, maximum=1000)
    time: float = number(12.5, "length of each run", "s", above=4.0)
    language: str = choice("python", "filter of the observer: Python's, or the exported C", LANGUAGES)


class GaitFaults(Scenario[GaitFaultsParameters]):
    """Computed torque on a leg with LuGre friction; the observer also estimates the level of the slide's friction."""

    name = "gait_faults"
    claim = (
        "An observer in the loop notices wear of 10 % within 5 s, a spasm or a hard stop within 0.3 s and a stuck "
        "sensor within 0.1 s, for every patient and without a false alarm."
    )
    source = "our addition to thesis chapter 5"
    parameters = GaitFaultsParameters

    def simulate(self, p: GaitFaultsParameters, progress: Progress) -> Trajectory:
        from .faults.fault_runs import watch_legs

        begin = p.time if p.fault == "none" else min(p.begin, p.time)
        return watch_legs(p.fault, p.seeds, begin, p.time, p.language == "c", progress)

    def measure(self, p: GaitFaultsParameters, trajectory: Trajectory) -> Metrics:
        last = dict(zip(trajectory.names, trajectory.data[-1].tolist(), strict=True))
        names = ("detected", "longest_delay", "mean_delay", "false_alarms", "hours")
        found: Metrics = {name: last[name] for name in names}
        found["false_alarms_per_day"] = 24.0 * last["false_alarms"] / last["hours"]
        if p.fault == "none":
            found["expected_per_day"] = last["expected_per_day"]
        return found | {name: last[name] for name in last if name.startswith("sound_")}

    def check(self, p: GaitFaultsParameters, metrics: Metrics) -> list[Check]:
        false = int(metrics["false_alarms"])
        checks = [Check(f"{false} false alarms in {metrics['hours']:.3g} h (none allowed)", false == 0)]
        if p.fault == "none":
            rate = metrics["expected_per_day"]
            return checks if math.isnan(rate) else [*checks, below("false alarms expected a day", rate, 1.0)]
        seen = int(metrics["detected"])
        checks.append(Check(f"{seen} of {p.seeds} noticed (all)", seen == p.seeds))
        if seen:
            checks.append(below("longest delay", metrics["longest_delay"], ALLOWED[p.fault], "s"))
        return checks

    def plot(self, outcome: Outcome[GaitFaultsParameters], figure: Figure) -> None:
        from .faults.alarms import LIMITS

        run = outcome.trajectory
        for axes, (name, limit) in zip(figure.subplots(2, 2).ravel(), LIMITS.items(), strict=True):
            panel(axes, run["t"], {name: run[f"alarm_{name}"]}, f"alarm: {name}", "time in s", UNITS[name])
            level(axes, limit, "limit")
            axes.axvline(outcome.parameters.begin, color="k", linewidth=0.8, linestyle=":")

    def scene(self, outcome: Outcome[GaitFaultsParameters]) -> Recording:
        run = outcome.trajectory
        return scene_of(self, outcome, leg_bodies(Leg(), run["phi"], run["s"]), (), ("phi", "s", "est_level"))

    def animate(self, outcome: Outcome[GaitFaultsParameters], axes: Axes) -> Redraw:
        from .control.control_pictures import animate_control

        return animate_control(axes, outcome.trajectory, Leg())
