"""An inverted double pendulum over the ground: parameters and reference model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from ...chrono.run.surfaces import BUILT_IN
from ...laws.friction.anchor import Anchor
from ...laws.friction.dissipation import Friction
from ...laws.friction.memory import LPVFilter
from ...laws.material import Material
from ..constants import GRAVITY
from ..groups import Anchored, Contact
from ..impact.rival_contacts import LAWS, matched
from ..parameters import Timed, choice, mass_of, number, run_length, time_step

if TYPE_CHECKING:
    from ...lagrange.model import Model
    from ...lagrange.system import System

FRICTION_SPEED = 1e-4
"""v_C = vhat_S in m/s (Table 4.1)."""

MEMORY = LPVFilter(5e-4, 1e-5)
"""T_F = 0.5 ms and a closing rate of 1e-5 rad/s, per angle (Table 4.1)."""

MATCHING_SPEED = 1.0
"""Impact speed in m/s at which rivals are matched."""

RIVALS = (*LAWS, *BUILT_IN)
"""Contact laws of the ground."""


@dataclass(frozen=True)
class PendulumParameters(Anchored, Contact, Timed):
    """A double pendulum that falls on the ground."""

    phi2_0: float = number(-math.pi / 2, "angle of the second rod at the start", "rad")
    mu_c: float = number(0.0, "Coulomb coefficient at the second mass", minimum=0.0)
    mu_s: float = number(0.0, "stiction coefficient at the second mass; at least mu_c", minimum=0.0)
    phi1_0: float = number(3 * math.pi / 8, "angle of the first rod at the start", "rad")
    memory: str = choice(
        "coordinate",
        "filter per angle (the thesis) or at the point, or an anchor there",
        ("coordinate", "point", "anchored"),
        on_chrono="point",
    )
    inherited: ClassVar[None]
    m1: float = mass_of(0.1, "first mass")
    m2: float = mass_of(0.1, "second mass")
    l1: float = number(0.1, "length of the first rod", "m", above=0.0)
    l2: float = number(0.1, "length of the second rod", "m", above=0.0)
    y0: float = number(0.01, "height of the pivot above the ground", "m")
    s_0: float = number(0.01, "distance at which a contact begins", "m")
    s_c: float = number(0.006, "distance at which the activation is complete; below s_0", "m")
    r_f: float = number(400.0, "largest force of the ground", "N", above=0.0)
    r_d: float = number(4.0, "dissipation of the ground", "s/m", minimum=0.0)
    law: str = choice("power", "contact law; rivals are matched at 1 m/s", RIVALS)
    time: float = run_length(1.0)
    step: float = time_step(1e-4)

    def materials(self) -> tuple[Material, Material]:
        """The ground under the first and under the second mass."""
        ground = matched(self.law, self.restriction(), self.m2, MATCHING_SPEED)
        friction = Friction(self.mu_c, self.mu_s, FRICTION_SPEED, FRICTION_SPEED)
        return Material(ground), Material(ground, friction, self.point_memory())

    def point_memory(self) -> LPVFilter | Anchor | None:
        """What the friction at the second mass remembers; nothing where a filter per angle does."""
        if self.memory == "anchored":
            return self.anchor()
        return MEMORY if self.memory == "point" else None


@cache
def double_pendulum_model() -> Model:
    """Two point masses on massless rods, pivot at height y0 above the ground (3.34)-(3.36), (4.7)."""
    import sympy as sp

    from ...lagrange.model import ContactPoint, Model, coordinates, rate

    q = coordinates("phi1 phi2")
    p = sp.symbols("m1 m2 l1 l2 y0 g", real=True)
    m1, m2, l1, l2, y0, g = p
    x1 = l1 * sp.cos(q[0])
    y1 = l1 * sp.sin(q[0])
    x2 = x1 + l2 * sp.cos(q[0] + q[1])
    y2 = y1 + l2 * sp.sin(q[0] + q[1])
    vx1, vy1, vx2, vy2 = (rate(position, q) for position in (x1, y1, x2, y2))
    kinetic = m1 * (vx1**2 + vy1**2) / 2 + m2 * (vx2**2 + vy2**2) / 2
    points = (ContactPoint("1", y0 + y1), ContactPoint("2", y0 + y2, (vx2,)))
    return Model("double_pendulum", q, kinetic, g * (m1 * y1 + m2 * y2), p, contacts=points)


def double_pendulum(p: PendulumParameters) -> System:
    """The model with its numbers."""
    from ...lagrange.system import System

    numbers = {"m1": p.m1, "m2": p.m2, "l1": p.l1, "l2": p.l2, "y0": p.y0, "g": GRAVITY}
    memory = {"phi1": MEMORY, "phi2": MEMORY} if p.memory == "coordinate" else None
    first, second = p.materials()
    return System(double_pendulum_model(), numbers, {"1": first, "2": second}, coordinate_memory=memory)
