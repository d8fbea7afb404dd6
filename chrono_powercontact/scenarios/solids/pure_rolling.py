"""A rigid body that rolls on a plane without slip and without giving way: the non-holonomic limit of a contact.

In the frame of the body, with the vertical n, the contact point r(n) from the centre of mass, and the angular velocity
w: v = r x w, and  I w' + w x I w = r x F + M  with the force F = m (v' + w x v + g n) at the contact. Rolling friction
is a moment M = -c (F n) u against the direction u of the angular velocity in the plane. Nothing here knows of a contact
law.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from ..constants import GRAVITY

Vector = NDArray[np.float64]

STILL = 1e-9
"""Angular velocity in rad/s below which rolling friction fades."""


@dataclass(frozen=True)
class RollingBody:
    """A body on a plane.

    Attributes:
        mass: in kg. inertia: matrix about the centre of mass in kg m^2, in the body's frame.
        lowest: contact point in m from the centre of mass, as a function of the unit vertical; both in that frame.
        arm: rolling friction c, a moment per normal force, in m.
    """

    mass: float
    inertia: Vector
    lowest: Callable[[Vector], Vector]
    arm: float = 0.0

    def velocity(self, vertical: Vector, turning: Vector) -> Vector:
        """Velocity in m/s of the centre of mass in the body's frame."""
        return np.cross(self.lowest(vertical), turning)

    def acceleration(self, vertical: Vector, turning: Vector) -> Vector:
        """Angular acceleration in rad/s^2 in the body's frame."""
        r = self.lowest(vertical)
        rate = np.cross(vertical, turning)
        small = 1e-6
        r_dot = (self.lowest(vertical + small * rate) - self.lowest(vertical - small * rate)) / (2.0 * small)
        pull = np.cross(r_dot, turning) + np.cross(turning, np.cross(r, turning)) + GRAVITY * vertical
        moment = self.mass * np.cross(r, pull) - np.cross(turning, self.inertia @ turning)
        mass = self.inertia + self.mass * (r @ r * np.eye(3) - np.outer(r, r))
        if self.arm > 0.0:
            rolling = turning - (turning @ vertical) * vertical
            against = self.arm * self.mass * rolling / max(float(np.linalg.norm(rolling)), STILL)
            moment -= against * (vertical @ pull)
            mass = mass + np.outer(against, np.cross(vertical, r))
        return np.asarray(np.linalg.solve(mass, moment), float)

    def energy(self, vertical: Vector, turning: Vector) -> float:
        """Kinetic and potential energy in J."""
        v = self.velocity(vertical, turning)
        height = -float(self.lowest(vertical) @ vertical)
        kinetic = 0.5 * float(turning @ self.inertia @ turning) + 0.5 * self.mass * float(v @ v)
        return kinetic + self.mass * GRAVITY * height

    def roll(self, turn: Vector, turning: Vector, times: Vector) -> tuple[Vector, Vector, Vector]:
        """Verticals, angular velocities (both in the body's frame) and horizontal ways in m at some times in s.

        Args:
            turn: rotation matrix at the start. turning: angular velocity at the start, in the body's frame.
        """

        def rates(t: float, y: Vector) -> Vector:
            matrix = y[:9].reshape(3, 3)
            w = y[9:12]
            vertical = matrix[2]
            spun = np.cross(matrix, w)
            way = matrix @ self.velocity(vertical, w)
            return np.concatenate([spun.ravel(), self.acceleration(vertical, w), way[:2]])

        start = np.concatenate([turn.ravel(), turning, np.zeros(2)])
        run = solve_ivp(rates, (0.0, float(times[-1])), start, "DOP853", times, rtol=1e-9, atol=1e-10)
        return run.y[6:9].T, run.y[9:12].T, run.y[12:14].T


def ellipsoid_point(half_axes: Vector, centre: Vector) -> Callable[[Vector], Vector]:
    """Lowest point of an ellipsoid in m, whose centre lies at a place in the body's frame."""
    square = half_axes**2

    def lowest(vertical: Vector) -> Vector:
        return centre - square * vertical / np.sqrt(vertical @ (square * vertical))

    return lowest


def torus_point(ring: float, tube: float) -> Callable[[Vector], Vector]:
    """Lowest point of a torus in m, whose axis is z."""

    def lowest(vertical: Vector) -> Vector:
        length = np.linalg.norm(vertical)
        flat = np.array([vertical[0], vertical[1], 0.0])
        return -ring * flat / np.linalg.norm(flat) - tube * vertical / length

    return lowest
