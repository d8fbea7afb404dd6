"""The phases of a free impact on a restriction function (section 3.2.4): durations, energies, peak of the force.

The state relation of `impact` gives the force as a function of the speed alone, so every figure is an integral over the
speed, not over time: an opinion that no time integration shares.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from ..errors import ParameterError, positive
from .impact import impact_measure, restitution
from .normal.restriction import Restriction, RestrictionLaw

LEAST_DISSIPATION = 1e-6
"""r_d times the speed below which an impact is elastic to all digits that matter."""

EDGE = 1e-12
"""Fraction of the speed by which a search stays away from its bounds."""


class ContactPhases(NamedTuple):
    """The phases of a free impact between entering and leaving s_0 (Figs. 3.7 and 3.8).

    Attributes:
        compression_time, restitution_time: in s; a plastic impact has no restitution.
        stored: T_s, energy in J that the contact holds at the deepest point.
        compression_loss, restitution_loss: delta T_c and delta T_r in J.
        peak_force: in N. peak_lead: time in s from the peak of the force to the deepest point.
    """

    compression_time: float
    restitution_time: float
    stored: float
    compression_loss: float
    restitution_loss: float
    peak_force: float
    peak_lead: float


class _Impact:
    """One impact: distances, forces and times as functions of the speed, inward (compressing) or outward."""

    def __init__(self, law: Restriction, mass: float, speed: float) -> None:
        self.law = law
        self.mass = mass
        self.speed = speed
        self.whole = self.way(speed, -1.0)

    def way(self, v: float, sign: float) -> float:
        """(m/r_f)(G(sign v) + 1/(4 r_d^2)): distance in m over which r_f would take up the motion."""
        r_d = self.law.r_d
        if r_d == math.inf:
            return 0.5 * self.mass * v * v / self.law.r_f
        if r_d * self.speed < LEAST_DISSIPATION:
            return self.mass * v * v / self.law.r_f
        return self.mass * float(impact_measure(sign * r_d * v)) / (4.0 * r_d**2 * self.law.r_f)

    def force(self, v: float, sign: float) -> float:
        """Normal force in N at a speed v in m/s."""
        reach = max(self.whole - self.way(v, sign), 0.0)
        active = -math.expm1(-2.0 * self.law.r_t * reach)
        if self.law.r_d == math.inf:
            return self.law.r_f * active if sign < 0.0 else 0.0
        return 0.5 * self.law.r_f * active * (1.0 - sign * math.tanh(self.law.r_d * v))

    def speed_at_edge(self, sign: float) -> float:
        """Speed in m/s at which the mass crosses s_0."""
        from scipy.optimize import brentq

        law = self.law
        outside = math.log1p(math.exp(-2.0 * law.r_t * (law.s_0 - law.r_c))) / (2.0 * law.r_t)
        if self.whole <= outside:
            raise ParameterError(f"a mass at {self.speed:g} m/s turns before it reaches s_0: choose a larger speed")
        return float(brentq(lambda v: self.way(v, sign) - self.whole + outside, 0.0, self.speed, xtol=1e-15))

    def time(self, fast: float, sign: float, slow: float = 0.0) -> float:
        """Time in s between two speeds."""
        from scipy.integrate import quad

        needed: Callable[[float], float] = lambda v: self.mass / self.force(v, sign)  # noqa: E731
        return float(quad(needed, slow, fast, epsabs=0.0, epsrel=1e-10, limit=200)[0])

    def speed_at_peak(self) -> float:
        """Speed in m/s at which the force is largest; 0 where it is largest at the deepest point."""
        from scipy.optimize import minimize_scalar

        bounds = (0.0, self.speed)
        found = minimize_scalar(
            lambda v: -self.force(v, -1.0), bounds=bounds, method="bounded", options={"xatol": 1e-10 * self.speed}
        )
        v = float(found.x)
        return v if self.force(v, -1.0) > self.force(0.0, -1.0) * (1.0 + EDGE) else 0.0


def contact_phases(law: Restriction, mass: float, speed: float) -> ContactPhases:
    """The phases of a free impact of a mass in kg at a speed in m/s."""
    if not isinstance(law, RestrictionLaw) or math.isinf(law.r_t):
        raise ParameterError(f"law must be a Restriction, got {law!r}")
    impact = _Impact(law, positive("mass", mass), positive("speed", speed))
    before = 0.5 * mass * speed**2
    after = 0.0 if law.r_d == math.inf else before * float(restitution(law.r_d, speed)) ** 2
    stored = 0.5 * law.r_f * impact.whole
    at_peak = impact.speed_at_peak()
    out = 0.0 if law.r_d == math.inf else impact.time(impact.speed_at_edge(1.0), 1.0)
    return ContactPhases(
        compression_time=impact.time(impact.speed_at_edge(-1.0), -1.0),
        restitution_time=out,
        stored=stored,
        compression_loss=before - stored,
        restitution_loss=stored - after,
        peak_force=impact.force(at_peak, -1.0),
        peak_lead=impact.time(at_peak, -1.0),
    )
