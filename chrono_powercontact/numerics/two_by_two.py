"""Two linear equations, compiled: Cramer's rule in registers, for any matrix that is not singular.

`cholesky_solve` needs a symmetric matrix, and arrays in memory. The docstring of its module compares the times.
"""

from __future__ import annotations

from ..kernel import kernel


@kernel
def solve_two(x1: float, y1: float, a: float, x2: float, y2: float, b: float) -> tuple[float, float]:
    """Solve x1 u + y1 w = a, x2 u + y2 w = b."""
    det = x1 * y2 - y1 * x2
    return (a * y2 - b * y1) / det, (b * x1 - a * x2) / det
