"""Friction from a dissipation function (2.13): the force is its derivative with respect to the speed (2.14).

In a law that acts alone, as in a joint, the amplitudes are forces in N. In a contact they are coefficients that the
normal force multiplies, and the activation scales the viscous part (4.5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, not_negative, positive
from .anchor import Anchor
from .friction_law import FrictionLaw, Memory, fill_by_name
from .stribeck import Stribeck, dissipation_force, dissipation_function, dissipation_slope


class DissipationLaw(FrictionLaw):
    """What both laws with a dissipation function share; c and s are the Coulomb and stiction amplitudes."""

    takes_memory: ClassVar[bool] = True
    v_c: float
    v_s: float | None
    eps: float

    def _amplitudes(self) -> tuple[float, float]:
        raise NotImplementedError

    def _shape(self) -> tuple[float, float | None, float, float]:
        raise NotImplementedError

    def slot(self, memory: Memory) -> str:
        """The slot of dissipation functions, or that of an anchor."""
        return "anchor" if isinstance(memory, Anchor) else "dissipation"

    def fill(self, slot: Any, memory: Memory) -> None:
        """Write the curve, as it is or as an anchor uses it."""
        if isinstance(memory, Anchor):
            memory.fill(slot, self.curve)
        else:
            fill_by_name(slot, self.curve, Stribeck._fields)

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
        """Raise if the Stribeck part would be negative and drive the motion."""

    @property
    def curve(self) -> Stribeck:
        """The law as the kernels read it; without v_s there is no Stribeck part."""
        c, s = self._amplitudes()
        v_c, v_s, d, _ = self._shape()
        if v_s is None:
            return Stribeck(c, v_c, d=d)
        return Stribeck(c, v_c, s - c * math.tanh(v_s / v_c), v_s, d, d * v_s)


@dataclass(frozen=True)
class Dissipation(DissipationLaw):
    """Friction with given amplitudes, as in a joint, a seal or a guide (2.13).

    Attributes:
        f_c: Coulomb amplitude, in N (or N m about an axis).
        f_s: stiction amplitude, in N; at least f_c.
        v_c: transition speed of the Coulomb part, in m/s (or rad/s).
        v_s: speed at which the Stribeck part peaks, in m/s; None leaves that part out. Recommended 2 v_c (2.16).
        d: viscous coefficient, in N s/m.
        eps: speed that smooths the norm of the sliding velocity (2.17), in m/s; 0 takes the norm as it is.
    """

    in_contacts: ClassVar[bool] = False
    in_joints: ClassVar[bool] = True

    f_c: float
    f_s: float
    v_c: float
    v_s: float | None = None
    d: float = 0.0
    eps: float = 0.0

    def __post_init__(self) -> None:
        self._check("f_c", "f_s")

    def _check_stribeck(self, s_name: str) -> None:
        curve = self.curve
        if curve.delta < curve.d_s:
            least = self.f_s - curve.delta + curve.d_s
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
        return np.asarray(dissipation_force.py_func(np.asarray(v, float), 1.0, 1.0, self.curve))

    def slope(self, v: ArrayLike) -> NDArray[np.float64]:
        """Derivative of the force with respect to the speed, in N s/m."""
        return np.asarray(dissipation_slope.py_func(np.asarray(v, float), 1.0, 1.0, self.curve))

    def power(self, v: ArrayLike) -> NDArray[np.float64]:
        """Dissipation function D(v) in W (2.13). It is a potential: the dissipated power is force times speed."""
        return np.asarray(dissipation_function.py_func(np.asarray(v, float), 1.0, 1.0, self.curve))


@dataclass(frozen=True)
class Friction(DissipationLaw):
    """Friction of a contact, scaled by its normal force (4.5).

    Attributes:
        mu_c: Coulomb coefficient.
        mu_s: stiction coefficient; at least mu_c.
        v_c: transition speed of the Coulomb part, in m/s.
        v_s: speed at which the Stribeck part peaks, in m/s; None leaves that part out. Recommended 2 v_c (2.16).
        d: viscous coefficient at full activation, in N s/m.
        eps: speed that smooths the norm of the sliding velocity (2.17), in m/s.
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
        return np.asarray(dissipation_force.py_func(v, n, a, self.curve))

    def slope(self, v: ArrayLike, normal: ArrayLike, activation: ArrayLike = 1.0) -> NDArray[np.float64]:
        """Derivative of the force with respect to the tangential speed, in N s/m."""
        v, n, a = (np.asarray(x, float) for x in (v, normal, activation))
        return np.asarray(dissipation_slope.py_func(v, n, a, self.curve))

    def power(self, v: ArrayLike, normal: ArrayLike, activation: ArrayLike = 1.0) -> NDArray[np.float64]:
        """Dissipation function in W at constant normal force (4.5)."""
        v, n, a = (np.asarray(x, float) for x in (v, normal, activation))
        return np.asarray(dissipation_function.py_func(v, n, a, self.curve))


def soft_norm(v: ArrayLike, eps: float) -> NDArray[np.float64]:
    """sqrt(v_x^2 + v_y^2 + ... + eps^2) over the last axis (2.17)."""
    v = np.asarray(v, float)
    return np.sqrt(np.sum(v * v, axis=-1) + eps * eps)
