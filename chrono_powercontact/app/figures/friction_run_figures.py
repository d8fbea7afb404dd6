"""Figs. 2.6 to 2.14: hysteresis of the filters and stick-slip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...report.style import panel
from .source_figure import SourceFigure, own_picture, run_of, scene

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

PULL_SPEED = 0.1
PULL_TIME = 5.0
"""Speed in m/s of the spring's end, and time in s after which it stops."""


def hysteresis_over_speed(filter: str) -> Callable[[Figure], None]:
    """Friction over speed at 1 Hz and 5 Hz, beside the static law."""

    def draw(figure: Figure) -> None:
        for axes, frequency in zip(figure.subplots(1, 2, sharey=True), (1.0, 5.0), strict=True):
            run = run_of("hysteresis", ("frequency", frequency)).trajectory
            moving = (run["t"] > 1.0 / frequency) & (run["t"] < 3.0 / frequency)
            v = run["v"][moving] * 1e3
            curves = {"static": run["static"][moving], filter.upper(): run[filter][moving]}
            panel(axes, v, curves, f"f = {frequency:g} Hz", "speed in mm/s", "friction in N")

    return draw


def draw_memory(figure: Figure) -> None:
    """Speed and the three forces over time, with rests."""
    run = run_of("hysteresis", ("profile", "rests")).trajectory
    above, below = figure.subplots(2, 1, sharex=True)
    panel(above, run["t"], {"v": run["v"] * 1e3}, "speed", "", "v in mm/s")
    curves = {"static": run["static"], "LTI": run["lti"], "LPV": run["lpv"]}
    panel(below, run["t"], curves, "friction force", "time in s", "F in N")


def stick_slip(table: str) -> Callable[[Figure], None]:
    """Position, speed and friction of the power law and of LuGre."""

    def draw(figure: Figure) -> None:
        step = ("step", 0.01) if table == "coarse" else ("step", 1e-4)
        runs = {
            "power": run_of("stick_slip", ("table", table), step).trajectory,
            "LuGre": run_of("stick_slip", ("table", table), step, ("friction", "lugre")).trajectory,
        }
        t = runs["power"]["t"]
        end = PULL_SPEED * np.minimum(t, PULL_TIME)
        a, b, c = figure.subplots(3, 1, sharex=True)
        panel(a, t, {"spring end": end, **{k: r["x"] for k, r in runs.items()}}, "position", "", "x in m")
        panel(b, t, {k: r["x_dot"] for k, r in runs.items()}, "speed", "", "v in m/s")
        panel(c, t, {k: r["Ft_plane"] for k, r in runs.items()}, "friction", "time in s", "F in N")

    return draw


def draw_path_speed(figure: Figure) -> None:
    """Speed of the mass along its path, and of the spring's end along its own."""
    outcome = run_of("stick_slip_2d", ("memory", "point"))
    run = outcome.trajectory
    p = outcome.parameters
    t = run["t"]
    axes = figure.subplots()
    speed = np.hypot(run["x_dot"], run["y_dot"])
    shown = t < PULL_TIME
    drawn = axes.scatter(run["x"][shown][::20], run["y"][shown][::20], c=speed[shown][::20], s=6, cmap="viridis")
    w = 2.0 * np.pi * p.frequency
    axes.plot(0.1 + PULL_SPEED * t[shown], p.amplitude * np.sin(w * t[shown]), color="0.6", label="spring end")
    figure.colorbar(drawn, ax=axes, label="speed of the mass in m/s")
    axes.set(title="path of the mass, coloured by its speed", xlabel="x in m", ylabel="y in m", aspect="equal")
    axes.legend()


TALL = (8.0, 6.5)

FIGURES = (
    SourceFigure(
        "2.6",
        "Hysteresis with the LTI filter",
        "At 1 Hz the loop is narrow and the force at rest nearly zero; at 5 Hz it is wide and its flanks flatten.",
        hysteresis_over_speed("lti"),
    ),
    SourceFigure(
        "2.7",
        "Hysteresis with the LPV filter",
        "The loop is wider, its flanks stay steep; at zero speed the force lies between Coulomb and stiction.",
        hysteresis_over_speed("lpv"),
    ),
    SourceFigure(
        "2.9",
        "Memory at rest",
        "No force before the first motion; at rest the static force vanishes, LTI soon after, LPV holds.",
        draw_memory,
        (9.0, 5.0),
    ),
    SourceFigure("2.10", "The stick-slip rig", "A mass pulled through a spring.", scene("stick_slip", 0.1)),
    SourceFigure(
        "2.11",
        "Stick-slip, T = 0.1 ms",
        "Stairs; both laws nearly coincide. LuGre dips when a slip starts and overshoots when it ends.",
        stick_slip("fine"),
        TALL,
    ),
    SourceFigure(
        "2.12",
        "Stick-slip, T = 10 ms",
        "Both survive the long step; LuGre breaks away far below stiction, the power law creeps.",
        stick_slip("coarse"),
        TALL,
    ),
    SourceFigure(
        "2.13",
        "Stick-slip in the plane",
        "Both directions slip together; only the norm of the friction reaches stiction before every slip.",
        own_picture("stick_slip_2d"),
        (9.0, 6.0),
    ),
    SourceFigure("2.14", "Speed along the path", "The mass follows the spring's end in four slips.", draw_path_speed),
)
