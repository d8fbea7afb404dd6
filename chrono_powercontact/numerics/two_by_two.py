"""Two linear equations, compiled: Cramer's rule in registers, for a matrix of any kind that is not singular.

On two numbers `cholesky_solve` needs a matrix and a vector in memory and a symmetric matrix: see its docstring for what
the difference costs.
"""

from __future__ import annotations

from ..kernel import kernel


@kernel
def solve_two(x1: float, y1: float, a: float, x2: float, y2: float, b: float) -> tuple[float, float]:
    """Solve x1 u + y1 w = a, x2 u + y2 w = b."""
    det = x1 * y2 - y1 * x2
    return (a * y2 - b * y1) / det, (b * x1 - a * x2) / det
