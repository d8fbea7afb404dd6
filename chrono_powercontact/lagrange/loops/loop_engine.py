"""The compiled engine of closed loops: the tree's equations with their laws, projected to minimal coordinates (4).

Integrated state z: independent coordinates, their velocities, memory, ledger. The state x of the whole tree, in the
order of the tree's engine, goes with it. The tree's engine gives M and the acceleration a = M^-1 (q - k) that the tree
would have without its reactions; then M_I y_I'' = J_c^T M (a - zeta), M_I = J_c^T M J_c.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype, njit, types

from ...kernel import expanded, kernel
from ...numerics.cholesky import cholesky_solve
from ...numerics.copying import put
from ...numerics.rk4 import REACH, STAGES, Rk4Room, rk4_add, rk4_finish, rk4_room, rk4_stage
from ..engine import TERMS, record, resolved_rates
from ..equations import SystemData, Work, empty_terms, evaluate_terms, system_data, workspace
from ..layout import (
    ARGUMENT_TYPES,
    CONTACT_HEAT,
    DRIVE_WORK,
    FRICTION_HEAT,
    HANDED_BACK,
    INTEGERS,
    LEDGER,
    MATRIX,
    VECTOR,
    Sizes,
    record_columns,
    sizes_of,
)
from .loop_choice import pivoted_choice, tangent_rows, volume_of
from .loop_kinematics import (
    BY_NEWTON,
    CLOSED,
    CLOSURE,
    EXPLICIT,
    JUMPED,
    MASSLESS,
    SINGULAR,
    SWITCHED,
    Choice,
    ClosureKernels,
    LoopTerms,
    close_loop,
    factor_dependent,
    follow_loop,
    loop_terms,
    split_choice,
)
from .loop_reactions import reactions

LEAST_VOLUME = 1e-3
"""Volume below which coordinates no longer determine the loop."""
LARGEST_JUMP = 0.1
"""Fraction of the largest kinetic energy by which the ledger may be wrong after a single step."""
KEEP_CHOICE = -1.0
"""Stands for `hold` where the choice of coordinates is not looked at."""

WATCH = np.dtype([("total", np.float64), ("kinetic", np.float64)])
"""What is watched from step to step, in J: the total of the ledger, not a number at the start, and the largest kinetic
energy."""

Array = Any


class LoopData(NamedTuple):
    """A loop inside compiled code: its tree, its closure, and the mask of each explicit closure."""

    tree: SystemData
    functions: ClosureKernels
    masks: Array


class LoopState(NamedTuple):
    """The integrated state z, the choice of coordinates to which it belongs, and the state x of the whole tree."""

    z: Array
    choice: Choice
    x: Array


class LoopWork(NamedTuple):
    """Arrays of one evaluation.

    Attributes:
        tree: of the tree. closure: of the closure equations.
        free_accel: M^-1 (q - k). reaction: f of (7), in N or N m. dx: rate of x. unread: a record that nobody reads.
    """

    tree: Work
    closure: LoopTerms
    free_accel: Array
    reaction: Array
    dx: Array
    unread: Array


class LoopColumns(NamedTuple):
    """Columns of a loop's record beyond the tree's, and the tree's energies."""

    kinetic: int
    potential: int
    stored: int
    reactions: int
    volume: int
    independent: int


class Parts(NamedTuple):
    """What the projection (4) is made of: M, J_c, Phi_y, B, zeta, k, M^-1 (q - k), reactions, and the rate of x."""

    status: int
    mass: Array
    jac: Array
    a: Array
    b: Array
    zeta: Array
    k: Array
    free_accel: Array
    reaction: Array
    dx: Array


@kernel
def loop_workspace(sizes: Sizes, free: int, state_size: int) -> LoopWork:
    """Arrays for evaluations of a loop with `free` independent coordinates."""
    n = sizes.n_q
    width = loop_columns(state_size, sizes, n - free).independent + 1
    return LoopWork(
        workspace(sizes), loop_terms(n, free), np.zeros(n), np.zeros(n - free), np.zeros(state_size), np.zeros(width)
    )  # fmt: skip


