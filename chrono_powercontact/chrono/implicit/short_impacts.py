"""Impacts shorter than a step: the exit speed that the normal law gives a free impact, as a target of the solve.

The law is integrated over the impact of the effective mass alone, which needs no closed form: every normal law is
treated alike, breakable walls and users' laws included.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel import kernel
from ...laws.normal.normal_table import normal_force

ERROR = 1e-6
"""Error of one step of the integration, relative to the impact speed and to the distance that it covers."""
MOST_STEPS = 4000
SHORTEST_FLIGHT = 2.0
LONGEST_IMPACT = 50.0
"""In steps: a bounce with a shorter flight is left to the law, and so is an impact that takes longer."""
LONGEST_STRETCH = 0.02
"""Longest stretch of an integration step, relative to what the impact speed covers in the step of Chrono."""
LARGEST_FALL = 0.2
"""Change of speed by other forces during an impact, relative to the impact speed, above which it is left to the law."""


class Exit(NamedTuple):
    """Normal speed in m/s after a free impact (negative: the wall broke), its duration in s, and whether it ended."""

    speed: float
    duration: float
    ended: bool


@kernel
def acceleration(law: Any, s: float, v: float, mass: float) -> float:
    """Acceleration in m/s^2 of an effective mass under a normal law."""
    return normal_force(law, s, v)[0] / mass


@kernel
def free_impact(law: Any, start: float, mass: float, speed: float, scale: float) -> Exit:
    """A free impact of an effective mass in kg at a speed in m/s from the distance `start`; nothing else acts.

    Bogacki and Shampine's pair of orders 3 and 2 with an adaptive step; `scale` is the longest stretch of a step in m.
    It ends when the distance is `start` again, or when the force has vanished beyond a wall.
    """
    s = start
    v = -speed
    t = 0.0
    dt = 0.1 * scale / speed
    k1 = acceleration(law, s, v, mass)
    for _ in range(MOST_STEPS):
        v2 = v + 0.5 * dt * k1
        k2 = acceleration(law, s + 0.5 * dt * v, v2, mass)
        v3 = v + 0.75 * dt * k2
        k3 = acceleration(law, s + 0.75 * dt * v2, v3, mass)
        ahead = v + dt * (2.0 * k1 + 3.0 * k2 + 4.0 * k3) / 9.0
        reached = s + dt * (2.0 * v + 3.0 * v2 + 4.0 * v3) / 9.0
        k4 = acceleration(law, reached, ahead, mass)
        error = abs(dt * (-5.0 * k1 / 72.0 + k2 / 12.0 + k3 / 9.0 - k4 / 8.0)) / speed
        if error <= ERROR or dt * speed < 1e-9 * scale:
            t += dt
            s = reached
            v = ahead
            k1 = k4
            if v > 0.0 and s >= start:
                return Exit(v, t, True)
            if v < 0.0 and s < start - 20.0 * scale and k1 == 0.0:
                return Exit(v, t, True)
        dt *= min(max(0.9 * (ERROR / max(error, 1e-30)) ** (1.0 / 3.0), 0.2), 4.0)
        dt = min(dt, scale / max(abs(v), 0.05 * speed))
    return Exit(v, t, False)


@kernel
def exit_target(leaves: float, approach: float, apart: float, fall: float, h: float) -> float:
    """Normal speed in m/s at the end of a step in which an impact happened.

    Between impacts the step conserves v^2/2 - a z + a h v/2 at a constant acceleration a: the exit speed is given to
    the body at the barrier in this measure, which makes flights as high as without the step. The energy may not exceed
    that before the step.

    Args:
        leaves: exit speed at the barrier. approach: normal speed before the step. apart: distance to the barrier in m.
        fall: relative normal acceleration of free motion in m/s^2.
    """
    under = 0.25 * (fall * h) ** 2 + 2.0 * fall * apart + leaves * leaves
    target = 0.5 * fall * h + np.sqrt(max(under, 0.0))
    most = fall * h + np.sqrt(max((fall * h) ** 2 + approach * approach, 0.0))
    return min(target, most)


@kernel
def impact_speed(approach: float, apart: float, fall: float, h: float) -> float:
    """Speed in m/s at which the barrier is reached, from the measure that the step conserves."""
    return np.sqrt(max(approach * approach + fall * h * approach - 2.0 * fall * apart, 0.0))


@kernel
def is_behind(law: Any, s_0: float, gap: float) -> bool:
    """Whether a place with a negative gap is behind a wall of finite thickness: less force acts there than at s_0."""
    return normal_force(law, s_0 + gap, 0.0)[0] < normal_force(law, s_0, 0.0)[0]
