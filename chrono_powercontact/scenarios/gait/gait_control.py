"""The gait trainer in closed loop: an observer rides on line, and the controller takes off what it estimates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...chrono.api import bridge as api
from ...errors import ParameterError
from ..parameters import CHRONO, REFERENCE, Stepped, choice, chrono_integrator, count, number, time_step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, StepLimit, below, within
from ..scenes.moving_scenes import scene_of
from .control.control_names import ADAPTIVE, AUGMENTED, BACKLASH, CONTROLLED, CONTROLLERS, RIDING, WATCHING
from .leg.gears import Gear
from .leg.leg_bodies import SECOND, leg_bodies
from .leg.trainer_leg import REST, Leg
from .study.experiment import KINDS, NOISES

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from ...observer.filters.sigma_point_filter import SigmaPointFilter
    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording
    from .control.leg_plants import LegPlant

AT_MOST = {"computed_torque": 0.5, "learning": 0.7}
"""Tracking error over that of PD that a controller may have."""

KNOWS = {"heavy": (ADAPTIVE, AUGMENTED), "changed": (AUGMENTED,)}
"""Observers that can know a changed leg well enough to tell the patient's torque."""

ENOUGH = 30.0
"""Time in s from which on an augmented observer must have found mass, friction level and stop."""

PRESSING, TAPPING = 2, 4
"""Exercises with the knee on its stop all the time, and now and then."""

MEASURED = ("measured_phi", "measured_s")

WHOLE = ("s3", "s4", ADAPTIVE, WATCHING, AUGMENTED)
"""Observers that know the stops."""


@dataclass(frozen=True)
class GaitControlParameters(Stepped):
    """The exercise, who does it, and who watches."""

    exercise: int = count(
        1,
        "1 free, 2 pressed on the knee stop, 3 to both ends of the guide, 4 tapping on the knee stop",
        minimum=1,
        maximum=4,
    )
    controller: str = choice(
        "computed_torque",
        "PD on the plain or on a filtered difference, computed torque with compensation, or learning over gait cycles",
        CONTROLLERS,
    )
    observer: str = choice(
        "s4",
        "stage of the observer's model; adaptive finds the ankle mass too, augmented also slide friction and stop",
        RIDING,
    )
    filter: str = choice("cdkf", "filter of the observer", KINDS)
    plant: str = choice(
        "lugre",
        "leg with LuGre friction, sharp LPV friction, LuGre and more ankle mass (heavy), that with other friction and "
        "stop (changed), LuGre and backlash in the hip's gear, or the observer's model",
        CONTROLLED,
    )
    engine: str = choice("auto", "where the plant runs; auto is what --engine says", ("auto", REFERENCE, CHRONO))
    noise: str = choice("low", "0.5 mrad and 0.2 mm, or the level of R_M (3.9 mrad and 2 mm)", ("low", "sensor"))
    patient: float = number(1.0, "factor on the torque of the patient; 0 is none", minimum=0.0, maximum=3.0)
    torque_limit: float = number(60.0, "largest torque of the hip's drive", "N m", above=0.0)
    force_limit: float = number(300.0, "largest force of the slide's drive", "N", above=0.0)
    seed: int = count(1, "number from which noise and patient are drawn", minimum=0)
    time: float = number(0.0, "length of the run; 0 takes the exercise's", "s", minimum=0.0)
    step: float = time_step(2e-4, on_chrono=1e-3)
    integrator: str = chrono_integrator("hht")


