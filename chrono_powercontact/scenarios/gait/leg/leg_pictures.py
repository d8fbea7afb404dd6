"""The leg as it is drawn: links, springs, guide, and the panels of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....report.style import BLUE, GREEN, GREY, ORANGE, panel, stage
from .leg_kinematics import poses_along
from .stages import S_RANGE
from .trainer_leg import Leg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ....trajectory import Trajectory

Vector = NDArray[np.float64]


def draw_guide(axes: Axes, leg: Leg) -> None:
    """The guide with its ends, and the hip."""
    along = np.array((np.cos(leg.delta_sl), np.sin(leg.delta_sl)))
    ends = np.array((leg.x_sl_0, leg.y_sl_0)) + np.outer(S_RANGE, along)
    axes.plot(*ends.T, color=GREY, linewidth=5, alpha=0.35, solid_capstyle="butt", zorder=0)
    axes.plot(0.0, 0.0, "s", color=GREY, markersize=10, zorder=0)
    axes.plot(leg.x_hf_0, leg.y_hf_0, "^", color=GREY, markersize=7, zorder=0)


def leg_drawer(
    axes: Axes, leg: Leg, phi: Vector, s: Vector, colour: str = "", width: float = 4.0
) -> Callable[[int], None]:
    """Draw a leg over its guide; the function that is returned moves it to record number i."""
    pose = poses_along(leg, phi, s)
    limbs = np.stack([0.0 * pose["knee"], pose["knee"], pose["ankle"]])
    feet = np.stack([pose["ankle"], pose["slide"], pose["tip"]])
    (limb,) = axes.plot([], [], "o-", color=colour or BLUE, linewidth=width, markersize=2.0 * width)
    (foot,) = axes.plot([], [], "-", color=colour or ORANGE, linewidth=0.8 * width)
    (slide,) = axes.plot([], [], "s", color=colour or GREEN, markersize=2.5 * width)
    (spring,) = axes.plot([], [], ":", color=colour or GREEN, linewidth=1.2)

    def redraw(i: int) -> None:
        limb.set_data(*limbs[:, i].T)
        foot.set_data(*feet[:, i].T)
        slide.set_data(*pose["slide"][i : i + 1].T)
        x, y = pose["spring"][i]
        spring.set_data([leg.x_hf_0, x], [leg.y_hf_0, y])

    return redraw


def leg_stage(axes: Axes) -> None:
    """Room for the leg."""
    stage(axes, (-0.45, 1.3), (-0.72, 0.2))


def draw_run(figure: Figure, run: Trajectory) -> None:
    """Motion, drives against friction, stops, and the energy ledger of a run."""
    ((a, b), (c, d)) = figure.subplots(2, 2)
    t = run["t"]
    panel(a, t, {"hip phi": run["phi"], "slide s": run["s"]}, "motion", "time in s", "phi in rad, s in m")
    forces = {"drive": run["F"], "friction": run["Q_slide"]}
    panel(b, t, forces, "forces at the slide", "time in s", "force in N")
    torques = {"drive": run["M"], "friction": run["Q_hip"], "knee stop": run["F_knee"]}
    panel(c, t, torques, "torques", "time in s", "torque in N m")
    energies = {"T + V + U": run.energy - run.energy[0], "work of the drives": run["drive_work"],
                "heat": run["contact_heat"] + run["friction_heat"] - run["handed_back"]}  # fmt: skip
    panel(d, t, energies, "energy ledger", "time in s", "energy in J")
