"""What the leg is to do in closed loop: a smooth motion of hip and slide for each exercise, with its derivatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..leg.drives import SAMPLE
from ..leg.leg_kinematics import poses_along
from ..leg.trainer_leg import REST, Leg

Array = NDArray[np.float64]

BEGIN = 1.0
"""Time in s at which an exercise begins; until then the leg is held at rest."""

RAMP = 2.0
"""Time in s over which the swing grows to its amplitude."""

PRESSED = -4e-3
"""Knee angle in rad of exercise 2 once the knee is stretched: the stop is pressed with 6 N m."""

TAP, TAP_ANGLE = 2.0, 0.15
"""Time in s between two taps on the knee stop in exercise 4, and the angle in rad by which the knee bends between."""


@dataclass(frozen=True)
class GaitMotion:
    """A motion, one row of hip angle in rad and slide position in m per sample, with speeds and accelerations.

    Attributes:
        t: time in s. period: of the gait cycle in s. ankle: position in m.
    """

    t: Array
    position: Array
    speed: Array
    acceleration: Array
    ankle: Array
    period: float


def risen(x: Array) -> Array:
    """From 0 to 1 over the unit interval, smooth in its first three derivatives at both ends."""
    y = np.clip(x, 0.0, 1.0)
    return np.asarray(y**4 * (35.0 - 84.0 * y + 70.0 * y**2 - 20.0 * y**3))


def swing(t: Array, period: float) -> Array:
    """Between 0 and 1 and back once a period from BEGIN on, growing over RAMP."""
    since = np.maximum(t - BEGIN, 0.0)
    return np.asarray(risen(since / RAMP) * 0.5 * (1.0 - np.cos(2.0 * np.pi * since / period)))


def free_exercise(t: Array) -> Array:
    """Exercise 1: hip and slide swing together, the knee stays bent."""
    wave = swing(t, 4.5)
    return np.column_stack([REST[0] + 0.42 * wave, REST[1] + 0.37 * wave])


def knee_exercise(t: Array) -> Array:
    """Exercise 2: the knee is stretched to its stop and pressed on it, while the slide goes up and down."""
    knee = poses_along(Leg(), *REST)["knee_angle"][0]
    angle = knee + (PRESSED - knee) * risen((t - BEGIN) / 1.5)
    slide = REST[1] + 0.3 * swing(t, 4.0)
    return np.column_stack([hip_at(angle, slide), slide])


def tapping_exercise(t: Array) -> Array:
    """Exercise 4: the knee is stretched to its stop and bent again every TAP, while the slide goes up and down.

    Pressed all the time, the stop cannot be told from a patient's torque; a stop that comes and goes can.
    """
    knee = poses_along(Leg(), *REST)["knee_angle"][0]
    angle = knee + (PRESSED - knee) * risen((t - BEGIN) / 1.5) + TAP_ANGLE * swing(t - 1.5, TAP)
    slide = REST[1] + 0.3 * swing(t, 4.0)
    return np.column_stack([hip_at(angle, slide), slide])


def stop_exercise(t: Array) -> Array:
    """Exercise 3: the slide goes to both of its stops, over the whole guide."""
    down = (2e-3 - REST[1]) * risen((t - BEGIN) / 1.5)
    slide = REST[1] + down + 0.5455 * swing(t - 1.5, 5.0)
    return np.column_stack([REST[0] + 0.95 * (slide - REST[1]), slide])


def hip_at(knee: Array, slide: Array) -> Array:
    """Hip angle in rad at which the knee has an angle in rad, at slide positions in m; by Newton's method."""
    leg = Leg()
    phi = np.full(len(slide), REST[0])
    for _ in range(30):
        pose = poses_along(leg, phi, slide)
        phi = phi - (pose["knee_angle"] - knee) / pose["knee_phi"]
    return phi


EXERCISED: dict[int, tuple[Callable[[Array], Array], float, float]] = {
    1: (free_exercise, 4.5, 10.0),
    2: (knee_exercise, 4.0, 12.0),
    3: (stop_exercise, 5.0, 11.0),
    4: (tapping_exercise, 4.0, 12.0),
}
"""Motion, period and length in s of each exercise; our choice, in the ranges of the thesis' open-loop experiments."""


@cache
def gait_motion(exercise: int, time: float | None = None, sample: float = SAMPLE) -> GaitMotion:
    """The motion of an exercise at every sample; derivatives by a spline through finer points."""
    from scipy.interpolate import CubicSpline

    place, period, usual = EXERCISED[exercise]
    length = usual if time is None else time
    fine = np.arange(0.0, length + 10.0 * SAMPLE, 0.2 * SAMPLE)
    spline = CubicSpline(fine, place(fine))
    t = sample * np.arange(round(length / sample) + 1, dtype=np.float64)
    position = spline(t)
    ankle = poses_along(Leg(), position[:, 0], position[:, 1])["ankle"]
    return GaitMotion(t, position, spline(t, 1), spline(t, 2), ankle, period)
