"""A small symmetric positive definite system, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernel import kernel

Array = Any


@kernel
def cholesky_solve(m: Array, b: Array) -> bool:
    """Solve M y = b in place for a small symmetric positive definite M; False where it is not one."""
    n = b.size
    for j in range(n):
        for k in range(j):
            m[j, j] -= m[j, k] * m[j, k]
        if not m[j, j] > 0.0:
            return False
        m[j, j] = np.sqrt(m[j, j])
        for i in range(j + 1, n):
            for k in range(j):
                m[i, j] -= m[i, k] * m[j, k]
            m[i, j] /= m[j, j]
    for i in range(n):
        for k in range(i):
            b[i] -= m[i, k] * b[k]
        b[i] /= m[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            b[i] -= m[k, i] * b[k]
        b[i] /= m[i, i]
    return True
