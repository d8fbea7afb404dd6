"""A point mass on a line in front of one barrier: the reference model behind ball, drop and wall."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ...laws.material import Material
from ...laws.normal.normal_law import NormalLaw

if TYPE_CHECKING:
    from ...lagrange.model import Model
    from ...lagrange.system import System
    from ...progress import Progress
    from ...trajectory import Trajectory


@dataclass(frozen=True)
class Flight:
    """A free flight at a barrier that ends by itself.

    Attributes:
        start: distance from the barrier in m.
        speed: towards it in m/s.
        longest: time in s after which it ends in any case.
        ended: for each record, whether the flight is over.
    """

    start: float
    speed: float
    longest: float
    ended: Callable[[Trajectory], np.ndarray]


@cache
def point_mass_model() -> Model:
    """Distance s of a mass m from a barrier, under gravity g towards it."""
    import sympy as sp

    from ...lagrange.model import ContactPoint, Model, coordinates, velocities

    (s,) = coordinates("s")
    m, g = sp.symbols("m g", real=True)
    (v,) = velocities((s,))
    return Model("point_mass", (s,), m * v**2 / 2, m * g * s, (m, g), contacts=(ContactPoint("barrier", s),))


def point_mass(mass: float, law: NormalLaw, gravity: float = 0.0) -> System:
    """The model with its numbers: mass in kg, law of the barrier, gravity in m/s^2."""
    from ...lagrange.system import System

    return System(point_mass_model(), {"m": mass, "g": gravity}, {"barrier": Material(law)})


def fly(mass: float, law: NormalLaw, flight: Flight, step: float, progress: Progress) -> Trajectory:
    """A free mass in kg against a barrier on the reference engine, with a step in s."""
    from ...lagrange.runs import run_rk4

    system = point_mass(mass, law)
    start = system.state([flight.start], [-flight.speed])
    return run_rk4(system, start, step, flight.longest, 1, progress, flight.ended)
