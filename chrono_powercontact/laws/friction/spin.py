"""Rolling and spinning friction of a contact: a moment against the relative spin, anchored as the force is.

The moment is N arm phi(kappa (theta + tau omega)), with theta the angle in rad by which the anchor is turned. Rolling
friction acts on the part of the spin in the tangent plane, spinning friction on the part along the normal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...errors import ParameterError, positive
from .anchor import PLAIN_PEAK, Anchor
from .friction_law import FrictionLaw, Memory
from .stribeck import Stribeck


@dataclass(frozen=True)
class SpinFriction(FrictionLaw):
    """A moment that holds a body below its limit N arm and brakes it with that limit above.

    Attributes:
        arm: largest moment per normal force, in m: how far the normal force may be off the centre of the contact.
        anchor: the angle in rad at which the limit is reached, and the damping time in s.
    """

    in_contacts: ClassVar[bool] = False

    arm: float
    anchor: Anchor = field(default_factory=lambda: Anchor(1e-4, 1e-3))

    def __post_init__(self) -> None:
        positive("arm", self.arm)
        if not isinstance(self.anchor, Anchor):
            raise ParameterError(f"anchor must be an Anchor, got {self.anchor!r}")

    def slot(self, memory: Memory) -> str:
        """An anchor's."""
        return "anchor"

    def fill(self, slot: Any, memory: Memory) -> None:
        """Write its own anchor, with the arm as the amplitude of the curve."""
        self.anchor.fill(slot, Stribeck(self.arm, self.v_c))

    @property
    def v_c(self) -> float:
        """Speed in rad/s that scales the curve; with an anchor any will do, for its limit sets the scale."""
        return 1.0 / PLAIN_PEAK
