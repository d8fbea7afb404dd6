"""A box in the plane on an inclined ground: the model behind slope and slide.

The motion of a cube that slides straight down is plane: each of the four points stands for the two corners of the
cube behind one another, so it carries twice the force of one corner.
"""

from __future__ import annotations

import math
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ...errors import ParameterError
from ...laws import Anchor, Friction, LPVFilter, LTIFilter, Material, Restriction
from ...laws.design import stable_contact_step, stable_friction_step
from ..anchored import ANCHOR, anchor_of
from ..parameters import Parameter
from ..timing import timed_run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...lagrange.model import Model
    from ...lagrange.system import System
    from ...progress import Progress
    from ...trajectory import Trajectory
    from ..scenario import Redraw

GRAVITY = 9.81
"""In m/s^2."""

CORNERS = ((-1, -1), (1, -1), (-1, 1), (1, 1))
"""Points 1 to 4 in half edges along x and z: rear and front at the bottom, rear and front at the top."""

MEMORIES = ("static", "lti", "lpv", "anchored")

CONTACT = (
    Parameter("s_0", 0.002, "radius of a corner: distance at which it begins to touch", "m", minimum=0.0, above=True),
    Parameter("s_c", 0.001, "distance at which the activation is complete; below s_0", "m"),
    Parameter("r_f", 400.0, "largest force at a corner", "N", minimum=0.0, above=True),
    Parameter("r_d", 10.0, "dissipation at a corner", "s/m", minimum=0.0),
)

FRICTION = (
    Parameter("memory", "lpv", "memory of the friction force", choices=MEMORIES),
    Parameter("v_c", 5e-5, "transition speed of the Coulomb part", "m/s", minimum=0.0, above=True),
    Parameter("v_s", 1e-4, "speed at which stiction peaks", "m/s", minimum=0.0, above=True),
    Parameter("eps", 1e-6, "speed that rounds the norm", "m/s", minimum=0.0),
    Parameter("t_f", 1e-3, "time constant of the memory", "s", minimum=0.0, above=True),
    Parameter("v_f", 1e-4, "speed below which the lpv memory closes", "m/s", minimum=0.0, above=True),
    *ANCHOR,
)


@cache
def planar_box_model() -> Model:
    """A cube of mass m and inertia j on a ground inclined by theta; x points downhill.

    Its corners are spheres of radius r, k/2 from the middle. Friction acts half way between the surfaces.
    """
    import sympy as sp

    from ...lagrange import ContactPoint, Model, coordinates, velocities

    q = x, z, phi = coordinates("x z phi")
    p = m, k, r, j, g, theta = sp.symbols("m k r j g theta", real=True)
    vx, vz, spin = velocities(q)
    points = []
    for i, (a, b) in enumerate(CORNERS):
        height = z + k / 2 * (b * sp.cos(phi) - a * sp.sin(phi))
        lever = (height - r) / 2 - z
        points.append(ContactPoint(f"{i + 1}", height, (vx + lever * spin,)))
    kinetic = m * (vx**2 + vz**2) / 2 + j * spin**2 / 2
    potential = m * g * (z * sp.cos(theta) - x * sp.sin(theta))
    return Model("planar_box", q, kinetic, potential, p, contacts=tuple(points))


def core_of(p: SimpleNamespace) -> float:
    """Distance in m between corner centres of a cube whose outer edge is p.size."""
    core = float(p.size - 2.0 * p.s_0)
    if core <= 0.0:
        raise ParameterError(f"size must be greater than twice s_0 = {2.0 * p.s_0:g} m, got {p.size:g}")
    return core


def friction_of(p: SimpleNamespace) -> Friction:
    """Friction of a corner; where stiction and Coulomb friction are alike there is no Stribeck part."""
    return Friction(p.mu_c, p.mu_s, p.v_c, p.v_s if p.mu_s > p.mu_c else None, 0.0, p.eps)


