"""The five cases of the work-precision benchmark: what runs, and how large the error of a run is.

The errors are true ones. Bounce, slide and stick-slip have closed forms for a rigid body with Coulomb friction and the
restitution asked; a stack at rest must not move; only the tumbling cube is compared with fine runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import brentq
from worlds.world import Body, Pull, Run, World

G = 9.81
"""Gravity in m/s^2."""

STEPS = (1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2)
"""Steps in s."""

SHORT_STEPS = (1e-5, 2e-5, 5e-5)
"""Further steps in s for the bounce, which lasts half a millisecond."""

RECORD = 2e-2
"""Time between records in s: every step divides it."""

CUBE = Body(1.0, (0.2, 0.2, 0.2), (0.0, 0.0, 0.1))

DROP, RESTITUTION, PHASES = 0.1, 0.6, 5
"""Height in m from which the ball falls, restitution, and how many parts of a step the fall begins earlier."""

BALL = Body(0.05, (0.04, 0.04, 0.04), (0.0, 0.0, DROP + 0.02), ball=True)

SPEED = 2.0
"""Of the box that slides, in m/s."""

PULL = Pull(400.0, 0.05, math.pi)

SLAB, SLABS, SLOPE, SETTLED = Body(1.0, (0.3, 0.3, 0.1), (0.0, 0.0, 0.05)), 10, math.radians(10.0), 2.0
"""A box of the stack, how many there are, angle of the slope in rad, and when the drift begins to count in s."""


@dataclass(frozen=True)
class Case:
    """One case.

    Attributes:
        name: what the table calls it. unit: of its error. worlds: what runs with a step in s; the largest error counts.
        error: of the runs of these worlds; None if it is the distance from a fine run.
        truth: where the true answer comes from.
    """

    name: str
    unit: str
    worlds: Callable[[float], list[World]]
    error: Callable[[Sequence[Run]], float] | None
    truth: str


def bounces(step: float) -> list[World]:
    """The same fall, begun at several parts of a step earlier, so that no step is lucky."""
    impact = math.sqrt(2.0 * G * DROP)
    kept = World((BALL,), 0.4, 1e-3, mu=0.0, restitution=RESTITUTION, speed=impact, depth=2e-4, force_limit=2000.0)
    falls = [step * i / PHASES for i in range(PHASES)]
    starts = [replace(BALL, at=(0.0, 0.0, BALL.at[2] - 0.5 * G * t**2), velocity=(0.0, 0.0, -G * t)) for t in falls]
    return [replace(kept, bodies=(start,)) for start in starts]


def top(z: np.ndarray) -> float:
    """Highest point in m after the first impact: that of the parabola through the highest record.

    The last one if there is no bounce.
    """
    rises = np.flatnonzero(np.diff(z) > 0.0)
    if len(rises) == 0:
        return float(z[-1])
    lowest = int(rises[0])
    falls = np.flatnonzero(np.diff(z[lowest:]) < 0.0)
    if len(falls) == 0 or falls[0] == 0:
        return float(z[lowest])
    before, middle, after = z[lowest + falls[0] - 1 : lowest + falls[0] + 2]
    return float(middle - (after - before) ** 2 / (8.0 * (after - 2.0 * middle + before)))


def bounce_error(runs: Sequence[Run]) -> float:
    """Largest relative error of the height of the first bounce."""
    exact = RESTITUTION**2 * DROP
    return max(abs(top(run.states[:, 0, 2]) - BALL.radius - exact) / exact for run in runs)


def slides(_step: float) -> list[World]:
    """A cube that slides to rest on the level."""
    return [World((replace(CUBE, velocity=(SPEED, 0.0, 0.0)),), 1.0, RECORD)]


def slide_error(runs: Sequence[Run]) -> float:
    """Relative error of the distance v^2/(2 mu g)."""
    exact = SPEED**2 / (2.0 * 0.5 * G)
    return abs(float(runs[0].states[-1, 0, 0]) - exact) / exact


def stick_slips(_step: float) -> list[World]:
    """A cube that a spring pulls to and fro."""
    return [World((CUBE,), 4.0, RECORD, pull=PULL)]


def slip(t0: float, x0: float, way: float) -> Callable[[float], tuple[float, float]]:
    """Position in m and speed in m/s of the pulled cube while it slips one way (1 or -1), from rest at x0 in m.

    m x'' = k (A sin(W t) - x) - way mu m g has a particular solution B sin(W t) - way mu m g/k.
    """
    frequency = math.sqrt(PULL.stiffness / CUBE.mass)
    shift = way * 0.5 * CUBE.mass * G / PULL.stiffness
    b = PULL.amplitude / (1.0 - (PULL.rate / frequency) ** 2)
    c = x0 + shift - b * math.sin(PULL.rate * t0)
    d = -b * PULL.rate / frequency * math.cos(PULL.rate * t0)

    def motion(t: float) -> tuple[float, float]:
        a, w = frequency * (t - t0), PULL.rate * t
        x = b * math.sin(w) - shift + c * math.cos(a) + d * math.sin(a)
        return x, b * PULL.rate * math.cos(w) + frequency * (d * math.cos(a) - c * math.sin(a))

    return motion


def first(function: Callable[[float], float], start: float, end: float) -> float:
    """First time in s after a start at which a function becomes positive, or the end."""
    grid = np.linspace(start, end, max(round((end - start) / 1e-4), 2))[1:]
    above = [function(t) > 0.0 for t in grid]
    if not any(above):
        return end
    i = above.index(True)
    return float(brentq(function, grid[i - 1], grid[i], xtol=1e-14)) if i else float(grid[0])


def exact_stick_slip(times: np.ndarray) -> np.ndarray:
    """Positions in m of the pulled cube under Coulomb friction, piece by piece in closed form."""
    limit, end = 0.5 * CUBE.mass * G, float(times[-1]) + 1e-3
    found, now, x = np.zeros(len(times)), 0.0, 0.0
    while now < end:
        held = x
        breaks = first(lambda t, held=held: abs(PULL.force(t, held)) - limit, now, end)  # type: ignore[misc]
        found[times >= now] = held
        if breaks >= end:
            break
        way = math.copysign(1.0, PULL.force(breaks, held))
        motion = slip(breaks, held, way)
        now = first(lambda t, motion=motion, way=way: -way * motion(t)[1], breaks + 1e-3, end)  # type: ignore[misc]
        slipping = (times >= breaks) & (times < now)
        found[slipping] = [motion(t)[0] for t in times[slipping]]
        x = motion(now)[0]
    return found


def stick_slip_error(runs: Sequence[Run]) -> float:
    """Largest distance from the exact motion over the amplitude of the pull."""
    way = runs[0].states[:, 0, 0] - exact_stick_slip(runs[0].t)
    return float(np.abs(way).max()) / PULL.amplitude


def stacks(_step: float) -> list[World]:
    """Ten boxes on one another on a slope."""
    boxes = tuple(replace(SLAB, at=(0.0, 0.0, SLAB.size[2] * (i + 0.5))) for i in range(SLABS))
    return [World(boxes, 4.0, RECORD, gravity=(G * math.sin(SLOPE), 0.0, -G * math.cos(SLOPE)))]


def stack_error(runs: Sequence[Run]) -> float:
    """Largest mean speed of a box in m/s after settling, or how far the stack has gone astray over the time."""
    run = runs[0]
    begin = int(np.searchsorted(run.t, SETTLED - 1e-9))
    way = np.linalg.norm(run.states[-1, :, :3] - run.states[begin, :, :3], axis=1)
    return float(way.max() / (run.t[-1] - run.t[begin]))


def tumbles(_step: float) -> list[World]:
    """A cube that is thrown, lands on a corner and rolls over."""
    c, s = math.cos(0.4), math.sin(0.4) / math.sqrt(3.0)
    thrown = replace(CUBE, at=(0.0, 0.0, 0.4), turn=(c, s, s, s), velocity=(1.0, 0.3, 0.0), spin=(1.0, 4.0, 2.0))
    return [World((thrown,), 0.6, RECORD, force_limit=2000.0)]


def apart(run: Run, fine: Run) -> float:
    """Root of the mean squared distance in m between the middles of the first body of two runs, over their records."""
    way = run.states[:, 0, :3] - fine.states[:, 0, :3]
    return float(np.sqrt((way**2).sum(axis=1).mean()))


CASES = (
    Case("bounce", "relative", bounces, bounce_error, "closed form: the height e^2 h for the restitution asked"),
    Case("slide", "relative", slides, slide_error, "closed form: the distance v^2/(2 mu g)"),
    Case("stick-slip", "relative", stick_slips, stick_slip_error, "closed form, piece by piece, for Coulomb friction"),
    Case("stack", "m/s", stacks, stack_error, "exact: the boxes stay where they are"),
    Case("tumble", "m", tumbles, None, "distance from a fine run of the same engine and setting"),
)
