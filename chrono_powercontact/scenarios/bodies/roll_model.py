"""A sphere on an inclined plane: parameters and reference model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from ...laws.friction.dissipation import Friction
from ...laws.material import Material
from ...laws.normal.restriction import Restriction
from ..constants import GRAVITY
from ..groups import MEMORIES, FrictionMemory
from ..parameters import Timed, choice, chrono_integrator, mass_of, number, run_length, time_step

if TYPE_CHECKING:
    from ...lagrange.model import Model
    from ...lagrange.system import System


@dataclass(frozen=True)
class RollParameters(FrictionMemory, Timed):
    """A sphere that rolls down a plane."""

    angle: float = number(15.0, "angle of the slope in degrees", "deg", above=0.0, maximum=80.0)
    radius: float = number(0.05, "radius of the sphere", "m", above=0.0)
    mass: float = mass_of(0.1)
    mu_s: float = number(1.0, "stiction coefficient; at least mu_c", minimum=0.0)
    mu_c: float = number(0.5, "Coulomb coefficient", minimum=0.0)
    v_c: float = number(5e-5, "transition speed of the Coulomb part", "m/s", above=0.0)
    v_s: float = number(1e-4, "speed at which stiction peaks", "m/s", above=0.0)
    eps: float = number(1e-6, "speed that rounds the norm", "m/s", minimum=0.0)
    memory: str = choice("lpv", "memory of the friction force", MEMORIES)
    t_f: float = number(1e-3, "time constant of the memory", "s", above=0.0)
    v_f: float = number(1e-4, "speed below which the memory closes", "m/s", above=0.0)
    inherited: ClassVar[None]
    width: float = number(5e-4, "s_0 - s_c: distance over which the contact is activated", "m", above=0.0)
    r_f: float = number(400.0, "largest force of the ground", "N", above=0.0)
    r_d: float = number(3.0, "dissipation of the contact", "s/m", minimum=0.0)
    time: float = run_length(1.0)
    step: float = time_step(1e-4)
    integrator: str = chrono_integrator("euler_implicit_linearized")

    def slope(self) -> float:
        """Angle of the slope in rad."""
        return math.radians(self.angle)

    def restriction(self) -> Restriction:
        """The ground; distances count from the middle of the sphere."""
        return Restriction(self.radius, self.radius - self.width, self.r_f, self.r_d)

    def friction(self) -> Friction:
        """Friction of the ground; where stiction and Coulomb friction are alike there is no Stribeck part."""
        v_s = self.v_s if self.mu_s > self.mu_c else None
        return Friction(self.mu_c, self.mu_s, self.v_c, v_s, 0.0, self.eps)

    def material(self) -> Material:
        """The ground."""
        return Material(self.restriction(), self.friction(), self.friction_memory())

    def load(self) -> float:
        """Weight across the slope in N."""
        return self.mass * GRAVITY * math.cos(self.slope())

    def start_height(self) -> float:
        """Height in m of the middle of the sphere at which the ground carries it."""
        return float(self.restriction().rest_distance(self.load()))


@cache
def rolling_sphere_model() -> Model:
    """A sphere of mass m and radius r on a plane inclined by theta; x points downhill, phi turns about y.

    The surfaces touch halfway between them, so the lever of friction is (z + r)/2.
    """
    import sympy as sp

    from ...lagrange.model import ContactPoint, Model, coordinates, velocities

    q = coordinates("x z phi")
    x, z, _ = q
    p = sp.symbols("m r g theta", real=True)
    m, r, g, theta = p
    vx, vz, turning = velocities(q)
    kinetic = m * (vx**2 + vz**2) / 2 + m * r**2 * turning**2 / 5
    potential = m * g * (z * sp.cos(theta) - x * sp.sin(theta))
    point = ContactPoint("ground", z, (vx - (z + r) / 2 * turning,))
    return Model("rolling_sphere", q, kinetic, potential, p, contacts=(point,))


def rolling_sphere(p: RollParameters) -> System:
    """The model with its numbers."""
    from ...lagrange.system import System

    numbers = {"m": p.mass, "r": p.radius, "g": GRAVITY, "theta": p.slope()}
    return System(rolling_sphere_model(), numbers, {"ground": p.material()})
