"""An indentation law with a damper, as commercial multibody codes offer it.

The normal force is k delta^m1 + c sign(delta') |delta'|^m2 delta^m3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import finite, not_negative, positive
from ...kernel import FloatArray, kernel
from .normal_law import NormalLaw


@kernel
def power(x: FloatArray, m: float) -> FloatArray:
    """x^m for x >= 0; fast for m = 1, the usual exponent."""
    return x if m == 1.0 else x**m


@kernel
def indentation_force(s: FloatArray, v: FloatArray, p: Any) -> FloatArray:
    """k delta^m1 + c sign(delta') |delta'|^m2 delta^m3 with delta = s_0 - s, in N; it never pulls."""
    delta = np.maximum(p.s_0 - s, 0.0)
    damper = -p.c * np.sign(v) * power(np.abs(v), p.m_2) * power(delta, p.m_3)
    return np.maximum(p.k * power(delta, p.m_1) + damper, 0.0)


@kernel
def indentation_elastic(s: FloatArray, p: Any) -> FloatArray:
    """k delta^m1, in N."""
    return p.k * power(np.maximum(p.s_0 - s, 0.0), p.m_1)


@kernel
def indentation_potential(s: FloatArray, p: Any) -> FloatArray:
    """Energy in J stored in the spring."""
    return p.k * power(np.maximum(p.s_0 - s, 0.0), p.m_1 + 1.0) / (p.m_1 + 1.0)


@kernel
def indentation_slopes(s: float, v: float, p: Any) -> tuple[float, float]:
    """Derivatives of the force with respect to distance and speed, in N/m and N s/m; zero where it is clipped."""
    delta = p.s_0 - s
    if delta <= 0.0 or indentation_force(s, v, p) <= 0.0:
        return 0.0, 0.0
    damper = -p.c * np.sign(v) * power(np.abs(v), p.m_2)
    by_speed = -p.c * p.m_2 * (1.0 if p.m_2 == 1.0 else np.abs(v) ** (p.m_2 - 1.0)) * power(delta, p.m_3)
    by_distance = -p.k * p.m_1 * delta ** (p.m_1 - 1.0) - damper * p.m_3 * delta ** (p.m_3 - 1.0)
    return by_distance, by_speed


@dataclass(frozen=True)
class Indentation(NormalLaw):
    """Penalty contact with exponents for stiffness, damping and indentation.

    Attributes:
        s_0: distance at which the contact begins, in m.
        k: stiffness, in N/m^m_1.
        c: damping, in N (s/m)^m_2 / m^m_3.
        m_1: exponent of the spring. m_2, m_3: exponents of the speed and of the indentation in the damper.
    """

    family: ClassVar[str] = "indentation"
    fields: ClassVar[tuple[str, ...]] = ("s_0", "k", "c", "m_1", "m_2", "m_3")

    s_0: float
    k: float
    c: float = 0.0
    m_1: float = 1.0
    m_2: float = 1.0
    m_3: float = 1.0

    def __post_init__(self) -> None:
        finite("s_0", self.s_0)
        positive("k", self.k)
        not_negative("c", self.c)
        for name in ("m_1", "m_2", "m_3"):
            positive(name, getattr(self, name))

    def force(self, s: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
        """Normal force in N at distance s in m and normal speed v in m/s."""
        return np.asarray(indentation_force.py_func(np.asarray(s, float), np.asarray(v, float), self))

    def potential(self, s: ArrayLike) -> NDArray[np.float64]:
        """Energy in J stored in the spring."""
        return np.asarray(indentation_potential.py_func(np.asarray(s, float), self))
