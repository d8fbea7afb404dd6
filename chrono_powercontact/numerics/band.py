"""Compiled solvers for banded linear systems, in place: LU with row pivoting, and LDL^T of symmetric matrices.

A matrix with `width` diagonals on either side of the main one is kept by rows: entry (i, j) is at
`[i, j - i + width]`. A row has 3 width + 1 entries, because swapping rows fills up to `width` diagonals more.
Of a symmetric one the lower half is kept: entry (i, j) with j <= i is at the same place, and a row has width + 1
entries.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernel import kernel

Array = Any


@kernel
def empty_band(size: int, width: int) -> Array:
    """A banded matrix of zeros."""
    return np.zeros((size, 3 * width + 1))


@kernel
def band_factor(a: Array, order: Array, smallest: float) -> bool:
    """LU factors of a banded matrix with row pivoting, in place.

    False if it is not finite, or singular: a pivot does not exceed `smallest` times its largest entry.
    """
    n = a.shape[0]
    width = (a.shape[1] - 1) // 3
    largest = 0.0
    for row in a:
        for entry in row:
            largest = max(largest, abs(entry))
    least = smallest * largest
    for k in range(n):
        below = min(n, k + width + 1)
        beyond = min(n, k + 2 * width + 1)
        best = k
        for i in range(k + 1, below):
            if abs(a[i, k - i + width]) > abs(a[best, k - best + width]):
                best = i
        pivot = a[best, k - best + width]
        if not (abs(pivot) > least and np.isfinite(pivot)):
            return False
        order[k] = best
        if best != k:
            for j in range(k, beyond):
                kept = a[k, j - k + width]
                a[k, j - k + width] = a[best, j - best + width]
                a[best, j - best + width] = kept
        for i in range(k + 1, below):
            factor = a[i, k - i + width] / pivot
            a[i, k - i + width] = factor
            if factor != 0.0:
                for j in range(1, beyond - k):
                    a[i, k - i + width + j] -= factor * a[k, width + j]
    return True


@kernel
def band_solve(lu: Array, order: Array, b: Array) -> None:
    """Solve with the factors from `band_factor`; the solution overwrites b."""
    n = b.size
    width = (lu.shape[1] - 1) // 3
    for k in range(n):
        b[k], b[order[k]] = b[order[k]], b[k]
        for i in range(k + 1, min(n, k + width + 1)):
            b[i] -= lu[i, k - i + width] * b[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, min(n, k + 2 * width + 1)):
            b[k] -= lu[k, j - k + width] * b[j]
        b[k] /= lu[k, width]


@kernel
def symmetric_factor(a: Array, smallest: float) -> None:
    """Factors L and D of a symmetric positive definite banded matrix L D L^T, in place.

    A row that depends on those before it, so that its pivot does not exceed `smallest` times its diagonal entry, gets
    an infinite pivot: its unknown is zero.
    """
    n = a.shape[0]
    width = a.shape[1] - 1
    column = np.empty(width + 1)
    diagonals = a[:, width].copy()
    for j in range(n):
        if not a[j, width] > smallest * diagonals[j]:
            a[j, width] = np.inf
        pivot = a[j, width]
        below = min(width, n - 1 - j)
        for i in range(1, below + 1):
            column[i] = a[j + i, width - i]
        for i in range(1, below + 1):
            if column[i] == 0.0:
                continue
            scaled = column[i] / pivot
            a[j + i, width - i] = scaled
            row = a[j + i, width - i : width + 1]
            for k in range(1, i + 1):
                row[k] -= scaled * column[k]


@kernel
def symmetric_forward(factors: Array, b: Array) -> None:
    """Solve L x = b with the factor L from `symmetric_factor`, in place; b has a row for each unknown.

    Each column of b is a right side of its own; many of them cost little more than one.
    """
    width = factors.shape[1] - 1
    for i in range(b.shape[0]):
        for j in range(max(i - width, 0), i):
            factor = factors[i, j - i + width]
            if factor != 0.0:
                for k in range(b.shape[1]):
                    b[i, k] -= factor * b[j, k]


@kernel
def symmetric_solve(factors: Array, b: Array) -> None:
    """Solve with the factors from `symmetric_factor`; the solution overwrites b.

    A row's product with what is known is made of four sums, which a processor adds up side by side.
    """
    n = b.size
    width = factors.shape[1] - 1
    for i in range(n):
        first = max(i - width, 0)
        row = factors[i, first - i + width : width]
        known = b[first:i]
        one = 0.0
        two = 0.0
        three = 0.0
        four = 0.0
        whole = known.size - known.size % 4
        for k in range(0, whole, 4):
            one += row[k] * known[k]
            two += row[k + 1] * known[k + 1]
            three += row[k + 2] * known[k + 2]
            four += row[k + 3] * known[k + 3]
        for k in range(whole, known.size):
            one += row[k] * known[k]
        b[i] -= (one + two) + (three + four)
    for i in range(n):
        b[i] /= factors[i, width]
    for i in range(n - 1, -1, -1):
        first = max(i - width, 0)
        row = factors[i, first - i + width : width]
        open_yet = b[first:i]
        found = b[i]
        for k in range(row.size):
            open_yet[k] -= row[k] * found
