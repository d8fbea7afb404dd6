"""Pictures of the machine: its motion on the rack, its cylinder forces with the phases, its contact forces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...report.style import BLUE, GREEN, GREY, ORANGE, RED, panel, stage
from ..scenario import Redraw
from .machine.arms import CHAIN, TIP, B, C, D
from .machine.machine import WATER_LEVEL
from .machine.two_link import TwoLink
from .motion.setup import Setup

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...trajectory import Trajectory

Array = NDArray[np.float64]
PHASES = (
    (5.0, 45.0, "down"), (46.0, 60.0, "approach"), (60.0, 64.0, "press"), (64.0, 70.0, "hold"), (70.0, 72.0, "release"),
    (72.0, 120.0, "pull up"), (120.0, 124.0, "unload"), (125.0, 185.0, "to the dump"), (185.0, 220.0, "back"),
)  # fmt: skip
"""Phases of the cycle: begin and end in s."""

FORCES = {
    "F1": "main pair F1",
    "F2": "knuckle F2",
    "N": "pressing force N",
    "F_t": "friction F_t, positive up the rack",
}
"""Titles of the panels, by the column."""


def mark_phases(axes: Axes) -> None:
    """Shade the phases within the axes' limits and name the long ones."""
    low, high = axes.get_xlim()
    for i, (begin, end, name) in enumerate(PHASES):
        first = max(begin, low)
        last = min(end, high)
        if last > first:
            axes.axvspan(first, last, color="#6b7280", alpha=0.07 + 0.07 * (i % 2), linewidth=0)
            if last - first > 0.08 * (high - low):
                at = axes.get_xaxis_transform()
                axes.text(0.5 * (first + last), 0.98, name, transform=at, ha="center", va="top", fontsize=7)
    axes.set_xlim(low, high)


def cylinder_panel(axes: Axes, run: Trajectory) -> None:
    """Both cylinder forces over the cycle."""
    curves = {"main pair F1": run["F1"] / 1e3, "knuckle F2": run["F2"] / 1e3}
    panel(axes, run["t"], curves, "cylinder forces", "time in s", "force in kN")
    axes.set_xlim(0.0, float(run["t"][-1]))
    mark_phases(axes)


def contact_panel(axes: Axes, run: Trajectory) -> None:
    """Pressing force and friction, counted positive against upward motion, while the rake is on the rack."""
    curves = {"pressing N": run["N"] / 1e3, "friction against the pull": -run["F_t"] / 1e3}
    panel(axes, run["t"], curves, "contact forces", "time in s", "force in kN")
    axes.set_xlim(58.0, min(126.0, max(float(run["t"][-1]), 59.0)))
    axes.axhline(0.0, color="#6b7280", linewidth=0.6)


def hold_panel(axes: Axes, run: Trajectory) -> None:
    """Friction, counted as above, while the rake is pressed, held and released."""
    curves = {"friction": -run["F_t"] / 1e3}
    panel(axes, run["t"], curves, "press, hold, release", "time in s", "friction against the pull in kN")
    axes.set_xlim(59.0, 73.0)
    mark_phases(axes)


def ledger_panel(axes: Axes, run: Trajectory) -> None:
    """Where the drives' work went."""
    curves = {
        "drives": run["drive_work"],
        "height, bending": run["potential"] - run["potential"][0],
        "friction": run["friction_work"],
        "arms, bearings, seals": run["damping_heat"],
    }
    panel(axes, run["t"], {k: v / 1e3 for k, v in curves.items()}, "energy ledger", "time in s", "energy in kJ")


def cycle_picture(run: Trajectory, figure: Figure) -> None:
    """Four panels of a cycle."""
    (a, b), (c, d) = figure.subplots(2, 2)
    cylinder_panel(a, run)
    contact_panel(b, run)
    hold_panel(c, run)
    ledger_panel(d, run)


def variants_picture(run: Trajectory, names: Mapping[str, str], forces: tuple[str, ...], figure: Figure) -> None:
    """The same forces of several runs, one panel per force."""
    for axes, force in zip(np.atleast_1d(figure.subplots(len(forces), 1)), forces, strict=True):
        curves = {label: run[f"{force}_{name}"] / 1e3 for name, label in names.items()}
        panel(axes, run["t"], curves, FORCES[force], "time in s", "force in kN")


