"""Pictures of the leg in closed loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....report.style import GREY, RED, legend, panel
from ..leg.leg_pictures import draw_guide, leg_drawer, leg_stage
from ..leg.trainer_leg import Leg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ....trajectory import Trajectory
    from ...scenario import Redraw


def draw_control(figure: Figure, run: Trajectory) -> None:
    """Motion, tracking error beside that of PD, the patient's torque, and NIS."""
    ((a, b), (c, d)) = figure.subplots(2, 2)
    t = run["t"]
    motion = {"hip in rad": run["phi"], "slide in m": run["s"]}
    panel(a, t, motion, "motion (dotted: reference)", "time in s", "")
    a.plot(t, run["ref_phi"], "k:", linewidth=1.0)
    a.plot(t, run["ref_s"], "k:", linewidth=1.0)
    panel(b, t, {"PD": 1e3 * run["error_pd"], "controller": 1e3 * run["error"]}, "ankle off", "time in s", "mm")
    panel(c, t, {"estimated": run["est_patient"]}, "torque of the patient", "time in s", "N m")
    c.plot(t, run["patient"], "k:", linewidth=1.0, label="true")
    band = 3.0 * run["sigma_patient"]
    c.fill_between(t, run["est_patient"] - band, run["est_patient"] + band, color=GREY, alpha=0.2, linewidth=0.0)
    legend(c)
    panel(d, t[1:], {"NIS": np.maximum(run["nis"][1:], 1e-3)}, "NIS and its 95 % band", "time in s", "")
    d.axhspan(0.0506, 7.378, color=GREY, alpha=0.2, linewidth=0.0)
    d.set_yscale("log")


def animate_control(axes: Axes, run: Trajectory, leg: Leg) -> Redraw:
    """The leg before its reference."""
    leg_stage(axes)
    draw_guide(axes, leg)
    wanted = leg_drawer(axes, leg, run["ref_phi"], run["ref_s"], GREY, 6.0)
    real = leg_drawer(axes, leg, run["phi"], run["s"], RED, 2.0)
    label = axes.set_title("")

    def redraw(i: int) -> None:
        wanted(i)
        real(i)
        label.set_text(f"t = {run['t'][i]:.2f} s, ankle off by {1e3 * run['error'][i]:.1f} mm")

    return redraw
