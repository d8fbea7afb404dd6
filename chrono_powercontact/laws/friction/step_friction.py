"""Friction with a STEP function of the speed, the regularisation in commercial multibody codes.

The coefficient rises through zero speed to mu_s at v_s and falls to mu_d at v_d, each along the cubic STEP. At rest the
friction vanishes: near v = 0 it acts as a dashpot of 1.5 mu_s N/v_s, and a load creeps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, finite, not_negative, positive
from ...kernel import FloatArray, kernel
from .friction_law import FrictionLaw, Memory, fill_by_name


@kernel
def smooth_step(x: FloatArray) -> FloatArray:
    """STEP from 0 at x = 0 to 1 at x = 1, cubic in between and constant outside."""
    y = np.minimum(np.maximum(x, 0.0), 1.0)
    return y * y * (3.0 - 2.0 * y)


@kernel
def step_coefficient(v: FloatArray, p: Any) -> FloatArray:
    """Friction coefficient at sliding speed v, with the sign of v."""
    x = np.abs(v)
    rise = p.mu_s * (2.0 * smooth_step(0.5 + 0.5 * x / p.v_s) - 1.0)
    return np.sign(v) * (rise + (p.mu_d - p.mu_s) * smooth_step((x - p.v_s) / (p.v_d - p.v_s)))


@kernel
def step_slope(v: float, p: Any) -> float:
    """Derivative of the friction coefficient with respect to sliding speed, in s/m."""
    x = np.abs(v)
    if x < p.v_s:
        y = 0.5 + 0.5 * x / p.v_s
        return p.mu_s / p.v_s * 6.0 * y * (1.0 - y)
    y = min((x - p.v_s) / (p.v_d - p.v_s), 1.0)
    return (p.mu_d - p.mu_s) / (p.v_d - p.v_s) * 6.0 * y * (1.0 - y)


@dataclass(frozen=True)
class StepFriction(FrictionLaw):
    """Friction with two coefficients and two threshold speeds, scaled by the normal force.

    Attributes:
        mu_s: static coefficient, reached at v_s.
        mu_d: dynamic coefficient, reached at v_d; at most mu_s.
        v_s: static threshold speed, in m/s.
        v_d: dynamic threshold speed, in m/s; above v_s.
    """

    fields: ClassVar[tuple[str, ...]] = ("mu_s", "mu_d", "v_s", "v_d")

    mu_s: float
    mu_d: float
    v_s: float
    v_d: float

    def slot(self, memory: Memory) -> str:
        """The slot of STEP friction."""
        return "step"

    def fill(self, slot: Any, memory: Memory) -> None:
        """Write its parameters."""
        fill_by_name(slot, self, self.fields)

    def __post_init__(self) -> None:
        not_negative("mu_d", self.mu_d)
        if not finite("mu_s", self.mu_s) >= self.mu_d:
            raise ParameterError(f"mu_s must not be below mu_d, got mu_s={self.mu_s:g} and mu_d={self.mu_d:g}")
        positive("v_s", self.v_s)
        if not finite("v_d", self.v_d) > self.v_s:
            raise ParameterError(f"v_d must be greater than v_s, got v_d={self.v_d:g} and v_s={self.v_s:g}")

    def force(self, v: ArrayLike, normal: ArrayLike) -> NDArray[np.float64]:
        """Friction force in N at sliding speed v in m/s under a normal force in N, along v."""
        return np.asarray(normal, float) * step_coefficient.py_func(np.asarray(v, float), self)

    def creep_damping(self, normal: float) -> float:
        """Damping in N s/m that governs the creep of a load below stiction: 1.5 mu_s N/v_s."""
        return 1.5 * self.mu_s * normal / self.v_s
