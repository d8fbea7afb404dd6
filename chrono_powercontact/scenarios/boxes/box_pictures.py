"""The box on its slope, as it is drawn."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...report.style import BLUE, GREY, stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...trajectory import Trajectory
    from ..scenario import Redraw


def box_animation(axes: Axes, run: Trajectory, size: float, angle: float, name: str) -> Redraw:
    """The box of an edge in m on a slope of an angle in rad, and where it started."""
    from matplotlib.patches import Polygon

    to_world = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    outline = 0.5 * size * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)

    def corners(i: int) -> np.ndarray:
        c = math.cos(run["phi"][i])
        s = math.sin(run["phi"][i])
        on_slope = outline @ np.array([[c, -s], [s, c]]) + np.array([run["x"][i], run["z"][i]])
        return np.asarray(on_slope @ to_world.T)

    start = corners(0)
    draw_slope(axes, run["x"], size, to_world, float(start[:, 1].max()))
    axes.add_patch(Polygon(start, fill=False, edgecolor=GREY, linestyle=":"))
    body = Polygon(start, color=BLUE, alpha=0.85)
    axes.add_patch(body)
    label = axes.set_title("")

    def redraw(i: int) -> None:
        body.set_xy(corners(i))
        label.set_text(f"{name}: t = {run['t'][i]:.2f} s, x = {1e3 * run['x'][i]:.3f} mm")

    return redraw


def draw_slope(axes: Axes, x: np.ndarray, size: float, to_world: np.ndarray, top: float) -> None:
    """A hatched slope under a box of a size in m that moves over x in m; top is its highest point in m."""
    low = float(x.min()) - 1.2 * size
    high = float(x.max()) + 1.2 * size
    line = np.array([(low, 0.0), (high, 0.0)]) @ to_world.T
    bottom = line[:, 1].min() - 0.3 * size
    stage(axes, (line[0, 0], line[1, 0]), (bottom, max(line[:, 1].max(), top) + 0.5 * size))
    axes.fill_between(line[:, 0], bottom, line[:, 1], color=GREY, alpha=0.18, hatch="//", linewidth=0.0)
