"""Compiled kinematics of a closed loop: dependent positions, velocities and accelerations from independent ones (3)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from ...kernel import kernel
from ...numerics.copying import put
from ...numerics.lu import lu_factor, lu_solve
from .loop_codegen import CLOSURE_SIGNATURE, EXPLICIT_SIGNATURE

CLOSED, OPEN, SINGULAR, OTHER_BRANCH, MASSLESS, SWITCHED, JUMPED = range(7)
"""What came of an evaluation: fine; the loop cannot be closed; Phi_D singular; assembled on the other side of a dead
point; mass matrix not positive definite; fine, and other coordinates are independent from here on; energy jumped."""

NEWTON_STEPS = 40
NEWTON_TOLERANCE = 1e-11
LONGEST_STEP = 0.5
"""Longest step of Newton's iteration in m or rad: it keeps the iteration on the near side of a dead point."""
SMALLEST_PIVOT = 1e-12

BY_NEWTON = -1
"""Stands for the number of an explicit closure where there is none."""
UNWATCHED = 0
"""Stands for the sign of det Phi_D where it is not watched."""

Array = Any
CLOSURE = types.FunctionType(eval(CLOSURE_SIGNATURE, {"types": types}))
EXPLICIT = types.FunctionType(eval(EXPLICIT_SIGNATURE, {"types": types}))


class Choice(NamedTuple):
    """Views into the vector of whole numbers that is a choice of independent coordinates.

    Attributes:
        explicit: one entry, the number of the explicit closure or BY_NEWTON.
        sign: one entry, the sign of det Phi_D on the branch of the loop, or UNWATCHED.
        independent, dependent: indices of the coordinates.
    """

    explicit: Array
    sign: Array
    independent: Array
    dependent: Array


class ClosureKernels(NamedTuple):
    """Compiled functions of a loop, and its parameters."""

    closure: Any
    explicit: Any
    parameters: Array


class LoopTerms(NamedTuple):
    """Arrays of one evaluation.

    Attributes:
        phi, a, phi_t, gamma, b, k: what the closure's kernel writes: Phi, Phi_y, Phi_t, gamma, B and C y'.
        lu, order, side: factors of Phi_D, its pivots, and a right-hand side.
        jac, zeta: J_c and zeta of (3). last: the last position.
    """

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
def choice_size(n: int) -> int:
    """Length of the vector of a choice among n coordinates."""
    return n + 2


@kernel
def split_choice(vector: Array, free: int) -> Choice:
    """The parts of a choice of `free` independent coordinates."""
    return Choice(vector[:1], vector[1:2], vector[2 : 2 + free], vector[2 + free :])


@kernel
def loop_terms(n: int, free: int) -> LoopTerms:
    """Empty LoopTerms for n coordinates of which `free` are independent."""
    c = n - free
    return LoopTerms(
        np.zeros(c), np.zeros((c, n)), np.zeros(c), np.zeros(c), np.zeros((c, n)), np.zeros(n),
        np.zeros((c, c)), np.zeros(c, np.int64), np.zeros(c), np.zeros((n, free)), np.zeros(n), np.zeros(n),
    )  # fmt: skip


@kernel
def evaluate_closure(functions: ClosureKernels, t: float, q: Array, u: Array, w: LoopTerms) -> None:
    """Call the closure's kernel."""
    functions.closure(t, q, u, functions.parameters, w.phi, w.a, w.phi_t, w.gamma, w.b, w.k)


@kernel
def factor_dependent(w: LoopTerms, dependent: Array) -> int:
    """LU factors of Phi_D, the dependent columns of Phi_y; returns the sign of the determinant."""
    for r in range(dependent.size):
        for c in range(dependent.size):
            w.lu[r, c] = w.a[r, dependent[c]]
    return lu_factor(w.lu, w.order, SMALLEST_PIVOT)


@kernel
def newton_step(w: LoopTerms, dependent: Array, q: Array) -> float:
    """Move the dependent coordinates by -Phi_D^-1 Phi, shortened; returns how far, relative, or not a number."""
    put(w.phi, w.side)
    lu_solve(w.lu, w.order, w.side)
    longest = 0.0
    for r in range(dependent.size):
        if not np.isfinite(w.side[r]):
            return np.nan
        longest = max(longest, abs(w.side[r]))
    shrink = min(1.0, LONGEST_STEP / max(longest, LONGEST_STEP))
    relative = 0.0
    for r in range(dependent.size):
        q[dependent[r]] -= shrink * w.side[r]
        relative = max(relative, abs(w.side[r]) / (1.0 + abs(q[dependent[r]])))
    return relative


@kernel
def close_loop(functions: ClosureKernels, t: float, q: Array, u: Array, choice: Choice, w: LoopTerms) -> int:
    """Dependent coordinates from the independent ones, in place in q; at the start q holds the last position.

    Where an explicit closure is known it gives the start of Newton's iteration, which then only confirms it.
    """
    if choice.explicit[0] != BY_NEWTON:
        functions.explicit(choice.explicit[0], t, q, w.last, functions.parameters)
    for _ in range(NEWTON_STEPS):
        evaluate_closure(functions, t, q, u, w)
        sign = factor_dependent(w, choice.dependent)
        if sign == 0:
            return SINGULAR
        moved = newton_step(w, choice.dependent, q)
        if np.isnan(moved):
            return OPEN
        if moved <= NEWTON_TOLERANCE:
            expected = choice.sign[0]
            return CLOSED if expected in (UNWATCHED, sign) else OTHER_BRANCH
    return OPEN


@kernel
def tangent_basis(w: LoopTerms, choice: Choice) -> None:
    """J_c of (3) from the factors of Phi_D."""
    w.jac[:] = 0.0
    for c in range(choice.independent.size):
        put(w.a[:, choice.independent[c]], w.side)
        lu_solve(w.lu, w.order, w.side)
        w.jac[choice.independent[c], c] = 1.0
        for r in range(choice.dependent.size):
            w.jac[choice.dependent[r], c] = -w.side[r]


@kernel
def follow_loop(functions: ClosureKernels, t: float, q: Array, u: Array, choice: Choice, w: LoopTerms) -> int:
    """J_c, zeta and the dependent velocities (in place in u) of a closed position (3)."""
    dependent = choice.dependent
    evaluate_closure(functions, t, q, u, w)
    if factor_dependent(w, dependent) == 0:
        return SINGULAR
    tangent_basis(w, choice)
    put(w.phi_t, w.side)
    lu_solve(w.lu, w.order, w.side)
    for r in range(dependent.size):
        u[dependent[r]] = -w.side[r]
        for c in range(choice.independent.size):
            u[dependent[r]] += w.jac[dependent[r], c] * u[choice.independent[c]]
    evaluate_closure(functions, t, q, u, w)
    put(w.gamma, w.side)
    lu_solve(w.lu, w.order, w.side)
    w.zeta[:] = 0.0
    for r in range(dependent.size):
        w.zeta[dependent[r]] = -w.side[r]
    return CLOSED
