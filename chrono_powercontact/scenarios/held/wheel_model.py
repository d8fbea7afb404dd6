"""A wheel with rolling friction on a slope: parameters and reference model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from ...laws.friction.anchor import Anchor
from ...laws.friction.spin import SpinFriction
from ...laws.material import Material
from ..constants import GRAVITY
from ..parameters import mass_of, number, run_length, time_step
from .held import HeldParameters, held_material

if TYPE_CHECKING:
    from ...lagrange.model import Model
    from ...lagrange.system import System

DISC = 0.5
"""Moment of inertia of a wheel over its mass and its squared radius."""


@dataclass(frozen=True)
class WheelParameters(HeldParameters):
    """A wheel on a slight slope."""

    speed: float = number(1.0, "speed downhill at the start; the wheel rolls", "m/s", minimum=0.0)
    arm: float = number(0.02, "rolling friction: largest moment over the normal force", "m", above=0.0)
    turn: float = number(1e-4, "angle at which rolling friction reaches its limit", "rad", above=0.0)
    turn_tau: float = number(2e-3, "damping time of that angle", "s", minimum=0.0)
    angle: float = number(1.0, "angle of the slope in degrees", "deg", minimum=0.0, maximum=20.0)
    radius: float = number(0.3, "radius of the wheel", "m", above=0.0)
    mass: float = mass_of(1.0)
    inherited: ClassVar[None]
    time: float = run_length(10.0)
    step: float = time_step(1e-4)

    def slope(self) -> float:
        """Angle of the slope in rad."""
        return math.radians(self.angle)

    def moment(self) -> float:
        """Moment of inertia in kg m^2."""
        return DISC * self.mass * self.radius**2

    def material(self) -> Material:
        """The ground; distances count from s_0."""
        ground = held_material(self)
        rolling = SpinFriction(self.arm, Anchor(self.turn, self.turn_tau))
        return Material(ground.normal, ground.friction, ground.memory, rolling=rolling)

    def start_height(self) -> float:
        """Distance in m at which the ground carries the wheel."""
        load = self.mass * GRAVITY * math.cos(self.slope())
        return float(self.restriction().rest_distance(load))

    def start_rotation(self) -> float:
        """Angular velocity in rad/s with which the wheel rolls at the start."""
        return float(self.speed / (self.radius + 0.5 * (self.start_height() - self.s_0)))


@cache
def wheel_model() -> Model:
    """A wheel of mass m, moment j and radius b on a ground inclined by theta; x downhill, phi the angle about y.

    z is the height of its middle above where it touches with its full radius, plus r, the distance s_0 of its contact.
    """
    import sympy as sp

    from ...lagrange.model import ContactPoint, Model, coordinates, velocities

    q = coordinates("x z phi")
    x, z, _ = q
    p = sp.symbols("m b j r g theta", real=True)
    m, b, j, r, g, theta = p
    vx, vz, turning = velocities(q)
    kinetic = m * (vx**2 + vz**2) / 2 + j * turning**2 / 2
    potential = m * g * (z * sp.cos(theta) - x * sp.sin(theta))
    point = ContactPoint("ground", z, (vx - (b + (z - r) / 2) * turning,), rolling=(turning,))
    return Model("wheel", q, kinetic, potential, p, contacts=(point,))


def wheel(p: WheelParameters) -> System:
    """The model with its numbers."""
    from ...lagrange.system import System

    numbers = {"m": p.mass, "b": p.radius, "j": p.moment(), "r": p.s_0, "g": GRAVITY, "theta": p.slope()}
    return System(wheel_model(), numbers, {"ground": p.material()})
