"""A cube with eight touching corners: parameters and reference model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...laws.friction.anchor import Anchor
from ...laws.friction.dissipation import Friction
from ...laws.friction.memory import LPVFilter
from ...laws.material import Material
from ..constants import GRAVITY
from ..groups import Anchored, Contact
from ..parameters import Timed, choice, mass_of, number, run_length, switch, time_step
from ..scenes.rival_laws import LAWS

if TYPE_CHECKING:
    from ...lagrange.model import Model
    from ...lagrange.system import System

CORNERS = np.array(
    [(1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, -1), (1, -1, 1), (1, 1, 1), (-1, 1, 1), (-1, -1, 1)], float
)
"""Corner spheres in half edges (3.38)."""

CORNER, SURFACE = CONTACT_POINTS = ("corner", "surface")
"""Where friction acts at a corner. s_0 is the outer radius of an object, so that its surface touches the ground."""

FRICTION = Friction(0.25, 0.30, 5e-5, 1e-4, 0.0, 1e-6)
MEMORY = LPVFilter(1e-4, 1e-4)
"""Friction and memory of Table 4.2."""

START_MOTION = (2.0, 1.0, 0.0, 10.0, 1.0, 0.0)
"""Velocity in m/s and rates of the angles in rad/s at the start (3.50).

At zero angles the rates are the angular velocity.
"""


@dataclass(frozen=True)
class CubeParameters(Anchored, Contact, Timed):
    """A cube that tumbles onto the ground."""

    friction: bool = switch(True, "friction at the corners (Table 4.2)")
    step: float = time_step(1e-4)
    rotation: str = choice("quaternion", "coordinates of the rotation", ("quaternion", "angles"))
    memory: str = choice(
        "point",
        "filter at each corner, or per velocity (thesis), or an anchor at each corner",
        ("point", "coordinate", "anchored"),
    )
    contact_point: str = choice(
        CORNER,
        "where friction acts: at the corner itself (thesis), or on the surface of the sphere of radius s_0 around it",
        CONTACT_POINTS,
    )
    inherited: ClassVar[None]
    mass: float = mass_of(0.1)
    edge: float = number(0.1, "edge of the cube", "m", above=0.0)
    height: float = number(1.0, "height of the centre at the start", "m", above=0.0)
    s_0: float = number(0.002, "distance at which a corner begins to touch", "m")
    s_c: float = number(0.001, "distance at which the activation is complete; below s_0", "m")
    r_f: float = number(400.0, "largest force at a corner", "N", above=0.0)
    r_d: float = number(0.3, "dissipation at a corner", "s/m", minimum=0.0)
    mu_c: float = number(0.25, "Coulomb coefficient", minimum=0.0)
    mu_s: float = number(0.30, "stiction coefficient; at least mu_c", minimum=0.0)
    law: str = choice("power", "contact law; rivals are Chrono's own, matched at the first impact", LAWS)
    time: float = run_length(3.0)

    def material(self) -> Material:
        """The ground under the corners."""
        normal = self.restriction()
        friction = Friction(self.mu_c, self.mu_s, FRICTION.v_c, FRICTION.v_s, 0.0, FRICTION.eps)
        if not self.friction:
            return Material(normal)
        return Material(normal, friction, self.corner_memory())

    def corner_memory(self) -> LPVFilter | Anchor | None:
        """What the friction at a corner remembers; nothing where a filter per velocity does."""
        if self.memory == "anchored":
            return self.anchor()
        return MEMORY if self.memory == "point" else None


@cache
def cube_model(rotation: str, contact_point: str = CORNER) -> Model:
    """A cube of mass m and edge k with eight corner points, by quaternion or by the thesis' angles (3.43)-(3.48).

    Friction acts against the velocity of the cube's own material at the contact point. On the surface this point lies
    midway between the lowest point of the sphere of radius s_0 around the corner and the ground.
    """
    import sympy as sp

    from ...lagrange.model import ContactPoint, Model, coordinates, velocities
    from ...lagrange.rigid import angle_rotation, point_velocity, quaternion_rotation

    turn = quaternion_rotation() if rotation == "quaternion" else angle_rotation()
    centre = coordinates("x y z")
    m, k, g, s_0 = sp.symbols("m k g s_0", real=True)
    fixed = sp.Matrix(sp.symbols("b_x b_y b_z", real=True))
    q = (*centre, *turn.q)
    v = sp.Matrix(velocities(centre))
    kinetic = m * v.dot(v) / 2 + m * k**2 / 12 * turn.spin.dot(turn.spin)
    velocity = sp.Matrix(point_velocity(sp.Matrix(centre) + turn.matrix * fixed, q)[:2])
    points = []
    for i, corner in enumerate(CORNERS.astype(int)):
        at = sp.Matrix([int(c) * k / 2 for c in corner])
        height = (sp.Matrix(centre) + turn.matrix * at)[2]
        if contact_point == SURFACE:
            at = at - turn.matrix.T * sp.Matrix([0, 0, (s_0 + height) / 2])
        points.append(ContactPoint(f"{i + 1}", height, tuple(velocity.subs(dict(zip(fixed, at, strict=True))))))
    u = None
    flow = None
    if turn.u is not None and turn.kinematics is not None:
        u = (*coordinates("v_x v_y v_z"), *turn.u)
        flow = sp.diag(sp.eye(3), turn.kinematics)
    numbers = (m, k, g) if contact_point == CORNER else (m, k, g, s_0)
    name = f"cube_{rotation}" if contact_point == CORNER else f"cube_{rotation}_{contact_point}"
    return Model(name, q, kinetic, m * g * centre[2], numbers, {}, tuple(points), (), u, flow)


def tumbling_cube(p: CubeParameters) -> System:
    """The model with its numbers."""
    from ...lagrange.system import System

    material = p.material()
    model = cube_model(p.rotation, p.contact_point)
    speeds = model.u if model.u is not None else model.q
    memory = {speed.name: MEMORY for speed in speeds} if p.memory == "coordinate" else None
    numbers = {"m": p.mass, "k": p.edge, "g": GRAVITY}
    if p.contact_point == SURFACE:
        numbers["s_0"] = p.s_0
    return System(model, numbers, {c.name: material for c in model.contacts}, coordinate_memory=memory)
