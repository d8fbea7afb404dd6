"""The compiled half of the reference engine: forces, derivative and the RK4 loop of any generated model.

State x: coordinates q, velocities u, memory, ledger. The ledger holds four integrals in J: dissipated in contacts,
dissipated by friction, handed back by filtered friction, and work of the drives. The functions are compiled once
for all models; a model enters as the pointer to its kernel `terms`.

An anchor follows the way of its point by a closed form that no step has to resolve. So within a step of RK4 its states
hold the anchor at the start of the step plus the way since, and the step is committed when it is done. An adaptive
integrator resolves the anchor's rate instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype, njit, types

from ..kernel import kernel
from ..laws.friction.anchor import anchor_flow, anchor_potential, anchor_rate
from ..laws.friction.friction_table import ANCHORED, FRICTION, friction_point, rounded_speed, static_pull
from ..laws.friction.memory import memory_rate, opening
from ..laws.normal.normal_table import NORMAL, normal_force, normal_potential
from ..numerics.cholesky import cholesky_solve
from ..numerics.vectors import norm, triple
from .codegen import SIGNATURE

LEDGER = 4
OPEN = 1e-6
"""Activation below which a contact counts as open and lets its anchor go."""
POINT_MEMORY, COORDINATE_MEMORY = 0, 1

Array = Any
_TERMS = types.FunctionType(eval(SIGNATURE, {"types": types}))
_VECTOR = types.float64[::1]
_MATRIX = types.float64[:, ::1]
_INTS = types.int64[:, ::1]
NORMALS = from_dtype(NORMAL)[::1]
FRICTIONS = from_dtype(FRICTION)[::1]


@kernel
def workspace(n_q: int, n_u: int, n_c: int, n_t: int) -> Any:
    """Arrays of one evaluation, in the order of a kernel's outputs, then normal force, activation, slip force.

    The last three are the anchors; by how much they shift the distance of each contact, how fast, and what the normal
    force has above its elastic part; and the energy of anchors without a contact.
    """
    terms = (
        np.zeros((n_u, n_u)), np.zeros(n_u), np.zeros(n_q), np.zeros(n_c), np.zeros(n_c), np.zeros((n_c, n_u)),
        np.zeros(n_t), np.zeros((n_t, n_u)), np.zeros(3), np.zeros(n_c), np.zeros(n_c), np.zeros(n_t),
        np.zeros((n_u, n_u)), np.zeros(n_u),
    )  # fmt: skip
    return terms, (np.zeros(n_t), np.zeros((n_c, 3)), np.zeros(1))


@kernel
def place_anchors(points: Array, friction: Array, memory: Array, before: Array, slip: Array, room: Any) -> None:
    """Move the anchors along their ways since the last commit, and add up by how much they shift each contact."""
    anchors, shifts, loose = room
    shifts[:] = 0.0
    loose[0] = 0.0
    for k in range(points.shape[0]):
        law = friction[k]
        if law.kind != ANCHORED:
            continue
        first, size, contact = points[k]
        now, then = memory[first : first + size], before[first : first + size]
        way = triple(now - then)
        z = anchor_flow(law.anchor.limit, triple(then), way)
        for i in range(size):
            anchors[first + i] = z[i]
        psi = anchor_potential(law.anchor, norm(z))
        if contact >= 0:
            shifts[contact, 0] += psi
            shifts[contact, 1] += anchor_rate(law.anchor, z, triple(slip[first : first + size]))[3]
        else:
            loose[0] += psi


@kernel
def derivative(
    terms: Any, t: float, x: Array, p: Array, n_q: int, n_u: int, laws: Any, work: Any, before: Array, resolved: bool,
    dx: Array,
) -> bool:  # fmt: skip
    """dx/dt of the whole state; False where the mass matrix is not positive definite.

    Args:
        before: memory at the last commit. resolved: whether the integrator resolves the anchors' own rates; else their
            rates are their ways' and the ledger waits for `commit_anchors`.
    """
    normal, points, friction, filters, mode = laws
    m, h, q_dot, s, s_dot, jac, slip, slip_jac, energy, f_n, a_n, f_t, m_lu, pull = work[0]
    anchors, shifts, _ = work[1]
    n_c = s.size
    n_m = x.size - n_q - n_u - LEDGER
    q, u, memory = x[:n_q], x[n_q : n_q + n_u], x[n_q + n_u : n_q + n_u + n_m]
    accel, memory_dot, ledger = dx[n_q : n_q + n_u], dx[n_q + n_u : n_q + n_u + n_m], dx[n_q + n_u + n_m :]
    terms(t, q, u, p, m, h, q_dot, s, s_dot, jac, slip, slip_jac, energy)
    dx[:n_q] = q_dot
    contact_heat, friction_heat, anchor_heat, drive = 0.0, 0.0, 0.0, energy[2]
    if mode == POINT_MEMORY:
        place_anchors(points, friction, memory, before, slip, work[1])
    for i in range(n_u):
        accel[i] = -h[i]
    for c in range(n_c):
        force, elastic, a_n[c] = normal_force(normal[c], s[c] - shifts[c, 0], s_dot[c] - shifts[c, 1])
        f_n[c], shifts[c, 2] = force, force - elastic
        contact_heat -= (force - elastic) * (s_dot[c] - shifts[c, 1] * resolved)
        own = 0.0
        for i in range(n_u):
            accel[i] += force * jac[c, i]
            own += jac[c, i] * u[i]
        drive += force * (own - s_dot[c])
    pull[:] = 0.0
    memory_dot[:] = 0.0
    for k in range(points.shape[0]):
        first, size, contact = points[k]
        anchored = friction[k].kind == ANCHORED
        n, a = (f_n[contact], a_n[contact]) if contact >= 0 else (1.0, 1.0)
        v, f = slip[first : first + size], f_t[first : first + size]
        if mode == POINT_MEMORY:
            held = (anchors if anchored else memory)[first : first + size]
            friction_point(friction[k], n, a, v, held, f, memory_dot[first : first + size])
            if anchored and resolved:
                anchor_heat -= n * anchor_rate(friction[k].anchor, triple(held), triple(v))[3]
            elif anchored:
                memory_dot[first : first + size] = v
        else:
            per_speed = static_pull(friction[k], n, a, rounded_speed(friction[k], v))
            for i in range(size):
                f[i] = per_speed * v[i]
        for j in range(first, first + size):
            own = 0.0
            for i in range(n_u):
                pull[i] += f_t[j] * slip_jac[j, i]
                own += slip_jac[j, i] * u[i]
            if mode == POINT_MEMORY:
                if anchored:
                    anchor_heat += f_t[j] * slip[j]
                else:
                    friction_heat += f_t[j] * slip[j]
                drive += f_t[j] * (slip[j] - own)
    for i in range(n_u):
        if mode == COORDINATE_MEMORY:
            memory_dot[i] = memory_rate(memory[i], pull[i], opening(u[i], filters[i, 1]), filters[i, 0])
            pull[i] = memory[i]
            friction_heat += pull[i] * u[i]
        accel[i] -= pull[i]
    ledger[0] = contact_heat
    ledger[1] = max(friction_heat, 0.0) + anchor_heat
    ledger[2] = max(-friction_heat, 0.0)
    ledger[3] = drive
    m_lu[:] = m
    return cholesky_solve(m_lu, accel)


@kernel
def commit_anchors(
    points: Array, friction: Array, x: Array, start: int, before: Array, mean: Array, a_n: Array
) -> None:
    """Put the anchors where they are after the step, and book what went into their potentials.

    Args:
        start: where the memory begins in x. before: memory at the start of the step; then the new one.
        mean: of each contact over the step, the normal force and its part above the elastic one, in N.
    """
    heat = x[x.size - LEDGER :]
    for k in range(points.shape[0]):
        law = friction[k]
        if law.kind != ANCHORED:
            continue
        first, size, contact = points[k]
        then, now = before[first : first + size], x[start + first : start + first + size]
        z = anchor_flow(law.anchor.limit, triple(then), triple(now - then))
        if contact >= 0 and a_n[contact] < OPEN:
            z = (0.0, 0.0, 0.0)
        gain = anchor_potential(law.anchor, norm(z)) - anchor_potential(law.anchor, norm(triple(then)))
        n, surplus = (mean[contact, 0], mean[contact, 1]) if contact >= 0 else (1.0, 0.0)
        heat[0] += surplus * gain
        heat[1] -= n * gain
        for i in range(size):
            now[i] = z[i]
    before[:] = x[start : start + before.size]


_SYSTEM = (_TERMS, types.float64, _VECTOR, _VECTOR, types.int64[::1], NORMALS, _INTS, FRICTIONS, _MATRIX, types.int64)


@kernel
def record(t: float, x: Array, normal: Array, work: Any, row: Array) -> None:
    """Write time, state, distances, normal forces, slip forces, kinetic, potential and stored energy."""
    s, energy, f_n, f_t = work[0][3], work[0][8], work[0][9], work[0][11]
    shifts, loose = work[1][1], work[1][2]
    stored = loose[0]
    for c in range(s.size):
        stored += normal_potential(normal[c], s[c] - shifts[c, 0])
    row[0] = t
    end = 1 + x.size
    row[1:end] = x
    for block in (s, f_n, f_t):
        row[end : end + block.size] = block
        end += block.size
    row[end] = energy[0]
    row[end + 1] = energy[1]
    row[end + 2] = stored


@njit(types.boolean(*_SYSTEM, _VECTOR, _VECTOR), cache=True, error_model="numpy")
def evaluate(
    terms: Any, t: float, x: Array, p: Array, sizes: Array,
    normal: Array, points: Array, friction: Array, filters: Array, mode: int, dx: Array, row: Array,
) -> bool:  # fmt: skip
    """dx/dt and the record of one state; False where the mass matrix is not positive definite.

    sizes are the numbers of coordinates, velocities, contacts and slip components.
    """
    work = workspace(sizes[0], sizes[1], sizes[2], sizes[3])
    laws = (normal, points, friction, filters, mode)
    memory = x[sizes[0] + sizes[1] : x.size - LEDGER]
    regular = derivative(terms, t, x, p, sizes[0], sizes[1], laws, work, memory, True, dx)
    record(t, x, normal, work, row)
    return regular


@njit(types.int64(*_SYSTEM, types.float64, types.int64, types.int64, _MATRIX), cache=True, error_model="numpy")
def rk4(
    terms: Any, t: float, x: Array, p: Array, sizes: Array,
    normal: Array, points: Array, friction: Array, filters: Array, mode: int,
    h: float, first: int, every: int, rows: Array,
) -> int:  # fmt: skip
    """Classical RK4 from step number `first`, one record before each `every` steps; returns the records written.

    The state x is advanced in place. Stops early, with fewer records, where the state is no longer finite.
    """
    n_q, n_u = sizes[0], sizes[1]
    work = workspace(n_q, n_u, sizes[2], sizes[3])
    laws = (normal, points, friction, filters, mode)
    n = x.size
    k, y, total = np.zeros(n), np.zeros(n), np.zeros(n)
    reach = np.array((0.0, 0.5, 0.5, 1.0))
    weight = np.array((1.0, 2.0, 2.0, 1.0)) / 6.0
    start = n_q + n_u
    before, mean = x[start : n - LEDGER].copy(), np.zeros((sizes[2], 2))
    anchored = False
    for point in range(points.shape[0]):
        anchored = anchored or (mode == POINT_MEMORY and friction[point].kind == ANCHORED)
    for r in range(rows.shape[0]):
        for j in range(n):
            if not np.isfinite(x[j]):
                return r
        for i in range(every):
            now = t + (first + r * every + i) * h
            for j in range(n):
                total[j] = 0.0
            mean[:] = 0.0
            for stage in range(4):
                for j in range(n):
                    y[j] = x[j] + reach[stage] * h * k[j] if stage > 0 else x[j]
                if not derivative(terms, now + reach[stage] * h, y, p, n_q, n_u, laws, work, before, False, k):
                    return r
                if i == 0 and stage == 0:
                    record(now, x, normal, work, rows[r])
                for j in range(n):
                    total[j] += weight[stage] * k[j]
                for c in range(mean.shape[0] if anchored else 0):
                    mean[c, 0] += weight[stage] * work[0][9][c]
                    mean[c, 1] += weight[stage] * work[1][1][c, 2]
            for j in range(n):
                x[j] += h * total[j]
            if anchored:
                commit_anchors(points, friction, x, start, before, mean, work[0][10])
    return rows.shape[0]
