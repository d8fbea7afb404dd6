"""What two touching surfaces are made of: a normal law, and optionally friction with a memory."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ParameterError
from .dissipation import Friction
from .memory import LTIFilter
from .restriction import NormalLaw
from .rivals import Hertz, Hooke, LuGre


@dataclass(frozen=True)
class Material:
    """The laws of one kind of contact.

    Attributes:
        normal: law of the normal force.
        friction: law of the tangential force, scaled by the normal force; None is frictionless.
        memory: filter of the tangential force at each contact point; None is static. LuGre has its own.
    """

    normal: NormalLaw | Hooke | Hertz
    friction: Friction | LuGre | None = None
    memory: LTIFilter | None = None

    def __post_init__(self) -> None:
        if self.memory is not None and not isinstance(self.friction, Friction):
            raise ParameterError(f"a memory filter needs a Friction law to filter, got {self.friction!r}")
