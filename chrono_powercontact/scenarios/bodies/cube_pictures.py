"""The tumbling cube as it is drawn: in a fixed oblique view, with its shadow and its path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...report.style import BLUE, GREY, ORANGE, stage
from .cube_model import CORNERS, CubeParameters

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...trajectory import Trajectory
    from ..scenario import Redraw

EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
"""Corners that an edge joins."""

VIEW = np.array([[0.94, -0.34, 0.0], [0.10, 0.28, 0.95]])
"""Across and up in the picture of x, y and z."""

FLOOR = np.array([1.0, 1.0, 0.0])
"""A point times this is its shadow."""


def flat(points: np.ndarray) -> np.ndarray:
    """Points in space, one row each, as they are seen."""
    return np.asarray(points @ VIEW.T)


def corner_positions(p: CubeParameters, run: Trajectory, i: int) -> np.ndarray:
    """Positions in m of the corners at record i, one row each."""
    from scipy.spatial.transform import Rotation

    centre = np.array([run[name][i] for name in "xyz"])
    if p.rotation == "quaternion":
        turn = Rotation.from_quat([run[name][i] for name in ("e1", "e2", "e3", "e0")])
    else:
        turn = Rotation.from_euler("ZYX", [run[name][i] for name in ("gamma", "beta", "alpha")])
    return np.asarray(centre + 0.5 * p.edge * turn.apply(CORNERS))


def draw_floor(axes: Axes, run: Trajectory, edge: float, height: float) -> None:
    """The floor under the whole path; edge of the cube and height of the start in m."""
    left = float(run["x"].min()) - edge
    right = float(run["x"].max()) + edge
    front = float(run["y"].min()) - edge
    back = float(run["y"].max()) + edge
    floor = flat(np.array([(left, front, 0.0), (right, front, 0.0), (right, back, 0.0), (left, back, 0.0)]))
    start = flat(np.array([[left + edge, front + edge, height + edge]]))
    top = max(start[0, 1], floor[:, 1].max())
    across = (floor[:, 0].min() - edge, floor[:, 0].max() + edge)
    stage(axes, across, (floor[:, 1].min() - edge, top + edge))
    axes.fill(*floor.T, color=GREY, alpha=0.18)


def cube_animation(axes: Axes, run: Trajectory, p: CubeParameters) -> Redraw:
    """The cube with its path and its shadow."""
    draw_floor(axes, run, p.edge, p.height)
    path = flat(np.column_stack([run["x"], run["y"], run["z"]]))
    (trace,) = axes.plot([], [], color=ORANGE, linewidth=0.8)
    (shadow,) = axes.plot([], [], color=GREY, linewidth=2, alpha=0.4)
    edges = [axes.plot([], [], color=BLUE, linewidth=1.8)[0] for _ in EDGES]
    label = axes.set_title("")

    def redraw(i: int) -> None:
        points = corner_positions(p, run, i)
        drawn = flat(points)
        for line, (first, second) in zip(edges, EDGES, strict=True):
            line.set_data(drawn[[first, second], 0], drawn[[first, second], 1])
        on_floor = flat(points * FLOOR)
        order = np.argsort(np.arctan2(*(on_floor - on_floor.mean(axis=0)).T))
        shadow.set_data(on_floor[order, 0], on_floor[order, 1])
        trace.set_data(path[: i + 1 : 20, 0], path[: i + 1 : 20, 1])
        energy = run["kinetic"][i] + run["potential"][i]
        label.set_text(f"cube: t = {run['t'][i]:.2f} s, T + V = {energy:.3f} J")

    return redraw
