"""Friction and knee stop of the gait trainer, found from recorded angles and positions (section 5.3.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...report.style import BLUE, GREY, RED, panel
from ...trajectory import Trajectory
from ..parameters import CHRONO, Stepped, choice, count, number
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, below, within
from ..scenes.moving_scenes import scene_of
from .leg.drives import EXERCISES, SAMPLE
from .leg.leg_bodies import SECOND, leg_bodies
from .leg.simulate import run_stage
from .leg.stages import BRISTLES, Stage, stage
from .leg.trainer_leg import REST, Leg
from .study.beside import with_beside
from .study.experiment import CHRONO_STEP, NOISES, PLANT_STEP
from .study.identify import NAMES, identify, values_of, with_values
from .study.knee_rule import NEARLY_NOTHING, KneeRule, knee_rule, pressed_angles
from .study.replay import Recording, replay

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...view.recording import Recording as MovingScene

RECORDED = {1: 5.0, 2: 6.0}
"""Exercises that are recorded, and for how long in s."""

SHARP_STEP = 1e-3
"""Longest step in s that resolves the sharper friction."""

FIRST_SHAPE = (0.02, 0.03, 2e-3, 5e-3, 0.01, 0.015, 4e-4, 5e-3)
"""First guess of the numbers in BESIDE: a presliding of some milliradians and tenths of a millimetre; our choice."""

PRESSED = 20
MEAN_OF = 100
"""Torques with which the knee stop is pressed, and samples that the angle at each is the mean of."""

FRICTION_VALUES = 4
"""So many of the values belong to friction, the others to the knee stop."""


@dataclass(frozen=True)
class GaitIdentificationParameters(Stepped):
    """Values of the leg that is recorded; the search begins with those of Table 5.1."""

    hip_f_c: float = number(4.6, "true f_c of the hip", "N m")
    hip_f_s: float = number(5.6, "true f_s of the hip", "N m")
    slide_f_c: float = number(31.0, "true f_c of the slide", "N")
    slide_f_s: float = number(42.0, "true f_s of the slide", "N")
    knee_r_t: float = number(120.0, "true r_t of the knee", "1/rad")
    knee_r_c: float = number(-8e-3, "true r_c of the knee", "rad")
    knee_r_f: float = number(60.0, "true r_f of the knee", "N m")
    knee_r_d: float = number(2.0, "true r_d of the knee", "s/rad")
    plant: str = choice(
        "lpv",
        "leg that is recorded: the model's own, one with LuGre friction, or one on Chrono",
        ("lpv", "lugre", "chrono"),
    )
    press: float = number(
        15.0, "largest torque with which the knee stop is pressed for the thesis' rule", "N m", above=0.0
    )
    noise: str = choice("low", "0.5 mrad and 0.2 mm, or the level of R_M", ("low", "sensor"))
    seed: int = count(1, "number from which the noise is drawn", minimum=0)
    step: float = number(
        2e-3, "integration step of the search; a sample of 10 ms is a whole multiple of it", "s", above=0.0
    )


class GaitIdentification(Scenario[GaitIdentificationParameters]):
    """Least squares over the reference engine, on recordings of a leg with other values than the first guess."""

    name = "gait_identification"
    claim = "Recorded angles and positions give back friction and knee stop, with intervals that hold the truth."
    source = "thesis 5.3.2 and Table 5.1; the method is ours"
    parameters = GaitIdentificationParameters

    def truth(self, p: GaitIdentificationParameters) -> Stage:
        """The leg that is recorded; with LuGre friction its amplitudes are the same, and all else is another law."""
        model = with_values(stage("s3", coriolis=p.plant == CHRONO), [getattr(p, name) for name in NAMES])
        if p.plant != "lugre":
            return model
        hip, slide = BRISTLES
        return replace(
            model, hip=replace(hip, law=replace(hip.law, f_c=p.hip_f_c, f_s=p.hip_f_s)),
            slide=replace(slide, law=replace(slide.law, f_c=p.slide_f_c, f_s=p.slide_f_s)),
        )  # fmt: skip

    def first(self, p: GaitIdentificationParameters) -> Stage:
        """The leg with which the search begins: Table 5.1; for bristles with anchors, which hold as they do."""
        if p.plant == "lugre":
            return with_beside(stage("s3", friction="sharp", memory="anchored"), FIRST_SHAPE)
        return stage("s3", coriolis=p.plant == CHRONO)

    def search_step(self, p: GaitIdentificationParameters) -> float:
        """Integration step of the search in s."""
        return min(p.step, SHARP_STEP) if p.plant == "lugre" else p.step

    def sizes(self, p: GaitIdentificationParameters) -> tuple[np.ndarray, np.ndarray]:
        """True values, and what their errors are relative to: themselves, and for r_c the transition length 1/r_t."""
        true = np.array([getattr(p, name) for name in NAMES])
        size = np.abs(true)
        size[NAMES.index("knee_r_c")] = 1.0 / p.knee_r_t
        return true, size

    def run_plant(self, p: GaitIdentificationParameters, exercise: int) -> Trajectory:
        """An exercise of the leg that is recorded, one row per sample."""
        drive = EXERCISES[exercise][0].held()
        if p.plant != CHRONO:
            return run_stage(self.truth(p), drive, PLANT_STEP, RECORDED[exercise], every=round(SAMPLE / PLANT_STEP))
        from .leg.leg_scene import leg_scene

        scene = leg_scene(self.truth(p), drive, REST)
        return scene.run(CHRONO_STEP, RECORDED[exercise], round(SAMPLE / CHRONO_STEP))

    def record(self, p: GaitIdentificationParameters, exercise: int, run: Trajectory | None = None) -> Recording:
        """Inputs and noisy measurements of an exercise."""
        run = run or self.run_plant(p, exercise)
        motion = np.column_stack([run["phi"], run["s"]])
        noise = np.random.default_rng([p.seed, exercise]).standard_normal(motion.shape) * np.array(NOISES[p.noise])
        return Recording(np.column_stack([run["M"], run["F"]]), motion + noise)

    def pressed(self, p: GaitIdentificationParameters) -> KneeRule:
        """r_t and r_c by the thesis' rule: the stop pressed at rest, from hardly any torque to the largest."""
        knee = self.truth(p).knee
        assert knee is not None
        torques = np.geomspace(0.5 * NEARLY_NOTHING * knee.r_f, p.press, PRESSED)
        noise = np.random.default_rng([p.seed, 0]).standard_normal((PRESSED, MEAN_OF)).mean(axis=1) * NOISES[p.noise][0]
        return knee_rule(pressed_angles(knee, torques) + noise)

    def simulate(self, p: GaitIdentificationParameters, progress: Progress) -> Trajectory:

        rule = self.pressed(p)
        runs = {exercise: self.run_plant(p, exercise) for exercise in RECORDED}
        recordings = [self.record(p, exercise, run) for exercise, run in runs.items()]
        first = self.first(p)
        step = self.search_step(p)
        found = identify(first, recordings, NOISES[p.noise], step, progress)
        shown = recordings[-1]
        count = len(shown.ys) - 1
        table = {"t": shown.sample * np.arange(1, count + 1)}
        for prefix, motion in (
            ("measured", shown.ys[1:]), ("first", replay(first, shown, step)),
            ("fitted", replay(found.stage or first, shown, step)),
        ):  # fmt: skip
            table |= {f"{prefix}_phi": motion[:, 0], f"{prefix}_s": motion[:, 1]}
        for axis in ("hip", "slide"):
            table[f"{axis}_reached"] = np.full(count, max(float(np.abs(r[f"Q_{axis}"]).max()) for r in runs.values()))
        table |= {"rule_r_t": np.full(count, rule.r_t), "rule_r_c": np.full(count, rule.r_c)}
        results = (*zip(NAMES, found.values, strict=True), *zip(_halves(), found.half, strict=True))
        constants = (*results, ("residual", found.residual), ("evaluations", float(found.evaluations)))
        table |= {name: np.full(count, value) for name, value in constants}
        progress(1.0)
        return Trajectory(tuple(table), np.column_stack(list(table.values())), found.evaluations * count)

    def measure(self, p: GaitIdentificationParameters, trajectory: Trajectory) -> Metrics:
        last = dict(zip(trajectory.names, trajectory.data[-1].tolist(), strict=True))
        true, size = self.sizes(p)
        found, half = (np.array([last[name] for name in names]) for names in (NAMES, _halves()))
        off = np.abs(found - true) / size
        return {
            **{name: [value, width] for name, value, width in zip(NAMES, found.tolist(), half.tolist(), strict=True)},
            "friction_error": float(off[:FRICTION_VALUES].max()),
            "knee_error": float(off[FRICTION_VALUES:].max()),
            "coulomb_error": float(max(off[NAMES.index("hip_f_c")], off[NAMES.index("slide_f_c")])),
            "inside": int(np.sum(np.abs(found - true) <= half)),
            "residual": last["residual"],
            "evaluations": int(last["evaluations"]),
            **{name: last[name] for name in ("hip_reached", "slide_reached", "rule_r_t", "rule_r_c")},
        }

    def check(self, p: GaitIdentificationParameters, metrics: Metrics) -> list[Check]:
        inside = metrics["inside"]
        quiet = p.noise == "low"
        if p.plant == "lugre":
            return [below("Coulomb friction off by", metrics["coulomb_error"], 0.03 if quiet else 0.1)]
        return [
            below("friction off by", metrics["friction_error"], 0.02 if quiet else 0.1),
            below("knee stop off by", metrics["knee_error"], 0.1 if quiet else 0.6),
            Check(f"{inside} of {len(NAMES)} true values in their 95 % intervals (at least 6)", inside >= 6),
            within("misfit over the noise", metrics["residual"], 1.0, 0.1),
        ]

    def plot(self, outcome: Outcome[GaitIdentificationParameters], figure: Figure) -> None:

        run = outcome.trajectory
        ((a, b), (c, d)) = figure.subplots(2, 2)
        t = run["t"]
        for axes, name, unit in ((a, "phi", "rad"), (b, "s", "m")):
            curves = {f"{kind}": run[f"{kind}_{name}"] for kind in ("measured", "first", "fitted")}
            panel(axes, t, curves, f"{name} of exercise 2", "time in s", f"{name} in {unit}", nested=True)
        misfit = 1e3 * (run["fitted_phi"] - run["measured_phi"])
        panel(c, t, {"misfit": misfit}, "misfit of the fit", "time in s", "phi in mrad")
        self._intervals(outcome, d)

    def _intervals(self, outcome: Outcome[GaitIdentificationParameters], axes: Axes) -> None:
        """Errors of what was found, with their intervals."""
        true, size = self.sizes(outcome.parameters)
        found, half = np.array([outcome.metrics[name] for name in NAMES]).T
        axes.errorbar((found - true) / size, range(len(NAMES)), xerr=half / size, fmt="o", color=BLUE, capsize=3)
        axes.plot((values_of(self.first(outcome.parameters)) - true) / size, range(len(NAMES)), "x", color=GREY)
        axes.axvline(0.0, color=GREY, linewidth=1.0)
        axes.set(title="error with interval (x: first guess)", xlabel="error relative to the true value")
        axes.set_yticks(range(len(NAMES)), NAMES)

    def scene(self, outcome: Outcome[GaitIdentificationParameters]) -> MovingScene:
        run = outcome.trajectory
        first = leg_bodies(Leg(), run["first_phi"], run["first_s"])
        second = leg_bodies(Leg(), run["fitted_phi"], run["fitted_s"], "fitted ", SECOND)
        return scene_of(self, outcome, [*first, *second[:-1]], (), ("first_phi", "fitted_phi"))

    def animate(self, outcome: Outcome[GaitIdentificationParameters], axes: Axes) -> Redraw:
        from .leg.leg_pictures import draw_guide, leg_drawer, leg_stage

        run = outcome.trajectory
        leg = Leg()
        leg_stage(axes)
        draw_guide(axes, leg)
        first = leg_drawer(axes, leg, run["first_phi"], run["first_s"], GREY, 6.0)
        fitted = leg_drawer(axes, leg, run["fitted_phi"], run["fitted_s"], RED, 2.0)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            first(i)
            fitted(i)
            label.set_text(f"first guess (grey) and fit (red): t = {run['t'][i]:.2f} s")

        return redraw


def _halves() -> tuple[str, ...]:
    """Names of the half widths."""
    return tuple(f"half_{name}" for name in NAMES)
