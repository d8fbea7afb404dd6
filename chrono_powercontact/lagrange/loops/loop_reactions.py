"""Reactions at the cut joints (7), compiled; beside it the full-rank extension (6) and the index-1 equations."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernel import kernel
from ...numerics.cholesky import cholesky_solve
from ...numerics.copying import put

Array = Any
Floats = NDArray[np.float64]


@kernel
def reactions(m: Array, b: Array, zeta: Array, free_accel: Array, f: Array) -> bool:
    """f = (B M^-1 B^T)^-1 B (zeta + M^-1 (k - q)) into f, in N or N m on body a (7).

    free_accel is M^-1 (q - k), the acceleration of the tree without reactions. False where closures are redundant.
    """
    count = f.size
    mobility = np.zeros((count, count))
    column = np.zeros(zeta.size)
    for i in range(count):
        put(b[i], column)
        if not cholesky_solve(m.copy(), column):
            return False
        for j in range(count):
            mobility[j, i] = np.sum(b[j] * column)
        f[i] = np.sum(b[i] * (zeta - free_accel))
    return cholesky_solve(mobility, f)


def extended_reactions(m: Floats, b: Floats, jac: Floats, zeta: Floats, free_accel: Floats) -> tuple[Floats, Floats]:
    """Reactions and independent accelerations together from [B^T, -M J_c] [f; y_I''] = k - q + M zeta (6)."""
    solution = np.linalg.solve(np.hstack([b.T, -m @ jac]), m @ (zeta - free_accel))
    return solution[: len(b)], solution[len(b) :]


def index_1(m: Floats, a: Floats, zeta: Floats, free_accel: Floats) -> tuple[Floats, Floats]:
    """Accelerations and Lagrange multipliers from [M, -A^T; A, 0] [y''; l] = [q - k; -gamma], A = Phi_y.

    No coordinates are chosen here; gamma = -A zeta, whatever choice zeta belongs to.
    """
    rows = len(a)
    matrix = np.block([[m, -a.T], [a, np.zeros((rows, rows))]])
    solution = np.linalg.solve(matrix, np.concatenate([m @ free_accel, a @ zeta]))
    return solution[:-rows], solution[-rows:]