@kernel
def loop_columns(state_size: int, sizes: Sizes, bound: int) -> LoopColumns:
    """Columns of the record of a loop with `bound` closure equations."""
    tree = record_columns(state_size, sizes)
    volume = tree.end + bound
    return LoopColumns(tree.kinetic, tree.potential, tree.stored, tree.end, volume, volume + 1)


@kernel
def freedom_of(z: Array, x: Array, n: int) -> int:
    """Number of independent coordinates, from the lengths of z and x and the number n of coordinates."""
    return (z.size - x.size + 2 * n) // 2


@kernel
def project(m: Array, w: LoopTerms, free_accel: Array, accel: Array) -> bool:
    """Accelerations of all coordinates from the minimal equations (4); False where M_I is not positive definite."""
    n, free = w.jac.shape
    pushed = np.zeros((n, free))
    inertia = np.zeros((free, free))
    force = np.zeros(free)
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
def set_choice(chosen: Array, masks: Array, w: LoopTerms, choice: Choice) -> bool:
    """Write a choice of independent coordinates and the branch that they are on; False where it is singular."""
    mask = mask_of(chosen)
    at = 0
    for i in range(w.jac.shape[0]):
        if (mask >> i) & 1 == 0:
            choice.dependent[at] = i
            at += 1
    choice.explicit[0] = BY_NEWTON
    for i in range(masks.size):
        if masks[i] == mask:
            choice.explicit[0] = i
    put(chosen, choice.independent)
    choice.sign[0] = factor_dependent(w, choice.dependent)
    return choice.sign[0] != 0


@kernel
def choose(vector: Array, chosen: Array, masks: Array, w: LoopTerms) -> bool:
    """`set_choice` in the vector of a choice, for callers from Python."""
    return set_choice(chosen, masks, w, split_choice(vector, chosen.size))


@kernel
def reselect(
    mass: Array, masks: Array, hold: float, w: LoopTerms, choice: Choice, at: LoopColumns, row: Array
) -> int:  # fmt: skip
    """SWITCHED where the best coordinates by (5) replaced those whose volume fell below `hold` times theirs.

    Else CLOSED; SINGULAR where coordinates that are to be held are in a dead point, or where the closure equations
    themselves have lost rank: there no choice helps. The record gets the volume and the mask of the independent
    coordinates.
    """
    n, free = w.jac.shape
    rows = np.zeros((n, free))
    picks = np.zeros(free, np.int64)
    if tangent_rows(mass, w.a, rows) < n - free:
        return SINGULAR
    best = pivoted_choice(rows, picks)
    volume = volume_of(rows, choice.independent)
    status = CLOSED
    if volume < hold * best:
        status = SWITCHED if set_choice(picks, masks, w, choice) else SINGULAR
        volume = best
    elif volume < LEAST_VOLUME:
        status = SINGULAR
    row[at.volume] = volume
    row[at.independent] = mask_of(choice.independent)
    return status


@kernel
def reduced(x: Array, independent: Array, n: int, z: Array) -> None:
    """z, or its rate, from that of the whole tree with n coordinates."""
    free = independent.size
    for c in range(free):
        z[c] = x[independent[c]]
        z[free + c] = x[n + independent[c]]
    put(x[2 * n :], z[2 * free :])


@njit(MATRIX(TERMS, types.float64, VECTOR, VECTOR, INTEGERS), cache=True, error_model="numpy")
def mass_at(terms: Any, t: float, x: Array, p: Array, sizes: Array) -> Any:
    """Mass matrix of the tree at the positions and velocities in x."""
    named = sizes_of(sizes)
    out = empty_terms(named)
    evaluate_terms(terms, t, x[: named.n_q], x[named.n_q : named.n_q + named.n_u], p, out)
    return out.mass


@njit(types.int64(CLOSURE, EXPLICIT, types.float64, VECTOR, VECTOR, VECTOR, INTEGERS, types.int64), cache=True,
      error_model="numpy")  # fmt: skip
def assemble(closure: Any, explicit: Any, t: float, q: Array, u: Array, p: Array, choice: Array, free: int) -> int:
    """Close the loop from the guess q and complete the velocities u, both in place; CLOSED or what is wrong."""
    functions = ClosureKernels(closure, explicit, p)
    parts = split_choice(choice, free)
    w = loop_terms(q.size, free)
    put(q, w.last)
    status = close_loop(functions, t, q, u, parts, w)
    return follow_loop(functions, t, q, u, parts, w) if status == CLOSED else status


