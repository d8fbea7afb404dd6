"""A wall whose sides may be rigid (3.21)-(3.25): soft or rigid where a mass enters and where it leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....laws.impact import breakthrough_speed, exit_velocity
from ....laws.normal.restriction import Barrier
from ....report.style import PALETTE, legend
from ....trajectory import Trajectory
from ...scenario import Check, Metrics, within
from ..point_mass import Flight, fly
from .impact_case import ImpactCase, ImpactPhasesParameters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....progress import Progress

WALLS = {
    "soft, soft": Barrier(0.10, 0.08, 1e4, 0.05, thickness=0.2, s_c_back=-0.05),
    "rigid, soft": Barrier(0.10, 0.10, 1e4, 0.05, thickness=0.2, s_c_back=-0.05),
    "soft, rigid": Barrier(0.10, 0.08, 1e4, 0.05, thickness=0.2, s_c_back=-0.1),
    "rigid, rigid": Barrier(0.10, 0.10, 1e4, 0.05, thickness=0.2, s_c_back=-0.1),
}
"""The wall of Table 3.2: its front and its back side."""

START = 0.2
END = -0.3
"""Distances in m between which a mass flies."""

SPEED = 270.0
"""Impact speed in m/s of the thesis' breakthrough; on the rigid, rigid wall a mass needs more."""

FASTER = 330.0
"""Impact speed in m/s at which every wall breaks."""

MASS = 0.05
"""Mass in kg of Table 3.2."""

COLUMNS = ("wall", "t", "s", "s_dot", "F_barrier")


def run_sides(p: ImpactPhasesParameters, progress: Progress) -> Trajectory:
    """The four walls, one after the other."""
    blocks = []
    steps = 0
    for number, wall in enumerate(WALLS.values()):
        flight = Flight(START, FASTER, 0.05, lambda run: (run["s"] < END) | (run["s"] > START))
        run = fly(MASS, wall, flight, 0.02 * p.step, lambda fraction: None)
        blocks.append(np.column_stack([np.full(len(run), float(number)), *(run[name] for name in COLUMNS[1:])]))
        steps += run.steps
        progress((number + 1) / len(WALLS))
    return Trajectory(COLUMNS, np.concatenate(blocks), steps)


def measure_sides(p: ImpactPhasesParameters, run: Trajectory) -> Metrics:
    """Speed after the wall beside the closed form, and the speed from which on it breaks."""
    found: Metrics = {}
    for number, (name, wall) in enumerate(WALLS.items()):
        rows = run["wall"] == number
        found[name] = {
            "exit_velocity": float(run["s_dot"][rows][-1]),
            "closed_form": exit_velocity(wall, MASS, FASTER),
            "breakthrough_speed": breakthrough_speed(wall, MASS),
            "at_270": exit_velocity(wall, MASS, SPEED),
        }
    return found


def check_sides(p: ImpactPhasesParameters, m: Metrics) -> list[Check]:
    """Exit speeds as the closed form says; the wall's strength is the distance between its half activations."""
    checks = [
        within(f"{name}: velocity behind the wall", found["exit_velocity"], found["closed_form"], 0.02, "m/s")
        for name, found in m.items()
    ]
    strengths = [found["breakthrough_speed"] for found in m.values()]
    ordered = strengths[0] < min(strengths[1:3]) and max(strengths[1:3]) < strengths[3]
    return [*checks, Check(f"a rigid side makes the wall stronger: {np.round(strengths, 1).tolist()} m/s", ordered)]


def plot_sides(p: ImpactPhasesParameters, run: Trajectory, m: Metrics, figure: Figure) -> None:
    """Activation and speed over the distance."""
    shape, speed = figure.subplots(1, 2)
    s = np.linspace(END, START, 1001)
    for number, (name, wall) in enumerate(WALLS.items()):
        rows = run["wall"] == number
        shape.plot(s, wall.activation(s), color=PALETTE[number], label=name)
        speed.plot(run["s"][rows], -run["s_dot"][rows], color=PALETTE[number], label=name)
    shape.set(title="activation: entry, exit (3.21), (3.25)", xlabel="s in m", ylabel="R_a")
    speed.set(title=f"flight through the wall at {FASTER:g} m/s", xlabel="s in m", ylabel="speed in m/s")
    speed.invert_xaxis()
    legend(shape)


SIDES = ImpactCase(run_sides, measure_sides, check_sides, plot_sides)
