"""Groups of parameters that several scenarios share: a contact, an anchor, and what friction remembers."""

from __future__ import annotations

from dataclasses import dataclass

from ..laws.friction.anchor import Anchor
from ..laws.friction.memory import LPVFilter, LTIFilter
from ..laws.normal.restriction import Restriction
from .parameters import Parameters, choice, number

MEMORIES = ("static", "lti", "lpv", "anchored")
"""What a friction force may remember."""


@dataclass(frozen=True)
class Contact(Parameters):
    """One restriction (3.2): where it begins, how hard it is, and what it dissipates."""

    s_0: float = number(0.01, "distance at which the contact begins", "m")
    s_c: float = number(0.009, "distance at which the activation is complete; below s_0", "m")
    r_f: float = number(200.0, "largest force of the contact", "N", above=0.0)
    r_d: float = number(1.0, "dissipation of the contact", "s/m", minimum=0.0)

    def restriction(self, points: int = 1) -> Restriction:
        """The law of a point that represents so many contacts."""
        return Restriction(self.s_0, self.s_c, points * self.r_f, self.r_d)


@dataclass(frozen=True)
class Anchored(Parameters):
    """The anchor of a contact with friction."""

    presliding: float = number(5e-6, "displacement at which an anchored contact breaks away", "m", above=0.0)
    tau: float = number(1e-4, "damping time of the anchor", "s", minimum=0.0)

    def anchor(self) -> Anchor:
        """The anchor with these numbers."""
        return Anchor(self.presliding, self.tau)


@dataclass(frozen=True)
class FrictionMemory(Anchored):
    """What the friction force of a contact remembers: nothing, by a filter, or by an anchor."""

    memory: str = choice("lpv", "memory of the friction force", MEMORIES)
    t_f: float = number(1e-3, "time constant of the memory", "s", above=0.0)
    v_f: float = number(1e-4, "speed below which the lpv memory closes", "m/s", above=0.0)

    def friction_memory(self) -> LTIFilter | Anchor | None:
        """The memory by its name."""
        if self.memory == "static":
            return None
        if self.memory == "anchored":
            return self.anchor()
        if self.memory == "lpv":
            return LPVFilter(self.t_f, self.v_f)
        return LTIFilter(self.t_f)
