"""Figs. 3.1 to 3.10: restriction functions, the forces that follow from them, and the phases of an impact."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.patches import Circle, Rectangle
from numpy.typing import NDArray

from ...laws.normal.restriction import Barrier, Restriction, RigidRestriction
from ...report.style import BLUE, GREY, PALETTE, legend, panel
from .source_figure import SourceFigure, own_picture, run_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BALL = Restriction(0.010, 0.009, 200.0, 1.0)
"""Table 3.1a."""

KINDS = {"viscoelastic": 1.0, "elastic": 0.0, "plastic": math.inf}
"""Dissipations in s/m."""

SPEED = 2.0
"""Speeds in m/s up to which laws are drawn."""

Vector = NDArray[np.float64]


def law_of(r_d: float) -> Restriction:
    """The ball's contact with another dissipation in s/m."""
    return Restriction(BALL.s_0, BALL.s_c, BALL.r_f, r_d)


def distances() -> Vector:
    """Distances in m around the contact."""
    return np.linspace(0.0085, 0.0105, 401)


def ball_over_plane(axes: Axes, s: float, caption: str) -> None:
    """A ball of the radius s_0 with its core s_c over a plane, its centre at s; all in mm."""
    axes.axhline(0.0, color="k", linewidth=2)
    axes.add_patch(Circle((0.0, s), 10.0, fill=False, color=BLUE, label="s_0"))
    axes.add_patch(Circle((0.0, s), 9.0, fill=False, color=GREY, linestyle="--", label="s_c"))
    axes.annotate("", (0.0, 0.0), (0.0, s), arrowprops={"arrowstyle": "<->"})
    axes.text(0.6, 0.5 * s, "s", fontsize=11)
    axes.set(title=caption, xlim=(-14, 14), ylim=(-3, s + 12), aspect="equal", xlabel="in mm")
    axes.legend()


def draw_flight(figure: Figure) -> None:
    """The ball before it touches."""
    ball_over_plane(figure.subplots(), 14.0, "before the contact: s > s_0, v < 0")


def draw_rest(figure: Figure) -> None:
    """The ball at rest under its weight, drawn where the law carries a load of 50 N."""
    load = 50.0
    s = BALL.rest_distance(load) * 1e3
    ball_over_plane(figure.subplots(), s, f"at rest under {load:g} N: s_c < s = {s:.3f} mm < s_0")


def draw_activations(figure: Figure) -> None:
    """Impulse: a jump; force: a spring that grows on; power: between 0 and 1."""
    jump, spring, smooth = figure.subplots(1, 3)
    s = distances()
    mm = s * 1e3
    panel(jump, mm, {"R_a": RigidRestriction(BALL.s_0, 1.0, 0.0).activation(s)}, "impulse-based (3.5)", "s in mm", "")
    depth = np.maximum(BALL.s_0 - s, 0.0) / (BALL.s_0 - BALL.s_c)
    panel(spring, mm, {"Hooke": depth, "Hertz": depth**1.5}, "force-based: unbounded", "s in mm", "force, scaled")
    panel(smooth, mm, {"R_a": BALL.activation(s)}, "power-based (3.2)", "s in mm", "activation")
    smooth.axvline(BALL.s_0 * 1e3, color=GREY, linewidth=0.8, linestyle=":")
    smooth.axvline(BALL.s_c * 1e3, color=GREY, linewidth=0.8, linestyle=":")


def draw_power_and_energy(figure: Figure) -> None:
    """The power function, and the energy that a contact withdraws and gives back."""
    power, energy = figure.subplots(1, 2)
    v = np.linspace(-SPEED, SPEED, 801)
    panel(power, v, {"R_p": BALL.power(0.0, v)}, "R_p < 0 withdraws, > 0 gives back", "v in m/s", "R_p in W")
    run = run_of("ball").trajectory
    curves = {"kinetic": run["kinetic"] * 1e3, "stored": run["stored"] * 1e3, "heat": run["contact_heat"] * 1e3}
    panel(energy, run["t"] * 1e3, curves, "where the energy is in an impact", "time in ms", "energy in mJ")


def draw_power_functions(figure: Figure) -> None:
    """(3.6) with its limits (3.7) and (3.8)."""
    v = np.linspace(-SPEED, SPEED, 801)
    curves = {f"r_d = {r_d:g} s/m": law_of(r_d).power(0.0, v) for r_d in (0.0, 0.5, 1.0, 3.0, math.inf)}
    panel(figure.subplots(), v, curves, "power function of the barrier", "v in m/s", "R_p in W")


def draw_surfaces(figure: Figure) -> None:
    """Power and force over distance and speed: (3.9) to (3.14)."""
    s, v = np.meshgrid(distances(), np.linspace(-SPEED, SPEED, 201))
    rows = figure.subplots(2, 3, sharex=True, sharey=True)
    for column, (name, r_d) in enumerate(KINDS.items()):
        law = law_of(r_d)
        for row, (what, values) in enumerate((("R in W", law.power(s, v)), ("F in N", law.force(s, v)))):
            axes = rows[row, column]
            drawn = axes.pcolormesh(s * 1e3, v, values, cmap="coolwarm" if row == 0 else "viridis", shading="auto")
            figure.colorbar(drawn, ax=axes)
            axes.set_title(f"{name}: {what}")
            axes.grid(visible=False)
    for axes in rows[1]:
        axes.set_xlabel("s in mm")
    for axes in rows[:, 0]:
        axes.set_ylabel("v in m/s")


