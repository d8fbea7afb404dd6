"""Angles and angular velocities of the arms of a mechanism in a plane, from their directions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def angle_over(start: float) -> Callable[[np.ndarray], np.ndarray]:
    """Angles in rad of directions (one row each) without jumps, also from one call to the next, from a start in rad."""
    last = np.array([start])

    def angle(direction: np.ndarray) -> np.ndarray:
        principal = np.arctan2(direction[:, 1], direction[:, 0])
        whole = np.unwrap(np.concatenate([last, principal]))[1:]
        if whole.size:
            last[:] = whole[-1:]
        return whole

    return angle


def turning(direction: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Angular velocity in rad/s in the plane of x and y of a direction that changes at a rate."""
    along = direction[:, 0] * rate[:, 1] - direction[:, 1] * rate[:, 0]
    return np.asarray(along / (direction[:, :2] ** 2).sum(axis=1))


class PendulumAngles:
    """Angles of a double pendulum as the reference engine counts them: the second one against the first."""

    def __init__(self, phi1: float, phi2: float) -> None:
        """Angles in rad at the start."""
        self._first = angle_over(phi1)
        self._second = angle_over(phi1 + phi2)

    def columns(self, positions: np.ndarray, velocities: np.ndarray) -> dict[str, np.ndarray]:
        """Angles in rad and their rates in rad/s.

        Args:
            positions: of both masses in m in the plane of the pendulum; records, masses, coordinates.
            velocities: of both masses in m/s.
        """
        first_arm = positions[:, 0]
        second_arm = positions[:, 1] - positions[:, 0]
        first_rate = turning(first_arm, velocities[:, 0])
        second_rate = turning(second_arm, velocities[:, 1] - velocities[:, 0])
        first = self._first(first_arm)
        second = self._second(second_arm)
        return {
            "phi1": first,
            "phi2": second - first,
            "phi1_dot": first_rate,
            "phi2_dot": second_rate - first_rate,
        }
