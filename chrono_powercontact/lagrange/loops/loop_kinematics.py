"""Compiled kinematics of a closed loop: dependent coordinates, velocities and accelerations from independent ones (3).

A choice of coordinates is a vector of whole numbers: number of the explicit closure or -1, sign of det Phi_D or 0
where it is not watched, then the indices of the independent and of the dependent coordinates.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from ...kernel import kernel
from ...numerics.lu import lu_factor, lu_solve
from .loop_codegen import CLOSURE_SIGNATURE, EXPLICIT_SIGNATURE

CLOSED, OPEN, SINGULAR, OTHER_BRANCH, MASSLESS, SWITCHED, JUMPED = 0, 1, 2, 3, 4, 5, 6
"""What came of an evaluation: fine; the loop cannot be closed; Phi_D singular; assembled on the other side of a dead
point; mass matrix not positive definite; fine, and other coordinates are independent from here on; energy jumped."""

NEWTON_STEPS, NEWTON_TOLERANCE, LONGEST_STEP, SMALLEST_PIVOT = 40, 1e-11, 0.5, 1e-12

Array = Any
CLOSURE = types.FunctionType(eval(CLOSURE_SIGNATURE, {"types": types}))
EXPLICIT = types.FunctionType(eval(EXPLICIT_SIGNATURE, {"types": types}))


class LoopTerms(NamedTuple):
    """Arrays of one evaluation: what the closure's kernel writes, then LU factors, J_c, zeta and the last position."""

    phi: Array
    a: Array
    phi_t: Array
    gamma: Array
    b: Array
    k: Array
    lu: Array
    order: Array
    side: Array
    jac: Array
    zeta: Array
    last: Array


@kernel
def loop_terms(n: int, free: int) -> Any:
    """Empty LoopTerms for n coordinates of which `free` are independent."""
    c = n - free
    return LoopTerms(
        np.zeros(c), np.zeros((c, n)), np.zeros(c), np.zeros(c), np.zeros((c, n)), np.zeros(n),
        np.zeros((c, c)), np.zeros(c, np.int64), np.zeros(c), np.zeros((n, free)), np.zeros(n), np.zeros(n),
    )  # fmt: skip


@kernel
def factor_dependent(w: Any, dependent: Array) -> int:
    """LU factors of Phi_D, the dependent columns of Phi_y; returns the sign of the determinant."""
    for r in range(dependent.size):
        for c in range(dependent.size):
            w.lu[r, c] = w.a[r, dependent[c]]
    return lu_factor(w.lu, w.order, SMALLEST_PIVOT)


@kernel
def close_loop(closure: Any, explicit: Any, t: float, q: Array, u: Array, p: Array, choice: Array, w: Any) -> int:
    """Dependent coordinates from the independent ones, in place in q; at the start q holds the last position.

    Where an explicit closure is known it gives the start of Newton's iteration, which then only confirms it. A step
    is never longer than half a metre or radian, so that the iteration stays on the near side of a dead point.
    """
    dependent = choice[2 + w.jac.shape[1] :]
    if choice[0] >= 0:
        explicit(choice[0], t, q, w.last, p)
    for _ in range(NEWTON_STEPS):
        closure(t, q, u, p, w.phi, w.a, w.phi_t, w.gamma, w.b, w.k)
        sign = factor_dependent(w, dependent)
        if sign == 0:
            return SINGULAR
        w.side[:] = w.phi
        lu_solve(w.lu, w.order, w.side)
        longest, relative = 0.0, 0.0
        for r in range(dependent.size):
            if not np.isfinite(w.side[r]):
                return OPEN
            longest = max(longest, abs(w.side[r]))
        shrink = min(1.0, LONGEST_STEP / max(longest, LONGEST_STEP))
        for r in range(dependent.size):
            q[dependent[r]] -= shrink * w.side[r]
            relative = max(relative, abs(w.side[r]) / (1.0 + abs(q[dependent[r]])))
        if relative <= NEWTON_TOLERANCE:
            return CLOSED if choice[1] == 0 or choice[1] == sign else OTHER_BRANCH
    return OPEN


@kernel
def follow_loop(closure: Any, t: float, q: Array, u: Array, p: Array, choice: Array, w: Any) -> int:
    """J_c, zeta and the dependent velocities (in place in u) of a closed position (3)."""
    free = w.jac.shape[1]
    independent, dependent = choice[2 : 2 + free], choice[2 + free :]
    closure(t, q, u, p, w.phi, w.a, w.phi_t, w.gamma, w.b, w.k)
    if factor_dependent(w, dependent) == 0:
        return SINGULAR
    w.jac[:] = 0.0
    for c in range(free):
        w.side[:] = w.a[:, independent[c]]
        lu_solve(w.lu, w.order, w.side)
        w.jac[independent[c], c] = 1.0
        for r in range(dependent.size):
            w.jac[dependent[r], c] = -w.side[r]
    w.side[:] = w.phi_t
    lu_solve(w.lu, w.order, w.side)
    for r in range(dependent.size):
        u[dependent[r]] = -w.side[r]
        for c in range(free):
            u[dependent[r]] += w.jac[dependent[r], c] * u[independent[c]]
    closure(t, q, u, p, w.phi, w.a, w.phi_t, w.gamma, w.b, w.k)
    w.side[:] = w.gamma
    lu_solve(w.lu, w.order, w.side)
    w.zeta[:] = 0.0
    for r in range(dependent.size):
        w.zeta[dependent[r]] = -w.side[r]
    return CLOSED