def impacts() -> list[dict[str, Vector]]:
    """The impacts of `impact_phases`: elastic, the contact's own dissipation, plastic."""
    run = run_of("impact_phases").trajectory
    names = ("t", "s", "s_dot", "F_barrier")
    return [{name: run[name][run["impact"] == number] for name in names} for number in (0, 2, 4)]


def draw_phases(figure: Figure) -> None:
    """Force and kinetic energy over distance, force and momentum over time."""
    mass = run_of("impact_phases").parameters.mass
    (a, b), (c, d) = figure.subplots(2, 2)
    for colour, name, one in zip(PALETTE, ("elastic", "viscoelastic", "plastic"), impacts(), strict=False):
        a.plot(one["s"] * 1e3, one["F_barrier"], color=colour, label=name)
        b.plot(one["s"] * 1e3, 0.5 * mass * one["s_dot"] ** 2 * 1e3, color=colour)
        c.plot(one["t"] * 1e3, one["F_barrier"], color=colour)
        d.plot(one["t"] * 1e3, mass * one["s_dot"], color=colour)
    a.set(title="force", xlabel="s in mm", ylabel="F in N", xlim=(None, 10.5))
    b.set(title="kinetic energy", xlabel="s in mm", ylabel="T in mJ", xlim=(None, 10.5))
    c.set(title="force", xlabel="time in ms", ylabel="F in N")
    d.set(title="momentum", xlabel="time in ms", ylabel="p in N s")
    legend(a)


def draw_deformation(figure: Figure) -> None:
    """Distance over time, with the phases."""
    axes = figure.subplots()
    m = run_of("impact_phases").metrics
    for colour, number, one in zip(PALETTE, (0, 2, 4), impacts(), strict=False):
        got = m["measured"][number]
        name = f"r_d = {m['r_d'][number]:g}: t_c {got['compression_time'] * 1e3:.3f}, "
        name += f"t_r {got['restitution_time'] * 1e3:.3f} ms"
        axes.plot(one["t"] * 1e3, one["s"] * 1e3, color=colour, label=name)
    axes.axhline(BALL.s_0 * 1e3, color=GREY, linewidth=0.8, linestyle=":")
    axes.set(title="deformation and phases", xlabel="time in ms", ylabel="s in mm", ylim=(9.2, 10.3))
    legend(axes)


def draw_thick_wall(figure: Figure) -> None:
    """A ball before a wall of finite thickness."""
    axes = figure.subplots()
    axes.add_patch(Rectangle((-0.10, -0.15), 0.2, 0.3, color="0.8", label="wall"))
    axes.add_patch(Circle((0.2, 0.0), 0.02, color=BLUE, label="ball"))
    axes.annotate("", (0.11, 0.0), (0.18, 0.0), arrowprops={"arrowstyle": "->"})
    axes.annotate("", (-0.10, -0.17), (0.10, -0.17), arrowprops={"arrowstyle": "<->"})
    axes.text(-0.01, -0.2, "s_Delta")
    axes.set(title="a wall between s_0 - s_Delta and s_0", xlim=(-0.25, 0.3), ylim=(-0.22, 0.18), aspect="equal")
    axes.set_xlabel("s in m")
    axes.legend()


def draw_finite_activation(figure: Figure) -> None:
    """(3.21) beside (3.2) and (3.25)."""
    s = np.linspace(-0.2, 0.2, 1001)
    soft = Barrier(0.10, 0.08, 1e4, 0.05, thickness=0.2, s_c_back=-0.05)
    rigid = Barrier(0.10, 0.10, 1e4, 0.05, thickness=0.2, s_c_back=-0.10)
    half = Restriction(0.10, 0.08, 1e4, 0.05)
    curves = {
        "infinite (3.2)": half.activation(s),
        "finite (3.21)": soft.activation(s),
        "rigid (3.25)": rigid.activation(s),
    }
    panel(figure.subplots(), s, curves, "activation of a wall of Table 3.2", "s in m", "R_a")


FIGURES = (
    SourceFigure("3.1", "A ball before the contact", "Radius s_0, core s_c, distance s.", draw_flight, (5.0, 5.0)),
    SourceFigure("3.2", "A ball at rest", "It rests where the contact carries its weight.", draw_rest, (5.0, 5.0)),
    SourceFigure(
        "3.3", "Activation", "Impulse-based models switch, force-based ones grow without bound, ours is bounded.",
        draw_activations,
    ),
    SourceFigure(
        "3.4", "Energy in a contact", "Compression withdraws energy, restitution gives a part of it back.",
        draw_power_and_energy,
    ),
    SourceFigure(
        "3.5", "Power function", "Between the straight line of an elastic and the corner of a plastic contact.",
        draw_power_functions,
    ),
    SourceFigure(
        "3.6", "Power and force", "The force is never negative; elastic force does not depend on the speed.",
        draw_surfaces, (10.0, 5.5),
    ),
    SourceFigure(
        "3.7", "Force, energy, momentum", "The area of the loop is the loss; with dissipation the force peaks early.",
        draw_phases, (9.0, 6.0),
    ),
    SourceFigure(
        "3.8", "Deformation and durations", "More dissipation: shorter compression, longer restitution.",
        draw_deformation,
    ),
    SourceFigure("3.9", "A wall of finite thickness", "What a ball breaks through.", draw_thick_wall, (5.0, 4.5)),
    SourceFigure(
        "3.10", "Activation of a finite wall", "It releases behind the wall.", draw_finite_activation
    ),
    SourceFigure(
        "3.11",
        "Restitution, duration, force",
        "Restitution depends on r_d v alone, exactly; the thesis says nearly.",
        own_picture("restitution_map"),
        (9.0, 6.0),
    ),
)  # fmt: skip
