"""Boxes on one another on a slope: parameters, reference model, and their positions at rest in closed form."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..constants import GRAVITY
from ..parameters import count, mass_of, number, run_length, time_step
from .held import HeldParameters, held_material

if TYPE_CHECKING:
    from ...lagrange.model import Model
    from ...lagrange.system import System

FEET = 0.9
"""Distance between the feet of a box over its width."""

SWEEPS = 20
"""Passes over the stack in which its rest converges."""


@dataclass(frozen=True)
class BoxStackParameters(HeldParameters):
    """Boxes on one another on a slope."""

    boxes: int = count(10, "number of boxes", minimum=1, maximum=10)
    angle: float = number(10.0, "angle of the slope in degrees", "deg", minimum=0.0, maximum=44.0)
    width: float = number(0.3, "width of a box along the slope and across", "m", above=0.0)
    height: float = number(0.1, "height of a box", "m", above=0.0)
    mass: float = mass_of(1.0)
    inherited: ClassVar[None]
    time: float = run_length(2.0, on_chrono=10.0)
    step: float = time_step(1e-4)

    def slope(self) -> float:
        """Angle of the slope in rad."""
        return math.radians(self.angle)

    def moment(self) -> float:
        """Moment of inertia of a box in kg m^2."""
        return float(self.mass * (self.width**2 + self.height**2) / 12.0)

    def forces(self) -> NDArray[np.float64]:
        """Normal force in N between each box and what is below, in closed form."""
        carried = self.boxes - np.arange(self.boxes)
        return np.asarray(carried * self.mass * GRAVITY * math.cos(self.slope()), float)


@cache
def box_stack_model(count: int) -> Model:
    """Boxes of mass m, inertia j and height e on one another; the ground has the slope theta, x points downhill.

    A box has a rear and a front foot, a/2 from its middle, spheres of radius r whose centres are r above its bottom.
    Feet touch the top of the box below, which may tilt; friction acts halfway between the surfaces.
    """
    import sympy as sp

    from ...lagrange.model import ContactPoint, Model, coordinates, velocities

    q = coordinates(" ".join(f"x{i + 1} z{i + 1} phi{i + 1}" for i in range(count)))
    p = sp.symbols("m j a e r g theta", real=True)
    m, j, _, e, _, g, theta = p
    speeds = velocities(q)
    boxes = [(q[3 * i : 3 * i + 3], speeds[3 * i : 3 * i + 3]) for i in range(count)]
    ground = ((sp.S.Zero, -e / 2, sp.S.Zero), (sp.S.Zero,) * 3)
    points = []
    for i, box in enumerate(boxes):
        below = boxes[i - 1] if i else ground
        for side, name in ((-1, "rear"), (1, "front")):
            height, slip = _foot(side, box, below, p)
            points.append(ContactPoint(f"{name}_{i + 1}", height, (slip,)))
    kinetic = sum((m * (v[0] ** 2 + v[1] ** 2) / 2 + j * v[2] ** 2 / 2 for _, v in boxes), sp.S.Zero)
    potential = sum((m * g * (x[1] * sp.cos(theta) - x[0] * sp.sin(theta)) for x, _ in boxes), sp.S.Zero)
    return Model(f"box_stack_{count}", q, kinetic, potential, p, contacts=tuple(points))


def _foot(side: int, box: Any, below: Any, p: Any) -> tuple[Any, Any]:
    """Height of the rear (-1) or front (1) foot of a box over the one below, and its sliding speed there.

    Args:
        side: -1 or 1.
        box, below: coordinates x, z, tilt and their rates, of the box and of the one below.
        p: symbols of the model.
    """
    import sympy as sp

    _, _, a, e, r, _, _ = p
    (x, z, phi), (vx, vz, turning) = box
    (bx, bz, tilt), (bvx, bvz, tilting) = below
    c = sp.cos(tilt)
    s = sp.sin(tilt)
    foot = -side * a / 2 * sp.sin(phi - tilt) - (e / 2 - r) * sp.cos(phi - tilt)
    height = (x - bx) * s + (z - bz) * c + foot - e / 2
    back = (height + r) / 2
    slip = (vx - bvx) * c - (vz - bvz) * s + turning * (foot - back) - tilting * (height + e / 2 - back)
    return height, slip


def box_stack(p: BoxStackParameters) -> System:
    """The model with its numbers."""
    from ...lagrange.system import System

    model = box_stack_model(p.boxes)
    material = held_material(p, 2)
    numbers = {
        "m": p.mass,
        "j": p.moment(),
        "a": FEET * p.width,
        "e": p.height,
        "r": p.s_0,
        "g": GRAVITY,
        "theta": p.slope(),
    }
    return System(model, numbers, {point.name: material for point in model.contacts})


def rest_of(p: BoxStackParameters) -> NDArray[np.float64]:
    """Positions x, z in m and tilts in rad of the boxes at rest, one row each.

    The feet of a box divide what is above it so that its moment about them vanishes; the boxes above lean with it.
    """
    rows = np.zeros((p.boxes, 3))
    rows[:, 1] = p.height * (np.arange(p.boxes) + 0.5)
    for _ in range(SWEEPS):
        _settle(p, rows)
    return rows


def _settle(p: BoxStackParameters, rows: NDArray[np.float64]) -> None:
    """One pass from the ground to the top: each box on its feet, as the boxes above it load them."""
    arm = 0.5 * FEET * p.width
    normal = p.forces()
    foot = p.restriction(2)
    base = np.zeros(2)
    tilt = 0.0
    for i in range(p.boxes):
        middle = rows[i:, :2].mean(axis=0) - base
        lean = middle[0] + middle[1] * math.tan(p.slope())
        fraction = np.clip(0.5 * (1.0 + np.array([-1.0, 1.0]) * lean / arm), 1e-6, None)
        rear = float(foot.rest_distance(normal[i] * fraction[0])) - p.s_0
        front = float(foot.rest_distance(normal[i] * fraction[1])) - p.s_0
        tilt += (rear - front) / (2.0 * arm)
        up = np.array([math.sin(tilt), math.cos(tilt)])
        rows[i, :2] = base + (0.5 * (rear + front) + 0.5 * p.height) * up
        rows[i, 2] = tilt
        base = rows[i, :2] + 0.5 * p.height * up
