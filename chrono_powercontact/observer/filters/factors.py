"""Triangular factors of covariances: QR, rank-one change, triangular solves and the floor that keeps them regular.

A covariance P is kept as its lower factor S with P = S S^T and a diagonal that is not negative.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel

FLOOR = 1e-10
"""Least fraction of a standard deviation that may be left on the diagonal of a factor."""

Array = Any


@kernel
def lower_factor(stack: Array, s: Array) -> None:
    """S with S S^T = A A^T for A^T = stack, finite and with at least as many rows as columns; QR by LAPACK."""
    r = np.linalg.qr(stack)[1]
    for j in range(s.shape[0]):
        sign = -1.0 if r[j, j] < 0.0 else 1.0
        for i in range(s.shape[0]):
            s[i, j] = sign * r[j, i] if i >= j else 0.0


@kernel
def rank_one(s: Array, v: Array, sign: float) -> bool:
    """S becomes the factor of S S^T + sign v v^T; False, with S spoilt, where that is not positive definite."""
    n = v.size
    for k in range(n):
        square = s[k, k] * s[k, k] + sign * v[k] * v[k]
        if not square > 0.0:
            return False
        r = np.sqrt(square)
        c = r / s[k, k]
        d = v[k] / s[k, k]
        s[k, k] = r
        for i in range(k + 1, n):
            s[i, k] = (s[i, k] + sign * d * v[i]) / c
            v[i] = c * v[i] - d * s[i, k]
    return True


@kernel
def solve_lower(s: Array, b: Array) -> None:
    """b becomes S^-1 b."""
    for i in range(b.size):
        for k in range(i):
            b[i] -= s[i, k] * b[k]
        b[i] /= s[i, i]


@kernel
def solve_upper(s: Array, b: Array) -> None:
    """b becomes S^-T b."""
    for i in range(b.size - 1, -1, -1):
        for k in range(i + 1, b.size):
            b[i] -= s[k, i] * b[k]
        b[i] /= s[i, i]


@kernel
def lift(s: Array, noise: Array) -> int:
    """Raise what is too small on the diagonal of S, against its row and against the noise factor; 1 where it was."""
    lifted = 0
    for i in range(s.shape[0]):
        square = 0.0
        for k in range(i + 1):
            square += s[i, k] * s[i, k]
        least = FLOOR * max(np.sqrt(square), noise[i, i])
        if s[i, i] < least:
            s[i, i] = least
            lifted = 1
    return lifted


@kernel
def put_transposed(source: Array, target: Array) -> None:
    """Copy the transpose of a matrix."""
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[j, i] = source[i, j]


@kernel
def add_product(a: Array, b: Array, target: Array) -> None:
    """Add A B to a matrix."""
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(b.shape[0]):
                target[i, j] += a[i, k] * b[k, j]
