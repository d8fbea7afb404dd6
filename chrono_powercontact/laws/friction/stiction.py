"""The coefficient that statics asks for: the largest friction force of a law, per unit of normal force."""

from __future__ import annotations

from ...errors import ParameterError
from .anchor import Anchor, grip
from .dissipation import Friction
from .friction_law import FrictionLaw
from .lugre import LuGre
from .step_friction import StepFriction
from .user_friction import UserFriction


def stiction_of(law: FrictionLaw | None) -> float:
    """Stiction coefficient of a law that the normal force scales; 0 without a law. Viscous parts do not count."""
    if law is None:
        return 0.0
    if isinstance(law, Friction):
        numbers = Anchor().numbers(law.curve)
        return float(grip.py_func(numbers, numbers.limit))
    if isinstance(law, LuGre):
        return law.f_s
    if isinstance(law, StepFriction):
        return law.mu_s
    if isinstance(law, UserFriction):
        return float(law.peak()[1])
    raise ParameterError(f"the stiction of a {type(law).__name__} is not known")
