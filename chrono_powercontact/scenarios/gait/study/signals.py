"""What follows from measurements alone (5.45)-(5.48): smoothed motion, its derivatives, and the input S0 would need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....errors import ParameterError, positive
from ..leg.leg_kinematics import inertia, poses_along, weight
from ..leg.trainer_leg import Leg

Array = NDArray[np.float64]

EDGE = 4
"""Samples at either end that have no reference: two by the mean, one by each derivative."""


@dataclass(frozen=True)
class Reference:
    """Reference signals, one row of hip and slide per sample; not a number where too few neighbours are known.

    Attributes:
        position: five-point mean in rad and m (5.45). speed: its central difference (5.46).
        acceleration: the next (5.47).
        net: torque in N m and force in N that the bare leg would need for this motion (5.48).
    """

    position: Array
    speed: Array
    acceleration: Array
    net: Array


def smoothed(y: Array) -> Array:
    """Centred mean of five samples, per column (5.45)."""
    out = np.full_like(y, np.nan)
    out[2:-2] = (y[:-4] + y[1:-3] + y[2:-2] + y[3:-1] + y[4:]) / 5.0
    return out


def slope(y: Array, sample: float) -> Array:
    """Central difference, per column (5.46)."""
    out = np.full_like(y, np.nan)
    out[1:-1] = (y[2:] - y[:-2]) / (2.0 * sample)
    return out


def needed_input(leg: Leg, position: Array, acceleration: Array) -> Array:
    """M(q) q'' + g(q) of the bare leg, one row per sample (5.48)."""
    record = leg.record
    needed = np.full_like(position, np.nan)
    for i in np.flatnonzero(np.isfinite(acceleration).all(axis=1)):
        phi, s = position[i]
        a, b = acceleration[i]
        pose = poses_along(leg, phi, s)[0]
        m11, m12, m22 = inertia(record, pose)
        g1, g2, _ = weight(record, pose, s)
        needed[i] = m11 * a + m12 * b + g1, m12 * a + m22 * b + g2
    return needed


def reference(leg: Leg, measured: ArrayLike, sample: float) -> Reference:
    """Reference signals of measured hip angles in rad and slide positions in m, one row per sample of a time in s."""
    y = np.asarray(measured, float)
    positive("sample", sample)
    if y.ndim != 2 or y.shape[1] != 2 or len(y) <= 2 * EDGE:
        raise ParameterError(f"measured must have more than {2 * EDGE} rows of phi and s, got the shape {y.shape}")
    position = smoothed(y)
    speed = slope(position, sample)
    acceleration = slope(speed, sample)
    return Reference(position, speed, acceleration, needed_input(leg, position, acceleration))