@kernel
def expand(functions: ClosureKernels, t: float, state: LoopState, w: LoopTerms) -> int:
    """Put the integrated state into the full state and close the loop; where that fails x keeps its position."""
    n, free = w.jac.shape
    choice = state.choice
    q = state.x[:n]
    u = state.x[n : 2 * n]
    put(q, w.last)
    for c in range(free):
        q[choice.independent[c]] = state.z[c]
        u[choice.independent[c]] = state.z[free + c]
    put(state.z[2 * free :], state.x[2 * n :])
    status = close_loop(functions, t, q, u, choice, w)
    if status == CLOSED:
        status = follow_loop(functions, t, q, u, choice, w)
    if status != CLOSED:
        put(w.last, q)
    return status


@kernel
def jumped(row: Array, at: LoopColumns, ledger: Array, watch: Array) -> bool:
    """Whether the ledger of energy opened too wide in one step; for `watch` see WATCH.

    That is how a loop shows that it passed, between two steps, a position from which it may go on in several ways.
    """
    seen = watch[0]
    heat = ledger[CONTACT_HEAT] + ledger[FRICTION_HEAT]
    total = row[at.kinetic] + row[at.potential] + row[at.stored] + heat - ledger[HANDED_BACK] - ledger[DRIVE_WORK]
    gap = abs(total - seen.total)
    seen.kinetic = max(seen.kinetic, row[at.kinetic])
    seen.total = total
    return bool(gap > LARGEST_JUMP * seen.kinetic)


@kernel
def loop_rates(loop: LoopData, t: float, state: LoopState, hold: float, work: LoopWork, row: Array) -> int:
    """State x of the tree at z, its rate (work.dx) and its record; CLOSED, SWITCHED or what is wrong.

    At the start x holds the last position, from which the loop is closed. A closure that moves with time drives the
    mechanism: the power of its reactions goes into the ledger.
    """
    w = work.closure
    n, free = w.jac.shape
    x = state.x
    dx = work.dx
    f = work.reaction
    status = expand(loop.functions, t, state, w)
    if status != CLOSED:
        return status
    if not resolved_rates(loop.tree, t, x, work.tree, dx):
        return MASSLESS
    record(t, x, loop.tree, work.tree, row)
    mass = work.tree.terms.mass
    accel = dx[n : 2 * n]
    put(accel, work.free_accel)
    if not project(mass, w, work.free_accel, accel):
        return MASSLESS
    if not reactions(mass, w.b, w.zeta, work.free_accel, f):
        return SINGULAR
    at = loop_columns(x.size, loop.tree.sizes, n - free)
    ledger = dx[dx.size - LEDGER :]
    for i in range(f.size):
        row[at.reactions + i] = f[i]
        for j in range(n):
            ledger[DRIVE_WORK] += f[i] * w.b[i, j] * x[n + j]
    return reselect(mass, loop.masks, hold, w, state.choice, at, row) if hold >= 0.0 else CLOSED


_SYSTEM = (TERMS, CLOSURE, EXPLICIT, types.float64, VECTOR, *ARGUMENT_TYPES, INTEGERS, INTEGERS, types.float64, VECTOR)


@njit(types.int64(*_SYSTEM, VECTOR, VECTOR), cache=True, error_model="numpy")
def evaluate_loop(
    terms: Any, closure: Any, explicit: Any, t: float, z: Array, p: Array,
    sizes: Array, normal: Array, points: Array, friction: Array, filters: Array, mode: int,
    masks: Array, choice: Array, hold: float, x: Array, dx: Array, row: Array,
) -> int:  # fmt: skip
    """State x of the tree at z, its rate and its record: see `loop_rates`; for `hold` see `reselect`."""
    tree = system_data(terms, p, sizes, normal, points, friction, filters, mode)
    loop = LoopData(tree, ClosureKernels(closure, explicit, p), masks)
    free = freedom_of(z, x, tree.sizes.n_q)
    work = loop_workspace(tree.sizes, free, x.size)
    status = loop_rates(loop, t, LoopState(z, split_choice(choice, free), x), hold, work, row)
    put(work.dx, dx)
    return status