def holding_picture(run: Trajectory, names: Mapping[str, str], figure: Figure) -> None:
    """Friction and main cylinders' force of several runs while the rake is pressed, held and released."""
    variants_picture(run, names, ("F_t", "F1"), figure)
    for axes in figure.axes:
        axes.set_xlim(59.0, 73.0)
        mark_phases(axes)


def table_picture(table: Trajectory, x: str, groups: Mapping[str, tuple[str, ...]], figure: Figure) -> None:
    """Columns of a table over one of them."""
    for axes, (label, columns) in zip(np.atleast_1d(figure.subplots(1, len(groups))), groups.items(), strict=True):
        panel(axes, table[x], {name: table[name] for name in columns}, "", x, label)
        for line in axes.get_lines():
            line.set_marker("o")


def skeleton(setup: Setup, q: Array) -> dict[str, Array]:
    """Points in m to draw: main arm, knuckle arm, both cylinders; one column per point."""
    statics = setup.statics
    b, c, d, tip = (statics.position(q, station)[0] for station in (B, C, D, TIP))
    lengths = setup.mech.lengths
    origin = np.zeros(2)
    if setup.mech.kind != CHAIN:
        elbow = TwoLink(setup.machine).elbow(float(q[0]))
        main = [origin, elbow]
        knuckle = [elbow, tip]
    else:
        steps = lengths[:, None] * np.column_stack([np.cos(q), np.sin(q)])
        joints = np.vstack([origin, np.cumsum(steps, axis=0)])
        half = len(lengths) // 2
        main = list(joints[: half + 1])
        knuckle = list(joints[half:])
    foot = np.array(setup.machine.a)
    lines = {"main": main, "knuckle": [d, *knuckle], "main cylinder": [foot, b], "knuckle cylinder": [c, d]}
    return {name: np.array(points).T for name, points in lines.items()}


def stage_rack(axes: Axes, setup: Setup) -> None:
    """The dam, the rack, the concrete above it and the water."""
    rack = setup.rack
    stage(axes, (-9.0, 21.0), (-11.5, 7.0))
    foot = rack.point(0.0, rack.offset)
    top = rack.point(rack.length, rack.offset)
    deck = rack.point(8.2, rack.offset)
    axes.fill_between([-9.0, 21.0], -11.5, WATER_LEVEL, color=BLUE, alpha=0.15, linewidth=0, zorder=0)
    axes.fill([-9.0, deck[0], deck[0], foot[0], foot[0], -9.0], [-2.6, -2.6, deck[1], foot[1], -11.5, -11.5],
              color="#cfc9bf", linewidth=0, zorder=0.5)  # fmt: skip
    axes.plot([foot[0], top[0]], [foot[1], top[1]], color=GREY, linewidth=4, zorder=1)
    axes.plot([-0.6, 0.0, 0.6], [-2.6, 0.0, -2.6], color=GREY, linewidth=3)


def animate_machine(setup: Setup, run: Trajectory, axes: Axes) -> Redraw:
    """The machine at work: arms, cylinders, and the pressing force as an arrow."""
    stage_rack(axes, setup)
    styles = {
        "main cylinder": (GREEN, 4), "knuckle cylinder": (GREEN, 4), "main": (BLUE, 6), "knuckle": (ORANGE, 5),
    }  # fmt: skip
    drawn = {name: axes.plot([], [], color=colour, linewidth=width, solid_capstyle="round")[0]
             for name, (colour, width) in styles.items()}  # fmt: skip
    (arrow,) = axes.plot([], [], color=RED, linewidth=2.5)
    label = axes.set_title("")
    n = len(setup.mech.own)
    normal = setup.rack.normal
    poses = np.column_stack([run[f"q_{i + 1}"] for i in range(n)])

    def redraw(i: int) -> None:
        for name, points in skeleton(setup, np.ascontiguousarray(poses[i])).items():
            drawn[name].set_data(*points)
        tip = np.array([run["x_T"][i], run["z_T"][i]])
        end = tip - 3e-4 * run["N"][i] * normal
        arrow.set_data([tip[0], end[0]], [tip[1], end[1]])
        label.set_text(f"t = {run['t'][i]:.0f} s, N = {run['N'][i] / 1e3:.1f} kN, F1 = {run['F1'][i] / 1e3:.0f} kN")

    return redraw
