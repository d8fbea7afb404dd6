"""Compiled LU solver for small linear systems: row pivoting, in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernel import kernel

Array = Any


@kernel
def lu_factor(a: Array, order: Array, smallest: float) -> int:
    """LU factors with row pivoting in place; returns the sign of the determinant.

    It is 0 if the matrix is not finite, or singular: a pivot does not exceed `smallest` times its largest entry.
    """
    n = a.shape[0]
    sign = 1
    largest = 0.0
    for i in range(n):
        for j in range(n):
            largest = max(largest, abs(a[i, j]))
    least = smallest * largest
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        if not (abs(a[best, k]) > least and np.isfinite(a[best, k])):
            return 0
        order[k] = best
        if best != k:
            sign = -sign
            for j in range(n):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        if a[k, k] < 0.0:
            sign = -sign
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return sign


@kernel
def lu_solve(lu: Array, order: Array, b: Array) -> None:
    """Solve with the factors from `lu_factor`; the solution overwrites b."""
    n = b.size
    for k in range(n):
        b[k], b[order[k]] = b[order[k]], b[k]
    for k in range(n):
        for i in range(k + 1, n):
            b[i] -= lu[i, k] * b[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            b[k] -= lu[k, j] * b[j]
        b[k] /= lu[k, k]
