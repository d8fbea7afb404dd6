"""Figs. 5.3 to 5.16: the gait trainer and its observers, with our stand-in for the measured leg."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...laws.friction.dissipation import Dissipation
from ...laws.normal.restriction import Restriction
from ...report.style import panel
from .source_figure import SourceFigure, own_picture, run_of, scene

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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


FIGURES = (
    SourceFigure("5.3", "The leg", "Hip, knee, ankle and slide.", scene("gait_trainer", 0.5)),
    SourceFigure("5.4", "Dominant friction", "Hip gear and slide bearing (Table 5.1).", draw_frictions),
    SourceFigure("5.5", "Knee stop", "The stop holds the knee; its torque depends on the rate.", draw_stop),
    SourceFigure("5.8", "Activation of the knee stop", "Identified by pressing the stop.", draw_activation),
    SourceFigure("5.9", "Knee angles", f"Free in exercise 1, at the stop in exercise 2. {STAND_IN}", draw_knee_angles),
    SourceFigure(
        "5.10", "Observers S1 and S2 (also 5.11, 5.12)", f"Memory in the model makes the estimate better. {STAND_IN}",
        own_picture("gait_observer", scenario=1, stage="s2"), TALL,
    ),
    SourceFigure(
        "5.13", "Observers S2 and S3 (also 5.14 to 5.16)", f"The stop in the model makes the hip right. {STAND_IN}",
        own_picture("gait_observer", scenario=2, stage="s3"), TALL,
    ),
)  # fmt: skip
