"""The force in a pin from the motion of the bars that it joins: Newton and Euler for each free body.

The minimal-coordinate engine finds the reaction at its cut by (7), from M, B and the laws. Here it follows from the
recorded motion alone: the moment of each bar about its other end, a moving point (3.27). Nothing is shared but the
numbers of the bars.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..constants import GRAVITY

Floats = NDArray[np.float64]

MARGIN = 5
"""Records at the end at which derivatives are not compared: there they are less accurate."""

SETTLED = 0.01
"""Time in s from which reactions are compared: those of Chrono's HHT need some steps until they settle."""


def derivative(t: Floats, signal: Floats) -> Floats:
    """Time derivative of a recorded signal by a spline of the fifth degree."""
    from scipy.interpolate import make_interp_spline

    return np.asarray(make_interp_spline(t, signal, k=5)(t, 1))


def cross(a: Floats, b: Floats) -> Floats:
    """z component of the cross product of plane vectors, one per row."""
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def along(angle: Floats) -> Floats:
    """Unit vectors at some angles in rad, one per row."""
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


@dataclass(frozen=True)
class TurningPoint:
    """A point of a moving body: velocity in m/s by rows."""

    velocity: Floats

    def along(self, length: float, angle: Floats, omega: Floats) -> TurningPoint:
        """The point at a distance in m along a bar that begins here."""
        aside = along(angle + 0.5 * np.pi)
        return TurningPoint(self.velocity + length * omega[:, None] * aside)


@dataclass(frozen=True)
class Bar:
    """A bar with a pin of unknown force at its far end.

    Attributes:
        length: to that pin. centre: distance of the centre of mass, both from the near end in m.
        mass: in kg. inertia: about the centre of mass in kg m^2.
    """

    length: float
    centre: float
    mass: float
    inertia: float

    def pin_moment(self, t: Floats, near: TurningPoint, angle: Floats, omega: Floats) -> Floats:
        """Moment about the near end that the far pin must give, in N m (3.27), from the motion of the bar."""
        middle = near.along(self.centre, angle, omega)
        push = np.stack([derivative(t, v) for v in middle.velocity.T], axis=-1) + np.array([0.0, GRAVITY])
        lever = self.centre * along(angle)
        return np.asarray(self.inertia * derivative(t, omega) + self.mass * cross(lever, push))


def uniform(length: float, mass: float) -> Bar:
    """A uniform bar."""
    return Bar(length, 0.5 * length, mass, mass * length**2 / 12.0)


def force_of_two(arms: tuple[Floats, Floats], moments: tuple[Floats, Floats]) -> Floats:
    """The force f on the first of two bars in their common pin, by rows, from the moments about their near ends.

    Args:
        arms: from the near end of each bar to the pin, in m.
        moments: that the pin gives to each bar: of f on the first, of -f on the second.
    """
    first, second = arms
    sides = np.stack([moments[0], -moments[1]], axis=-1)
    table = np.stack([np.stack([-arm[:, 1], arm[:, 0]], axis=-1) for arm in (first, second)], axis=-2)
    return np.asarray(np.linalg.solve(table, sides[..., None])[..., 0])


def largest_difference(t: Floats, found: Floats, expected: Floats) -> float:
    """Largest distance of two forces over time, over the largest size of the second, once they have settled."""
    rows = np.flatnonzero(t >= SETTLED)[:-MARGIN]
    scale = float(np.linalg.norm(expected[rows], axis=1).max(initial=0.0))
    return float(np.linalg.norm(found[rows] - expected[rows], axis=1).max(initial=0.0)) / max(scale, 1e-12)
