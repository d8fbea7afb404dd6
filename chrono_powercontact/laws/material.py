"""What two touching surfaces are made of: a normal law, and optionally friction with a memory."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ParameterError
from .friction.anchor import Anchor
from .friction.dissipation import Friction
from .friction.lugre import LuGre
from .friction.memory import LTIFilter
from .friction.spin import SpinFriction
from .friction.step_friction import StepFriction
from .normal.hertz import Hertz
from .normal.hooke import Hooke
from .normal.indentation import Indentation
from .normal.restriction import NormalLaw


@dataclass(frozen=True)
class Material:
    """The laws of one kind of contact.

    Attributes:
        normal: law of the normal force.
        friction: law of the tangential force, scaled by the normal force; None is frictionless.
        memory: of the tangential force at each contact point: a filter, or an anchor, which makes it stick; None is
            static. LuGre has its own.
        rolling: friction against relative spin in the tangent plane. spinning: against relative spin about the normal.
    """

    normal: NormalLaw | Hooke | Hertz | Indentation
    friction: Friction | LuGre | StepFriction | None = None
    memory: LTIFilter | Anchor | None = None
    rolling: SpinFriction | None = None
    spinning: SpinFriction | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.normal, NormalLaw | Hooke | Hertz | Indentation):
            raise ParameterError(f"normal must be a Restriction or another normal law, got {self.normal!r}")
        if self.friction is not None and not isinstance(self.friction, Friction | LuGre | StepFriction):
            raise ParameterError(
                "friction must be a law that the normal force scales (Friction, LuGre or StepFriction) or None, "
                f"got {self.friction!r}"
            )
        if self.memory is not None and not isinstance(self.friction, Friction):
            raise ParameterError(f"a memory filter needs a Friction law to filter, got {self.friction!r}")
        if self.memory is not None and not isinstance(self.memory, LTIFilter | Anchor):
            raise ParameterError(f"memory must be an LTIFilter, an LPVFilter, an Anchor or None, got {self.memory!r}")
        for name, law in (("rolling", self.rolling), ("spinning", self.spinning)):
            if law is not None and not isinstance(law, SpinFriction):
                raise ParameterError(f"{name} must be a SpinFriction or None, got {law!r}")
