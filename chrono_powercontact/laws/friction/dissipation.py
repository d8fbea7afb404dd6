"""Friction from a dissipation function: viscous, Coulomb and Stribeck parts, smooth through zero speed.

D(v) = d v^2/2 + F_C v_C log cosh(v/v_C) - F_Delta v_S exp(1/2 - (v/v_S)^2/2)   (2.13)
The force is its derivative by v (2.14). Standing alone the amplitudes are forces in N; in a contact they are
coefficients that the normal force multiplies, and the activation gates the viscous part (4.5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, not_negative, positive
from ...kernel import FloatArray, kernel
from ..smooth import log_cosh


@kernel
def dissipation_force(
    v: FloatArray, n: FloatArray, a: FloatArray, c: float, v_c: float, delta: float, v_s: float, d: float, d_s: float
) -> FloatArray:
    """Static friction in N at speed v under normal force n and activation a: (2.14), (4.5).

    c is the Coulomb amplitude, delta the excess of the Stribeck part (2.10) without its viscous share d_s = d v_s. The
    Stribeck part never turns negative: under a vanishing normal force it would drive the motion.
    """
    y = v / v_s
    return a * d * v + n * c * np.tanh(v / v_c) + np.maximum(n * delta - a * d_s, 0.0) * y * np.exp(0.5 - 0.5 * y * y)


@kernel
def dissipation_slope(
    v: FloatArray, n: FloatArray, a: FloatArray, c: float, v_c: float, delta: float, v_s: float, d: float, d_s: float
) -> FloatArray:
    """Derivative of `dissipation_force` by v, in N s/m."""
    y = v / v_s
    e = np.exp(-2.0 * np.abs(v / v_c))
    sech2 = 4.0 * e / (1.0 + e) ** 2
    return (
        a * d
        + n * c * sech2 / v_c
        + np.maximum(n * delta - a * d_s, 0.0) * (1.0 - y * y) * np.exp(0.5 - 0.5 * y * y) / v_s
    )


@kernel
def dissipation_function(
    v: FloatArray, n: FloatArray, a: FloatArray, c: float, v_c: float, delta: float, v_s: float, d: float, d_s: float
) -> FloatArray:
    """The potential D in W whose derivative by v is `dissipation_force` (2.13), (4.5)."""
    y = v / v_s
    stribeck = np.maximum(n * delta - a * d_s, 0.0) * v_s * np.exp(0.5 - 0.5 * y * y)
    return 0.5 * a * d * v * v + n * c * v_c * log_cosh(v / v_c) - stribeck


@dataclass(frozen=True)
class _Stribeck:
    """The shape that both friction laws share; c and s are Coulomb and stiction amplitude."""

    def _amplitudes(self) -> tuple[float, float]:
        raise NotImplementedError

    def _shape(self) -> tuple[float, float | None, float, float]:
        raise NotImplementedError

    def _check(self, c_name: str, s_name: str) -> None:
        c, s = self._amplitudes()
        v_c, v_s, d, eps = self._shape()
        not_negative(c_name, c)
        not_negative(s_name, s)
        if s < c:
            raise ParameterError(f"{s_name} must not be below {c_name}, got {s_name}={s:g} and {c_name}={c:g}")
        positive("v_c", v_c)
        not_negative("d", d)
        if v_s is not None:
            positive("v_s", v_s)
            self._check_stribeck(s_name)
        not_negative("eps", eps)

    def _check_stribeck(self, s_name: str) -> None:
        """Raise where the Stribeck part would be negative and drive the motion."""

    @property
    def numbers(self) -> tuple[float, float, float, float, float, float]:
        """c, v_c, delta, v_s, d, d_s as the kernels take them; without v_s there is no Stribeck part."""
        c, s = self._amplitudes()
        v_c, v_s, d, _ = self._shape()
        if v_s is None:
            return c, v_c, 0.0, 1.0, d, 0.0
        return c, v_c, s - c * math.tanh(v_s / v_c), v_s, d, d * v_s


@dataclass(frozen=True)
class Dissipation(_Stribeck):
    """Friction with given amplitudes, as in a joint, a seal or a guide (2.13).

    Attributes:
        f_c: Coulomb amplitude, in N (or N m about an axis).
        f_s: stiction amplitude, in N; at least f_c.
        v_c: transition speed of the Coulomb part, in m/s (or rad/s).
        v_s: speed at which the Stribeck part peaks, in m/s; None leaves that part out. Recommended 2 v_c (2.16).
        d: viscous coefficient, in N s/m.
        eps: speed that rounds the norm of a vector speed (2.17), in m/s; 0 takes a scalar speed as it is.
    """

    f_c: float
    f_s: float
    v_c: float
    v_s: float | None = None
    d: float = 0.0
    eps: float = 0.0

    def __post_init__(self) -> None:
        self._check("f_c", "f_s")

    def _check_stribeck(self, s_name: str) -> None:
        _, _, delta, _, _, d_s = self.numbers
        if delta < d_s:
            least = self.f_s - delta + d_s
            raise ParameterError(
                f"{s_name} must be at least f_c tanh(v_s/v_c) + d v_s = {least:g}, got {self.f_s:g}; "
                "leave v_s out for a law without stiction"
            )

    def _amplitudes(self) -> tuple[float, float]:
        return self.f_c, self.f_s

    def _shape(self) -> tuple[float, float | None, float, float]:
        return self.v_c, self.v_s, self.d, self.eps

    def force(self, v: ArrayLike) -> NDArray[np.float64]:
        """Friction force in N at speed v in m/s (2.14), along v."""
        return np.asarray(dissipation_force.py_func(np.asarray(v, float), 1.0, 1.0, *self.numbers))

    def slope(self, v: ArrayLike) -> NDArray[np.float64]:
        """Derivative of the force by the speed, in N s/m."""
        return np.asarray(dissipation_slope.py_func(np.asarray(v, float), 1.0, 1.0, *self.numbers))

    def power(self, v: ArrayLike) -> NDArray[np.float64]:
        """Dissipation function D(v) in W (2.13). It is a potential: the heat is force times speed."""
        return np.asarray(dissipation_function.py_func(np.asarray(v, float), 1.0, 1.0, *self.numbers))


@dataclass(frozen=True)
class Friction(_Stribeck):
    """Friction of a contact, scaled by its normal force (4.5).

    Attributes:
        mu_c: Coulomb coefficient.
        mu_s: stiction coefficient; at least mu_c.
        v_c: transition speed of the Coulomb part, in m/s.
        v_s: speed at which the Stribeck part peaks, in m/s; None leaves that part out. Recommended 2 v_c (2.16).
        d: viscous coefficient at full activation, in N s/m.
        eps: speed that rounds the norm of a vector speed (2.17), in m/s.
    """

    mu_c: float
    mu_s: float
    v_c: float
    v_s: float | None = None
    d: float = 0.0
    eps: float = 0.0

    def __post_init__(self) -> None:
        self._check("mu_c", "mu_s")

    def _amplitudes(self) -> tuple[float, float]:
        return self.mu_c, self.mu_s

    def _shape(self) -> tuple[float, float | None, float, float]:
        return self.v_c, self.v_s, self.d, self.eps

    def force(self, v: ArrayLike, normal: ArrayLike, activation: ArrayLike = 1.0) -> NDArray[np.float64]:
        """Friction force in N at tangential speed v in m/s under a normal force in N, along v."""
        v, n, a = (np.asarray(x, float) for x in (v, normal, activation))
        return np.asarray(dissipation_force.py_func(v, n, a, *self.numbers))

    def slope(self, v: ArrayLike, normal: ArrayLike, activation: ArrayLike = 1.0) -> NDArray[np.float64]:
        """Derivative of the force by the tangential speed, in N s/m."""
        v, n, a = (np.asarray(x, float) for x in (v, normal, activation))
        return np.asarray(dissipation_slope.py_func(v, n, a, *self.numbers))

    def power(self, v: ArrayLike, normal: ArrayLike, activation: ArrayLike = 1.0) -> NDArray[np.float64]:
        """Dissipation function in W with the normal force held (4.5)."""
        v, n, a = (np.asarray(x, float) for x in (v, normal, activation))
        return np.asarray(dissipation_function.py_func(v, n, a, *self.numbers))


def soft_norm(v: ArrayLike, eps: float) -> NDArray[np.float64]:
    """sqrt(v_x^2 + v_y^2 + ... + eps^2) over the last axis (2.17)."""
    v = np.asarray(v, float)
    return np.sqrt(np.sum(v * v, axis=-1) + eps * eps)
