"""Pictures of closed loops: the moving linkage, reactions, and what switching costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...report.style import BLUE, GREEN, GREY, ORANGE, PALETTE, panel, stage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...trajectory import Trajectory
    from ..scenario import Metrics, Redraw

MARGIN = 0.15
"""Free space around a drawn mechanism, over its size."""


def reaction_panel(axes: Axes, run: Trajectory, reaction: np.ndarray, free: np.ndarray) -> None:
    """The reaction at the cut in its components, and that of the free bodies as points."""
    curves = {"x": reaction[:, 0], "y": reaction[:, 1]}
    panel(axes, run["t"], curves, "reaction at the cut (points: free bodies)", "time in s", "force in N")
    some = slice(len(run) // 60, -(len(run) // 60) or None, max(len(run) // 30, 1))
    for component, colour in zip(free.T, PALETTE, strict=False):
        axes.plot(run["t"][some], component[some], "o", color=colour, markersize=3)


def history_panel(axes: Axes, run: Trajectory, metrics: Metrics) -> None:
    """Volume of the chosen coordinates over time, with a line at each switch; what each history costs."""
    if "volume" not in run.names:
        speed = np.sqrt(np.maximum(run["kinetic"], 0.0))
        panel(axes, run["t"], {"": speed}, "square root of the kinetic energy", "time in s", "J^0.5")
        return
    title = "how good the chosen coordinates are"
    panel(axes, run["t"], {"volume": run["volume"]}, title, "time in s", "volume of the choice")
    if "evaluations" in metrics:
        counts = ", ".join(f"{name} {count}" for name, count in metrics["evaluations"].items())
        axes.text(0.02, 0.05, f"evaluations of Adams' method: {counts}", fontsize=8, transform=axes.transAxes)
    for row in np.flatnonzero(np.diff(run["independent"])):
        axes.axvline(run["t"][row + 1], color=GREY, linewidth=0.6, linestyle=":")
    axes.set_ylim(0.0, 1.05)


def linkage(name: str, run: Trajectory, chains: Sequence[np.ndarray], axes: Axes) -> Redraw:
    """The mechanism as lines through its pins; `chains` hold x and y by pin and record."""
    every = np.concatenate([chain.reshape(-1, 2, chain.shape[-1]) for chain in chains])
    low = every.min(axis=(0, 2))
    high = every.max(axis=(0, 2))
    room = MARGIN * float((high - low).max())
    stage(axes, (low[0] - room, high[0] + room), (low[1] - room, high[1] + room))
    lines = [
        axes.plot([], [], "o-", color=colour, linewidth=3, markersize=7)[0]
        for _, colour in zip(chains, (BLUE, ORANGE, GREEN), strict=False)
    ]
    label = axes.set_title("")

    def redraw(i: int) -> None:
        for line, chain in zip(lines, chains, strict=True):
            line.set_data(chain[:, 0, i], chain[:, 1, i])
        label.set_text(f"{name}: t = {run['t'][i]:.3f} s")

    return redraw