class GaitControl(Scenario[GaitControlParameters]):
    """Measured are hip angle and slide position every 10 ms; the plant is not the observer's model."""

    name = "gait_control"
    claim = (
        "A controller that takes off friction, stop and patient's torque as its observer estimates them halves the "
        "tracking error of PD, knows that torque to a tenth of its range, and its observer knows how sure it is."
    )
    source = "thesis chapter 5: (5.16), (5.38), (5.39); controllers, motions and patient are ours"
    parameters = GaitControlParameters
    engines = (CHRONO, REFERENCE)
    recorded = ("phi", "s", "est_phi", "est_s", "drive_work")
    recorded_with = {"exercise": 2, "time": 1.6}
    models = {name: {"controller": name} for name in CONTROLLERS}
    compared = (("t", "error", "ankle off in m"), ("t", "M", "hip torque in N m"), ("t", "est_patient", "patient, N m"))
    ranked = ("tracking_rms", "patient_torque_rms", "nis_inside", "energy", "update_time")

    def not_on_chrono(self, p: GaitControlParameters) -> str | None:
        return "engine=reference was set" if p.engine == REFERENCE else None

    def simulate(self, p: GaitControlParameters, progress: Progress) -> Trajectory:
        from .control.leg_plants import reference_plant

        if p.engine == CHRONO:
            raise ParameterError(f"engine=chrono needs PyChrono: {api.missing() or 'but --engine reference was given'}")
        return self._run(p, lambda: reference_plant(p.plant, p.step), progress)

    def simulate_chrono(self, p: GaitControlParameters, progress: Progress) -> Trajectory:
        from .control.chrono_plant import ChronoPlant
        from .control.leg_plants import controlled_stage

        stage = controlled_stage(p.plant)
        gear = Gear() if p.plant == BACKLASH else None
        return self._run(p, lambda: ChronoPlant(stage, integrator=p.integrator, step=p.step, gear=gear), progress)

    def _run(self, p: GaitControlParameters, plant: Callable[[], LegPlant], progress: Progress) -> Trajectory:
        """The run, with the error of PD on the same plant and seed beside it."""
        from .control.control_runs import closed_loop, with_rival

        run = closed_loop(p, p.controller, plant(), lambda part: progress(0.5 * part))
        if p.controller == "pd":
            return with_rival(run, run)
        return with_rival(run, closed_loop(p, "pd", plant(), lambda part: progress(0.5 + 0.5 * part)))

    def step_limit(self, engine: str, p: GaitControlParameters) -> StepLimit | None:
        if engine != CHRONO:
            return super().step_limit(engine, p)
        why = "the loop is closed once in a step, and not in time"
        return StepLimit(1e-3, "the time of a sample", why)

    def measure(self, p: GaitControlParameters, trajectory: Trajectory) -> Metrics:
        from .control.control_scores import control_scores

        return control_scores(p, trajectory)

    def check(self, p: GaitControlParameters, metrics: Metrics) -> list[Check]:
        checks = [below("samples with a drive at its limit", metrics["saturated"], 0.05)]
        if p.controller in AT_MOST:
            ratio = metrics["tracking_rms"] / metrics["tracking_rms_pd"]
            checks.append(below("tracking error over that of PD", ratio, AT_MOST[p.controller]))
        checks += self._found(p, metrics)
        knows_stops = p.observer in WHOLE or (p.exercise == 1 and p.observer == "s2")
        knows_mass = p.observer in KNOWS.get(p.plant, RIDING)
        if not knows_stops:
            return checks
        if p.patient > 0.0 and knows_mass:
            most = 0.1 * metrics["patient_torque_range"]
            checks.append(below("error of the patient's torque", metrics["patient_torque_rms"], most, "N m"))
        inside = metrics["nis_inside"]
        return [
            *checks,
            Check(f"NIS in its 95 % band in {100.0 * inside:.1f} % of the time (at least 90)", inside >= 0.9),
        ]

    def _found(self, p: GaitControlParameters, metrics: Metrics) -> list[Check]:
        """What an augmented observer found of a changed leg; judged from 30 s on, with a patient where the stop comes
        and goes, which tells it from his torque."""
        apart = p.exercise == TAPPING or (p.exercise == PRESSING and p.patient == 0.0)
        if (p.plant, p.observer) != ("changed", AUGMENTED) or not apart or p.time < ENOUGH:
            return []
        from .control.leg_plants import WORN, controlled_stage

        leg = controlled_stage(p.plant)
        stop = leg.knee.r_c if leg.knee is not None else 0.0
        return [
            within("ankle mass", metrics["ankle_mass"], leg.leg.m_sg, 0.05 * leg.leg.m_sg, "kg"),
            within("friction level of the slide", 1.0 + metrics["slide_level"], 1.0 + WORN, 0.05),
            within("position of the knee stop", metrics["knee_stop"], stop, 0.05 * abs(stop), "rad"),
        ]

    def exported_observer(self, p: GaitControlParameters) -> SigmaPointFilter:
        from .control.control_observers import riding_observer

        return riding_observer(p.observer, np.array(REST), NOISES[p.noise], p.filter)

    def export_samples(self, p: GaitControlParameters) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        run = self.simulate(p, lambda part: None)
        columns = [np.column_stack([run[name] for name in names]) for names in (("M", "F"), MEASURED)]
        return columns[0][:-1], columns[1][1:]

    def plot(self, outcome: Outcome[GaitControlParameters], figure: Figure) -> None:
        from .control.control_pictures import draw_control

        draw_control(figure, outcome.trajectory)

    def scene(self, outcome: Outcome[GaitControlParameters]) -> Recording:
        run = outcome.trajectory
        first = leg_bodies(Leg(), run["phi"], run["s"])
        second = leg_bodies(Leg(), run["ref_phi"], run["ref_s"], "reference ", SECOND)
        return scene_of(self, outcome, [*first, *second[:-1]], (), ("phi", "s", "M", "F", "est_patient"))

    def animate(self, outcome: Outcome[GaitControlParameters], axes: Axes) -> Redraw:
        from .control.control_pictures import animate_control

        return animate_control(axes, outcome.trajectory, Leg())
