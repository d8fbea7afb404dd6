"""A box in the plane on an inclined ground: parameters and reference model behind slope and slide.

The motion of a cube that slides straight down is plane: each of the four points represents the two corners of the
cube behind one another, so it carries twice the force of one corner.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from ...errors import ParameterError
from ...laws.design import stable_contact_step, stable_friction_step
from ...laws.friction.dissipation import Friction
from ...laws.material import Material
from ..constants import GRAVITY
from ..groups import MEMORIES, Contact, FrictionMemory
from ..parameters import Parameters, Timed, choice, chrono_integrator, mass_of, number
from ..scenes.rival_laws import LAWS
from ..timing import timed_run

if TYPE_CHECKING:
    from ...lagrange.model import Model
    from ...lagrange.system import System
    from ...progress import Progress
    from ...trajectory import Trajectory

CORNERS = ((-1, -1), (1, -1), (-1, 1), (1, 1))
"""Points 1 to 4 in half edges along x and z: rear and front at the bottom, rear and front at the top."""


@dataclass(frozen=True)
class CornerContact(Contact):
    """The contact of a round corner."""

    s_0: float = number(0.002, "radius of a corner: distance at which it begins to touch", "m", above=0.0)
    s_c: float = number(0.001, "distance at which the activation is complete; below s_0", "m")
    r_f: float = number(400.0, "largest force at a corner", "N", above=0.0)
    r_d: float = number(10.0, "dissipation at a corner", "s/m", minimum=0.0)


@dataclass(frozen=True)
class CubeBody(Parameters):
    """A cube with round corners."""

    size: float = number(0.2, "outer edge of the cube", "m", above=0.0)
    mass: float = mass_of(1.0)

    def moment(self) -> float:
        """Moment of inertia in kg m^2."""
        return self.mass * self.size**2 / 6.0


@dataclass(frozen=True)
class BoxFriction(FrictionMemory):
    """The friction of a corner, without its coefficients."""

    memory: str = choice("lpv", "memory of the friction force", MEMORIES)
    v_c: float = number(5e-5, "transition speed of the Coulomb part", "m/s", above=0.0)
    v_s: float = number(1e-4, "speed at which stiction peaks", "m/s", above=0.0)
    eps: float = number(1e-6, "speed that rounds the norm", "m/s", minimum=0.0)
    t_f: float = number(1e-3, "time constant of the memory", "s", above=0.0)
    v_f: float = number(1e-4, "speed below which the lpv memory closes", "m/s", above=0.0)
    inherited: ClassVar[None]


class Coefficients(NamedTuple):
    """Friction coefficients of a corner."""

    stiction: float
    coulomb: float


@dataclass(frozen=True)
class BoxParameters(CubeBody, BoxFriction, CornerContact, Timed):
    """A box on a plane."""

    law: str = choice("power", "contact law; rivals are Chrono's own, matched at rest", LAWS)
    integrator: str = chrono_integrator("euler_implicit_linearized")

    def coefficients(self) -> Coefficients:
        """Friction coefficients, as the scenario names them."""
        raise NotImplementedError

    def friction(self) -> Friction:
        """Friction of a corner; where stiction and Coulomb friction are alike there is no Stribeck part."""
        mu = self.coefficients()
        v_s = self.v_s if mu.stiction > mu.coulomb else None
        return Friction(mu.coulomb, mu.stiction, self.v_c, v_s, 0.0, self.eps)


@cache
def planar_box_model() -> Model:
    """A cube of mass m and inertia j on a ground inclined by theta; x points downhill.

    Its corners are spheres of radius r, k/2 from the middle. Friction acts halfway between the surfaces.
    """
    import sympy as sp

    from ...lagrange.model import ContactPoint, Model, coordinates, velocities

    q = coordinates("x z phi")
    x, z, phi = q
    p = sp.symbols("m k r j g theta", real=True)
    m, k, r, j, g, theta = p
    vx, vz, turning = velocities(q)
    points = []
    for i, (a, b) in enumerate(CORNERS):
        height = z + k / 2 * (b * sp.cos(phi) - a * sp.sin(phi))
        lever = (height - r) / 2 - z
        points.append(ContactPoint(f"{i + 1}", height, (vx + lever * turning,)))
    kinetic = m * (vx**2 + vz**2) / 2 + j * turning**2 / 2
    potential = m * g * (z * sp.cos(theta) - x * sp.sin(theta))
    return Model("planar_box", q, kinetic, potential, p, contacts=tuple(points))


def core_edge(size: float, s_0: float) -> float:
    """Distance in m between corner centres of a cube of an outer edge in m with corners of radius s_0 in m."""
    core = float(size - 2.0 * s_0)
    if core <= 0.0:
        raise ParameterError(f"size must be greater than twice s_0 = {2.0 * s_0:g} m, got {size:g}")
    return core


def core_of(p: BoxParameters) -> float:
    """Distance in m between the corner centres of the box."""
    return core_edge(p.size, p.s_0)


def corner_material(p: BoxParameters, corners: int = 1) -> Material:
    """The material of a point that represents so many corners."""
    return Material(p.restriction(corners), p.friction(), p.friction_memory())


def rest_height(p: BoxParameters, angle: float) -> float:
    """Height in m of the middle of the cube at which four corners carry it at rest, on a slope of an angle in rad."""
    load = p.mass * GRAVITY * math.cos(angle) / 4.0
    return float(p.restriction().rest_distance(load) + 0.5 * core_of(p))


def planar_box(p: BoxParameters, angle: float) -> System:
    """The model with its numbers, on a slope of an angle in rad."""
    from ...lagrange.system import System

    model = planar_box_model()
    material = corner_material(p, 2)
    numbers = {"m": p.mass, "k": core_of(p), "r": p.s_0, "j": p.moment(), "g": GRAVITY, "theta": angle}
    return System(model, numbers, {point.name: material for point in model.contacts})


def run_box(p: BoxParameters, angle: float, speed: float, progress: Progress) -> Trajectory:
    """Run on the reference engine from the rest height with a speed along x in m/s, on a slope of an angle in rad."""
    system = planar_box(p, angle)
    start = system.state([0.0, rest_height(p, angle), 0.0], [speed, 0.0, 0.0])
    return timed_run(system, start, p, progress)


def box_step(p: BoxParameters, angle: float) -> float:
    """Largest step in s that RK4 may take: contact and friction of one corner, on a slope of an angle in rad."""
    load = p.mass * GRAVITY * math.cos(angle)
    contact = stable_contact_step(p.restriction(), p.mass / 4.0, integrator="rk4")
    friction = stable_friction_step(p.friction(), p.mass / 2.5, p.friction_memory(), load, integrator="rk4")
    return min(contact, friction)


def box_penetration(s_0: float, run: Trajectory) -> float:
    """How far in m a corner of radius s_0 in m went below the ground, at most."""
    lowest = min(run[f"s_{i + 1}"].min() for i in range(len(CORNERS)))
    return max(float(s_0 - lowest), 0.0)
