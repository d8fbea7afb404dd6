"""Which coordinates of a closed loop are good independent ones: criterion (5), ranked together by pivoting.

p_i is the projection of coordinate direction i onto the tangent of the constraints in the metric M,
p_i^2 = j_i^T M_I^-1 j_i / (M^-1)_ii with j_i row i of the tangent basis J: 0 where y_i does not move, 1 at best.
One by one these numbers can choose coordinates that depend on each other; the volume |det W_I| of the rows of
W = diag(M^-1)^-1/2 J L^-T, M_I = L L^T, cannot.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ...numerics.cholesky import cholesky_solve
from ...numerics.lu import lu_factor

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
        best = 0.0
        at_row = r
        at_column = r
        for i in range(r, rows):
            for j in range(r, columns):
                if abs(a[i, order[j]]) > best:
                    best = abs(a[i, order[j]])
                    at_row = i
                    at_column = j
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
            part = a[i, order[r]]
            if i != r and part != 0.0:
                for j in range(columns):
                    a[i, j] -= part * a[r, j]
    return rows


@kernel
def scaled_closure(a: Array, scale: Array) -> Array:
    """Phi_y in scaled coordinates, each row with 1 as its largest entry."""
    bound, n = a.shape
    scaled = np.zeros((bound, n))
    for i in range(bound):
        largest = 1e-300
        for j in range(n):
            largest = max(largest, abs(a[i, j] * scale[j]))
        for j in range(n):
            scaled[i, j] = a[i, j] * scale[j] / largest
    return scaled


@kernel
def scaled_inertia(m: Array, scale: Array, basis: Array) -> Array:
    """M_I of a tangent basis in scaled coordinates."""
    n, free = basis.shape
    inertia = np.zeros((free, free))
    for c in range(free):
        for d in range(free):
            for i in range(n):
                for j in range(n):
                    inertia[c, d] += basis[i, c] * scale[i] * m[i, j] * scale[j] * basis[j, d]
    return inertia


@kernel
def orthonormal_rows(m: Array, scale: Array, basis: Array, w: Array) -> bool:
    """W = basis L^-T with M_I = L L^T; False where M_I is not positive definite."""
    n, free = w.shape
    inertia = scaled_inertia(m, scale, basis)
    if not cholesky_solve(inertia, np.zeros(free)):
        return False
    for i in range(n):
        for c in range(free):
            w[i, c] = basis[i, c]
            for d in range(c):
                w[i, c] -= w[i, d] * inertia[c, d]
        for c in range(free):
            w[i, c] *= np.sqrt(inertia[c, c])
    return True


@kernel
def tangent_rows(m: Array, a: Array, w: Array) -> int:
    """W, one row per coordinate with p_i as its norm; returns the rank of Phi_y, -1 where M is not definite.

    W is written only where Phi_y has full rank. It is computed in coordinates scaled by `mass_scale`, so that
    metres and radians meet on equal terms.
    """
    n, free = w.shape
    bound = n - free
    scale = np.zeros(n)
    order = np.zeros(n, np.int64)
    if not mass_scale(m, scale):
        return -1
    scaled = scaled_closure(a, scale)
    rank = eliminate(scaled, order)
    if rank < bound:
        return rank
    basis = np.zeros((n, free))
    for c in range(free):
        basis[order[bound + c], c] = 1.0
        for r in range(bound):
            basis[order[r], c] = -scaled[r, order[bound + c]]
    return rank if orthonormal_rows(m, scale, basis, w) else -1


@kernel
def pivoted_choice(w: Array, picks: Array) -> float:
    """The rows that a column-pivoted QR of W^T takes first, sorted into `picks`; returns their volume |det W_I|."""
    n, free = w.shape
    rest = w.copy()
    volume = 1.0
    taken = np.zeros(n, np.bool_)
    for _ in range(free):
        best = 0.0
        pick = -1
        for i in range(n):
            size = 0.0
            for c in range(free):
                size += rest[i, c] * rest[i, c]
            if size > best and not taken[i]:
                best = size
                pick = i
        if pick < 0:
            return 0.0
        taken[pick] = True
        volume *= np.sqrt(best)
        for i in range(n):
            part = 0.0
            for c in range(free):
                part += rest[i, c] * rest[pick, c] / best
            for c in range(free if i != pick else 0):
                rest[i, c] -= part * rest[pick, c]
    at = 0
    for i in range(n):
        if taken[i]:
            picks[at] = i
            at += 1
    return volume


@kernel
def volume_of(w: Array, chosen: Array) -> float:
    """|det W_I| of chosen coordinates: 1 at best, 0 where they cannot be independent."""
    size = chosen.size
    rest = np.zeros((size, size))
    for k in range(size):
        for j in range(size):
            rest[k, j] = w[chosen[k], j]
    if lu_factor(rest, np.zeros(size, np.int64), 0.0) == 0:
        return 0.0
    volume = 1.0
    for k in range(size):
        volume *= abs(rest[k, k])
    return volume
