"""What a friction law can hold at most, and how fast it creeps under a load: levels that runs are judged by."""

from __future__ import annotations

import numpy as np

from ...laws.friction.dissipation import Dissipation

STEP_ERROR = 1e-3
"""Part of a force or speed that the integration with the step of a table may be off."""

POINTS = 200_001
"""Points of a curve."""


def largest_friction(law: Dissipation, speed: float) -> float:
    """Largest static friction in N at speeds up to one in m/s (2.14); a filter of it never holds more."""
    return float(law.force(np.linspace(0.0, speed, POINTS)).max())


def peak_speed(law: Dissipation) -> float:
    """Speed in m/s at which the rising branch ends; without a Stribeck part ten transition speeds, where it is flat."""
    reach = 10.0 * law.v_c if law.v_s is None else 3.0 * law.v_s
    speeds = np.linspace(0.0, reach, POINTS)
    return float(speeds[np.argmax(law.force(speeds) - law.d * speeds)])


def creep_speed(law: Dissipation, load: float) -> float:
    """Speed in m/s at which the rising branch carries a load in N: F_R^D(v) = load. The peak's where it cannot."""
    speeds = np.linspace(0.0, peak_speed(law), POINTS)
    return float(np.interp(abs(load), law.force(speeds), speeds))
