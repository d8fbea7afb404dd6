"""Rolling and spinning friction of a contact: an anchored moment against the relative angular velocity.

The moment is N arm phi(kappa (theta + tau omega)), where theta is the rotation of the anchor in rad. Rolling friction
opposes the relative angular velocity in the tangent plane, spinning friction that about the normal.
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
    """A moment that holds a body up to the limit N arm, and brakes its motion with that limit.

    Attributes:
        arm: largest moment per unit of normal force, in m: the largest offset of the normal force from the centre.
        anchor: an anchor with the angle in rad at which the limit is reached, and the damping time in s.
    """

    in_contacts: ClassVar[bool] = False

    arm: float
    anchor: Anchor = field(default_factory=lambda: Anchor(1e-4, 1e-3))

    def __post_init__(self) -> None:
        positive("arm", self.arm)
        if not isinstance(self.anchor, Anchor):
            raise ParameterError(f"anchor must be an Anchor, got {self.anchor!r}")

    def slot(self, memory: Memory) -> str:
        """The slot of an anchor."""
        return "anchor"

    def fill(self, slot: Any, memory: Memory) -> None:
        """Write the anchor, with the arm as the amplitude of the curve."""
        self.anchor.fill(slot, Stribeck(self.arm, self.v_c))

    @property
    def v_c(self) -> float:
        """Speed in rad/s that scales the curve; it is arbitrary, because the limit of the anchor sets the scale."""
        return 1.0 / PLAIN_PEAK
