"""Closed-form solutions for a free impact on a restriction function: no integration, exact to round-off.

m v dv = F ds separates, because (1 - tanh x)/2 = 1/(1 + exp(2x)). With
    G(v) = v^2/2 + exp(2 r_d v) (2 r_d v - 1)/(4 r_d^2)     and     I(s) = integral of R_a from s to infinity
G(v) + (r_f/m) I(s) is constant during the impact. The code uses h(x) = 4 r_d^2 G + 1 with
x = r_d v, which is 0 at rest. The restitution depends on x alone: not on the mass, nor on r_f, s_0 or s_c.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError, not_negative, positive
from .normal.restriction import Barrier, Restriction

_SERIES = [(k - 1) / math.factorial(k) for k in range(2, 20)]
"""Coefficients of exp(y) (y - 1) + 1 = sum over k from 2 of (k - 1)/k! y^k."""

_NEAR = 0.5
"""Below this |y| the series is taken."""

_PLASTIC = 1e100  # above it, the impact is plastic
_LEAST = 1e-100  # below it, the impact is elastic; the square would underflow


def _optimize() -> Any:
    """SciPy's optimisers; imported on first use because that takes half a second."""
    import scipy.optimize.elementwise

    return scipy.optimize


def _find_root(*arguments: Any, **named: Any) -> Any:
    """SciPy's vectorised root finder."""
    return _optimize().elementwise.find_root(*arguments, **named)


def _scalar_root(function: Callable[[float], float], low: float, high: float) -> float:
    """The root of a function between two numbers, to round-off; for one number it is ten times faster."""
    return float(_optimize().brentq(function, low, high, xtol=1e-300, rtol=4.0 * np.finfo(float).eps))


def _series(y: Any) -> Any:
    """exp(y) (y - 1) + 1 for small y, numbers or arrays."""
    total = 0.0 * y
    for coefficient in reversed(_SERIES):
        total = total * y + coefficient
    return y * y * total


def impact_measure(x: ArrayLike) -> NDArray[np.float64]:
    """h(x) = 2 x^2 + 1 + exp(2x) (2x - 1), the dimensionless G, without cancellation near zero."""
    y = 2.0 * np.asarray(x, float)
    series = _series(np.clip(y, -_NEAR, _NEAR))
    return 0.5 * y * y + np.where(np.abs(y) < _NEAR, series, y + (y - 1.0) * np.expm1(y))


def _measure_of_one(x: float) -> float:
    """`impact_measure` of one number: what a search for a root asks again and again."""
    y = 2.0 * x
    return 0.5 * y * y + (_series(y) if abs(y) < _NEAR else y + (y - 1.0) * math.expm1(y))


def restitution(r_d: ArrayLike, speed: ArrayLike) -> NDArray[np.float64]:
    """Restitution e_r = v_after/v_before of a free impact at a speed in m/s, for a dissipation r_d in s/m."""
    x = np.abs(np.asarray(r_d, float) * np.asarray(speed, float))
    solved = np.clip(x, _LEAST, _PLASTIC)
    upper = np.minimum(solved, 1.0 + np.log1p(solved))
    if x.ndim == 0 and not np.isnan(x):
        target = _measure_of_one(-float(solved))
        root = _scalar_root(lambda y: _measure_of_one(y) - target, 0.0, float(upper))
    else:
        lower = np.zeros_like(solved)
        root = _find_root(lambda y, c: impact_measure(y) - c, (lower, upper), args=(impact_measure(-solved),)).x
    return np.where(x < _LEAST, 1.0, np.where(x > _PLASTIC, 0.0, root / solved))


def dissipation_for(e: float, speed: float) -> float:
    """r_d in s/m that gives the restitution e at an impact speed in m/s: the inverse of `restitution`."""
    positive("speed", speed)
    if not 0.0 < e <= 1.0:
        raise ParameterError(f"restitution must be greater than 0 and at most 1, got {e:g}")
    if e == 1.0:
        return 0.0
    upper = 1.0
    while float(restitution(upper, 1.0)) > e:
        upper *= 4.0
        if upper > 1e12:
            raise ParameterError(f"restitution {e:g} is too small: the smallest possible value is 1e-11")
    root = _find_root(lambda x: restitution(x, 1.0) - e, (0.0, upper))
    return float(root.x) / speed


def _effort(law: Restriction, mass: float, speed: float) -> float:
    """Distance in m over which the full force r_f would stop the mass: (m/r_f)(G(-speed) + 1/(4 r_d^2))."""
    positive("mass", mass)
    not_negative("speed", speed)
    positive("r_f", law.r_f)
    if law.r_d == math.inf:
        return 0.5 * mass * speed**2 / law.r_f
    x = law.r_d * speed
    if x < _LEAST:
        return mass * speed**2 / law.r_f
    return mass * _measure_of_one(-x) / (4.0 * law.r_d**2 * law.r_f)


def deepest_distance(law: Restriction, mass: float, speed: float) -> float:
    """Smallest distance in m that a free mass in kg reaches at an impact speed in m/s; limits (3.16), (3.17).

    For a `Barrier` only the front side is considered: call `breaks_through` first.
    """
    y = 2.0 * law.r_t * _effort(law, mass, speed)
    if y == 0.0:
        return math.inf
    return law.r_c - (y + math.log(-math.expm1(-y))) / (2.0 * law.r_t)


def peak_force(law: Restriction, mass: float, speed: float) -> float:
    """Largest normal force in N during a free impact, from the state relation along the compression.

    For a `Barrier` only the front side is considered.
    """
    whole = _effort(law, mass, speed)

    def force(v: float) -> float:
        y = 2.0 * law.r_t * (whole - _effort(law, mass, v))
        active = -math.expm1(-max(y, 0.0))  # R_a, from I(s) = y/(2 r_t)
        damping = math.tanh(law.r_d * v) if v > 0.0 else 0.0
        return 0.5 * law.r_f * active * (1.0 + damping)

    options = {"xatol": 1e-9 * speed}
    best = _optimize().minimize_scalar(lambda v: -force(v), bounds=(0.0, speed), method="bounded", options=options)
    return max(force(float(best.x)), force(0.0))


def _resistance_length(wall: Barrier) -> float:
    """Distance in m over which the wall exerts its full force."""
    return wall.r_c - wall.r_c_back


def breaks_through(wall: Barrier, mass: float, speed: float) -> bool:
    """Whether a free mass in kg breaks through the wall at an impact speed in m/s."""
    return _effort(wall, mass, speed) > _resistance_length(wall)


def breakthrough_speed(wall: Barrier, mass: float) -> float:
    """Smallest impact speed in m/s at which a free mass in kg breaks through the wall."""
    positive("mass", mass)
    positive("r_f", wall.r_f)
    reach = _resistance_length(wall)
    upper = math.sqrt(2.0 * wall.r_f * reach / mass)
    return _scalar_root(lambda v: _effort(wall, mass, v) - reach, 0.0, 1.001 * upper)


def force_to_stop(wall: Barrier, mass: float, speed: float) -> float:
    """Force limit r_f in N with which the wall just stops a free mass in kg at an impact speed in m/s."""
    return wall.r_f * _effort(wall, mass, speed) / _resistance_length(wall)


def exit_velocity(wall: Barrier, mass: float, speed: float) -> float:
    """Velocity in m/s after the impact on the wall: positive after a rebound, negative after a breakthrough."""
    left = _effort(wall, mass, speed) - _resistance_length(wall)
    if left <= 0.0:
        return float(restitution(wall.r_d, speed)) * speed
    return -_scalar_root(lambda v: _effort(wall, mass, v) - left, 0.0, speed)
