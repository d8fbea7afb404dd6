"""A power function from a measured restitution: one that falls with the speed, or the same at every speed.

For any resistance F_c(v) the free impact separates, v dv/F_c(v) = R_a(s) ds/m. Let the barrier push with the same force
on the way out at every speed, and with 1/p(v) times that at an approach speed v. Then the kinetic energy after an
impact is the integral of p over that before, e(v)^2 v^2/2 = integral of p u du from 0 to v, whatever the activation and
the mass, and p = e (e + v e'). The law is passive if p <= 1, and bounded if p > 0. p is a monotone cubic spline between
knots.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import quad
from scipy.interpolate import PchipInterpolator

from ..errors import ParameterError, positive
from .normal.restriction import Restriction, activation, activation_integral
from .normal.user_normal import UserNormal, normal_law

Restitution = float | Callable[[float], float] | tuple[Sequence[float], Sequence[float]]
"""A measured restitution: a number, a function of the speed in m/s, or speeds and the restitution at each."""

KNOTS = 65
"""Knots of the spline, evenly in the logarithm of the speed."""

STEEPEST = 200.0
"""Most that p may fall below the lowest speed: from 1 at rest over the lowest speed divided by this."""

ROUND_OFF = 1e-6
"""By so much p may exceed 1; it is then taken as 1."""

Floats = NDArray[np.float64]

Curve = Callable[[Floats], tuple[Floats, Floats]]
"""Restitution and its derivative by the logarithm of the speed, at logarithms of speeds."""


@dataclass(frozen=True)
class PowerFunction:
    """A resistance that follows a measured restitution.

    Attributes:
        speeds: knots in m/s. ratios: p at each: force on the way out over that on the way in.
        steepness: exponent with which p falls from 1 at rest to its value at the lowest knot.
    """

    speeds: tuple[float, ...]
    ratios: tuple[float, ...]
    steepness: float

    def _spline(self) -> Any:
        """p as a spline of the logarithm of the speed."""
        return PchipInterpolator(np.log(self.speeds), self.ratios)

    def ratio(self, speed: ArrayLike) -> Floats:
        """p at an approach speed in m/s; constant above the highest knot."""
        speed = np.asarray(speed, float)
        low = self.speeds[0]
        inside = self._spline()(np.log(np.clip(speed, low, self.speeds[-1])))
        below = np.maximum(1.0 - speed / low, 0.0) ** self.steepness
        return np.where(speed < low, self.ratios[0] + (1.0 - self.ratios[0]) * below, inside)

    def restitution(self, speed: float) -> float:
        """Restitution of a free impact at a speed in m/s, by one quadrature."""
        positive("speed", speed)
        low = self.speeds[0]
        n = self.steepness
        u = min(speed / low, 1.0)
        falling = (1.0 - (1.0 - u) ** (n + 1.0) * (1.0 + (n + 1.0) * u)) / ((n + 1.0) * (n + 2.0))
        energy = low**2 * (0.5 * self.ratios[0] * u**2 + (1.0 - self.ratios[0]) * falling)
        if speed > low:
            ends = np.log([low, speed])
            part = quad(lambda x: float(self.ratio(math.exp(x))) * math.exp(2.0 * x), *ends, epsrel=1e-10, limit=400)
            energy += part[0]
        return math.sqrt(2.0 * energy) / speed

    def law(self, s_0: float, s_c: float, r_f: float, r_a: float = 0.99) -> UserNormal:
        """The normal law with this resistance, for both engines.

        Args:
            s_0, s_c: distances in m at which the contact begins and at which its activation is complete.
            r_f: largest force in N that the barrier can exert. r_a: fraction of the activation between s_0 and s_c.
        """
        shape = Restriction(s_0, s_c, r_f, 0.0, r_a)
        least = min(self.ratios)
        return _law(shape, least * positive("r_f", r_f), self)


def _law(shape: Restriction, elastic: float, power: PowerFunction) -> UserNormal:
    """The compiled law of an activation, an elastic force in N, and a resistance."""
    spline = power._spline()
    knots = np.ascontiguousarray(spline.x)
    cubic, square, linear, constant = (np.ascontiguousarray(row) for row in spline.c)
    spacing = (knots[-1] - knots[0]) / (len(knots) - 1)
    low, high = power.speeds[0], power.speeds[-1]
    first, n = power.ratios[0], power.steepness
    r_t, r_c = shape.r_t, shape.r_c

    def stored(s: float, p: Any) -> float:
        return elastic * activation_integral(s, r_t, r_c)

    @normal_law(potential=stored, reach=shape.reach)
    def measured_restitution(s: float, v: float, p: Any) -> float:
        force = elastic * activation(s, r_t, r_c)
        if v >= 0.0:
            return force
        if -v < low:
            return force / (first + (1.0 - first) * (1.0 + v / low) ** n)
        x = math.log(min(-v, high))
        k = min(max(int((x - knots[0]) / spacing), 0), len(cubic) - 1)
        d = x - knots[k]
        return force / (((cubic[k] * d + square[k]) * d + linear[k]) * d + constant[k])

    return measured_restitution(s_0=shape.s_0)


def design_power(e_of_v: Restitution, speeds: tuple[float, float] = (1e-3, 10.0)) -> PowerFunction:
    """The power function whose free impacts have a measured restitution.

    Args:
        e_of_v: one restitution for all speeds; a function of the impact speed in m/s; or a pair of sequences, speeds
            and restitutions, between which it follows a monotone curve.
        speeds: range in m/s over which a number or a function is followed. Below it, impacts become elastic towards
            rest.
    """
    measured, low, high = _measured(e_of_v, speeds)
    knots = np.geomspace(low, high, KNOTS)
    knots[[0, -1]] = low, high
    e, slope = measured(np.log(knots))
    for speed, value in zip(knots, e, strict=True):
        if not 0.0 < value <= 1.0:
            raise ParameterError(f"restitution must be above 0 and at most 1, got {value:g} at {speed:g} m/s")
    ratios = e * (e + slope)
    _check_ratios(knots, ratios)
    ratios = np.minimum(ratios, 1.0)
    return PowerFunction(tuple(knots.tolist()), tuple(ratios.tolist()), _steepness(float(e[0] ** 2), float(ratios[0])))


def _check_ratios(knots: Floats, ratios: Floats) -> None:
    """Raise unless a law with these ratios pushes and takes energy at all speeds."""
    if np.any(ratios <= 0.0):
        speed = knots[int(np.argmax(ratios <= 0.0))]
        raise ParameterError(f"the speed after an impact must rise with that before it, it does not at {speed:g} m/s")
    if np.any(ratios > 1.0 + ROUND_OFF):
        speed = knots[int(np.argmax(ratios > 1.0 + ROUND_OFF))]
        raise ParameterError(f"the energy that an impact takes must not fall with its speed, it does at {speed:g} m/s")


def _steepness(square: float, ratio: float) -> float:
    """Exponent with which the mean of p below the lowest speed is e^2 there; at most STEEPEST.

    That mean is ratio + 2 (1 - ratio)/((n + 1)(n + 2)).
    """
    surplus = square - ratio
    if surplus <= 2.0 * (1.0 - ratio) / ((STEEPEST + 1.0) * (STEEPEST + 2.0)):
        return STEEPEST
    return max(-1.5 + math.sqrt(0.25 + 2.0 * (1.0 - ratio) / surplus), 0.0)


def _measured(e_of_v: Restitution, speeds: tuple[float, float]) -> tuple[Curve, float, float]:
    """Restitution and its derivative by the logarithm of the speed, as a function of that, and the range in m/s."""
    if isinstance(e_of_v, tuple | list):
        return _between(*_points(e_of_v))
    low, high = speeds
    if not positive("lowest speed", low) < positive("highest speed", high):
        raise ParameterError(f"speeds must be a range that rises, got {low:g} to {high:g} m/s")
    if not callable(e_of_v):
        constant = float(e_of_v)
        return lambda x: (np.full_like(x, constant), np.zeros_like(x)), low, high

    def sampled(x: Floats) -> tuple[Floats, Floats]:
        step = 1e-4
        e = np.array([float(e_of_v(math.exp(each))) for each in x])
        ahead = np.array([float(e_of_v(math.exp(min(each + step, math.log(high))))) for each in x])
        behind = np.array([float(e_of_v(math.exp(max(each - step, math.log(low))))) for each in x])
        width = np.minimum(x + step, math.log(high)) - np.maximum(x - step, math.log(low))
        return e, (ahead - behind) / width

    return sampled, low, high


def _points(pair: Sequence[Sequence[float]]) -> tuple[Floats, Floats]:
    """Measured speeds and restitutions, checked."""
    if len(pair) != 2:
        raise ParameterError(f"give a pair of sequences, speeds and restitutions, got {len(pair)} of them")
    speeds, values = (np.asarray(part, float) for part in pair)
    if speeds.ndim != 1 or speeds.shape != values.shape or len(speeds) < 2:
        raise ParameterError(f"give as many restitutions as speeds, at least 2, got {speeds.shape} and {values.shape}")
    if not (np.all(np.isfinite(speeds)) and np.all(np.isfinite(values))):
        raise ParameterError("measured speeds and restitutions must be finite")
    if not (speeds[0] > 0.0 and np.all(np.diff(speeds) > 0.0)):
        raise ParameterError(f"measured speeds must be positive and rise, got {speeds[:3].tolist()} ...")
    if not (np.all(values > 0.0) and np.all(values <= 1.0)):
        raise ParameterError(
            f"measured restitutions must lie above 0 and at most at 1, got {values.min():g} to {values.max():g}"
        )
    return speeds, values


def _between(speeds: Floats, values: Floats) -> tuple[Curve, float, float]:
    """The monotone curve through measured points, in the logarithms of both."""
    curve = PchipInterpolator(np.log(speeds), np.log(values))

    def followed(x: Floats) -> tuple[Floats, Floats]:
        e = np.exp(curve(x))
        return e, e * curve(x, 1)

    return followed, float(speeds[0]), float(speeds[-1])
