"""How the pictures look: one palette, thin axes, units on every label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

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

NESTED = 0.6
"""By how many points a curve is wider than the one in front of it."""

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
    "legend.edgecolor": "none",
    "legend.framealpha": 0.6,
    "lines.linewidth": 1.4,
    "font.family": "DejaVu Sans",
}


def panel(
    axes: Axes,
    x: ArrayLike,
    curves: Mapping[str, ArrayLike],
    title: str,
    xlabel: str,
    ylabel: str,
    nested: bool = False,
) -> None:
    """Draw named curves over x with title, labels, and a legend where there is more than one.

    `nested` is for curves that nearly coincide: each is wider than the next, so that all can be seen.
    """
    width: float = RC["lines.linewidth"]
    for behind, colour, (name, y) in zip(range(len(curves))[::-1], PALETTE * 3, curves.items(), strict=False):
        axes.plot(x, y, color=colour, label=name, linewidth=width + NESTED * behind * nested)
    axes.set(title=title, xlabel=xlabel, ylabel=ylabel)
    if len(curves) > 1:
        legend(axes)


def legend(axes: Axes, columns: int = 1, place: str | tuple[float, float] = "best") -> None:
    """Name the curves that have a label; nothing where there are none, so that matplotlib does not warn.

    `place` is one of matplotlib's words, or the lower left corner as fractions of the axes.
    """
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        axes.legend(handles, labels, ncols=columns, loc=place)


def level(axes: Axes, value: float, name: str) -> None:
    """A dotted line at a value with which the curves of a panel are to be compared, named in the legend."""
    axes.axhline(value, color="k", linewidth=0.8, linestyle=":", label=name)
    legend(axes)


def energy_panel(axes: Axes, trajectory: Trajectory, time_unit: Literal["s", "ms"] = "s") -> None:
    """Where the energy is: kinetic, stored in contacts, turned into heat, and potential, counted from its least."""
    heat = trajectory["contact_heat"] + trajectory["friction_heat"] - trajectory["handed_back"]
    curves = {"kinetic": trajectory["kinetic"], "stored": trajectory["stored"], "heat": heat}
    if np.any(trajectory["potential"] != trajectory["potential"][0]):
        curves["potential (least = 0)"] = trajectory["potential"] - trajectory["potential"].min()
    time = trajectory["t"] * (1e3 if time_unit == "ms" else 1.0)
    panel(axes, time, curves, "energy ledger", f"time in {time_unit}", "energy in J", nested=True)


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
