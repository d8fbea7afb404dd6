"""LuGre friction: bristles with an average deflection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, finite, not_negative, positive
from ...kernel import FloatArray, kernel
from ...numerics.vectors import Triple, norm, plus, times
from .friction_law import FrictionLaw, Memory, fill_by_name


@kernel
def falling_amplitude(v: FloatArray, f_c: float, f_s: float, v_s: float) -> FloatArray:
    """f_1(v) = F_C + (F_S - F_C) exp(-(v/v_S)^2) (2.29)."""
    return f_c + (f_s - f_c) * np.exp(-((v / v_s) ** 2))


@kernel
def lugre_amplitude(v: FloatArray, p: Any) -> FloatArray:
    """Friction amplitude in steady sliding at speed v (2.29)."""
    return falling_amplitude(v, p.f_c, p.f_s, p.v_s)


@kernel
def lugre_rate(v: FloatArray, z: FloatArray, speed: FloatArray, p: Any) -> FloatArray:
    """dz/dt of the bristle deflection z in m at velocity v, |v| = speed (2.28)."""
    return v - p.k * speed / falling_amplitude(speed, p.f_c, p.f_s, p.v_s) * z


@kernel
def lugre_flow(p: Any, z: Triple, displacement: Triple, h: float) -> Triple:
    """Bristles z in m after a straight displacement in m within a time h in s: exact at a constant speed (2.28).

    They follow the displacement x as dz/dx = 1 - k z/f_1, whatever the time that it takes.
    """
    length = norm(displacement)
    if length == 0.0 or h == 0.0:
        return z
    amplitude = lugre_amplitude(length / h, p)
    bent = p.k * length / amplitude
    return plus(times(np.exp(-bent), z), times(-np.expm1(-bent) / bent, displacement))


@kernel
def lugre_pull(p: Any, n: float, a: float, z: Triple, v: Triple) -> Triple:
    """Friction force in N against the sliding velocity v, for bristles z, normal force n and activation a (2.30)."""
    speed = norm(v)
    lost = p.k * speed / lugre_amplitude(speed, p)
    return plus(times(n * (p.k - p.d_k * lost), z), times(n * p.d_k + a * p.d, v))


@kernel
def lugre_stiffness(p: Any, stretch: float, speed: float) -> float:
    """Stiffness of the bristles per unit of normal force, in 1/m, at a deflection in m: k at rest, 0 in sliding."""
    return p.k * max(1.0 - p.k * stretch / lugre_amplitude(speed, p), 0.0)


@dataclass(frozen=True)
class LuGre(FrictionLaw):
    """LuGre friction (2.28)-(2.31): bristles with an average deflection z.

    The amplitudes are forces in N if the law acts alone. They are coefficients if the normal force of a contact scales
    it; k is then in 1/m and d_k in s/m.

    Attributes:
        f_c: Coulomb amplitude.
        f_s: stiction amplitude; at least f_c.
        v_s: Stribeck speed, in m/s.
        k: bristle stiffness, in N/m.
        d_k: bristle damping, in N s/m.
        d: viscous coefficient, in N s/m.
    """

    in_joints: ClassVar[bool] = True
    fields: ClassVar[tuple[str, ...]] = ("f_c", "f_s", "v_s", "k", "d_k", "d")

    f_c: float
    f_s: float
    v_s: float
    k: float
    d_k: float
    d: float = 0.0

    def slot(self, memory: Memory) -> str:
        """The slot of LuGre friction."""
        return "lugre"

    def fill(self, slot: Any, memory: Memory) -> None:
        """Write its parameters."""
        fill_by_name(slot, self, self.fields)

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
        v = np.asarray(v, float)
        z = np.asarray(z, float)
        return np.asarray(lugre_rate.py_func(v, z, np.abs(v), self))

    def force(self, v: ArrayLike, z: ArrayLike) -> NDArray[np.float64]:
        """Friction force in N at speed v in m/s and deflection z in m (2.30)."""
        return self.k * np.asarray(z, float) + self.d_k * self.rate(v, z) + self.d * np.asarray(v, float)
