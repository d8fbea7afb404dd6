"""A point mass on a line in front of one barrier: the model behind ball, drop and wall."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ...laws import Material, NormalLaw
from ...laws.normal.hertz import Hertz
from ...laws.normal.hooke import Hooke

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...lagrange.model import Model
    from ...lagrange.system import System
    from ...trajectory import Trajectory
    from ..scenario import Redraw


@cache
def point_mass_model() -> Model:
    """Distance s of a mass m from a barrier, under gravity g towards it."""
    import sympy as sp

    from ...lagrange import ContactPoint, Model, coordinates, velocities

    (s,), (m, g) = coordinates("s"), sp.symbols("m g", real=True)
    (v,) = velocities((s,))
    return Model("point_mass", (s,), m * v**2 / 2, m * g * s, (m, g), contacts=(ContactPoint("barrier", s),))


def point_mass(mass: float, law: NormalLaw | Hooke | Hertz, gravity: float = 0.0) -> System:
    """The model with its numbers: mass in kg, law of the barrier, gravity in m/s^2."""
    from ...lagrange.system import System

    return System(point_mass_model(), {"m": mass, "g": gravity}, {"barrier": Material(law)})


def loop_plot(axes: Axes, trajectory: Trajectory, title: str, unit: float = 1e3) -> None:
    """Normal force over distance: the area of the loop is the energy lost."""
    from ...report.style import panel

    s = trajectory["s"] * unit
    label = "distance s in mm" if unit == 1e3 else "distance s in m"
    panel(axes, s, {"F": trajectory["F_barrier"]}, title, label, "force in N")


def ball_scene(axes: Axes, trajectory: Trajectory, radius: float, wall: tuple[float, float], name: str) -> Redraw:
    """A ball that flies at a wall along x and is squeezed there; the force is an arrow."""
    from matplotlib.patches import Ellipse, Rectangle

    from ...report.style import BLUE, GREY, RED, stage

    s, force = trajectory["s"], trajectory["F_barrier"]
    low, high = min(float(s.min()), wall[0]), float(s.max())
    span = high - low + 2.0 * radius
    stage(axes, (low - 1.2 * radius - 0.05 * span, high + 1.2 * radius), (-0.3 * span, 0.3 * span))
    barrier = Rectangle(
        (wall[0], -0.3 * span), wall[1] - wall[0], 0.6 * span, color=GREY, alpha=0.35, hatch="//", linewidth=0
    )
    axes.add_patch(barrier)
    body = Ellipse((s[0], 0.0), 2.0 * radius, 2.0 * radius, color=BLUE, alpha=0.85)
    axes.add_patch(body)
    (arrow,) = axes.plot([], [], color=RED, linewidth=3)
    label = axes.set_title("")
    peak = max(float(np.abs(force).max()), 1e-12)

    def redraw(i: int) -> None:
        left = max(s[i] - radius, wall[1]) if s[i] > wall[1] else s[i] - radius
        body.set_center((0.5 * (left + s[i] + radius), 0.0))
        body.set_width(s[i] + radius - left)
        arrow.set_data([s[i], s[i] + 0.25 * span * force[i] / peak], [0.0, 0.0])
        label.set_text(f"{name}: t = {trajectory['t'][i] * 1e3:.2f} ms, F = {force[i]:.1f} N")

    return redraw


def energy_panel(axes: Axes, trajectory: Trajectory) -> None:
    """Where the energy is: kinetic, potential, stored in contacts, turned into heat."""
    from ...report.style import panel

    heat = trajectory["contact_heat"] + trajectory["friction_heat"] - trajectory["handed_back"]
    curves = {"kinetic": trajectory["kinetic"], "stored": trajectory["stored"], "heat": heat}
    if np.any(trajectory["potential"] != trajectory["potential"][0]):
        curves["potential"] = trajectory["potential"]
    panel(axes, trajectory["t"], curves, "energy ledger", "time in s", "energy in J")


def contact_parameters(p: SimpleNamespace) -> dict[str, float]:
    """The numbers of a restriction among a scenario's parameters."""
    return {"s_0": p.s_0, "s_c": p.s_c, "r_f": p.r_f, "r_d": p.r_d}
