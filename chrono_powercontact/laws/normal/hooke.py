"""Linear spring and damper as a contact law."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import finite, not_negative, positive
from ...kernel import FloatArray, kernel


@kernel
def hooke_force(s: FloatArray, v: FloatArray, s_0: float, k: float, c: float) -> FloatArray:
    """k delta + c delta' while the penetration delta = s_0 - s is positive (Kelvin-Voigt), in N."""
    return (s < s_0) * (k * (s_0 - s) - c * v)


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
