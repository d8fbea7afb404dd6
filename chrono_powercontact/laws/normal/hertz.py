"""Hertzian spring with the hysteresis damping of Hunt and Crossley, or of Flores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import finite, not_negative, positive
from ...kernel import FloatArray, kernel
from .newton import NewtonImpact
from .normal_law import NormalLaw


@kernel
def hertz_force(s: FloatArray, v: FloatArray, p: Any) -> FloatArray:
    """k delta^(3/2) (1 + chi delta') while the penetration delta = s_0 - s is positive, in N."""
    return p.k * np.maximum(p.s_0 - s, 0.0) ** 1.5 * (1.0 - p.chi * v)


@kernel
def hertz_elastic(s: FloatArray, p: Any) -> FloatArray:
    """k delta^(3/2) while the penetration is positive, in N."""
    return p.k * np.maximum(p.s_0 - s, 0.0) ** 1.5


@kernel
def hertz_potential(s: FloatArray, p: Any) -> FloatArray:
    """Energy in J stored in the spring."""
    return 0.4 * p.k * np.maximum(p.s_0 - s, 0.0) ** 2.5


@kernel
def hertz_slopes(s: float, v: float, p: Any) -> tuple[float, float]:
    """Derivatives of the force with respect to distance, in N/m, and normal speed, in N s/m."""
    delta = p.s_0 - s
    if delta <= 0.0:
        return 0.0, 0.0
    return -1.5 * p.k * np.sqrt(delta) * (1.0 - p.chi * v), -p.k * p.chi * delta**1.5


@dataclass(frozen=True)
class Hertz(NormalLaw):
    """Hertzian spring with hysteresis damping; `hunt_crossley` and `flores` build it from a restitution.

    Attributes:
        s_0: distance at which the contact begins, in m.
        k: stiffness, in N/m^1.5.
        chi: damping factor, in s/m; 0 gives the elastic law of Hertz.
    """

    family: ClassVar[str] = "hertz"
    fields: ClassVar[tuple[str, ...]] = ("s_0", "k", "chi")

    s_0: float
    k: float
    chi: float = 0.0

    def __post_init__(self) -> None:
        finite("s_0", self.s_0)
        positive("k", self.k)
        not_negative("chi", self.chi)

    @classmethod
    def hunt_crossley(cls, s_0: float, k: float, restitution: float, speed: float) -> Hertz:
        """Damping factor 3 (1 - e)/(2 v) after Hunt and Crossley, accurate for e near 1."""
        return cls(s_0, k, 1.5 * (1.0 - NewtonImpact(restitution).e) / positive("speed", speed))

    @classmethod
    def flores(cls, s_0: float, k: float, restitution: float, speed: float) -> Hertz:
        """Damping factor 8 (1 - e)/(5 e v) after Flores et al., for any e above 0."""
        e = positive("restitution", NewtonImpact(restitution).e)
        return cls(s_0, k, 1.6 * (1.0 - e) / (e * positive("speed", speed)))

    def force(self, s: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
        """Normal force in N at distance s in m and normal speed v in m/s."""
        return np.asarray(hertz_force.py_func(np.asarray(s, float), np.asarray(v, float), self))

    def potential(self, s: ArrayLike) -> NDArray[np.float64]:
        """Energy in J stored in the spring."""
        return np.asarray(hertz_potential.py_func(np.asarray(s, float), self))
