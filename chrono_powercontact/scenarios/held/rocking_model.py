"""A cube on a plane that rocks: parameters and reference model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..boxes.planar_box import CORNERS, CubeBody, core_edge
from ..constants import GRAVITY
from ..parameters import mass_of, number, run_length, time_step
from .held import HeldParameters, held_material

if TYPE_CHECKING:
    from ...lagrange.model import Model
    from ...lagrange.system import System


@dataclass(frozen=True)
class RockingParameters(HeldParameters, CubeBody):
    """A cube on a slope that rocks."""

    angle: float = number(20.0, "steepest slope in degrees; the other end is level", "deg", minimum=0.0, maximum=44.0)
    frequency: float = number(1.0, "swings per second", "Hz", above=0.0, maximum=2.0)
    size: float = number(0.2, "outer edge of the cube", "m", above=0.0)
    mass: float = mass_of(1.0)
    inherited: ClassVar[None]
    time: float = run_length(10.0)
    step: float = time_step(2e-4, on_chrono=1e-4)

    def core(self) -> float:
        """Distance in m between corner centres."""
        return core_edge(self.size, self.s_0)

    def theta(self, t: np.ndarray) -> np.ndarray:
        """Slope in rad at times in s."""
        return np.asarray(0.5 * math.radians(self.angle) * (1.0 - np.cos(2.0 * math.pi * self.frequency * t)))

    def start_height(self) -> float:
        """Height in m of the middle of the cube at which the level ground carries it."""
        corner = self.restriction().rest_distance(0.25 * self.mass * GRAVITY)
        return float(corner + 0.5 * self.core())


@cache
def rocking_box_model() -> Model:
    """A cube of mass m and inertia j in the world frame, on a plane through the origin that turns about y.

    Its slope is theta = (1 - cos(omega t)) top/2. Corners and points of friction are those of the planar box.
    """
    import sympy as sp

    from ...lagrange.model import TIME, ContactPoint, Model, coordinates, velocities

    q = coordinates("X Z phi")
    x, z, phi = q
    p = sp.symbols("m k r j g top omega", real=True)
    m, k, r, j, g, top, omega = p
    vx, vz, turning = velocities(q)
    theta = top / 2 * (1 - sp.cos(omega * TIME))
    c = sp.cos(theta)
    s = sp.sin(theta)
    points = []
    for i, (a, b) in enumerate(CORNERS):
        height = x * s + z * c + k / 2 * (b * sp.cos(phi - theta) - a * sp.sin(phi - theta))
        middle = (height - r) / 2
        slip = vx * c - vz * s + turning * (middle - x * s - z * c) - sp.diff(theta, TIME) * middle
        points.append(ContactPoint(f"{i + 1}", height, (slip,)))
    kinetic = m * (vx**2 + vz**2) / 2 + j * turning**2 / 2
    return Model("rocking_box", q, kinetic, m * g * z, p, contacts=tuple(points))


def rocking_box(p: RockingParameters) -> System:
    """The model with its numbers."""
    from ...lagrange.system import System

    model = rocking_box_model()
    material = held_material(p, 2)
    numbers = {
        "m": p.mass,
        "k": p.core(),
        "r": p.s_0,
        "j": p.moment(),
        "g": GRAVITY,
        "top": math.radians(p.angle),
        "omega": 2.0 * math.pi * p.frequency,
    }
    return System(model, numbers, {point.name: material for point in model.contacts})