def memory_of(p: SimpleNamespace) -> LTIFilter | Anchor | None:
    """Memory of the friction force."""
    if p.memory == "static":
        return None
    if p.memory == "anchored":
        return anchor_of(p)
    return LPVFilter(p.t_f, p.v_f) if p.memory == "lpv" else LTIFilter(p.t_f)


def corner_material(p: SimpleNamespace, corners: int = 1) -> Material:
    """What one point is made of that stands for so many corners."""
    return Material(Restriction(p.s_0, p.s_c, corners * p.r_f, p.r_d), friction_of(p), memory_of(p))


def rest_height(p: SimpleNamespace, angle: float) -> float:
    """Height in m of the middle of the cube at which four corners carry it at rest, on a slope of an angle in rad."""
    load = p.mass * GRAVITY * math.cos(angle) / 4.0
    return float(corner_material(p).normal.rest_distance(load) + 0.5 * core_of(p))  # type: ignore[union-attr]


def planar_box(p: SimpleNamespace, angle: float) -> System:
    """The model with its numbers, on a slope of an angle in rad."""
    from ...lagrange.system import System

    model, material = planar_box_model(), corner_material(p, 2)
    numbers = {"m": p.mass, "k": core_of(p), "r": p.s_0, "j": p.mass * p.size**2 / 6.0, "g": GRAVITY, "theta": angle}
    return System(model, numbers, {point.name: material for point in model.contacts})


def run_box(p: SimpleNamespace, angle: float, start: tuple[float, float], progress: Progress) -> Trajectory:
    """Run on the reference engine from a height in m and a speed along x in m/s."""
    system = planar_box(p, angle)
    return timed_run(system, system.state([0.0, start[0], 0.0], [start[1], 0.0, 0.0]), p, progress)


def box_step(p: SimpleNamespace, angle: float) -> float:
    """Largest step in s that RK4 may take: contact and friction as one corner feels them."""
    load = p.mass * GRAVITY * math.cos(angle)
    contact = stable_contact_step(Restriction(p.s_0, p.s_c, p.r_f, p.r_d), p.mass / 4.0)
    return min(contact, stable_friction_step(friction_of(p), p.mass / 2.5, memory_of(p), load))


def penetration(p: SimpleNamespace, run: Trajectory) -> float:
    """How far in m a corner went below the ground, at most."""
    return max(float(p.s_0 - min(run[f"s_{i + 1}"].min() for i in range(4))), 0.0)


def box_scene(axes: Axes, run: Trajectory, p: SimpleNamespace, angle: float, name: str) -> Redraw:
    """The box on its slope, and where it started."""
    from matplotlib.patches import Polygon

    from ...report.style import BLUE, GREY, stage

    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    outline = 0.5 * p.size * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)

    def placed(i: int) -> np.ndarray:
        c, s = math.cos(run["phi"][i]), math.sin(run["phi"][i])
        corners = outline @ np.array([[c, -s], [s, c]]) + np.array([run["x"][i], run["z"][i]])
        return np.asarray(corners @ turn.T)

    low, high = float(run["x"].min()) - 1.2 * p.size, float(run["x"].max()) + 1.2 * p.size
    line = np.array([(low, 0.0), (high, 0.0)]) @ turn.T
    bottom = line[:, 1].min() - 0.3 * p.size
    stage(axes, (line[0, 0], line[1, 0]), (bottom, max(line[:, 1].max(), placed(0)[:, 1].max()) + 0.5 * p.size))
    axes.fill_between(line[:, 0], bottom, line[:, 1], color=GREY, alpha=0.18, hatch="//", linewidth=0.0)
    axes.add_patch(Polygon(placed(0), fill=False, edgecolor=GREY, linestyle=":"))
    body = Polygon(placed(0), color=BLUE, alpha=0.85)
    axes.add_patch(body)
    label = axes.set_title("")

    def redraw(i: int) -> None:
        body.set_xy(placed(i))
        label.set_text(f"{name}: t = {run['t'][i]:.2f} s, x = {1e3 * run['x'][i]:.3f} mm")

    return redraw
