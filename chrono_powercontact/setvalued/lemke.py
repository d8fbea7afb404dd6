"""Lemke's method for linear complementarity problems: w = M z + q, w >= 0, z >= 0, w z = 0.

Friction in a plane is such a problem in the impulses and a sliding speed per contact; where the forces are not unique
the pivots decide which vertex is found.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernel import kernel

Array = Any

PIVOTS = 500
"""Pivots after which the method gives up."""

LEAST = 1e-12
"""Least entry of a column on which it pivots."""


@kernel
def lemke(m: Array, q: Array) -> tuple[bool, Array]:
    """z, and whether it was found."""
    n = q.size
    z = np.zeros(n)
    if q.min() >= 0.0:
        return True, z
    tableau = np.zeros((n, 2 * n + 2))
    for i in range(n):
        tableau[i, i] = 1.0
        tableau[i, n : 2 * n] = -m[i]
        tableau[i, 2 * n] = -1.0
        tableau[i, 2 * n + 1] = q[i]
    basis = np.arange(n)
    row = int(np.argmin(q))
    entering = 2 * n
    for _ in range(PIVOTS):
        leaving = basis[row]
        _pivot(tableau, row, entering)
        basis[row] = entering
        if leaving == 2 * n:
            for i in range(n):
                if n <= basis[i] < 2 * n:
                    z[basis[i] - n] = tableau[i, 2 * n + 1]
            return True, z
        entering = leaving + n if leaving < n else leaving - n
        row = _leaving_row(tableau, entering, basis, 2 * n)
        if row < 0:
            return False, z
    return False, z


@kernel
def _pivot(tableau: Array, row: int, column: int) -> None:
    """Make a column a unit vector."""
    tableau[row] /= tableau[row, column]
    for i in range(len(tableau)):
        if i != row and tableau[i, column] != 0.0:
            tableau[i] -= tableau[i, column] * tableau[row]


@kernel
def _leaving_row(tableau: Array, column: int, basis: Array, artificial: int) -> int:
    """Row whose variable is first to reach zero; the artificial one where several do. -1 where none does."""
    chosen = -1
    least = np.inf
    for i in range(len(tableau)):
        if tableau[i, column] <= LEAST:
            continue
        ratio = tableau[i, -1] / tableau[i, column]
        if ratio < least - 1e-14 or (ratio <= least + 1e-14 and basis[i] == artificial):
            least = ratio
            chosen = i
    return chosen


@kernel
def friction_problem(g: Array, velocity: Array, row: Array, size: Array, mu: Array) -> tuple[bool, Array]:
    """Impulses of planar contacts from the problem of Stewart and Trinkle, and whether they were found.

    Args:
        g: Delassus matrix of all components. velocity: of the contacts without their impulses.
        row: first component of each contact. size: number of its tangential components, 0 or 1. mu: coefficients.
    """
    count = row.size
    n = 4 * count
    spread = np.zeros((g.shape[0], n))
    for i in range(count):
        spread[row[i] + size[i], i] = 1.0
        if size[i]:
            spread[row[i], count + i] = 1.0
            spread[row[i], 2 * count + i] = -1.0
    matrix = spread.T @ g @ spread
    for i in range(count):
        matrix[count + i, 3 * count + i] = 1.0
        matrix[2 * count + i, 3 * count + i] = 1.0
        matrix[3 * count + i, i] = mu[i]
        matrix[3 * count + i, count + i] = -1.0
        matrix[3 * count + i, 2 * count + i] = -1.0
    found, z = lemke(matrix, spread.T @ velocity)
    return found, spread @ z
