"""The laws between two touching surfaces: a normal law and, optionally, friction with a memory."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ParameterError, not_negative
from .friction.anchor import Anchor
from .friction.friction_law import FrictionLaw
from .friction.memory import LTIFilter
from .friction.spin import SpinFriction
from .friction.user_friction import UserFriction
from .normal.normal_law import NormalLaw
from .user_law import UserFunction


@dataclass(frozen=True)
class Material:
    """The laws of one kind of contact.

    Attributes:
        normal: law of the normal force.
        friction: law of the tangential force, scaled by the normal force; None is frictionless.
        memory: memory of the tangential force at each contact point: a filter, or an anchor, which makes it stick.
            None leaves the law static. LuGre has its own memory.
        rolling: friction against the relative angular velocity in the tangent plane.
        spinning: friction against the relative angular velocity about the normal.
        patch: radius in m of the contact patch at which friction resists spinning too. Slip and spin then share the
            friction of one patch: a spinning top slides more easily (Contensou). 0 leaves them apart.
    """

    normal: NormalLaw
    friction: FrictionLaw | None = None
    memory: LTIFilter | Anchor | None = None
    rolling: SpinFriction | None = None
    spinning: SpinFriction | None = None
    patch: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.normal, NormalLaw):
            raise ParameterError(f"normal must be a Restriction or another normal law, got {_named(self.normal)}")
        if self.friction is not None and not (isinstance(self.friction, FrictionLaw) and self.friction.in_contacts):
            raise ParameterError(
                "friction must be a law that the normal force scales (Friction, LuGre, StepFriction or a user law) "
                f"or None, got {_named(self.friction)}"
            )
        if self.memory is not None and not isinstance(self.memory, LTIFilter | Anchor):
            raise ParameterError(f"memory must be an LTIFilter, an LPVFilter, an Anchor or None, got {self.memory!r}")
        if self.memory is not None and (self.friction is None or not self.friction.takes_memory):
            raise ParameterError(f"a memory needs a Friction or a user law of friction, got {self.friction!r}")
        if isinstance(self.friction, UserFriction) and isinstance(self.memory, Anchor):
            _check_for_anchor(self.friction)
        not_negative("patch", self.patch)
        if self.patch > 0.0 and self.friction is None:
            raise ParameterError(f"a patch needs a friction law that acts on it, got patch={self.patch:g} without one")
        for name, law in (("rolling", self.rolling), ("spinning", self.spinning)):
            if law is not None and not isinstance(law, SpinFriction):
                raise ParameterError(f"{name} must be a SpinFriction or None, got {law!r}")


def _check_for_anchor(law: UserFriction) -> None:
    """Raise unless the friction of a contact with an anchor is proportional to the normal force and can be held."""
    if not law.is_proportional():
        raise ParameterError(
            f"behind an Anchor the friction of law {law!r} must be proportional to the normal force n: "
            "use another memory, or a law of the form n f(v)"
        )
    law.curve_for_anchor()


def _named(given: object) -> str:
    """What was given, in words; a decorated function that was not called yet is told so."""
    if isinstance(given, UserFunction):
        return f"the function {given.__name__!r}: call it with its parameters first, {given.call}"
    return repr(given)
