"""The compiled engine of closed loops: the tree's equations with their laws, projected to minimal coordinates (4).

Integrated state z: independent coordinates, their velocities, memory, ledger. Beside it stands the state x of the
whole tree, in the tree engine's order. The tree's engine gives M and the acceleration a = M^-1 (q - k) that the tree
would have without its reactions; then M_I y_I'' = J_c^T M (a - zeta), M_I = J_c^T M J_c.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

from ...kernel import kernel
from ...numerics.cholesky import cholesky_solve
from ..codegen import SIGNATURE
from ..engine import FRICTIONS, LEDGER, NORMALS, evaluate
from .loop_choice import pivoted_choice, tangent_rows, volume_of
from .loop_kinematics import (
    CLOSED,
    CLOSURE,
    EXPLICIT,
    JUMPED,
    MASSLESS,
    SINGULAR,
    SWITCHED,
    close_loop,
    factor_dependent,
    follow_loop,
    loop_terms,
)
from .loop_reactions import reactions

LEAST_VOLUME = 1e-3
"""Volume below which coordinates no longer determine the loop."""
LARGEST_JUMP = 0.1
"""Share of the largest kinetic energy by which the ledger may be wrong after a single step."""

Array = Any
_TERMS = types.FunctionType(eval(SIGNATURE, {"types": types}))
_VECTOR, _MATRIX = types.float64[::1], types.float64[:, ::1]
_INTS, _TABLE = types.int64[::1], types.int64[:, ::1]


@kernel
def project(m: Array, w: Any, free_accel: Array, accel: Array) -> bool:
    """Accelerations of all coordinates from the minimal equations (4); False where M_I is not positive definite."""
    n, free = w.jac.shape
    pushed, inertia, force = np.zeros((n, free)), np.zeros((free, free)), np.zeros(free)
    for i in range(n):
        for c in range(free):
            for j in range(n):
                pushed[i, c] += m[i, j] * w.jac[j, c]
    for c in range(free):
        for i in range(n):
            force[c] += pushed[i, c] * (free_accel[i] - w.zeta[i])
            for d in range(free):
                inertia[c, d] += pushed[i, c] * w.jac[i, d]
    if not cholesky_solve(inertia, force):
        return False
    for i in range(n):
        accel[i] = w.zeta[i]
        for c in range(free):
            accel[i] += w.jac[i, c] * force[c]
    return True


@kernel
def mask_of(chosen: Array) -> int:
    """Whole number with one bit per chosen coordinate."""
    mask = 0
    for i in chosen:
        mask += 1 << i
    return mask


@kernel
def set_choice(chosen: Array, masks: Array, w: Any, choice: Array) -> bool:
    """Write a choice of independent coordinates, with the branch on which they stand; False where it is singular."""
    free, mask, at = chosen.size, mask_of(chosen), 2 + chosen.size
    for i in range(w.jac.shape[0]):
        if (mask >> i) & 1 == 0:
            choice[at] = i
            at += 1
    choice[0] = -1
    for i in range(masks.size):
        if masks[i] == mask:
            choice[0] = i
    choice[2 : 2 + free] = chosen
    choice[1] = factor_dependent(w, choice[2 + free :])
    return choice[1] != 0


@kernel
def reselect(m: Array, masks: Array, hold: float, w: Any, choice: Array, row: Array) -> int:
    """SWITCHED where the best coordinates by (5) replaced those whose volume fell below `hold` times theirs.

    Else CLOSED; SINGULAR where coordinates that are to be held are in a dead point, or where the closure equations
    themselves have lost rank: there no choice helps. The last two entries of the record become the volume and the mask
    of the independent coordinates.
    """
    n, free = w.jac.shape
    rows, picks = np.zeros((n, free)), np.zeros(free, np.int64)
    if tangent_rows(m, w.a, rows) < n - free:
        return SINGULAR
    status, best, volume = CLOSED, pivoted_choice(rows, picks), volume_of(rows, choice[2 : 2 + free])
    if volume < hold * best:
        status, volume = SWITCHED if set_choice(picks, masks, w, choice) else SINGULAR, best
    elif volume < LEAST_VOLUME:
        status = SINGULAR
    row[row.size - 2] = volume
    row[row.size - 1] = mask_of(choice[2 : 2 + free])
    return status


@kernel
def reduced(x: Array, choice: Array, free: int, n: int, z: Array) -> None:
    """z, or its derivative, from that of the whole tree."""
    for c in range(free):
        z[c] = x[choice[2 + c]]
        z[free + c] = x[n + choice[2 + c]]
    z[2 * free :] = x[2 * n :]


@njit(_MATRIX(_TERMS, types.float64, _VECTOR, _VECTOR, _INTS), cache=True, error_model="numpy")
def mass_at(terms: Any, t: float, x: Array, p: Array, sizes: Array) -> Any:
    """Mass matrix of the tree at the positions and velocities in x."""
    n, contacts, slips = sizes[0], sizes[2], sizes[3]
    m, h, q_dot, s, s_dot = np.zeros((n, n)), np.zeros(n), np.zeros(n), np.zeros(contacts), np.zeros(contacts)
    jac, slip, slip_jac, energy = np.zeros((contacts, n)), np.zeros(slips), np.zeros((slips, n)), np.zeros(3)
    terms(t, x[:n], x[n : 2 * n], p, m, h, q_dot, s, s_dot, jac, slip, slip_jac, energy)
    return m


@kernel
def write_parts(m: Array, free_accel: Array, w: Any, parts: Array) -> None:
    """M, J_c, Phi_y^T, B^T, zeta, k and M^-1 (q - k) side by side, one row per coordinate."""
    n, free = w.jac.shape
    last = 3 * n - free
    for i in range(n):
        for j in range(n):
            parts[i, j] = m[i, j]
        for c in range(free):
            parts[i, n + c] = w.jac[i, c]
        for r in range(n - free):
            parts[i, n + free + r] = w.a[r, i]
            parts[i, 2 * n + r] = w.b[r, i]
        parts[i, last], parts[i, last + 1], parts[i, last + 2] = w.zeta[i], w.k[i], free_accel[i]


@njit(types.int64(CLOSURE, EXPLICIT, types.float64, _VECTOR, _VECTOR, _VECTOR, _INTS, types.int64), cache=True,
      error_model="numpy")  # fmt: skip
def assemble(closure: Any, explicit: Any, t: float, q: Array, u: Array, p: Array, choice: Array, free: int) -> int:
    """Close the loop from the guess q and complete the velocities u, both in place; CLOSED or what is wrong."""
    w = loop_terms(q.size, free)
    w.last[:] = q
    status = close_loop(closure, explicit, t, q, u, p, choice, w)
    return follow_loop(closure, t, q, u, p, choice, w) if status == CLOSED else status


@kernel
def take_over(closure: Any, explicit: Any, t: float, z: Array, p: Array, choice: Array, w: Any, x: Array) -> int:
    """Put the reduced state z into the full state x and close the loop; where that fails x keeps its position."""
    n, free = w.jac.shape
    q, u = x[:n], x[n : 2 * n]
    w.last[:] = q
    for c in range(free):
        q[choice[2 + c]] = z[c]
        u[choice[2 + c]] = z[free + c]
    x[2 * n :] = z[2 * free :]
    status = close_loop(closure, explicit, t, q, u, p, choice, w)
    if status == CLOSED:
        status = follow_loop(closure, t, q, u, p, choice, w)
    if status != CLOSED:
        q[:] = w.last
    return status


@kernel
def jumped(row: Array, ledger: Array, bound: int, watch: Array) -> bool:
    """Whether the ledger of energy opened too wide in one step; watch holds its last total and the kinetic energy in J.

    That is how a loop shows that it passed, between two steps, a position from which it may go on in several ways.
    """
    end = row.size - 2 - bound
    total = row[end - 3] + row[end - 2] + row[end - 1] + ledger[0] + ledger[1] - ledger[2] - ledger[3]
    watch[1] = max(watch[1], row[end - 3])
    gap = abs(total - watch[0])
    watch[0] = total
    return bool(gap > LARGEST_JUMP * watch[1])


_SYSTEM = (
    types.FunctionType(evaluate.nopython_signatures[0]), _TERMS, CLOSURE, EXPLICIT, types.float64, _VECTOR, _VECTOR,
    _INTS, NORMALS, _TABLE, FRICTIONS, _MATRIX, types.int64, _INTS, _INTS, types.float64, _VECTOR,
)  # fmt: skip
_EVALUATE = types.int64(*_SYSTEM, _VECTOR, _VECTOR, _MATRIX)


@njit(_EVALUATE, cache=True, error_model="numpy")
def evaluate_loop(
    tree: Any, terms: Any, closure: Any, explicit: Any, t: float, z: Array, p: Array,
    sizes: Array, normal: Array, points: Array, friction: Array, filters: Array, mode: int,
    masks: Array, choice: Array, hold: float, x: Array, dx: Array, row: Array, parts: Array,
) -> int:  # fmt: skip
    """State x of the tree at z, its derivative and its record; CLOSED, SWITCHED or what is wrong.

    At the start x holds the last position, from which the loop is closed. A closure that moves with time drives the
    mechanism: the power of its reactions goes into the ledger.

    Args:
        tree: the tree's engine. hold: see `reselect`; negative, the choice of coordinates is not looked at.
        parts: of the projection, written where they have room.
    """
    n = sizes[0]
    free = (z.size - x.size + 2 * n) // 2
    w, free_accel, f = loop_terms(n, free), np.zeros(n), np.zeros(n - free)
    status = take_over(closure, explicit, t, z, p, choice, w, x)
    if status != CLOSED:
        return status
    if not tree(terms, t, x, p, sizes, normal, points, friction, filters, mode, dx, row):
        return MASSLESS
    m = mass_at(terms, t, x, p, sizes)
    free_accel[:] = dx[n : 2 * n]
    if not project(m, w, free_accel, dx[n : 2 * n]):
        return MASSLESS
    if not reactions(m, w.b, w.zeta, free_accel, f):
        return SINGULAR
    for i in range(f.size):
        row[row.size - 2 - f.size + i] = f[i]
        for j in range(n):
            dx[dx.size - LEDGER + 3] += f[i] * w.b[i, j] * x[n + j]
    if parts.size > 0:
        write_parts(m, free_accel, w, parts)
    return reselect(m, masks, hold, w, choice, row) if hold >= 0.0 else CLOSED


@njit(types.UniTuple(types.int64, 3)(types.FunctionType(_EVALUATE), *_SYSTEM, types.float64, types.int64, types.int64,
      _VECTOR, _MATRIX), cache=True, error_model="numpy")  # fmt: skip
def rk4_loop(
    rate: Any, tree: Any, terms: Any, closure: Any, explicit: Any, t: float, z: Array, p: Array,
    sizes: Array, normal: Array, points: Array, friction: Array, filters: Array, mode: int,
    masks: Array, choice: Array, hold: float, x: Array, h: float, first: int, every: int, watch: Array,
    rows: Array,
) -> tuple[int, int, int]:  # fmt: skip
    """Classical RK4 from step number `first`, one record before each `every` steps; `rate` is `evaluate_loop`.

    Advances x, z, choice and watch (see `jumped`; its total is not a number at the start) in place; returns the records
    written, the switches, and CLOSED or what stopped it.
    """
    n, switches = sizes[0], 0
    free = (z.size - x.size + 2 * n) // 2
    dx, k, y, total = np.zeros(x.size), np.zeros(z.size), np.zeros(z.size), np.zeros(z.size)
    reach, weight = np.array((0.0, 0.5, 0.5, 1.0)), np.array((1.0, 2.0, 2.0, 1.0)) / 6.0
    unread, parts = np.zeros(rows.shape[1]), np.zeros((0, 0))
    for r in range(rows.shape[0]):
        for i in range(every):
            now = t + (first + r * every + i) * h
            total[:] = 0.0
            for stage in range(4):
                for j in range(z.size):
                    y[j] = z[j] + reach[stage] * h * k[j] if stage > 0 else z[j]
                row = rows[r] if i == 0 and stage == 0 else unread
                status = rate(
                    tree, terms, closure, explicit, now + reach[stage] * h, y, p, sizes, normal, points, friction,
                    filters, mode, masks, choice, hold if stage == 0 else -1.0, x, dx, row, parts,
                )  # fmt: skip
                if status == SWITCHED:
                    switches += 1
                    reduced(x, choice, free, n, z)
                elif status != CLOSED:
                    return r, switches, status
                if stage == 0 and jumped(row, x[x.size - LEDGER :], n - free, watch):
                    return r, switches, JUMPED
                reduced(dx, choice, free, n, k)
                for j in range(z.size):
                    total[j] += weight[stage] * k[j]
            for j in range(z.size):
                z[j] += h * total[j]
    return rows.shape[0], switches, CLOSED
