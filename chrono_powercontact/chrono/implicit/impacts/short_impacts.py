"""Impacts shorter than a step: the exit speed that the normal law gives a free impact, as a target of the solve.

The law is integrated over the impact of the effective mass alone, which needs no closed form: every normal law is
treated alike, breakable walls and users' laws included.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....kernel import inlined, kernel
from ....laws.normal.normal_table import normal_force

ERROR = 1e-6
"""Error of one step of the integration, relative to the impact speed and to the distance that it covers."""
NEGLIGIBLE = 1e-9
"""Force behind a wall, relative to the largest one, up to which it counts as felt."""
MOST_STEPS = 4000
SHORTEST_FLIGHT = 2.0
LONGEST_IMPACT = 50.0
"""In steps: a bounce with a shorter flight is left to the law, and so is an impact that takes longer."""
LONGEST_STRETCH = 0.02
"""Longest stretch of an integration step, relative to what the impact speed covers in the step of Chrono."""
LARGEST_FALL = 0.2
"""Change of speed by other forces during an impact, relative to the impact speed, above which it is left to the law."""


class Exit(NamedTuple):
    """How an impact ends.

    Attributes:
        speed: normal speed in m/s; negative if the wall broke. duration: in s, as long as a force is felt.
        ended: whether it ended at all. place: distance in m where it ended. passing: speed in m/s with which the step
            ends inside or behind a wall that broke, NaN if it ends in front of it.
    """

    speed: float
    duration: float
    ended: bool
    place: float
    passing: float


class Impact(NamedTuple):
    """An impact as its effective mass sees it.

    Attributes:
        start, outside: distances in m at which it begins, and beyond which the law does not act. speed: of approach in
            m/s. mass: effective mass in kg. fall: acceleration in m/s^2 by other forces. scale: in m, see
            LONGEST_STRETCH. gap: distance in m at the start of the step. h: the step in s.
    """

    start: float
    outside: float
    speed: float
    mass: float
    fall: float
    scale: float
    gap: float
    h: float


@kernel
def beyond_end(impact: Impact, s: float, v: float) -> float:
    """How far in m a place s is still from where the step would end with the speed v that is reached there."""
    return s - impact.gap - impact.h * v


@kernel
def passing_speed(impact: Impact, s: float, v: float, reached: float, ahead: float) -> float:
    """Speed in m/s at the place between two others at which the step would end with it; NaN if there is none."""
    before = beyond_end(impact, s, v)
    after = beyond_end(impact, reached, ahead)
    if ahead < 0.0 and before > 0.0 and after <= 0.0:
        return v + (ahead - v) * before / (before - after)
    return np.nan


@inlined
def accelerated(law: Any, impact: Impact, s: float, v: float) -> float:
    """Acceleration in m/s^2 at a place and a speed."""
    return normal_force(law, s, v)[0] / impact.mass + impact.fall


@inlined
def impact_step(law: Any, impact: Impact, s: float, v: float, k1: float, dt: float) -> Any:
    """A step dt of Dormand and Prince's pair of orders 5 and 4 from s and v with the acceleration k1.

    Returns distance, speed, force and acceleration at its end, and the error of the speed relative to that of approach.
    """
    v2 = v + dt * k1 / 5.0
    k2 = accelerated(law, impact, s + dt * v / 5.0, v2)
    v3 = v + dt * (3.0 * k1 + 9.0 * k2) / 40.0
    k3 = accelerated(law, impact, s + dt * (3.0 * v + 9.0 * v2) / 40.0, v3)
    v4 = v + dt * (44.0 / 45.0 * k1 - 56.0 / 15.0 * k2 + 32.0 / 9.0 * k3)
    k4 = accelerated(law, impact, s + dt * (44.0 / 45.0 * v - 56.0 / 15.0 * v2 + 32.0 / 9.0 * v3), v4)
    v5 = v + dt * (19372.0 * k1 - 76080.0 * k2 + 64448.0 * k3 - 1908.0 * k4) / 6561.0
    s5 = s + dt * (19372.0 * v - 76080.0 * v2 + 64448.0 * v3 - 1908.0 * v4) / 6561.0
    k5 = accelerated(law, impact, s5, v5)
    v6 = v + dt * (
        9017.0 / 3168.0 * k1 - 355.0 / 33.0 * k2 + 46732.0 / 5247.0 * k3 + 49.0 / 176.0 * k4 - 5103.0 / 18656.0 * k5
    )
    s6 = s + dt * (
        9017.0 / 3168.0 * v - 355.0 / 33.0 * v2 + 46732.0 / 5247.0 * v3 + 49.0 / 176.0 * v4 - 5103.0 / 18656.0 * v5
    )
    k6 = accelerated(law, impact, s6, v6)
    ahead = v + dt * (
        35.0 / 384.0 * k1 + 500.0 / 1113.0 * k3 + 125.0 / 192.0 * k4 - 2187.0 / 6784.0 * k5 + 11.0 / 84.0 * k6
    )
    reached = s + dt * (
        35.0 / 384.0 * v + 500.0 / 1113.0 * v3 + 125.0 / 192.0 * v4 - 2187.0 / 6784.0 * v5 + 11.0 / 84.0 * v6
    )
    force = normal_force(law, reached, ahead)[0]
    k7 = force / impact.mass + impact.fall
    wrong = 71.0 / 57600.0 * k1 - 71.0 / 16695.0 * k3 + 71.0 / 1920.0 * k4
    wrong += -17253.0 / 339200.0 * k5 + 22.0 / 525.0 * k6 - k7 / 40.0
    return reached, ahead, force, k7, abs(dt * wrong) / impact.speed


@kernel
def free_impact(law: Any, impact: Impact) -> Exit:
    """An impact of an effective mass alone, with a constant acceleration by other forces.

    The step of the integration is adaptive. It ends outside, or when the force has vanished
    behind a wall.
    """
    s = impact.start
    v = -impact.speed
    t = 0.0
    dt = 0.1 * impact.scale / impact.speed
    passing = np.nan
    peak = 0.0
    felt = 0.0
    place = s
    k1 = accelerated(law, impact, s, v)
    for _ in range(MOST_STEPS):
        reached, ahead, force, last, error = impact_step(law, impact, s, v, k1, dt)
        if error <= ERROR or dt * impact.speed < 1e-9 * impact.scale:
            if v > 0.0 and ahead < 0.0:
                return Exit(v, t, False, s, np.nan)
            if passing != passing:
                passing = passing_speed(impact, s, v, reached, ahead)
            t += dt
            s = reached
            v = ahead
            k1 = last
            peak = max(peak, force)
            if force > NEGLIGIBLE * peak:
                felt = t
                place = s
            if v > 0.0 and s >= impact.outside:
                beyond = s - impact.outside
                return Exit(np.sqrt(v * v - 2.0 * impact.fall * beyond), t - beyond / v, True, s, np.nan)
            if v < 0.0 and s < impact.start - 20.0 * impact.scale and force == 0.0:
                return Exit(v, felt, True, place, passing)
        dt *= min(max(0.9 * (ERROR / max(error, 1e-30)) ** 0.2, 0.2), 4.0)
        dt = min(dt, impact.scale / max(abs(v), 0.05 * impact.speed))
    return Exit(v, t, False, s, np.nan)


@kernel
def exit_target(leaves: float, approach: float, apart: float, fall: float, h: float) -> float:
    """Normal speed in m/s at the end of a step in which an impact happened.

    Between impacts the step conserves v^2/2 - a z + a h v/2 at a constant acceleration a: the exit speed is given to
    the body at the barrier in this measure, which makes flights as high as without the step. The energy may not exceed
    that before the step.

    Args:
        leaves: exit speed at the barrier. approach: normal speed before the step. apart: distance to where the law
            begins to act, in m.
        fall: relative normal acceleration of free motion in m/s^2.
    """
    under = 0.25 * (fall * h) ** 2 + 2.0 * fall * apart + leaves * leaves
    target = 0.5 * fall * h + np.sqrt(max(under, 0.0))
    most = fall * h + np.sqrt(max((fall * h) ** 2 + approach * approach, 0.0))
    return min(target, most)


@kernel
def impact_speed(approach: float, apart: float, fall: float, h: float) -> float:
    """Speed in m/s at which the law begins to act, from the measure that the step conserves."""
    return np.sqrt(max(approach * approach + fall * h * approach - 2.0 * fall * apart, 0.0))
