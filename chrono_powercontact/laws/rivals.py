"""The laws we compare with, behind the same interface: Hooke, Hertz, Hunt-Crossley, Flores, LuGre, Newton."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError, finite, not_negative, positive
from .kernel import FloatArray, kernel


@kernel
def hooke_force(s: FloatArray, v: FloatArray, s_0: float, k: float, c: float) -> FloatArray:
    """k delta + c delta' while the penetration delta = s_0 - s is positive (Kelvin-Voigt), in N."""
    return (s < s_0) * (k * (s_0 - s) - c * v)


@kernel
def hertz_force(s: FloatArray, v: FloatArray, s_0: float, k: float, chi: float) -> FloatArray:
    """k delta^(3/2) (1 + chi delta') while the penetration delta = s_0 - s is positive, in N."""
    return k * np.maximum(s_0 - s, 0.0) ** 1.5 * (1.0 - chi * v)


@kernel
def lugre_amplitude(v: FloatArray, c: float, s: float, v_s: float) -> FloatArray:
    """f_1(v) = F_C + (F_S - F_C) exp(-(v/v_S)^2) (2.29)."""
    return c + (s - c) * np.exp(-((v / v_s) ** 2))


@kernel
def lugre_rate(v: FloatArray, z: FloatArray, speed: FloatArray, c: float, s: float, v_s: float, k: float) -> FloatArray:
    """dz/dt of the bristle deflection z in m at velocity v, |v| = speed (2.28)."""
    return v - k * speed / lugre_amplitude(speed, c, s, v_s) * z


@dataclass(frozen=True)
class Hooke:
    """Linear spring and damper, the plainest penalty contact. Its force can pull at the end of an impact.

    Attributes:
        s_0: distance at which the contact begins, in m.
        k: stiffness, in N/m.
        c: damping, in N s/m.
    """

    s_0: float
    k: float
    c: float = 0.0

    def __post_init__(self) -> None:
        finite("s_0", self.s_0)
        positive("k", self.k)
        not_negative("c", self.c)

    @cached_property
    def row(self) -> NDArray[np.float64]:
        """The law as compiled engines read it: kind 1."""
        return np.array((1.0, self.s_0, self.k, self.c, 0.0, 0.0, 0.0))

    def force(self, s: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
        """Normal force in N at distance s in m and normal speed v in m/s."""
        return np.asarray(hooke_force.py_func(np.asarray(s, float), np.asarray(v, float), self.s_0, self.k, self.c))

    def potential(self, s: ArrayLike) -> NDArray[np.float64]:
        """Energy in J stored in the spring."""
        return 0.5 * self.k * np.maximum(self.s_0 - np.asarray(s, float), 0.0) ** 2


@dataclass(frozen=True)
class Hertz:
    """Hertz' spring with hysteresis damping; build it by `hunt_crossley` or `flores` from a restitution.

    Attributes:
        s_0: distance at which the contact begins, in m.
        k: stiffness, in N/m^1.5.
        chi: damping factor, in s/m; 0 is Hertz' elastic law.
    """

    s_0: float
    k: float
    chi: float = 0.0

    def __post_init__(self) -> None:
        finite("s_0", self.s_0)
        positive("k", self.k)
        not_negative("chi", self.chi)

    @classmethod
    def hunt_crossley(cls, s_0: float, k: float, restitution: float, speed: float) -> Hertz:
        """Damping factor 3 (1 - e)/(2 v) after Hunt and Crossley, good for e near 1."""
        return cls(s_0, k, 1.5 * (1.0 - NewtonImpact(restitution).e) / positive("speed", speed))

    @classmethod
    def flores(cls, s_0: float, k: float, restitution: float, speed: float) -> Hertz:
        """Damping factor 8 (1 - e)/(5 e v) after Flores et al., for any e above 0."""
        e = positive("restitution", NewtonImpact(restitution).e)
        return cls(s_0, k, 1.6 * (1.0 - e) / (e * positive("speed", speed)))

    @cached_property
    def row(self) -> NDArray[np.float64]:
        """The law as compiled engines read it: kind 2."""
        return np.array((2.0, self.s_0, self.k, self.chi, 0.0, 0.0, 0.0))

    def force(self, s: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
        """Normal force in N at distance s in m and normal speed v in m/s."""
        return np.asarray(hertz_force.py_func(np.asarray(s, float), np.asarray(v, float), self.s_0, self.k, self.chi))

    def potential(self, s: ArrayLike) -> NDArray[np.float64]:
        """Energy in J stored in the spring."""
        return 0.4 * self.k * np.maximum(self.s_0 - np.asarray(s, float), 0.0) ** 2.5


@dataclass(frozen=True)
class NewtonImpact:
    """Newton's impact: no force, the normal speed jumps.

    Attributes:
        e: restitution, 0 to 1.
    """

    e: float

    def __post_init__(self) -> None:
        if not 0.0 <= finite("restitution", self.e) <= 1.0:
            raise ParameterError(f"restitution must lie between 0 and 1, got {self.e:g}")

    def after(self, v: ArrayLike) -> NDArray[np.float64]:
        """Normal speed in m/s after the impact; a separating speed stays."""
        v = np.asarray(v, float)
        return np.where(v < 0.0, -self.e * v, v)


@dataclass(frozen=True)
class LuGre:
    """LuGre friction (2.28)-(2.31): bristles with an average deflection z.

    The amplitudes are forces in N when the law stands alone, coefficients when a contact's normal force scales it
    (then k is in 1/m and d_k in s/m).

    Attributes:
        f_c: Coulomb amplitude.
        f_s: stiction amplitude; at least f_c.
        v_s: Stribeck speed, in m/s.
        k: bristle stiffness, in N/m.
        d_k: bristle damping, in N s/m.
        d: viscous coefficient, in N s/m.
    """

    f_c: float
    f_s: float
    v_s: float
    k: float
    d_k: float
    d: float = 0.0

    def __post_init__(self) -> None:
        positive("f_c", self.f_c)
        if not finite("f_s", self.f_s) >= self.f_c:
            raise ParameterError(f"f_s must not be below f_c, got f_s={self.f_s:g} and f_c={self.f_c:g}")
        positive("v_s", self.v_s)
        positive("k", self.k)
        not_negative("d_k", self.d_k)
        not_negative("d", self.d)

    def rate(self, v: ArrayLike, z: ArrayLike) -> NDArray[np.float64]:
        """dz/dt in m/s at speed v in m/s and deflection z in m (2.28)."""
        v, z = np.asarray(v, float), np.asarray(z, float)
        return np.asarray(lugre_rate.py_func(v, z, np.abs(v), self.f_c, self.f_s, self.v_s, self.k))

    def force(self, v: ArrayLike, z: ArrayLike) -> NDArray[np.float64]:
        """Friction force in N at speed v in m/s and deflection z in m (2.30)."""
        return self.k * np.asarray(z, float) + self.d_k * self.rate(v, z) + self.d * np.asarray(v, float)
