"""Which coordinates of a closed loop are good independent ones: criterion (5), ranked together by pivoting.

p_i is the projection of coordinate direction i onto the tangent of the constraints in the metric M,
p_i^2 = j_i^T M_I^-1 j_i / (M^-1)_ii with j_i row i of the tangent basis J: 0 where y_i stands still, 1 at best.
One by one these numbers can choose coordinates that depend on each other; the volume |det W_I| of the rows of
W = diag(M^-1)^-1/2 J L^-T, M_I = L L^T, cannot.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ...numerics.cholesky import cholesky_solve

RANK_TOLERANCE = 1e-9
Array = Any


@kernel
def mass_scale(m: Array, scale: Array) -> bool:
    """sqrt((M^-1)_ii), the unit in which coordinate i moves; False where M is not positive definite."""
    n = scale.size
    unit = np.zeros(n)
    for i in range(n):
        unit[:] = 0.0
        unit[i] = 1.0
        if not cholesky_solve(m.copy(), unit):
            return False
        scale[i] = np.sqrt(unit[i])
    return True


@kernel
def eliminate(a: Array, order: Array) -> int:
    """Gauss-Jordan elimination with full pivoting in place; returns the rank.

    `order` becomes the columns as they were pivoted. At full rank row r of `a` then says how column order[r] depends
    on the columns that were never chosen.
    """
    rows, columns = a.shape
    for j in range(columns):
        order[j] = j
    first = 0.0
    for r in range(rows):
        best, at_row, at_column = 0.0, r, r
        for i in range(r, rows):
            for j in range(r, columns):
                if abs(a[i, order[j]]) > best:
                    best, at_row, at_column = abs(a[i, order[j]]), i, j
        first = max(first, best)
        if not best > RANK_TOLERANCE * first:
            return r
        order[r], order[at_column] = order[at_column], order[r]
        for j in range(columns):
            a[r, j], a[at_row, j] = a[at_row, j], a[r, j]
        pivot = a[r, order[r]]
        for j in range(columns):
            a[r, j] /= pivot
        for i in range(rows):
            share = a[i, order[r]]
            if i != r and share != 0.0:
                for j in range(columns):
                    a[i, j] -= share * a[r, j]
    return rows


@kernel
def tangent_rows(m: Array, a: Array, w: Array) -> int:
    """W, one row per coordinate with p_i as its norm; returns the rank of Phi_y, -1 where M is not definite.

    W is written only where Phi_y has full rank. It is computed in coordinates scaled by `mass_scale`, so that
    metres and radians meet on equal terms.
    """
    n, free = w.shape
    bound = n - free
    scale, order = np.zeros(n), np.zeros(n, np.int64)
    if not mass_scale(m, scale):
        return -1
    scaled = np.zeros((bound, n))
    for i in range(bound):
        largest = 1e-300
        for j in range(n):
            largest = max(largest, abs(a[i, j] * scale[j]))
        for j in range(n):
            scaled[i, j] = a[i, j] * scale[j] / largest
    rank = eliminate(scaled, order)
    if rank < bound:
        return rank
    basis = np.zeros((n, free))
    for c in range(free):
        basis[order[bound + c], c] = 1.0
        for r in range(bound):
            basis[order[r], c] = -scaled[r, order[bound + c]]
    inertia = np.zeros((free, free))
    for c in range(free):
        for d in range(free):
            for i in range(n):
                for j in range(n):
                    inertia[c, d] += basis[i, c] * scale[i] * m[i, j] * scale[j] * basis[j, d]
    if not cholesky_solve(inertia, np.zeros(free)):
        return -1
    for i in range(n):
        for c in range(free):
            w[i, c] = basis[i, c]
            for d in range(c):
                w[i, c] -= w[i, d] * inertia[c, d]
            w[i, c] /= inertia[c, c]
    return rank


@kernel
def pivoted_choice(w: Array, picks: Array) -> float:
    """The rows that a column-pivoted QR of W^T takes first, sorted into `picks`; returns their volume |det W_I|."""
    n, free = w.shape
    rest, volume, taken = w.copy(), 1.0, np.zeros(n, np.bool_)
    for _ in range(free):
        best, pick = 0.0, -1
        for i in range(n):
            size = 0.0
            for c in range(free):
                size += rest[i, c] * rest[i, c]
            if size > best and not taken[i]:
                best, pick = size, i
        if pick < 0:
            return 0.0
        taken[pick] = True
        volume *= np.sqrt(best)
        for i in range(n):
            share = 0.0
            for c in range(free):
                share += rest[i, c] * rest[pick, c] / best
            for c in range(free if i != pick else 0):
                rest[i, c] -= share * rest[pick, c]
    at = 0
    for i in range(n):
        if taken[i]:
            picks[at] = i
            at += 1
    return volume


@kernel
def volume_of(w: Array, chosen: Array) -> float:
    """|det W_I| of chosen coordinates: 1 at best, 0 where they cannot be independent."""
    rest, volume = np.zeros((chosen.size, chosen.size)), 1.0
    for k in range(chosen.size):
        for j in range(chosen.size):
            rest[k, j] = w[chosen[k], j]
    for k in range(chosen.size):
        best = k
        for i in range(k, chosen.size):
            if abs(rest[i, k]) > abs(rest[best, k]):
                best = i
        if rest[best, k] == 0.0:
            return 0.0
        for j in range(chosen.size):
            rest[k, j], rest[best, j] = rest[best, j], rest[k, j]
        volume *= abs(rest[k, k])
        for i in range(k + 1, chosen.size):
            share = rest[i, k] / rest[k, k]
            for j in range(chosen.size):
                rest[i, j] -= share * rest[k, j]
    return volume
