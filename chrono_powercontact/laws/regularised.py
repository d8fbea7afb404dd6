"""Contact as commercial multibody codes regularise it: an indentation law with a damper, friction over a STEP in speed.

The normal force is k delta^m1 + c sign(delta') |delta'|^m2 delta^m3, the friction coefficient rises through zero speed
to mu_s at v_s and falls to mu_d at v_d, each along the cubic STEP. At rest the friction vanishes: near v = 0 it is a
dashpot of 1.5 mu_s N/v_s, through which a load creeps.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError, finite, not_negative, positive
from .kernel import FloatArray, kernel


@kernel
def smooth_step(x: FloatArray) -> FloatArray:
    """STEP from 0 at x = 0 to 1 at x = 1, cubic between and constant beyond."""
    y = np.minimum(np.maximum(x, 0.0), 1.0)
    return y * y * (3.0 - 2.0 * y)


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
def step_coefficient(v: FloatArray, mu_s: float, mu_d: float, v_s: float, v_d: float) -> FloatArray:
    """Friction coefficient at sliding speed v, with the sign of v."""
    x = np.abs(v)
    rise = mu_s * (2.0 * smooth_step(0.5 + 0.5 * x / v_s) - 1.0)
    return np.sign(v) * (rise + (mu_d - mu_s) * smooth_step((x - v_s) / (v_d - v_s)))


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


@kernel
def step_slope(v: float, mu_s: float, mu_d: float, v_s: float, v_d: float) -> float:
    """Derivative of the friction coefficient by the sliding speed, in s/m."""
    x = np.abs(v)
    if x < v_s:
        y = 0.5 + 0.5 * x / v_s
        return mu_s / v_s * 6.0 * y * (1.0 - y)
    y = min((x - v_s) / (v_d - v_s), 1.0)
    return (mu_d - mu_s) / (v_d - v_s) * 6.0 * y * (1.0 - y)


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


@dataclass(frozen=True)
class StepFriction:
    """Friction with two coefficients over two threshold speeds, scaled by the normal force.

    Attributes:
        mu_s: static coefficient, reached at v_s.
        mu_d: dynamic coefficient, from v_d on; at most mu_s.
        v_s: static threshold speed, in m/s.
        v_d: dynamic threshold speed, in m/s; above v_s.
    """

    mu_s: float
    mu_d: float
    v_s: float
    v_d: float

    def __post_init__(self) -> None:
        not_negative("mu_d", self.mu_d)
        if not finite("mu_s", self.mu_s) >= self.mu_d:
            raise ParameterError(f"mu_s must not be below mu_d, got mu_s={self.mu_s:g} and mu_d={self.mu_d:g}")
        positive("v_s", self.v_s)
        if not finite("v_d", self.v_d) > self.v_s:
            raise ParameterError(f"v_d must be greater than v_s, got v_d={self.v_d:g} and v_s={self.v_s:g}")

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """mu_s, mu_d, v_s, v_d as the kernel takes them."""
        return self.mu_s, self.mu_d, self.v_s, self.v_d

    def force(self, v: ArrayLike, normal: ArrayLike) -> NDArray[np.float64]:
        """Friction force in N at sliding speed v in m/s under a normal force in N, along v."""
        return np.asarray(normal, float) * step_coefficient.py_func(np.asarray(v, float), *self.numbers)

    def creep_damping(self, normal: float) -> float:
        """Damping in N s/m through which a load below stiction creeps: 1.5 mu_s N/v_s."""
        return 1.5 * self.mu_s * normal / self.v_s
