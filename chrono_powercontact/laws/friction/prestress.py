"""Start anchors for a friction force: prestress that a contact keeps from its history, or that is set on purpose."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from ...errors import ParameterError, finite, not_negative, positive
from .anchor import Anchor, grip, grip_slope
from .friction_law import FrictionLaw
from .stiction import stiction_of


def anchor_for(law: FrictionLaw, memory: Anchor, friction: ArrayLike, normal: float) -> NDArray[np.float64]:
    """The anchor in m that pulls with a friction force in N under a normal force in N, at rest.

    Args:
        law: of friction, as in the material. memory: its anchor.
        friction: components of the force on the body, in N; at most stiction times the normal force.
        normal: force in N.

    The anchor is the displacement of the body since it was relaxed, so it points against the force on the body.
    """
    wanted = np.atleast_1d(np.asarray(friction, float))
    for value in wanted:
        finite("friction", float(value))
    if not isinstance(memory, Anchor):
        raise ParameterError(f"prestress needs an Anchor as memory, got {type(memory).__name__}")
    size = float(np.linalg.norm(wanted))
    load = not_negative("normal", normal)
    limit = stiction_of(law) * load
    if size == 0.0:
        return np.zeros(wanted.size)
    if not size < limit:
        raise ParameterError(f"a friction force of {size:.6g} N cannot be held: stiction is {limit:.6g} N")
    numbers = memory.numbers(law.curve)  # type: ignore[attr-defined]
    positive("presliding", numbers.limit)
    stretch = brentq(lambda z: grip.py_func(numbers, z) * load - size, 0.0, numbers.limit, xtol=1e-18)
    return -wanted / size * float(stretch)


def presliding_for(law: FrictionLaw, stiffness: float, normal: float) -> float:
    """Presliding in m with which an anchor has a stiffness in N/m under a normal force in N, while it is relaxed."""
    unit = Anchor(1.0).numbers(law.curve)  # type: ignore[attr-defined]
    return float(grip_slope.py_func(unit, 0.0)) * positive("normal", normal) / positive("stiffness", stiffness)