@kernel
def loop_parts(
    terms: Any, closure: Any, explicit: Any, t: float, z: Array, p: Array,
    sizes: Array, normal: Array, points: Array, friction: Array, filters: Array, mode: int,
    masks: Array, choice: Array, x: Array, row: Array,
) -> Parts:  # fmt: skip
    """The parts of the projection (4) at z; the choice of coordinates is kept."""
    tree = system_data(terms, p, sizes, normal, points, friction, filters, mode)
    loop = LoopData(tree, ClosureKernels(closure, explicit, p), masks)
    free = freedom_of(z, x, tree.sizes.n_q)
    work = loop_workspace(tree.sizes, free, x.size)
    w = work.closure
    status = loop_rates(loop, t, LoopState(z, split_choice(choice, free), x), 0.0, work, row)
    return Parts(
        status, work.tree.terms.mass, w.jac, w.a, w.b, w.zeta, w.k, work.free_accel, work.reaction, work.dx
    )  # fmt: skip


@expanded
def rk4_loop_step(
    loop: LoopData, times: tuple[float, float], state: LoopState, hold: float, work: LoopWork, room: Rk4Room,
    watch: Array, row: Array,
) -> tuple[int, int]:  # fmt: skip
    """Advance a loop by a step; returns the switches, and CLOSED or what stopped it.

    Args:
        times: start and length of the step, in s. row: becomes the record of the start.
    """
    t, h = times
    n = loop.tree.sizes.n_q
    independent = state.choice.independent
    at = loop_columns(state.x.size, loop.tree.sizes, n - independent.size)
    trial = LoopState(room.point, state.choice, state.x)
    switches = 0
    for stage in range(STAGES):
        rk4_stage(room, state.z, stage, h)
        if stage == 0:
            status = loop_rates(loop, t, trial, hold, work, row)
        else:
            status = loop_rates(loop, t + REACH[stage] * h, trial, KEEP_CHOICE, work, work.unread)
        if status == SWITCHED:
            switches += 1
            reduced(state.x, independent, n, state.z)
        elif status != CLOSED:
            return switches, status
        if stage == 0 and jumped(row, at, state.x[state.x.size - LEDGER :], watch):
            return switches, JUMPED
        reduced(work.dx, independent, n, room.rate)
        rk4_add(room, stage)
    rk4_finish(room, state.z, h)
    return switches, CLOSED


@njit(types.UniTuple(types.int64, 3)(*_SYSTEM, types.float64, types.int64, types.int64, from_dtype(WATCH)[::1], MATRIX),
      cache=True, error_model="numpy")  # fmt: skip
def rk4_loop(
    terms: Any, closure: Any, explicit: Any, t: float, z: Array, p: Array,
    sizes: Array, normal: Array, points: Array, friction: Array, filters: Array, mode: int,
    masks: Array, choice: Array, hold: float, x: Array, h: float, first: int, every: int, watch: Array, rows: Array,
) -> tuple[int, int, int]:  # fmt: skip
    """Classical RK4 from step number `first`, one record before each `every` steps.

    Advances x, z, choice and watch (see WATCH) in place; returns the records written, the switches, and CLOSED or what
    stopped it.
    """
    tree = system_data(terms, p, sizes, normal, points, friction, filters, mode)
    loop = LoopData(tree, ClosureKernels(closure, explicit, p), masks)
    free = freedom_of(z, x, tree.sizes.n_q)
    work = loop_workspace(tree.sizes, free, x.size)
    state = LoopState(z, split_choice(choice, free), x)
    room = rk4_room(z.size)
    switches = 0
    for r in range(rows.shape[0]):
        for i in range(every):
            now = t + (first + r * every + i) * h
            row = rows[r] if i == 0 else work.unread
            switched, status = rk4_loop_step(loop, (now, h), state, hold, work, room, watch, row)
            switches += switched
            if status != CLOSED:
                return r, switches, status
    return rows.shape[0], switches, CLOSED
