"""Numbers and statics of the thesis' block on two feet: dimensions, loads, springs of its cut, closed forms."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...constants import GRAVITY

WIDTH = 0.2
HEIGHT = 0.1
DEPTH = 0.1
MASS = 16.0
"""Dimensions in m and mass in kg of the block (Table 5.1): steel, 8000 kg/m^3."""

MOMENT = MASS * (WIDTH**2 + HEIGHT**2) / 12.0
"""Moment of inertia in kg m^2, 1/15 (erratum E25)."""

WEIGHT = MASS * GRAVITY

BEGIN = 0.010
RATE = 300.0
"""When the load begins in s, and how fast a ramp rises in N/s: recovered from the thesis' slip times."""

SUDDEN = 1e9
"""Rise in N/s of a load that is there at once."""


class Load(NamedTuple):
    """A horizontal force at the upper right corner: its end value in N, when it begins in s, its rise in N/s."""

    force: float
    begin: float = BEGIN
    rise: float = RATE

    def at(self, t: float) -> float:
        """The force in N at a time in s."""
        return min(max(self.rise * (t - self.begin), 0.0), self.force)


NO_LOAD = Load(0.0, 0.0, 0.0)

LOADS = ("ramp", "constant", "step")


def load_of(kind: str, force: float) -> Load:
    """A load by its kind: a ramp up to the force from 10 ms on, or all of it from the start or from 10 ms on."""
    return {
        "ramp": Load(force),
        "constant": Load(force, -1.0, SUDDEN),
        "step": Load(force, BEGIN, SUDDEN),
    }[kind]


FORCE_LAWS = ("tanh", "lpv", "anchored", "lugre")
"""Laws of friction: the thesis' Coulomb part, the same filtered, the same anchored, and LuGre."""


class Springs(NamedTuple):
    """Stiffness and damping of the cut: N/m, N m/rad, N s/m, N m s/rad."""

    c_t: float = 1e9
    c_r: float = 1e9
    d_t: float = 10.0
    d_r: float = 10.0


LOW = Springs(1e6, 1e6, 1.0, 1.0)
"""Low accuracy of Table 5.2 (NG), for steps of 0.1 ms; the default is its high accuracy (HG), for 1 us."""


REST = (0.5 * WIDTH, 0.5 * HEIGHT, 0.0)
"""Coordinates of the rigid block at rest, with foot A at the origin."""

RIGID_CUT = (0.25 * WIDTH, 0.5 * HEIGHT, 0.0, 0.75 * WIDTH, 0.5 * HEIGHT, 0.0)
"""Coordinates of both halves as if they were one rigid block (5.1)."""


def sagging(springs: Springs) -> tuple[float, ...]:
    """Coordinates of both halves in (approximate) static equilibrium without load (B.29)."""
    angle = -WIDTH / (8.0 * springs.c_r) * 0.5 * WEIGHT
    c = math.cos(angle)
    s = math.sin(angle)
    x = 0.25 * WIDTH * c - 0.5 * HEIGHT * s
    y = 0.25 * WIDTH * s + 0.5 * HEIGHT * c
    return x, y, angle, WIDTH - x, y, -angle


def exact_sag(springs: Springs) -> float:
    """Angle in rad of the left half in exact equilibrium with sticking feet (E22)."""
    return -0.25 * WIDTH * WEIGHT / (4.0 * springs.c_r + springs.c_t * HEIGHT**2)


def spring_share(springs: Springs) -> float:
    """Fraction of the load that foot A of the cut block takes, b^2 c_t/(b^2 c_t + 4 c_r)."""
    return HEIGHT**2 * springs.c_t / (HEIGHT**2 * springs.c_t + 4.0 * springs.c_r)


def spring_split(springs: Springs, force: float) -> float:
    """Friction force in N of foot A of the cut block in stick under a load in N, with the preload of its sag."""
    preload = 0.25 * springs.c_t * HEIGHT * WIDTH * WEIGHT / (4.0 * springs.c_r + springs.c_t * HEIGHT**2)
    return preload - spring_share(springs) * force


def spring_compliance(springs: Springs) -> tuple[np.ndarray, np.ndarray]:
    """Strain energy of the cut as a function of T_A and T_B: compliance in m/N, and bias in m from weight and load.

    The halves carry T_A through the cut as a force and as a moment about its middle; T_B follows from the balance.
    The load enters through T_A + T_B = -F, with which the normal forces at rest are those of `resting_normals`.
    """
    arm = 0.5 * HEIGHT
    weight = 0.25 * WIDTH * WEIGHT * 0.5
    moment = np.array([0.0, -arm])
    matrix = np.zeros((2, 2))
    matrix[0, 0] = 1.0 / springs.c_t
    matrix += np.outer(moment, moment) / springs.c_r
    return matrix, -weight * moment / springs.c_r


def resting_normals(force: Any) -> tuple[Any, Any]:
    """Normal forces in N of feet A and B under a load in N, at rest."""
    tilt = HEIGHT / WIDTH * force
    return 0.5 * WEIGHT - tilt, 0.5 * WEIGHT + tilt


def sliding_forces(force: Any, mu_a: float = 0.1, mu_b: float = 0.1) -> tuple[Any, Any, Any, Any]:
    """T_A, N_A, T_B, N_B in N of the block that slides to the right under a load in N, or under an array of loads."""
    ratio = HEIGHT / WIDTH
    n_b = 0.5 * (WEIGHT * (1.0 + ratio * mu_a) + ratio * force) / (1.0 - 0.5 * ratio * (mu_b - mu_a))
    n_a = WEIGHT - n_b
    return -mu_a * n_a, n_a, -mu_b * n_b, n_b


def slip_load(mu_a: float, mu_b: float) -> float:
    """Load in N at which the block begins to slide, both feet at their limits."""
    return 0.5 * (mu_a + mu_b) * WEIGHT / (1.0 + (mu_a - mu_b) * HEIGHT / WIDTH)


def stick_interval(force: Any, mu_a: float, mu_b: float) -> tuple[Any, Any]:
    """Friction forces in N that foot A may have at rest under a load in N, in closed form."""
    n_a, n_b = resting_normals(force)
    low = np.maximum(-mu_a * n_a, -force - mu_b * n_b)
    return low, np.minimum(mu_a * n_a, -force + mu_b * n_b)


class Motion(NamedTuple):
    """Motion of the rigid block in closed form: when it slips in s (or inf), its displacement in m and speed in m/s."""

    slip_time: float
    displacement: float
    speed: float


def rigid_motion(load: Load, mu_a: float, mu_b: float, time: float) -> Motion:
    """The motion until a time in s: at rest below the limit, then with the friction of sliding."""
    limit = slip_load(mu_a, mu_b)
    if load.force <= limit:
        return Motion(float("inf"), 0.0, 0.0)
    begin = max(load.begin + limit / load.rise, 0.0)
    if begin >= time:
        return Motion(float("inf"), 0.0, 0.0)
    t = np.linspace(begin, time, 4001)
    forces = np.clip(load.rise * (t - load.begin), 0.0, load.force)
    t_a, _, t_b, _ = sliding_forces(forces, mu_a, mu_b)
    rate = (forces + t_a + t_b) / MASS
    h = t[1] - t[0]
    speed = np.concatenate([[0.0], np.cumsum(0.5 * h * (rate[1:] + rate[:-1]))])
    return Motion(float(begin), float(np.sum(0.5 * h * (speed[1:] + speed[:-1]))), float(speed[-1]))
