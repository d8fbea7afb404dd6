"""The largest value of a linear function over friction cones that meet a balance: a small, warm-started simplex method.

    maximise c lambda   where   A lambda = b,   lambda in a product of cones

A force in a cone is a sum of rays with factors >= 0, and a vertex of the program has as many rays as there are balance
equations. Each step takes up the ray with the best reduced cost; over a circular cone that ray is known in closed form,
so the cone is exact and is never cut into facets. From one objective to the next the rays stay feasible: bounds for 300
components cost a few steps each, where a library would set up 600 programs anew (scipy's `linprog` takes 2 ms for each,
and knows no cones in space).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..kernel import kernel

Array = Any

OPTIMAL, UNBOUNDED, STALLED, INFEASIBLE = range(4)
"""How a program ends."""

PIVOT = 1e-9
"""Least entry of an entering ray on which a pivot is made."""

GAIN = 1e-8
"""Reduced cost per unit of objective below which no ray improves the value."""

STEPS = 5000
"""Steps after which a program counts as stalled."""

REFACTOR = 60
"""Steps between two fresh inverses of the basis."""

ARTIFICIAL = -1
"""Stands for the cone of a ray that only serves to find a first solution."""

CONE = np.dtype([("first", np.int64), ("size", np.int64), ("mu", np.float64)])
"""A cone: its first component, the number of tangential components (0 to 2), and mu; its normal component is last."""


class Basis(NamedTuple):
    """Rays of a vertex.

    Attributes:
        cone: number of each ray's cone. directions: tangential unit directions. columns: A times each ray.
        inverse: of the columns. factor: of each ray.
    """

    cone: Array
    directions: Array
    columns: Array
    inverse: Array
    factor: Array


@kernel
def start_basis(b: Array) -> Basis:
    """Artificial rays that meet the balance b."""
    m = b.size
    columns = np.eye(m)
    inverse = np.eye(m)
    for i in range(m):
        if b[i] < 0.0:
            columns[i, i] = -1.0
            inverse[i, i] = -1.0
    return Basis(np.full(m, ARTIFICIAL), np.zeros((m, 2)), columns, inverse, np.abs(b))


@kernel
def ray_cost(c: Array, cones: Array, which: int, direction: Array, penalty: float) -> float:
    """Objective of a ray; artificial ones cost a penalty."""
    if which == ARTIFICIAL:
        return -penalty
    cone = cones[which]
    cost = c[cone.first + cone.size]
    for k in range(cone.size):
        cost += cone.mu * direction[k] * c[cone.first + k]
    return cost


@kernel
def ray_column(a: Array, cones: Array, which: int, direction: Array, column: Array) -> None:
    """Generalised force of a ray."""
    cone = cones[which]
    for i in range(column.size):
        column[i] = a[i, cone.first + cone.size]
        for k in range(cone.size):
            column[i] += cone.mu * direction[k] * a[i, cone.first + k]


@kernel
def best_ray(c: Array, a: Array, cones: Array, prices: Array, direction: Array) -> tuple[int, float]:
    """The ray with the largest reduced cost, its direction written in place."""
    reduced = c - prices @ a
    best = 0
    most = -np.inf
    for i in range(cones.size):
        cone = cones[i]
        value = reduced[cone.first + cone.size]
        length = 0.0
        for k in range(cone.size):
            length += reduced[cone.first + k] ** 2
        length = np.sqrt(length)
        value += cone.mu * length
        if value > most:
            best = i
            most = value
            direction[:] = 0.0
            if cone.size:
                direction[0] = 1.0
            if length > 0.0:
                for k in range(cone.size):
                    direction[k] = reduced[cone.first + k] / length
    return best, most


@kernel
def leaving_ray(basis: Basis, change: Array) -> int:
    """The ray whose factor is first to reach zero; -1 where none does. Artificial rays at zero leave at once."""
    chosen = -1
    least = np.inf
    for i in range(change.size):
        if basis.cone[i] == ARTIFICIAL and basis.factor[i] <= PIVOT and abs(change[i]) > 1e-7:
            return i
        if change[i] <= PIVOT:
            continue
        ratio = basis.factor[i] / change[i]
        closer = ratio < least - 1e-12
        as_close = ratio <= least + 1e-12
        if closer or (as_close and change[i] > change[chosen]):
            least = min(ratio, least)
            chosen = i
    return chosen


@kernel
def exchange(basis: Basis, place: int, which: int, direction: Array, column: Array, change: Array) -> None:
    """Put a ray into the basis at a place."""
    step = basis.factor[place] / change[place]
    for i in range(change.size):
        if i != place:
            basis.factor[i] = max(basis.factor[i] - step * change[i], 0.0)
    basis.factor[place] = max(step, 0.0)
    basis.cone[place] = which
    basis.directions[place] = direction
    basis.columns[:, place] = column
    row = basis.inverse[place] / change[place]
    for i in range(change.size):
        if i != place:
            basis.inverse[i] -= change[i] * row
    basis.inverse[place] = row


@kernel
def refresh(basis: Basis, b: Array) -> None:
    """A fresh inverse and fresh factors, against round-off."""
    basis.inverse[:] = np.linalg.inv(basis.columns)
    basis.factor[:] = np.maximum(basis.inverse @ b, 0.0)


@kernel
def climb(c: Array, a: Array, b: Array, cones: Array, basis: Basis, penalty: float) -> int:
    """Improve a basis until no ray raises c lambda; returns how it ended."""
    m = b.size
    costs = np.zeros(m)
    direction = np.zeros(2)
    column = np.zeros(m)
    scale = np.abs(c).max() + penalty
    for step in range(STEPS):
        if step % REFACTOR == REFACTOR - 1:
            refresh(basis, b)
        for i in range(m):
            costs[i] = ray_cost(c, cones, basis.cone[i], basis.directions[i], penalty)
        which, gain = best_ray(c, a, cones, costs @ basis.inverse, direction)
        if gain <= GAIN * scale:
            return OPTIMAL
        ray_column(a, cones, which, direction, column)
        change = basis.inverse @ column
        place = leaving_ray(basis, change)
        if place < 0:
            return UNBOUNDED
        exchange(basis, place, which, direction, column, change)
    return STALLED


@kernel
def expel_artificial(a: Array, cones: Array, basis: Basis) -> None:
    """Replace artificial rays at zero by real ones, where any has a part along them."""
    direction = np.zeros(2)
    column = np.zeros(basis.cone.size)
    for place in range(basis.cone.size):
        if basis.cone[place] != ARTIFICIAL:
            continue
        for i in range(cones.size):
            for side in (1.0, -1.0):
                direction[:] = 0.0
                direction[0] = side
                ray_column(a, cones, i, direction, column)
                change = basis.inverse @ column
                if basis.cone[place] == ARTIFICIAL and abs(change[place]) > 1e-6:
                    basis.factor[place] = 0.0
                    exchange(basis, place, i, direction, column, change)


@kernel
def forces_of(cones: Array, basis: Basis, size: int) -> Array:
    """The forces of a vertex."""
    forces = np.zeros(size)
    for i in range(basis.cone.size):
        if basis.cone[i] == ARTIFICIAL:
            continue
        cone = cones[basis.cone[i]]
        forces[cone.first + cone.size] += basis.factor[i]
        for k in range(cone.size):
            forces[cone.first + k] += cone.mu * basis.directions[i, k] * basis.factor[i]
    return forces


@kernel
def extremes(objectives: Array, a: Array, b: Array, cones: Array, tolerance: float) -> tuple[int, Array, Array]:
    """Largest value of each objective (rows): how the worst program ended, values, and a feasible force.

    `tolerance` is what may be missing in the balance, summed over its equations.
    """
    values = np.zeros(len(objectives))
    basis = start_basis(b)
    zero = np.zeros(a.shape[1])
    ended = climb(zero, a, b, cones, basis, 1.0)
    missing = 0.0
    for i in range(b.size):
        if basis.cone[i] == ARTIFICIAL:
            missing += basis.factor[i]
    feasible = forces_of(cones, basis, a.shape[1])
    if missing > tolerance:
        return INFEASIBLE, values, feasible
    expel_artificial(a, cones, basis)
    worst = min(ended, STALLED) if ended == STALLED else OPTIMAL
    for k in range(len(objectives)):
        ended = climb(objectives[k], a, b, cones, basis, 0.0)
        if ended == UNBOUNDED:
            values[k] = np.inf
            refresh(basis, b)
            continue
        worst = max(worst, ended)
        values[k] = objectives[k] @ forces_of(cones, basis, a.shape[1])
    return worst, values, feasible
