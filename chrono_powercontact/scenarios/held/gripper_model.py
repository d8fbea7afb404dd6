"""A cube between two jaws: parameters and reference model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from ..boxes.planar_box import CORNERS, CubeBody, core_edge
from ..constants import GRAVITY
from ..parameters import mass_of, number, run_length, time_step
from .held import HeldParameters, held_material

if TYPE_CHECKING:
    from ...lagrange.model import Model
    from ...lagrange.system import System


@dataclass(frozen=True)
class GripperParameters(HeldParameters, CubeBody):
    """Two jaws that hold a cube."""

    press: float = number(10.0, "force with which the moving jaw presses", "N", above=0.0)
    size: float = number(0.1, "outer edge of the cube", "m", above=0.0)
    mass: float = mass_of(0.5)
    jaw: float = mass_of(0.5, "mass of the moving jaw")
    inherited: ClassVar[None]
    time: float = run_length(10.0)
    step: float = time_step(1e-4)

    def core(self) -> float:
        """Distance in m between corner centres."""
        return core_edge(self.size, self.s_0)

    def start(self) -> tuple[float, float]:
        """Positions in m of the middle of the cube and of the moving jaw at which the corners carry the press."""
        corner = float(self.restriction().rest_distance(0.25 * self.press))
        return corner + 0.5 * self.core(), 2.0 * corner + self.core()


@cache
def gripper_model() -> Model:
    """A cube of mass m and inertia j between a fixed jaw at x = 0 and one at w, of mass n, that a force f presses.

    Its corners are spheres of radius r, k/2 from the middle: 1 and 3 at the fixed jaw, 2 and 4 at the moving one.
    """
    import sympy as sp

    from ...lagrange.model import ContactPoint, Model, coordinates, velocities

    q = coordinates("x z phi w")
    x, z, phi, w = q
    p = sp.symbols("m k r j n f g", real=True)
    m, k, r, j, n, f, g = p
    vx, vz, turning, vw = velocities(q)
    points = []
    for i, (a, b) in enumerate(CORNERS):
        position = x + k / 2 * (a * sp.cos(phi) + b * sp.sin(phi))
        away = position if a < 0 else w - position
        touching = (away - r) / 2 if a < 0 else w - (away - r) / 2
        points.append(ContactPoint(f"{i + 1}", away, (vz - turning * (touching - x),)))
    kinetic = m * (vx**2 + vz**2) / 2 + j * turning**2 / 2 + n * vw**2 / 2
    return Model("gripper", q, kinetic, m * g * z + f * w, p, contacts=tuple(points))


def gripper(p: GripperParameters) -> System:
    """The model with its numbers."""
    from ...lagrange.system import System

    model = gripper_model()
    material = held_material(p, 2)
    numbers = {
        "m": p.mass,
        "k": p.core(),
        "r": p.s_0,
        "j": p.moment(),
        "n": p.jaw,
        "f": p.press,
        "g": GRAVITY,
    }
    return System(model, numbers, {point.name: material for point in model.contacts})
