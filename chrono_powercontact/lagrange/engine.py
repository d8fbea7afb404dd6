"""The compiled half of the reference engine: forces, derivative and the RK4 loop of any generated model.

State x: coordinates q, velocities u, memory, ledger. The ledger holds four integrals in J: dissipated in contacts,
dissipated by friction, handed back by filtered friction, and work of the drives. The functions are compiled once
for all models; a model enters as the pointer to its kernel `terms`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

from ..laws.kernel import kernel
from ..laws.memory import memory_rate, opening
from ..laws.rows import friction_point, normal_force, normal_potential, static_pull
from .codegen import SIGNATURE

LEDGER = 4
POINT_MEMORY, COORDINATE_MEMORY = 0, 1

Array = Any
_TERMS = types.FunctionType(eval(SIGNATURE, {"types": types}))
_VECTOR = types.float64[::1]
_MATRIX = types.float64[:, ::1]
_INTS = types.int64[:, ::1]


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


@kernel
def workspace(n_q: int, n_u: int, n_c: int, n_t: int) -> Any:
    """Arrays of one evaluation, in the order of a kernel's outputs, then normal force, activation, slip force."""
    return (
        np.zeros((n_u, n_u)), np.zeros(n_u), np.zeros(n_q), np.zeros(n_c), np.zeros(n_c), np.zeros((n_c, n_u)),
        np.zeros(n_t), np.zeros((n_t, n_u)), np.zeros(3), np.zeros(n_c), np.zeros(n_c), np.zeros(n_t),
        np.zeros((n_u, n_u)), np.zeros(n_u),
    )  # fmt: skip


@kernel
def derivative(terms: Any, t: float, x: Array, p: Array, n_q: int, n_u: int, laws: Any, work: Any, dx: Array) -> bool:
    """dx/dt of the whole state; False where the mass matrix is not positive definite."""
    normal, points, friction, filters, mode = laws
    m, h, q_dot, s, s_dot, jac, slip, slip_jac, energy, f_n, a_n, f_t, m_lu, pull = work
    n_c = s.size
    n_m = x.size - n_q - n_u - LEDGER
    q, u, memory = x[:n_q], x[n_q : n_q + n_u], x[n_q + n_u : n_q + n_u + n_m]
    accel, memory_dot, ledger = dx[n_q : n_q + n_u], dx[n_q + n_u : n_q + n_u + n_m], dx[n_q + n_u + n_m :]
    terms(t, q, u, p, m, h, q_dot, s, s_dot, jac, slip, slip_jac, energy)
    dx[:n_q] = q_dot
    contact_heat, friction_heat, drive = 0.0, 0.0, energy[2]
    for i in range(n_u):
        accel[i] = -h[i]
    for c in range(n_c):
        force, elastic, a_n[c] = normal_force(normal[c], s[c], s_dot[c])
        f_n[c] = force
        contact_heat -= (force - elastic) * s_dot[c]
        own = 0.0
        for i in range(n_u):
            accel[i] += force * jac[c, i]
            own += jac[c, i] * u[i]
        drive += force * (own - s_dot[c])
    pull[:] = 0.0
    memory_dot[:] = 0.0
    for k in range(points.shape[0]):
        first, size, contact = points[k]
        n, a = (f_n[contact], a_n[contact]) if contact >= 0 else (1.0, 1.0)
        v, f = slip[first : first + size], f_t[first : first + size]
        if mode == POINT_MEMORY:
            friction_point(friction[k], n, a, v, memory[first : first + size], f, memory_dot[first : first + size])
        else:
            square = friction[k, 7] ** 2
            for i in range(size):
                square += v[i] * v[i]
            per_speed = static_pull(friction[k], n, a, np.sqrt(square))
            for i in range(size):
                f[i] = per_speed * v[i]
        for j in range(first, first + size):
            own = 0.0
            for i in range(n_u):
                pull[i] += f_t[j] * slip_jac[j, i]
                own += slip_jac[j, i] * u[i]
            if mode == POINT_MEMORY:
                friction_heat += f_t[j] * slip[j]
                drive += f_t[j] * (slip[j] - own)
    for i in range(n_u):
        if mode == COORDINATE_MEMORY:
            memory_dot[i] = memory_rate(memory[i], pull[i], opening(u[i], filters[i, 1]), filters[i, 0])
            pull[i] = memory[i]
            friction_heat += pull[i] * u[i]
        accel[i] -= pull[i]
    ledger[0] = contact_heat
    ledger[1] = max(friction_heat, 0.0)
    ledger[2] = max(-friction_heat, 0.0)
    ledger[3] = drive
    m_lu[:] = m
    return cholesky_solve(m_lu, accel)


_SYSTEM = (_TERMS, types.float64, _VECTOR, _VECTOR, types.int64[::1], _MATRIX, _INTS, _MATRIX, _MATRIX, types.int64)


@kernel
def record(t: float, x: Array, normal: Array, work: Any, row: Array) -> None:
    """Write time, state, distances, normal forces, slip forces, kinetic, potential and stored energy."""
    s, energy, f_n, f_t = work[3], work[8], work[9], work[11]
    stored = 0.0
    for c in range(s.size):
        stored += normal_potential(normal[c], s[c])
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
    regular = derivative(terms, t, x, p, sizes[0], sizes[1], laws, work, dx)
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
    for r in range(rows.shape[0]):
        for j in range(n):
            if not np.isfinite(x[j]):
                return r
        for i in range(every):
            now = t + (first + r * every + i) * h
            for j in range(n):
                total[j] = 0.0
            for stage in range(4):
                for j in range(n):
                    y[j] = x[j] + reach[stage] * h * k[j] if stage > 0 else x[j]
                if not derivative(terms, now + reach[stage] * h, y, p, n_q, n_u, laws, work, k):
                    return r
                if i == 0 and stage == 0:
                    record(now, x, normal, work, rows[r])
                for j in range(n):
                    total[j] += weight[stage] * k[j]
            for j in range(n):
                x[j] += h * total[j]
    return rows.shape[0]
