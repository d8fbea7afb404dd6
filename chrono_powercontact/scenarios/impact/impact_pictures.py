"""Pictures of an impact: the force loop, and a ball that flies at a wall."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...report.style import BLUE, GREY, RED, panel, stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...trajectory import Trajectory
    from ..scenario import Redraw


def loop_plot(axes: Axes, trajectory: Trajectory, title: str, unit: float = 1e3) -> None:
    """Normal force over distance: the area of the loop is the energy lost."""
    label = "distance s in mm" if unit == 1e3 else "distance s in m"
    panel(axes, trajectory["s"] * unit, {"F": trajectory["F_barrier"]}, title, label, "force in N")


def ball_animation(axes: Axes, trajectory: Trajectory, radius: float, wall: tuple[float, float], name: str) -> Redraw:
    """A ball that flies at a wall along x and is squeezed there; the force is an arrow.

    Args:
        radius: of the ball in m.
        wall: back and front of the wall in m.
        name: in the title.
    """
    from matplotlib.patches import Ellipse, Rectangle

    s = trajectory["s"]
    force = trajectory["F_barrier"]
    back, front = wall
    low = min(float(s.min()), back)
    high = float(s.max())
    span = high - low + 2.0 * radius
    stage(axes, (low - 1.2 * radius - 0.05 * span, high + 1.2 * radius), (-0.3 * span, 0.3 * span))
    barrier = Rectangle((back, -0.3 * span), front - back, 0.6 * span, color=GREY, alpha=0.35, hatch="//", linewidth=0)
    axes.add_patch(barrier)
    body = Ellipse((s[0], 0.0), 2.0 * radius, 2.0 * radius, color=BLUE, alpha=0.85)
    axes.add_patch(body)
    (arrow,) = axes.plot([], [], color=RED, linewidth=3)
    label = axes.set_title("")
    peak = max(float(np.abs(force).max()), 1e-12)

    def redraw(i: int) -> None:
        left = max(s[i] - radius, front) if s[i] > front else s[i] - radius
        body.set_center((0.5 * (left + s[i] + radius), 0.0))
        body.set_width(s[i] + radius - left)
        arrow.set_data([s[i], s[i] + 0.25 * span * force[i] / peak], [0.0, 0.0])
        label.set_text(f"{name}: t = {trajectory['t'][i] * 1e3:.2f} ms, F = {force[i]:.1f} N")

    return redraw
