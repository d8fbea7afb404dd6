"""The scene that every engine builds, and how a run of it is followed and measured.

A cube stands on a slope below its friction angle. All engines have the slope level and gravity tilted: x points
downhill, z off the ground. The cube is released at rest with its lower face in the plane of the ground.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

MASS, EDGE, MU, ANGLE = 1.0, 0.2, 0.5, math.radians(20.0)
"""In kg, m, 1 and rad: the load is 73 % of what Coulomb's friction holds."""

GRAVITY = (9.81 * math.sin(ANGLE), 0.0, -9.81 * math.cos(ANGLE))
"""In m/s^2."""

MOMENT = MASS * EDGE**2 / 6.0
"""Moment of inertia in kg m^2 about any axis through the middle."""

CORNER_RADIUS = 0.002
"""Radius in m of the spheres at the corners, in engines whose boxes have no corner contacts."""

SIGNS = tuple(product((-1, 1), repeat=3))

TIME = 20.0
"""Simulated time in s: the second half counts, because one of the contacts rings for several seconds."""

FOOT = (0.0, 0.0, -0.5 * EDGE)
"""The point of the cube in m that is followed, middle of the face on the ground: on soft contacts the cube leans."""

RECORDS = 400
"""Records of a run, besides the start."""

LONG_STEP = 1e-2
"""Step in s at which those that stand at their own step run once more."""


@dataclass(frozen=True)
class Setting:
    """One way to run the scene.

    Attributes:
        name: what the table calls it.
        option: the settings that differ from the engine's defaults, by their documented names.
        source: where these are documented.
        default: whether the engine's friction is left as it comes.
        step: time step in s; None where the integrator chooses it.
        values: numbers for `run` of the engine.
    """

    name: str
    option: str
    source: str
    default: bool
    step: float | None = None
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Track:
    """A finished run: times in s, ways of the foot downhill in m, and processor time in s per simulated second."""

    t: np.ndarray
    x: np.ndarray
    cost: float


def corner_places(radius: float = 0.0) -> list[list[float]]:
    """Centres in m of spheres of a radius in m that fill the eight corners of the cube."""
    return [[(0.5 * EDGE - radius) * sign for sign in signs] for signs in SIGNS]


def foot(x: float, quaternion: Sequence[float]) -> float:
    """Way in m of the foot, from that of the middle and the turn (real part first)."""
    e0, e1, e2, e3 = quaternion
    return float(x + 2.0 * (e1 * e3 + e0 * e2) * FOOT[2])


def follow(advance: Callable[[int], float], step: float) -> Track:
    """Follow a run; the cost is the median over its records.

    Args:
        advance: takes so many steps, returns the way of the foot in m.
        step: in s.
    """
    marks = np.rint(np.linspace(0.0, TIME, RECORDS + 1) / step).astype(int)
    x, costs = [0.0], []
    for count in np.diff(marks).tolist():
        begin = time.process_time()
        x.append(advance(count))
        costs.append((time.process_time() - begin) / (count * step))
    return Track(marks * step, np.array(x), float(np.median(costs)))


def creep(track: Track) -> float:
    """Mean speed downhill in m/s over the second half."""
    half = len(track.t) // 2
    return float((track.x[-1] - track.x[half]) / (track.t[-1] - track.t[half]))


def presliding(track: Track) -> float:
    """Way in m that is not creep: what the line of the creep shows at the start."""
    return float(track.x[-1] - creep(track) * track.t[-1])
