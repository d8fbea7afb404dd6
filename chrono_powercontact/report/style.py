"""How the pictures look: one palette, thin axes, units on every label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..trajectory import Trajectory

BLUE = "#1f6fb4"
ORANGE = "#e0812a"
GREEN = "#2f9e66"
RED = "#c8403f"
VIOLET = "#7b5ea7"
GREY = "#6b7280"
PALETTE = (BLUE, ORANGE, GREEN, RED, VIOLET, GREY)

RC: dict[str, Any] = {
    "figure.dpi": 100,
    "figure.facecolor": "white",
    "figure.constrained_layout.use": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.labelsize": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "font.family": "DejaVu Sans",
}


def panel(axes: Axes, x: ArrayLike, curves: Mapping[str, ArrayLike], title: str, xlabel: str, ylabel: str) -> None:
    """Draw named curves over x with title, labels, and a legend where there is more than one."""
    for colour, (name, y) in zip(PALETTE * 3, curves.items(), strict=False):
        axes.plot(x, y, color=colour, label=name)
    axes.set(title=title, xlabel=xlabel, ylabel=ylabel)
    if len(curves) > 1:
        legend(axes)


def legend(axes: Axes, columns: int = 1) -> None:
    """Name the curves that have a label; nothing where there are none, so that matplotlib does not warn."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        axes.legend(handles, labels, ncols=columns)


def energy_panel(axes: Axes, trajectory: Trajectory) -> None:
    """Where the energy is: kinetic, potential, stored in contacts, turned into heat."""
    heat = trajectory["contact_heat"] + trajectory["friction_heat"] - trajectory["handed_back"]
    curves = {"kinetic": trajectory["kinetic"], "stored": trajectory["stored"], "heat": heat}
    if np.any(trajectory["potential"] != trajectory["potential"][0]):
        curves["potential"] = trajectory["potential"]
    panel(axes, trajectory["t"], curves, "energy ledger", "time in s", "energy in J")


def ground(axes: Axes, level: float = 0.0) -> None:
    """A hatched half-space below a level."""
    low, high = axes.get_xlim()
    bottom = axes.get_ylim()[0]
    axes.fill_between([low, high], bottom, level, color=GREY, alpha=0.18, hatch="//", linewidth=0.0, zorder=0)
    axes.axhline(level, color=GREY, linewidth=1.0)


def stage(axes: Axes, x: tuple[float, float], y: tuple[float, float]) -> None:
    """Equal axes without ticks, for a drawn scene."""
    axes.set(xlim=x, ylim=y, aspect="equal", xticks=[], yticks=[])
    axes.grid(False)
    for spine in axes.spines.values():
        spine.set_visible(False)
