"""The largest step that resolves an impact, found by trying: a body flies against a restriction in steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .normal.restriction import SmoothRestriction

FloatVector = NDArray[np.float64]

PHASES = 16
"""Places in the first step at which the barrier may lie."""
GAIN = 0.01
"""Kinetic energy that a body may gain beyond what the law gives it, as a fraction of that before the impact."""
SHORTER = 0.9
"""Ratio of one trial step to the one before."""
FINE = 200
"""Steps from s_0 to s_c with which the exit speed is computed that the law gives."""
LONGEST = 20000
"""Steps after which an impact is given up."""


def _euler(law: SmoothRestriction, mass: float, h: float, s: FloatVector, v: FloatVector) -> tuple[FloatVector, ...]:
    """One step of Chrono's linearised integrator with the force at its start."""
    v = v + h / mass * law.force(s, v)
    return s + h * v, v


def _rk4(law: SmoothRestriction, mass: float, h: float, s: FloatVector, v: FloatVector) -> tuple[FloatVector, ...]:
    """One step of Runge and Kutta's method."""
    a1 = law.force(s, v) / mass
    v2 = v + 0.5 * h * a1
    a2 = law.force(s + 0.5 * h * v, v2) / mass
    v3 = v + 0.5 * h * a2
    a3 = law.force(s + 0.5 * h * v2, v3) / mass
    v4 = v + h * a3
    a4 = law.force(s + h * v3, v4) / mass
    return s + h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4), v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)


_STEPS = {"euler": _euler, "rk4": _rk4}


def exit_speeds(law: SmoothRestriction, mass: float, speed: float, h: float, integrator: str) -> FloatVector:
    """Speeds in m/s with which a free mass in kg leaves after an impact, for each place of the barrier in the step."""
    outside = law.s_0 + law.reach
    s = outside + h * speed * np.arange(PHASES) / PHASES
    v = np.full(PHASES, -speed)
    for _ in range(LONGEST):
        s, v = _STEPS[integrator](law, mass, h, s, v)
        if ((v > 0.0) & (s > outside)).all():
            break
    return v


def impact_step(law: SmoothRestriction, mass: float, speed: float, integrator: str, longest: float) -> float:
    """Largest step in s up to the longest one with which an impact gains at most 1 % of its kinetic energy."""
    wide = law.s_0 - law.s_c
    wanted = exit_speeds(law, mass, speed, wide / (FINE * speed), "rk4")[0]
    most = wanted**2 + GAIN * speed**2
    h = min(longest, wide / speed)
    while (exit_speeds(law, mass, speed, h, integrator) ** 2).max() > most:
        h *= SHORTER
    return h
