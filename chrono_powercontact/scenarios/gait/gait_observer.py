"""A Kalman filter watches the leg of the gait trainer, with friction and stops in its model (section 5.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...chrono.api import bridge as api
from ...errors import ParameterError
from ...report.style import GREY, RED
from ..parameters import Parameters, choice, count, number
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, below
from ..scenes.moving_scenes import scene_of
from .leg.leg_bodies import SECOND, leg_bodies
from .leg.trainer_leg import Leg
from .study.experiment import KINDS, NOISES, PLANTS, STOPS, Truth, experiment
from .study.scores import SINCE, rms, scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from ...observer.filters.sigma_point_filter import SigmaPointFilter
    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording
    from ..co_simulation import Unit

OBSERVED = ("s1", "s2", "s3", "anchored")
BEFORE = {"s1": "s0", "s2": "s1", "s3": "s2", "anchored": "s3"}
"""The stage that an observer has to be better than."""

UNITS = {"M": "N m", "F": "N", "phi": "rad", "s": "m", "omega": "rad/s", "v": "m/s", "Q_hip": "N m", "Q_slide": "N"}
"""Of inputs and states."""

SLACK = 1.02
"""Two observers whose errors differ by less than this factor count as equally good: S2 and S3 without the stop."""


@dataclass(frozen=True)
class GaitObserverParameters(Parameters):
    """What is observed, and by which model."""

    scenario: int = count(2, "exercise: 1 free, 2 to the knee stop", minimum=1, maximum=2)
    stage: str = choice(
        "s3",
        "model of the observer: S1 static friction, S2 with memory, S3 with the knee stop, or that with anchors",
        OBSERVED,
    )
    filter: str = choice("cdkf", "filter that carries the model", KINDS)
    plant: str = choice(
        "lpv", "what is observed: the leg with sharp LPV friction, LuGre friction, or on Chrono", tuple(PLANTS)
    )
    noise: str = choice("low", "0.5 mrad and 0.2 mm, the level of R_M (3.9 mrad and 2 mm), or none", tuple(NOISES))
    seed: int = count(1, "number from which the noise is drawn", minimum=0)
    wave: float = number(
        0.15, "fraction by which the plant's friction varies over the path; not on Chrono", minimum=0.0, maximum=0.9
    )
    stop: str = choice("table", "knee stop of the plant: the observer's own or a stiffer one", tuple(STOPS))


class GaitObserver(Scenario[GaitObserverParameters]):
    """The CDKF estimates angle, position and both speeds from measured angle and position alone."""

    name = "gait_observer"
    claim = (
        "An observer with friction, its memory and the knee stop in its model follows the leg better than one without; "
        "where the leg never reaches the stop, that changes nothing."
    )
    source = "thesis 5.3, Figs. 5.10-5.16, Appendix B"
    parameters = GaitObserverParameters
    models = {stage: {"stage": stage} for stage in OBSERVED}
    ranked = ("rms_phi", "rms_s", "rms_omega", "rms_v", "max_omega_error", "rms_net_torque", "rms_net_force",
              "nis_mean", "nees_mean", "update_time")  # fmt: skip

    def truth(self, p: GaitObserverParameters) -> Truth:
        """What the plant did."""
        if p.plant == "chrono" and api.missing() is not None:
            raise ParameterError(f"plant=chrono needs PyChrono: {api.missing()}")
        return experiment(p.scenario, p.plant, p.wave, p.stop)

    def simulate(self, p: GaitObserverParameters, progress: Progress) -> Trajectory:
        from .study.scores import as_trajectory, watch

        truth = self.truth(p)
        progress(0.5)
        stages = dict.fromkeys((p.stage, BEFORE[p.stage]))
        watched = {stage: watch(truth, stage, p.noise, p.seed, p.filter) for stage in stages}
        progress(1.0)
        return as_trajectory(truth, watched[p.stage], watched[BEFORE[p.stage]])

    def measure(self, p: GaitObserverParameters, trajectory: Trajectory) -> Metrics:
        rival = scores(trajectory, "rival")
        return {
            **scores(trajectory, "est"),
            "update_time": 1e6 * float(trajectory["update_time"][-1]),
            "nis_mean": _mean(trajectory, "nis"),
            "nees_mean": _mean(trajectory, "nees"),
            "reference_rms_omega": scores(trajectory, "ref")["rms_omega"],
            "reference_rms_v": scores(trajectory, "ref")["rms_v"],
            "causal_rms_omega": _causal(trajectory, "omega"),
            "causal_rms_v": _causal(trajectory, "v"),
            "rival": BEFORE[p.stage],
            "rival_rms_phi": rival["rms_phi"],
            "rival_rms_omega": rival["rms_omega"],
            "rival_standstill_rms_v": rival["standstill_rms_v"],
        }

    def check(self, p: GaitObserverParameters, metrics: Metrics) -> list[Check]:
        rival = metrics["rival"].upper()
        if p.stage == "anchored":
            ratio = metrics["standstill_rms_v"] / metrics["rival_standstill_rms_v"]
            return [below(f"error of v at standstill over that of {rival}", ratio, 0.5)]
        most = SLACK if p.stage == "s3" and p.scenario == 1 else 1.0
        return [
            below(f"error of phi over that of {rival}", metrics["rms_phi"] / metrics["rival_rms_phi"], most),
            below("error of s", metrics["rms_s"], 5e-3, "m"),
            below(f"error of omega over that of {rival}", metrics["rms_omega"] / metrics["rival_rms_omega"], most),
        ]

    def exported_observer(self, p: GaitObserverParameters) -> SigmaPointFilter:
        from .study.leg_observers import observer_of

        return observer_of(p.stage, p.filter)

    def export_samples(self, p: GaitObserverParameters) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        truth = self.truth(p)
        return truth.u[:-1], truth.measured(p.noise, p.seed)[1:]

    def unit(self, p: GaitObserverParameters) -> Unit:
        from ..co_simulation import observer_unit

        return observer_unit(self.exported_observer(p), UNITS)

    def comparison(self, models: Sequence[str], given: Mapping[str, object], folder: Path) -> dict[str, Any]:
        from .study.noise_seeds import study

        return study(self, models, given, folder)

    def plot(self, outcome: Outcome[GaitObserverParameters], figure: Figure) -> None:
        from .study.observer_pictures import draw_estimate

        draw_estimate(figure, outcome.trajectory, outcome.parameters.stage.upper())

    def scene(self, outcome: Outcome[GaitObserverParameters]) -> Recording:
        run = outcome.trajectory
        first = leg_bodies(Leg(), run["phi"], run["s"])
        second = leg_bodies(Leg(), run["est_phi"], run["est_s"], "estimated ", SECOND)
        return scene_of(self, outcome, [*first, *second[:-1]], (), ("phi", "est_phi"))

    def animate(self, outcome: Outcome[GaitObserverParameters], axes: Axes) -> Redraw:
        from .leg.leg_pictures import draw_guide, leg_drawer, leg_stage

        run = outcome.trajectory
        leg = Leg()
        name = outcome.parameters.stage.upper()
        leg_stage(axes)
        draw_guide(axes, leg)
        real = leg_drawer(axes, leg, run["phi"], run["s"], GREY, 6.0)
        seen = leg_drawer(axes, leg, run["est_phi"], run["est_s"], RED, 2.0)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            real(i)
            seen(i)
            error = run["est_omega"][i] - run["omega"][i]
            label.set_text(f"leg and {name} (red): t = {run['t'][i]:.2f} s, omega off by {error:+.3f} rad/s")

        return redraw


def _causal(trajectory: Trajectory, name: str) -> float:
    """RMS error of a speed by the causal differentiating filter, once the exercise has begun."""
    later = trajectory["t"] >= SINCE
    return rms((trajectory[f"causal_{name}"] - trajectory[name])[later])


def _mean(trajectory: Trajectory, name: str) -> float:
    """Mean of a column once the exercise has begun."""
    return float(np.mean(trajectory[name][trajectory["t"] >= SINCE]))
