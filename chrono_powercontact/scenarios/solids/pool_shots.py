"""Two pool balls: the closed forms of their impact, and of how a ball that slides on cloth comes to roll."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

UP = np.array([0.0, 0.0, 1.0])
ROUND = 0.4
"""Moment of inertia of a uniform ball over its mass and the square of its radius."""


class Shot(NamedTuple):
    """How a cue ball meets a ball at rest.

    Attributes:
        angle: of its path to the line of centres, in rad. topspin: spin over that of rolling; 0 for a stun shot.
        friction: coefficient between the balls.
    """

    angle: float
    topspin: float
    friction: float


class Struck(NamedTuple):
    """Velocities in m/s and spins in rad/s of both balls right after the impact, the cue ball first."""

    velocities: tuple[Vector, Vector]
    spins: tuple[Vector, Vector]


def line_of_centres(shot: Shot) -> Vector:
    """Unit vector from the cue ball, which moves along x, to the other one."""
    return np.array([np.cos(shot.angle), np.sin(shot.angle), 0.0])


def spin_of(shot: Shot, speed: float, radius: float) -> Vector:
    """Spin of the cue ball in rad/s at a speed in m/s."""
    return np.array([0.0, shot.topspin * speed / radius, 0.0])


def impact(shot: Shot, speed: float, radius: float, restitution: float) -> Struck:
    """The impact of equal balls by Newton and Coulomb: no impulse of friction is larger than what ends the slip.

    The slip of the surfaces falls by 7/m for each N s of friction, because both balls move and turn.
    """
    n = line_of_centres(shot)
    velocity = np.array([speed, 0.0, 0.0])
    spin = spin_of(shot, speed, radius)
    push = 0.5 * (1.0 + restitution) * float(velocity @ n)
    slip = velocity - (velocity @ n) * n + radius * np.cross(spin, n)
    drag = -min(1.0 / 7.0, shot.friction * push / max(float(np.linalg.norm(slip)), 1e-300)) * slip
    turn = np.cross(n, drag) / (ROUND * radius)
    return Struck((velocity - push * n + drag, push * n - drag), (spin + turn, turn))


def rolling_velocity(velocity: Vector, spin: Vector, radius: float) -> Vector:
    """Velocity in m/s at which a ball rolls in the end: sliding friction has a constant direction and takes 2/7."""
    slip = velocity - radius * np.cross(spin, UP)
    return np.asarray(velocity - 2.0 / 7.0 * slip)


def time_to_roll(velocity: Vector, spin: Vector, radius: float, deceleration: float) -> float:
    """Time in s until a ball rolls that sliding friction decelerates, in m/s^2."""
    slip = velocity - radius * np.cross(spin, UP)
    return float(2.0 / 7.0 * np.linalg.norm(slip) / deceleration)
