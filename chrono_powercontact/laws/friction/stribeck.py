"""The curve of a dissipation function: viscous, Coulomb and Stribeck parts, smooth through zero speed.

D(v) = d v^2/2 + F_C v_C log cosh(v/v_C) - F_Delta v_S exp(1/2 - (v/v_S)^2/2)   (2.13)
The force is its derivative with respect to v (2.14).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel import FloatArray, kernel
from ..smooth import log_cosh


class Stribeck(NamedTuple):
    """The curve of a dissipation function as the kernels read it.

    Attributes:
        c: Coulomb amplitude. v_c: transition speed of the Coulomb part, in m/s.
        delta: amplitude of the Stribeck part (2.10) without its viscous part. v_s: speed of its peak, in m/s.
        d: viscous coefficient, in N s/m. d_s: viscous force d v_s at the peak, in N.
    """

    c: float
    v_c: float
    delta: float = 0.0
    v_s: float = 1.0
    d: float = 0.0
    d_s: float = 0.0


@kernel
def dissipation_force(v: FloatArray, n: FloatArray, a: FloatArray, p: Any) -> FloatArray:
    """Static friction in N at speed v under normal force n and activation a: (2.14), (4.5).

    The Stribeck part is never negative: under a vanishing normal force it would drive the motion.
    """
    y = v / p.v_s
    stribeck = np.maximum(n * p.delta - a * p.d_s, 0.0) * y * np.exp(0.5 - 0.5 * y * y)
    return a * p.d * v + n * p.c * np.tanh(v / p.v_c) + stribeck


@kernel
def dissipation_slope(v: FloatArray, n: FloatArray, a: FloatArray, p: Any) -> FloatArray:
    """Derivative of `dissipation_force` with respect to v, in N s/m."""
    y = v / p.v_s
    e = np.exp(-2.0 * np.abs(v / p.v_c))
    sech2 = 4.0 * e / (1.0 + e) ** 2
    stribeck = np.maximum(n * p.delta - a * p.d_s, 0.0) * (1.0 - y * y) * np.exp(0.5 - 0.5 * y * y) / p.v_s
    return a * p.d + n * p.c * sech2 / p.v_c + stribeck


@kernel
def dissipation_function(v: FloatArray, n: FloatArray, a: FloatArray, p: Any) -> FloatArray:
    """The potential D in W whose derivative with respect to v is `dissipation_force` (2.13), (4.5)."""
    y = v / p.v_s
    stribeck = np.maximum(n * p.delta - a * p.d_s, 0.0) * p.v_s * np.exp(0.5 - 0.5 * y * y)
    return 0.5 * a * p.d * v * v + n * p.c * p.v_c * log_cosh(v / p.v_c) - stribeck
