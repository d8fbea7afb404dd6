"""An indentation law with a damper, as commercial multibody codes offer it.

The normal force is k delta^m1 + c sign(delta') |delta'|^m2 delta^m3.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import finite, not_negative, positive
from ...kernel import FloatArray, kernel


@kernel
def power(x: FloatArray, m: float) -> FloatArray:
    """x^m of a number that is not negative; most exponents are 1."""
    return x if m == 1.0 else x**m


@kernel
def indentation_force(
    s: FloatArray, v: FloatArray, s_0: float, k: float, c: float, m_1: float, m_2: float, m_3: float
) -> FloatArray:
    """k delta^m1 + c sign(delta') |delta'|^m2 delta^m3 with delta = s_0 - s, in N; it never pulls."""
    delta = np.maximum(s_0 - s, 0.0)
    damper = -c * np.sign(v) * power(np.abs(v), m_2) * power(delta, m_3)
    return np.maximum(k * power(delta, m_1) + damper, 0.0)


@kernel
def indentation_slopes(
    s: float, v: float, s_0: float, k: float, c: float, m_1: float, m_2: float, m_3: float
) -> tuple[float, float]:
    """Derivatives of the indentation force by the distance in N/m and by the speed in N s/m; zero where it is cut."""
    delta = s_0 - s
    if delta <= 0.0 or indentation_force(s, v, s_0, k, c, m_1, m_2, m_3) <= 0.0:
        return 0.0, 0.0
    damper = -c * np.sign(v) * power(np.abs(v), m_2)
    by_speed = -c * m_2 * (1.0 if m_2 == 1.0 else np.abs(v) ** (m_2 - 1.0)) * power(delta, m_3)
    return -k * m_1 * delta ** (m_1 - 1.0) - damper * m_3 * delta ** (m_3 - 1.0), by_speed


@dataclass(frozen=True)
class Indentation:
    """Penalty contact with exponents of stiffness, damping and indentation.

    Attributes:
        s_0: distance at which the contact begins, in m.
        k: stiffness, in N/m^m_1.
        c: damping, in N (s/m)^m_2 / m^m_3.
        m_1, m_2, m_3: exponents of the spring, of the speed and of the indentation in the damper.
    """

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

    @cached_property
    def numbers(self) -> tuple[float, float, float, float, float, float]:
        """s_0, k, c, m_1, m_2, m_3 as the kernel takes them."""
        return self.s_0, self.k, self.c, self.m_1, self.m_2, self.m_3

    @cached_property
    def row(self) -> NDArray[np.float64]:
        """The numbers of `laws.rows`: kind 3 and the law's own."""
        return np.array((3.0, *self.numbers))

    def force(self, s: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
        """Normal force in N at distance s in m and normal speed v in m/s."""
        return np.asarray(indentation_force.py_func(np.asarray(s, float), np.asarray(v, float), *self.numbers))

    def potential(self, s: ArrayLike) -> NDArray[np.float64]:
        """Energy in J stored in the spring."""
        delta = np.maximum(self.s_0 - np.asarray(s, float), 0.0)
        return self.k * delta ** (self.m_1 + 1.0) / (self.m_1 + 1.0)
