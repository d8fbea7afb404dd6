"""A small symmetric system, compiled: M = L D L^T without square roots."""

from __future__ import annotations

from typing import Any

from ..kernel import kernel


@kernel
def solve(m: Any, b: Any) -> bool:
    """Solve M y = b in place for a small symmetric positive definite M; False where it is not one."""
    n = b.size
    for j in range(n):
        for k in range(j):
            m[k, j] = m[j, k] * m[k, k]
            m[j, j] -= m[j, k] * m[k, j]
        if not m[j, j] > 0.0:
            return False
        inverse = 1.0 / m[j, j]
        for i in range(j + 1, n):
            for k in range(j):
                m[i, j] -= m[i, k] * m[k, j]
            m[i, j] *= inverse
    for i in range(n):
        for k in range(i):
            b[i] -= m[i, k] * b[k]
    for i in range(n - 1, -1, -1):
        b[i] /= m[i, i]
        for k in range(i + 1, n):
            b[i] -= m[k, i] * b[k]
    return True
