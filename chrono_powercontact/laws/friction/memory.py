"""Filter memory of a friction force: a first-order lag between the static law and the force that acts.

The LTI filter loses the force at rest (2.25b). The LPV filter closes as the speed falls and holds the force (2.26).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import positive
from ...kernel import FloatArray, kernel


@kernel
def opening(v: FloatArray, v_f: float) -> FloatArray:
    """a(v) = 1 - exp(-(v/v_F)^2): opening of the filter at speed v (2.26b); with v_F = 0 it is always open."""
    if v_f == 0.0:
        return 1.0 + 0.0 * v
    return -np.expm1(-((v / v_f) ** 2))


@kernel
def memory_rate(q: FloatArray, static: FloatArray, a: FloatArray, t_f: float) -> FloatArray:
    """dQ/dt = a (Q_static - Q)/T_F in N/s: (2.25b), (2.26a)."""
    return a * (static - q) / t_f


@kernel
def memory_step(q: FloatArray, static: FloatArray, a: FloatArray, t_f: float, h: float) -> FloatArray:
    """Q after a time h with constant static force and opening: exact, and stable for any h."""
    return static + (q - static) * np.exp(-a * h / t_f)


@kernel
def memory_follow(
    q: FloatArray, first: FloatArray, last: FloatArray, a: FloatArray, t_f: float, h: float
) -> FloatArray:
    """Q after a time h in which the static force varied linearly from `first` to `last` at constant opening.

    It is exact for such a force and stable for any h. With the mean opening it is of second order in h.
    """
    z = np.maximum(a * h / t_f, 1e-300)
    return last + (q - first) * np.exp(-z) + (last - first) * np.expm1(-z) / z


@dataclass(frozen=True)
class LTIFilter:
    """Constant filter (2.25b): the friction force lags, and decays at rest.

    Attributes:
        t_f: time constant T_F, in s.
    """

    t_f: float

    def __post_init__(self) -> None:
        positive("t_f", self.t_f)

    @property
    def numbers(self) -> tuple[float, float]:
        """T_F and v_F as the kernels take them."""
        return self.t_f, 0.0

    def opening(self, v: ArrayLike) -> NDArray[np.float64]:
        """Opening of the filter at speed v in m/s, 0 to 1."""
        return np.asarray(opening.py_func(np.asarray(v, float), self.numbers[1]))

    def rate(self, q: ArrayLike, static: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
        """Rate in N/s of the filtered force q in N towards the static force at speed v in m/s."""
        return np.asarray(
            memory_rate.py_func(np.asarray(q, float), np.asarray(static, float), self.opening(v), self.t_f)
        )

    def step(self, q: ArrayLike, static: ArrayLike, v: ArrayLike, h: float) -> NDArray[np.float64]:
        """Filtered force in N after a time h in s with constant static force and speed."""
        q = np.asarray(q, float)
        static = np.asarray(static, float)
        return np.asarray(memory_step.py_func(q, static, self.opening(v), self.t_f, h))


@dataclass(frozen=True)
class LPVFilter(LTIFilter):
    """Filter that closes at rest (2.26): it holds the friction force in stick.

    Attributes:
        t_f: time constant T_F of the open filter, in s.
        v_f: speed below which the filter closes, in m/s (or rad/s).
    """

    v_f: float

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("v_f", self.v_f)

    @property
    def numbers(self) -> tuple[float, float]:
        """T_F and v_F as the kernels take them."""
        return self.t_f, self.v_f
