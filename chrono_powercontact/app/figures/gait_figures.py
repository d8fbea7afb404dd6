"""Figs. 5.3 to 5.16: the gait trainer and its observers, with our stand-in for the measured leg."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...laws.friction.dissipation import Dissipation
from ...laws.normal.restriction import Restriction
from ...report.style import panel
from .source_figure import SourceFigure, run_of, scene

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...trajectory import Trajectory

TALL = (9.0, 6.0)

HIP = Dissipation(4.0, 5.0, 0.1, 0.2)
SLIDE = Dissipation(35.0, 45.0, 0.1, 0.2)
"""Friction of Table 5.1 in N m and N."""

KNEE = Restriction.from_steepness(100.0, -9.6e-3, 50.0, 1.5)
"""Knee stop of Table 5.1, in rad and N m."""

STAND_IN = "The measured signals are not published: ours come from a simulated leg."


def draw_frictions(figure: Figure) -> None:
    """Friction of hip and slide over their speeds."""
    hip, slide = figure.subplots(1, 2)
    v = np.linspace(-1.0, 1.0, 801)
    panel(hip, v, {"M": HIP.force(v)}, "hip gear", "rate in rad/s", "torque in N m")
    panel(slide, v, {"F": SLIDE.force(v)}, "slide bearing", "speed in m/s", "force in N")


def draw_stop(figure: Figure) -> None:
    """Torque of the knee stop at rest and in motion."""
    angle = np.linspace(-0.06, 0.06, 401)
    curves = {f"{rate:g} rad/s": KNEE.force(angle, rate) for rate in (-1.0, 0.0, 1.0)}
    panel(figure.subplots(), angle, curves, "knee stop", "angle before the stop in rad", "torque in N m")


def draw_activation(figure: Figure) -> None:
    """Activation of the knee stop."""
    angle = np.linspace(-0.06, 0.06, 401)
    panel(figure.subplots(), angle, {"R_a": KNEE.activation(angle)}, "knee stop", "angle in rad", "activation")


def draw_knee_angles(figure: Figure) -> None:
    """Knee angle of both exercises."""
    axes = figure.subplots()
    for exercise in (1, 2):
        run = run_of("gait_trainer", ("scenario", exercise)).trajectory
        axes.plot(run["t"], run["knee"], label=f"exercise {exercise}")
    axes.set(title="knee angle before its stop", xlabel="time in s", ylabel="angle in rad")
    axes.legend()


HIP_AXIS = ("hip", "omega", "M", "torque in N m", "rate in rad/s")
SLIDE_AXIS = ("slide", "v", "F", "force in N", "speed in m/s")
"""Axes of the leg: names of friction, speed and drive, and their labels."""
STAGES = {1: ("s1", "s2"), 2: ("s2", "s3")}
"""Observers that the thesis compares in each exercise."""


def observed(exercise: int, stage: str) -> Trajectory:
    """A run of an observer."""
    return run_of("gait_observer", ("scenario", exercise), ("stage", stage)).trajectory


def axis_drawer(exercise: int, axis: tuple[str, str, str, str, str]) -> Callable[[Figure], None]:
    """Draws drive and estimated friction, speed, and its error, of both observers."""
    name, speed, drive, load, rate = axis

    def draw(figure: Figure) -> None:
        runs = {stage.upper(): observed(exercise, stage) for stage in STAGES[exercise]}
        first = next(iter(runs.values()))
        friction, motion, error = figure.subplots(3, 1, sharex=True)
        forces = {drive: first[drive]} | {f"friction {stage}": run[f"Q_{name}"] for stage, run in runs.items()}
        panel(friction, first["t"], forces, f"drive and friction of the {name}", "", load)
        speeds = {"reference": first[f"ref_{speed}"]} | {stage: run[f"est_{speed}"] for stage, run in runs.items()}
        panel(motion, first["t"], speeds, "speed", "", rate, True)
        errors = {stage: run[f"est_{speed}"] - run[f"ref_{speed}"] for stage, run in runs.items()}
        panel(error, first["t"], errors, "estimate less reference", "time in s", rate)

    return draw


def compensated_drawer(exercise: int) -> Callable[[Figure], None]:
    """Draws the inputs of a leg without friction (5.48), and those that each observer leaves after its friction."""

    def draw(figure: Figure) -> None:
        runs = {stage.upper(): observed(exercise, stage) for stage in STAGES[exercise]}
        first = next(iter(runs.values()))
        for axes, axis in zip(figure.subplots(2, 1, sharex=True), (HIP_AXIS, SLIDE_AXIS), strict=True):
            net = f"net_{axis[0]}"
            curves = {"(5.48)": first[f"ref_{net}"]} | {stage: run[f"est_{net}"] for stage, run in runs.items()}
            panel(axes, first["t"], curves, f"net input of the {axis[0]}", "time in s", axis[3])

    return draw


def draw_impact(figure: Figure) -> None:
    """Speed of the hip about the impact of the knee stop."""
    runs = {stage.upper(): observed(2, stage) for stage in STAGES[2]}
    first = next(iter(runs.values()))
    near = (first["t"] > 0.95) & (first["t"] < 1.45)
    numerical = np.gradient(first["measured_phi"], first["t"])
    curves = {"numerical": numerical[near], "reference": first["ref_omega"][near]}
    curves |= {stage: run["est_omega"][near] for stage, run in runs.items()}
    panel(figure.subplots(), first["t"][near], curves, "hip at the impact", "time in s", "rate in rad/s")


FIGURES = (
    SourceFigure("5.3", "The leg", "Hip, knee, ankle and slide.", scene("gait_trainer", 0.5)),
    SourceFigure("5.4", "Dominant friction", "Hip gear and slide bearing (Table 5.1).", draw_frictions),
    SourceFigure("5.5", "Knee stop", "The stop holds the knee; its torque depends on the rate.", draw_stop),
    SourceFigure("5.8", "Activation of the knee stop", "Identified by pressing the stop.", draw_activation),
    SourceFigure("5.9", "Knee angles", f"Free in exercise 1, at the stop in exercise 2. {STAND_IN}", draw_knee_angles),
    SourceFigure(
        "5.10", "Hip, S1 and S2", f"With memory the estimate is nearer. {STAND_IN}",
        axis_drawer(1, HIP_AXIS), TALL,
    ),
    SourceFigure(
        "5.11", "Slide, S1 and S2", f"Without memory the speed drifts at rest. {STAND_IN}",
        axis_drawer(1, SLIDE_AXIS), TALL,
    ),
    SourceFigure(
        "5.12", "Compensated inputs, S1 and S2", f"Those of S2 are to coincide with (5.48). {STAND_IN}",
        compensated_drawer(1), TALL,
    ),
    SourceFigure(
        "5.13", "Hip, S2 and S3", f"The stop in the model makes the hip right. {STAND_IN}",
        axis_drawer(2, HIP_AXIS), TALL,
    ),
    SourceFigure(
        "5.14", "Slide, S2 and S3", f"Both are good at the slide. {STAND_IN}",
        axis_drawer(2, SLIDE_AXIS), TALL,
    ),
    SourceFigure(
        "5.15", "Compensated inputs, S2 and S3", f"S3 is to compensate the stop. {STAND_IN}",
        compensated_drawer(2), TALL,
    ),
    SourceFigure("5.16", "Impact of the knee stop", f"S3 reacts sooner than S2. {STAND_IN}", draw_impact),
)  # fmt: skip
