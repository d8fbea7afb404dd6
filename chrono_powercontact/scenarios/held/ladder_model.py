"""A ladder between floor and wall: parameters and reference model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from ..constants import GRAVITY
from ..parameters import mass_of, number, run_length, time_step
from .held import HeldParameters, held_material

if TYPE_CHECKING:
    from ...lagrange.model import Model
    from ...lagrange.system import System


@dataclass(frozen=True)
class LadderParameters(HeldParameters):
    """A ladder that leans on a wall."""

    angle: float = number(50.0, "angle between ladder and floor in degrees", "deg", minimum=5.0, maximum=85.0)
    mu_wall: float = number(0.3, "coefficient of friction of the wall", minimum=0.0)
    length: float = number(2.0, "length of the ladder", "m", above=0.0)
    width: float = number(0.4, "distance between its rails; on Chrono only", "m", above=0.0)
    mass: float = mass_of(5.0)
    inherited: ClassVar[None]
    time: float = run_length(10.0)
    step: float = time_step(1e-4)

    def lean(self) -> float:
        """Angle between ladder and floor in rad."""
        return math.radians(self.angle)

    def start(self) -> tuple[float, float]:
        """Position x and z in m of the middle at which floor and wall carry what they would if the wall were smooth."""
        law = self.restriction(2)
        weight = self.mass * GRAVITY
        floor = law.rest_distance(weight)
        wall = law.rest_distance(0.5 * weight / math.tan(self.lean()))
        x = float(wall + 0.5 * self.length * math.cos(self.lean()))
        z = float(floor + 0.5 * self.length * math.sin(self.lean()))
        return x, z


@cache
def ladder_model() -> Model:
    """A rod of mass m and length k between the centres of its round ends, of radius r; the wall is at x = 0.

    phi is the angle between ladder and floor. Friction acts halfway between the surfaces. The upper end may fall to
    the floor, too: `top`.
    """
    import sympy as sp

    from ...lagrange.model import ContactPoint, Model, coordinates, velocities

    q = coordinates("x z phi")
    x, z, phi = q
    p = sp.symbols("m k r g", real=True)
    m, k, r, g = p
    vx, vz, turning = velocities(q)
    height = z - k / 2 * sp.sin(phi)
    floor = ContactPoint("floor", height, (vx + turning * ((height - r) / 2 - z),))
    away = x - k / 2 * sp.cos(phi)
    wall = ContactPoint("wall", away, (vz - turning * ((away - r) / 2 - x),))
    above = z + k / 2 * sp.sin(phi)
    top = ContactPoint("top", above, (vx + turning * ((above - r) / 2 - z),))
    kinetic = m * (vx**2 + vz**2) / 2 + m * k**2 * turning**2 / 24
    return Model("ladder", q, kinetic, m * g * z, p, contacts=(floor, wall, top))


def ladder(p: LadderParameters) -> System:
    """The model with its numbers."""
    from ...lagrange.system import System

    ground = held_material(p, 2)
    materials = {"floor": ground, "wall": held_material(p, 2, p.mu_wall), "top": ground}
    numbers = {"m": p.mass, "k": p.length, "r": p.s_0, "g": GRAVITY}
    return System(ladder_model(), numbers, materials)
