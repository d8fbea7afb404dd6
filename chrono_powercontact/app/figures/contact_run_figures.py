"""Figs. 3.12 to 4.4: bounces, walls, the double pendulum and the cube, with and without friction."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...report.style import PALETTE, legend, panel
from .source_figure import SourceFigure, own_picture, run_of, scene

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TALL = (9.0, 6.0)
PENDULUM = (("phi2_0", -5.0 * math.pi / 8.0),)
"""Start of the pendulum in chapter 4."""

FRICTIONS = {"mu = 0": (0.0, 0.0), "0.18, 0.20": (0.18, 0.20), "0.36, 0.40": (0.36, 0.40)}
"""mu_C and mu_S of Table 4.1."""


def draw_bounces(figure: Figure) -> None:
    """Height and force of an elastic and of a rigid ball."""
    (a, b), (c, d) = figure.subplots(2, 2, sharex="col")
    for height, force, body in ((a, c, "elastic"), (b, d, "rigid")):
        run = run_of("drop", ("body", body)).trajectory
        shown = run["t"] < 0.5
        t = run["t"][shown]
        panel(height, t, {"s": run["s"][shown] * 1e3}, f"{body}: height", "", "s in mm")
        panel(force, t, {"F": run["F_barrier"][shown]}, "force", "time in s", "F in N")


def draw_walls(figure: Figure) -> None:
    """Distance, power and kinetic energy at 200 and 270 m/s."""
    distance, power, energy = figure.subplots(3, 1, sharex=True)
    for colour, speed in zip(PALETTE, (200.0, 270.0), strict=False):
        run = run_of("wall", ("speed", speed)).trajectory
        ms = run["t"] * 1e3
        distance.plot(ms, run["s"], color=colour, label=f"{speed:g} m/s")
        power.plot(ms, run["F_barrier"] * run["s_dot"] / 1e3, color=colour)
        energy.plot(ms, run["kinetic"], color=colour)
    distance.set(title="distance", ylabel="s in m", xlim=(0.0, 6.0))
    power.set(title="mechanical power of the wall", ylabel="F v in kW")
    energy.set(title="kinetic energy", xlabel="time in ms", ylabel="T in J")
    legend(distance)


def draw_wall_forces(figure: Figure) -> None:
    """Force over distance at both speeds."""
    axes = figure.subplots()
    for colour, speed in zip(PALETTE, (200.0, 270.0), strict=False):
        run = run_of("wall", ("speed", speed)).trajectory
        axes.plot(run["s"], run["F_barrier"] / 1e3, color=colour, label=f"{speed:g} m/s")
    axes.set(title="force of the wall", xlabel="s in m", ylabel="F in kN")
    legend(axes)


def draw_allowed_angles(figure: Figure) -> None:
    """Where the pendulum may be: activation of either contact over both angles, and the run."""
    outcome = run_of("pendulum")
    run = outcome.trajectory
    p = outcome.parameters
    law = p.restriction()
    phi1, phi2 = np.meshgrid(np.linspace(-0.2, math.pi + 0.2, 301), np.linspace(-math.pi, math.pi, 301))
    first = p.y0 + p.l1 * np.sin(phi1)
    second = first + p.l2 * np.sin(phi1 + phi2)
    active = np.maximum(law.activation(first), law.activation(second))
    axes = figure.subplots()
    axes.contourf(phi1, phi2, active, 12, cmap="Greys")
    axes.plot(run["phi1"], run["phi2"], color=PALETTE[3], label="run")
    axes.set(title="barred angles are dark", xlabel="phi1 in rad", ylabel="phi2 in rad")
    legend(axes)


def draw_pendulum_forces(figure: Figure) -> None:
    """Normal forces and the kinetic energy of the normal motion (3.37)."""
    outcome = run_of("pendulum")
    run = outcome.trajectory
    p = outcome.parameters
    force, energy = figure.subplots(2, 1, sharex=True)
    panel(force, run["t"], {"F_1": run["F_1"], "F_2": run["F_2"]}, "normal forces", "", "F in N")
    v1 = np.gradient(run["s_1"], run["t"])
    v2 = np.gradient(run["s_2"], run["t"])
    normal = 0.5 * p.m1 * v1**2 + 0.5 * p.m2 * v2**2
    panel(energy, run["t"], {"T": normal}, "kinetic energy of the normal motion (3.37)", "time in s", "T in J")


def draw_pendulum_frictions(figure: Figure) -> None:
    """Angles, normal force and energy under the three frictions."""
    a, b, c = figure.subplots(3, 1, sharex=True)
    for colour, (name, (mu_c, mu_s)) in zip(PALETTE, FRICTIONS.items(), strict=False):
        run = run_of("pendulum", *PENDULUM, ("mu_c", mu_c), ("mu_s", mu_s)).trajectory
        t = run["t"]
        a.plot(t, run["phi1"], color=colour, label=name)
        a.plot(t, run["phi2"], color=colour, linestyle="--")
        b.plot(t, run["F_2"], color=colour)
        c.plot(t, run["kinetic"] + run["potential"], color=colour)
    a.set(title="phi1 and phi2 (dashed)", ylabel="in rad")
    b.set(title="normal force of mass 2", ylabel="F in N")
    c.set(title="kinetic and potential energy", xlabel="time in s", ylabel="E in J")
    legend(a)


def draw_cube_paths(figure: Figure) -> None:
    """Height and path on the ground, with and without friction."""
    height, path = figure.subplots(1, 2)
    for colour, (name, friction) in zip(PALETTE, (("without", False), ("with friction", True)), strict=False):
        run = run_of("cube", ("friction", friction)).trajectory
        height.plot(run["t"], run["z"], color=colour, label=name)
        path.plot(run["x"], run["y"], color=colour, label=name)
    height.set(title="height of the centre", xlabel="time in s", ylabel="z in m")
    path.set(title="path over the ground", xlabel="x in m", ylabel="y in m")
    legend(path)


def draw_cube_path(figure: Figure) -> None:
    """Path of the centre without friction, and its projection."""
    run = run_of("cube", ("friction", False)).trajectory
    axes = figure.add_subplot(projection="3d")
    axes.plot(run["x"], run["y"], run["z"], color=PALETTE[0])
    axes.plot(run["x"], run["y"], 0.0 * run["z"], color="0.6")
    axes.set(xlabel="x in m", ylabel="y in m", zlabel="z in m", title="centre of the cube, and its projection")


FIGURES = (
    SourceFigure(
        "3.12", "Bounces and rest", "The elastic ball settles and carries its weight; the rigid one chatters for ever.",
        draw_bounces, TALL,
    ),
    SourceFigure(
        "3.13", "Restitution under gravity", "Gravity lowers slow impacts of the elastic ball, hardly the rigid one.",
        own_picture("impact_phases", case="gravity"),
    ),
    SourceFigure(
        "3.14", "Rebound and breakthrough", "200 m/s turns inside the wall, 270 m/s breaks through.", draw_walls, TALL
    ),
    SourceFigure("3.15", "Forces of the wall", "Both rise to the same largest force.", draw_wall_forces),
    SourceFigure("3.16", "The double pendulum", "Two contacts with the ground.", scene("pendulum", 0.05)),
    SourceFigure("3.17", "Barred angles", "The run stays where both masses are above the ground.", draw_allowed_angles),
    SourceFigure(
        "3.18", "The pendulum falls", "Impacts of mass 2, sliding, impacts of mass 1, rest flat on the ground.",
        own_picture("pendulum"), TALL,
    ),
    SourceFigure(
        "3.19", "Normal forces", "Peaks go with the energy of the normal motion before the impact.",
        draw_pendulum_forces,
    ),
    SourceFigure("3.20", "The cube", "Eight contacting corners.", scene("cube", 0.4, friction=False)),
    SourceFigure("3.21", "Path of the cube", "Bounces get small, then larger again.", draw_cube_path, (6.0, 5.0)),
    SourceFigure(
        "3.22", "Velocities of the cube", "v_x and v_y stay as they are without friction.",
        own_picture("cube", friction=False), TALL,
    ),
    SourceFigure(
        "4.1", "The pendulum with friction", "As Fig. 3.16, with friction at mass 2.",
        scene("pendulum", 0.3, mu_c=0.36, mu_s=0.4),
    ),
    SourceFigure(
        "4.2", "Three frictions", "None: flat on the ground; medium: later; high: mass 1 stays in the air.",
        draw_pendulum_frictions, TALL,
    ),
    SourceFigure(
        "4.3", "Cube with and without friction", "Friction deflects it at the first contact. The motion is chaotic.",
        draw_cube_paths,
    ),
    SourceFigure("4.4", "Velocities with friction", "They fall to rest.", own_picture("cube"), TALL),
)  # fmt: skip
