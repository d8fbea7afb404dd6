"""Who chooses among friction forces that move nothing: pseudoinverse, least acceleration, least strain energy.

All of them take the normal forces as given and return tangential ones between -limit and limit (2.11 to 2.14 of the
digest of Seiwald's thesis).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import lsq_linear

from ..errors import ParameterError
from ..kernel import kernel
from .contact_set import Matrix, Vector
from .delassus import ROUND_OFF

Array = Any

SECONDARY = 1e-9
"""Weight of the secondary criterion beside the primary one, both scaled to the same size."""

LOWER, FREE, UPPER, FIXED = -1, 0, 1, 2
"""Where an entry of a box program is: at its lower bound, between, at its upper bound, or where both coincide."""

WORKING_SETS = 200
"""Working sets that the quadratic program tries at most."""


@kernel
def bilateral_forces(g: Array, drive: Array, weight: Array) -> Array:
    """Forces of bilateral constraints, -G^+ drive (4.8), with the least sum of (force/weight)^2.

    Args:
        g: Delassus matrix. drive: accelerations of the contacts without their forces, W^T M^-1 h + w.
        weight: of each component; ones give the Moore-Penrose inverse.
    """
    scaled = np.ascontiguousarray((g * weight).T * weight)
    return -weight * (np.linalg.pinv(scaled, ROUND_OFF) @ (weight * drive))


@kernel
def hand_over(forces: Array, limits: Array) -> None:
    """Clamp friction forces along one direction and hand what was lost to those that have room, in place."""
    for _ in range(forces.size):
        lost = 0.0
        room = 0.0
        for i in range(forces.size):
            kept = min(max(forces[i], -limits[i]), limits[i])
            lost += forces[i] - kept
            forces[i] = kept
        for i in range(forces.size):
            room += max(limits[i] - np.sign(lost) * forces[i], 0.0)
        if lost == 0.0 or room == 0.0:
            return
        part = min(abs(lost) / room, 1.0)
        for i in range(forces.size):
            forces[i] += part * np.sign(lost) * max(limits[i] - np.sign(lost) * forces[i], 0.0)


@kernel
def step_to_bound(h: Array, slope: Array, x: Array, low: Array, high: Array, side: Array) -> bool:
    """Move the free entries of x, in place, towards their minimum; whether one of them met a bound and stays there."""
    free = np.flatnonzero(side == FREE)
    matrix = np.zeros((free.size, free.size))
    for i in range(free.size):
        for j in range(free.size):
            matrix[i, j] = h[free[i], free[j]]
    move = np.linalg.solve(matrix, -slope[free])
    part = 1.0
    hit = -1
    for i in range(free.size):
        bound = high[free[i]] if move[i] > 0.0 else low[free[i]]
        if move[i] != 0.0 and (bound - x[free[i]]) / move[i] < part:
            part = max((bound - x[free[i]]) / move[i], 0.0)
            hit = i
    for i in range(free.size):
        x[free[i]] += part * move[i]
    if hit < 0:
        return False
    upper = move[hit] > 0.0
    side[free[hit]] = UPPER if upper else LOWER
    x[free[hit]] = high[free[hit]] if upper else low[free[hit]]
    return True


@kernel
def box_program(h: Array, g: Array, low: Array, high: Array) -> Array:
    """Minimiser of x' H x/2 + g' x in a box, for a positive definite H: a primal active-set method."""
    x = np.minimum(np.maximum(np.zeros(g.size), low), high)
    side = np.where(low == high, FIXED, FREE)
    for _ in range(WORKING_SETS):
        if (side == FREE).any() and step_to_bound(h, h @ x + g, x, low, high, side):
            continue
        slope = h @ x + g
        worst = 1e-13 * (np.abs(g).max() + 1e-300)
        freed = -1
        for i in range(g.size):
            if side[i] != FIXED and side[i] * slope[i] > worst:
                worst = side[i] * slope[i]
                freed = i
        if freed < 0:
            return x
        side[freed] = FREE
    return x


@kernel
def least_forces(a: Array, d: Array, compliance: Array, bias: Array, low: Array, high: Array) -> Array:
    """x in a box that minimises |a x - d|^2, and among those x' C x/2 + c' x: primary and secondary criterion."""
    primary = a.T @ a
    size = max(np.trace(primary), 1e-300)
    second = max(np.trace(compliance), 1e-300)
    weight = SECONDARY * size / second
    return box_program(primary + weight * compliance, weight * bias - a.T @ d, low, high)


def least_by_library(a: Matrix, d: Vector, limits: Vector) -> Vector:
    """The same with the least norm as secondary criterion, by scipy's bounded least squares."""
    bounds = np.asarray(limits, float)
    if np.any(bounds < 0.0) or not np.all(np.isfinite(bounds)):
        raise ParameterError(f"friction limits must be finite and not negative, got {bounds.tolist()}")
    room = bounds > 0.0
    found = np.zeros(bounds.size)
    if not np.any(room):
        return found
    inner = np.asarray(a, float)[:, room]
    weight = np.sqrt(SECONDARY * np.trace(inner.T @ inner) / np.sum(room))
    stacked = np.vstack([inner, weight * np.eye(inner.shape[1])])
    target = np.concatenate([d, np.zeros(inner.shape[1])])
    found[room] = lsq_linear(stacked, target, (-bounds[room], bounds[room]), method="bvls", tol=1e-14).x
    return found
