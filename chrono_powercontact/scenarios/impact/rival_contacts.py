"""Rival contact laws, matched to a restriction by a stated rule, so that a comparison is fair.

The rule: at one impact (mass and speed) the rival without damping goes as deep as the restriction without
dissipation, and its damping is set by its author's formula for the restitution that the restriction has there.
"""

from __future__ import annotations

import math

import numpy as np

from ...errors import UnknownNameError
from ...laws.impact import deepest_distance, restitution
from ...laws.normal.hertz import Hertz
from ...laws.normal.hooke import Hooke
from ...laws.normal.newton import NewtonImpact
from ...laws.normal.normal_law import NormalLaw
from ...laws.normal.restriction import Restriction

RIVALS = ("hooke", "hertz", "hunt-crossley", "flores")
LAWS = ("power", *RIVALS)

MOST_BOUNCES = 200
"""Bounces by Newton's law that are counted at most."""

LEAST_SPEED = 1e-9
"""A point slower than this, in m/s, after an impact no longer bounces."""


def matched(name: str, law: Restriction, mass: float, speed: float) -> NormalLaw:
    """The law of a name for an impact of a mass in kg at a speed in m/s."""
    if name == "power":
        return law
    e = float(restitution(law.r_d, speed))
    elastic = Restriction(law.s_0, law.s_c, law.r_f, 0.0, law.r_a)
    depth = max(law.s_0 - deepest_distance(elastic, mass, speed), 1e-3 * (law.s_0 - law.s_c))
    k_hertz = 1.25 * mass * speed**2 / depth**2.5
    if name == "hooke":
        k = mass * speed**2 / depth**2
        return Hooke(law.s_0, k, 2.0 * _damping_ratio(e) * math.sqrt(k * mass))
    if name == "hertz":
        return Hertz(law.s_0, k_hertz)
    if name == "hunt-crossley":
        return Hertz.hunt_crossley(law.s_0, k_hertz, e, speed)
    if name == "flores":
        return Hertz.flores(law.s_0, k_hertz, e, speed)
    raise UnknownNameError("contact law", name, LAWS)


def _damping_ratio(e: float) -> float:
    """Damping ratio of a linear spring and damper that restitutes e when it may pull until it is back at s_0."""
    logarithm = math.log(e)
    return -logarithm / math.hypot(math.pi, logarithm)


def newton_bounces(
    t: np.ndarray, height: float, floor: float, e: float, gravity: float
) -> tuple[np.ndarray, np.ndarray]:
    """Height in m and speed in m/s of a dropped point that bounces by Newton's impact law.

    Args:
        t: times in s.
        height: at release in m.
        floor: height in m at which it bounces.
        e: restitution.
        gravity: in m/s^2.
    """
    impact = NewtonImpact(e)
    s = np.full(t.size, floor)
    v = np.zeros(t.size)
    begin = 0.0
    start = height
    speed = 0.0
    for _ in range(MOST_BOUNCES):
        fall_speed = speed + math.sqrt(speed**2 + 2.0 * gravity * max(start - floor, 0.0))
        end = begin + fall_speed / gravity
        now = (t >= begin) & (t < end)
        s[now] = start + speed * (t[now] - begin) - 0.5 * gravity * (t[now] - begin) ** 2
        v[now] = speed - gravity * (t[now] - begin)
        speed = float(impact.after(speed - gravity * (end - begin)))
        start = floor
        if end >= t[-1] or speed < LEAST_SPEED:
            break
        begin = end
    return s, v
