"""What every engine builds from a description, and how a run of it is followed.

A world is a level ground (z = 0) under gravity, which may be tilted, and bodies that touch it and each other.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.optimize import brentq

Vector = tuple[float, float, float]

CORNER_RADIUS = 0.002
"""Radius in m of the spheres at the corners of a box, in engines whose boxes have no corner contacts."""

BUDGET = 40.0
"""Processor time in s after which a run is given up."""

FEET = 0.9
"""Distance between the feet of a box that stands on another, over its width."""


@dataclass(frozen=True)
class Body:
    """A box or a ball.

    Attributes:
        mass: in kg. size: edges of a box in m, or three times the diameter of a ball. ball: whether it is one.
        at: position of its middle in m. turn: quaternion, real part first.
        velocity: in m/s. spin: angular velocity in rad/s in the frame of the ground.
    """

    mass: float
    size: Vector
    at: Vector
    ball: bool = False
    turn: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    velocity: Vector = (0.0, 0.0, 0.0)
    spin: Vector = (0.0, 0.0, 0.0)

    @property
    def radius(self) -> float:
        """Radius of a ball in m."""
        return 0.5 * self.size[0]

    @property
    def moments(self) -> Vector:
        """Moments of inertia in kg m^2 about its axes."""
        if self.ball:
            return (0.4 * self.mass * self.radius**2,) * 3
        x, y, z = (edge**2 for edge in self.size)
        return self.mass * (y + z) / 12.0, self.mass * (x + z) / 12.0, self.mass * (x + y) / 12.0

    def corners(self, radius: float = 0.0) -> list[list[float]]:
        """Centres in m of spheres of a radius in m in its corners."""
        signs = product((-1, 1), repeat=3)
        return [[(0.5 * edge - radius) * s for edge, s in zip(self.size, sign, strict=True)] for sign in signs]

    def feet(self, radius: float) -> list[list[float]]:
        """Centres in m of four spheres of a radius in m on which a box stands on another, a little inside its edges."""
        x, y, z = (0.5 * edge for edge in self.size)
        return [[FEET * x * a, FEET * y * b, radius - z] for a, b in product((-1, 1), repeat=2)]


@dataclass(frozen=True)
class Pull:
    """A spring along x from the middle of the first body to a point that moves to and fro.

    Attributes:
        stiffness: in N/m. amplitude: of the point in m. rate: of its motion in rad/s.
    """

    stiffness: float
    amplitude: float
    rate: float

    def end(self, t: float) -> float:
        """Position of the point in m at a time in s."""
        return self.amplitude * math.sin(self.rate * t)

    def force(self, t: float, x: float) -> float:
        """Force in N on the body at a position in m."""
        return self.stiffness * (self.end(t) - x)


@dataclass(frozen=True)
class World:
    """A scene that any engine can be asked for.

    Attributes:
        bodies: the first is the lowest. time: length of a run in s. record: time between records in s, at least a step.
        gravity: in m/s^2. mu: coefficient of friction.
        restitution: asked for an impact at `speed` in m/s; 0 is as little as the engine can.
        depth: how deep in m a soft contact may become in that impact, or at rest if there is no restitution.
        force_limit: largest force in N of one contact under our law.
        pull: a spring.
    """

    bodies: tuple[Body, ...]
    time: float
    record: float
    gravity: Vector = (0.0, 0.0, -9.81)
    mu: float = 0.5
    restitution: float = 0.0
    speed: float = 1.0
    depth: float = 2e-5
    force_limit: float = 400.0
    pull: Pull | None = None

    @property
    def weight(self) -> float:
        """Weight in N of all bodies."""
        return math.hypot(*self.gravity) * sum(body.mass for body in self.bodies)

    def impact_stiffness(self) -> float:
        """Stiffness in N/m of a linear spring that is as deep as asked when the first body strikes."""
        return self.bodies[0].mass * (self.speed / self.depth) ** 2

    def rest_stiffness(self) -> float:
        """Stiffness in N/m of each of four linear springs that carry all bodies as deep as asked."""
        return 0.25 * self.weight / self.depth


@dataclass(frozen=True)
class Run:
    """A finished run.

    Attributes:
        t: times of the records in s.
        states: at each record, position in m and (if the engine tells it) quaternion of each body.
        cost: processor time in s per simulated second.
    """

    t: np.ndarray
    states: np.ndarray
    cost: float


def record_times(world: World, step: float) -> np.ndarray:
    """Times in s at which a run with a step in s is recorded: multiples of the step."""
    every = max(world.record, step)
    return np.arange(round(world.time / every) + 1) * every


def followed(advance: Callable[[int], None], read: Callable[[], list[list[float]]], world: World, step: float) -> Run:
    """Follow a run; only the steps are on the clock.

    Args:
        advance: takes so many steps. read: position in m and quaternion of each body. world: what runs. step: in s.
    """
    times = record_times(world, step)
    states, cost = [read()], 0.0
    for count in np.diff(np.rint(times / step).astype(int)).tolist():
        begin = time.process_time()
        advance(count)
        cost += time.process_time() - begin
        states.append(read())
        if cost > BUDGET:
            raise TimeoutError(f"stopped at {times[len(states) - 1]:.3g} s of {times[-1]:g} s: too expensive")
    return Run(times, np.array(states), cost / times[-1])


def hunt_crossley_dissipation(restitution: float, speed: float) -> float:
    """Dissipation d in s/m of a force f(x) (1 + d x') with a restitution at an impact speed in m/s.

    The work of f into the contact and out of it is the same, hence a - ln(1 + a) = -e a - ln(1 - e a) with a = d speed.
    """

    def excess(a: float) -> float:
        return a - math.log1p(a) + restitution * a + math.log1p(-restitution * a)

    return float(brentq(excess, 1e-6, (1.0 - 1e-12) / restitution)) / speed


def damping_ratio(restitution: float) -> float:
    """Damping ratio of a linear spring and damper that push only, with a restitution (Schwager and Poeschel 2007)."""

    def excess(ratio: float) -> float:
        swing = math.sqrt(1.0 - ratio**2)
        angle = math.pi - math.atan2(2.0 * ratio * swing, 1.0 - 2.0 * ratio**2)
        return math.exp(-ratio / swing * angle) - restitution

    return float(brentq(excess, 1e-9, 0.999))
