"""Spheres above one another: parameters and reference model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...laws.friction.dissipation import Friction
from ...laws.material import Material
from ...laws.normal.restriction import Restriction
from ..constants import GRAVITY
from ..groups import Anchored
from ..parameters import Timed, choice, chrono_integrator, count, mass_of, number, run_length, time_step
from ..scenes.rival_laws import LAWS

if TYPE_CHECKING:
    from ...lagrange.model import Model
    from ...lagrange.system import System

FRICTION_SPEED = 1e-3
"""Transition speed of the friction in m/s."""


@dataclass(frozen=True)
class StackParameters(Anchored, Timed):
    """Spheres that are dropped on one another."""

    spheres: int = count(5, "number of spheres", minimum=1, maximum=20)
    radius: float = number(1.0, "radius of a sphere", "m", above=0.0)
    mass: float = mass_of(1.0)
    height: float = number(5.0, "height of the lowest middle at the start", "m", above=0.0)
    spacing: float = number(2.5, "distance of two middles at the start", "m", above=0.0)
    mu: float = number(0.3, "coefficient of friction", minimum=0.0)
    memory: str = choice("static", "memory of the friction force", ("static", "anchored"))
    inherited: ClassVar[None]
    width: float = number(0.05, "s_0 - s_c: distance over which a contact is activated", "m", above=0.0)
    r_f: float = number(4000.0, "largest force of a contact", "N", above=0.0)
    r_d: float = number(2.0, "dissipation of a contact", "s/m", minimum=0.0)
    law: str = choice("power", "contact law; rivals are Chrono's own, matched at rest", LAWS)
    time: float = run_length(10.0)
    step: float = time_step(1e-4)
    integrator: str = chrono_integrator("euler_implicit_linearized")

    def gap_law(self) -> Restriction:
        """Every contact, over the gap between the surfaces."""
        return Restriction(0.0, -self.width, self.r_f, self.r_d)

    def material(self) -> Material:
        """Every contact on Chrono; its distance is the radius where two surfaces begin to touch."""
        law = Restriction(self.radius, self.radius - self.width, self.r_f, self.r_d)
        if not self.mu:
            return Material(law)
        friction = Friction(self.mu, self.mu, FRICTION_SPEED)
        return Material(law, friction, self.anchor() if self.memory == "anchored" else None)

    def start_heights(self) -> np.ndarray:
        """Heights in m of the middles at the start."""
        return self.height + self.spacing * np.arange(self.spheres)

    def rest_heights(self) -> np.ndarray:
        """Heights in m of the middles at rest, in closed form."""
        law = self.gap_law()
        gaps = [law.rest_distance((self.spheres - i) * self.mass * GRAVITY) for i in range(self.spheres)]
        return np.asarray(np.cumsum(gaps) + self.radius * (2 * np.arange(self.spheres) + 1))


@cache
def column_model(count: int) -> Model:
    """Spheres of mass m and radius r above one another: heights z1, z2, ... of their middles.

    A column that starts upright moves along its axis alone, so heights are enough.
    """
    import sympy as sp

    from ...lagrange.model import ContactPoint, Model, coordinates, velocities

    q = coordinates(" ".join(f"z{i + 1}" for i in range(count)))
    p = sp.symbols("m r g", real=True)
    m, r, g = p
    kinetic = sum((m * v**2 / 2 for v in velocities(q)), sp.Integer(0))
    below = (-r, *q[:-1])
    gaps = tuple(ContactPoint(f"{i + 1}", q[i] - below[i] - 2 * r) for i in range(count))
    return Model(f"column_{count}", q, kinetic, m * g * sum(q, sp.Integer(0)), p, contacts=gaps)


def column(p: StackParameters) -> System:
    """The model with its numbers."""
    from ...lagrange.system import System

    model = column_model(p.spheres)
    material = Material(p.gap_law())
    numbers = {"m": p.mass, "r": p.radius, "g": GRAVITY}
    return System(model, numbers, {point.name: material for point in model.contacts})
