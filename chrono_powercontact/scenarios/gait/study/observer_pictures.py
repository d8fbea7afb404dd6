"""Pictures of an observed leg, after Figs. 5.10 to 5.16 of the thesis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ....report.style import GREY, legend, panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....trajectory import Trajectory

IMPACT = (1.0, 1.3)
"""Time in s around the impact on the knee stop in exercise 2."""

AXES = (("hip", "phi", "omega", "M", "rad", "rad/s", "N m"), ("slide", "s", "v", "F", "m", "m/s", "N"))
"""Both axes of the leg: name, position, speed, drive, and their units."""


def draw_estimate(figure: Figure, run: Trajectory, name: str) -> None:
    """One observer: speeds, and errors inside their three-sigma band."""
    grid = figure.subplots(2, 2)
    t = run["t"]
    for (above, under), (axis, _, speed, _, _, unit, _) in zip(grid.T, AXES, strict=True):
        curves = {"truth": run[speed], "from measurements": run[f"ref_{speed}"], name: run[f"est_{speed}"]}
        panel(above, t, curves, f"speed of the {axis}", "time in s", f"{speed} in {unit}", nested=True)
        error = {name: run[f"est_{speed}"] - run[speed], "stage before": run[f"rival_{speed}"] - run[speed]}
        panel(under, t, error, f"error of {speed}", "time in s", f"error in {unit}")
        band = 3.0 * run[f"sigma_{speed}"]
        under.fill_between(t, -band, band, color=GREY, alpha=0.2, linewidth=0.0, label="three sigma")
        legend(under)


def draw_observers(figure: Figure, runs: Mapping[str, Trajectory]) -> None:
    """Several observers of the same experiment: friction, positions, speeds, net inputs, and the impact on the knee."""
    grid = figure.subplots(5, 2)
    first = next(iter(runs.values()))
    t = first["t"]
    for column, (axis, position, speed, drive, unit, speed_unit, force_unit) in zip(grid.T, AXES, strict=True):
        friction = {"drive": first[drive], **{k.upper(): run[f"Q_{axis}"] for k, run in runs.items()}}
        panel(column[0], t, friction, f"drive and estimated friction, {axis}", "time in s", f"in {force_unit}")
        errors = {"reference": first[f"ref_{position}"] - first[position]}
        errors |= {k.upper(): run[f"est_{position}"] - run[position] for k, run in runs.items()}
        panel(column[1], t, errors, f"error of {position}", "time in s", f"in {unit}")
        speeds = {"reference": first[f"ref_{speed}"], **{k.upper(): run[f"est_{speed}"] for k, run in runs.items()}}
        panel(column[2], t, speeds, f"speed of the {axis}", "time in s", f"{speed} in {speed_unit}")
        nets = {"reference": first[f"ref_net_{axis}"], **{k.upper(): r[f"est_net_{axis}"] for k, r in runs.items()}}
        panel(column[3], t, nets, f"net input of the {axis}", "time in s", f"in {force_unit}")
    _impact(grid[4], first, runs)


def _impact(axes: np.ndarray, first: Trajectory, runs: Mapping[str, Trajectory]) -> None:
    """Speed of the hip at the impact, and the torque of the knee stop."""
    t = first["t"]
    near = (t >= IMPACT[0]) & (t <= IMPACT[1])
    unfiltered = np.gradient(first["measured_phi"], t)
    speeds = {"truth": first["omega"], **{k.upper(): run["est_omega"] for k, run in runs.items()}}
    speeds |= {"unfiltered": unfiltered, "reference": first["ref_omega"]}
    panel(axes[0], t[near], {k: v[near] for k, v in speeds.items()}, "start of the exercise", "time in s", "in rad/s")
    torques = {"truth": first["knee"], **{k.upper(): run["est_knee"] for k, run in runs.items()}}
    panel(axes[1], t, torques, "torque of the knee stop", "time in s", "in N m")
