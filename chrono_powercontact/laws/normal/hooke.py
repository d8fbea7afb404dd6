"""Linear spring and damper as a contact law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import finite, not_negative, positive
from ...kernel import FloatArray, kernel
from .normal_law import NormalLaw


@kernel
def hooke_force(s: FloatArray, v: FloatArray, p: Any) -> FloatArray:
    """k delta + c delta' while the penetration delta = s_0 - s is positive (Kelvin-Voigt), in N."""
    return (s < p.s_0) * (p.k * (p.s_0 - s) - p.c * v)


@kernel
def hooke_elastic(s: FloatArray, p: Any) -> FloatArray:
    """k delta while the penetration is positive, in N."""
    return (s < p.s_0) * (p.k * (p.s_0 - s))


@kernel
def hooke_potential(s: FloatArray, p: Any) -> FloatArray:
    """Energy in J stored in the spring."""
    return 0.5 * p.k * np.maximum(p.s_0 - s, 0.0) ** 2


@kernel
def hooke_slopes(s: float, v: float, p: Any) -> tuple[float, float]:
    """Derivatives of the force with respect to distance, in N/m, and normal speed, in N s/m."""
    if s >= p.s_0:
        return 0.0, 0.0
    return -p.k, -p.c


@dataclass(frozen=True)
class Hooke(NormalLaw):
    """Linear spring and damper, the simplest penalty contact. Its force can pull at the end of an impact.

    Attributes:
        s_0: distance at which the contact begins, in m.
        k: stiffness, in N/m.
        c: damping, in N s/m.
    """

    family: ClassVar[str] = "hooke"
    fields: ClassVar[tuple[str, ...]] = ("s_0", "k", "c")

    s_0: float
    k: float
    c: float = 0.0

    def __post_init__(self) -> None:
        finite("s_0", self.s_0)
        positive("k", self.k)
        not_negative("c", self.c)

    def force(self, s: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
        """Normal force in N at distance s in m and normal speed v in m/s."""
        return np.asarray(hooke_force.py_func(np.asarray(s, float), np.asarray(v, float), self))

    def potential(self, s: ArrayLike) -> NDArray[np.float64]:
        """Energy in J stored in the spring."""
        return np.asarray(hooke_potential.py_func(np.asarray(s, float), self))
