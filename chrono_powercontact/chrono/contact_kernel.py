"""The compiled heart of the plugin: packed body states in, generalised forces out, for all contact elements at once.

Layout per body: state x = position, quaternion; w = velocity (world), spin (body); force Q = force (world), torque
about the centre of mass (body). The memory of an element is its friction force in N at the last commit, in the frame
of body B. At a trial state it is a function of that, of the trial velocity and of the time since the commit; only an
evaluation that is told to commit writes it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..laws.kernel import kernel
from ..laws.memory import memory_step, opening
from ..laws.rows import FRICTION_WIDTH, NORMAL_WIDTH, normal_force, normal_potential, static_pull
from .geometry import gap_of, rotations, turned

KIND, BODY_A, BODY_B, MATERIAL = 0, 1, 2, 3
GAP, FORCE, ACTIVATION, STORED, HEAT, RUB, NORMAL, POINT, FRICTION = 0, 1, 2, 3, 4, 5, 6, 9, 12
REPORT_WIDTH = 15
"""Columns of a report: gap, normal force, activation, stored energy, power lost in the normal direction and by
friction, then normal, point and friction force on A in world components, three each."""

REACH, OFFSET, NORMAL_LAW, FRICTION_LAW = 0, 1, 2, 2 + NORMAL_WIDTH
MATERIAL_WIDTH = FRICTION_LAW + FRICTION_WIDTH

BOOK_STORED, BOOK_OPEN, BOOK_SIZE = 6, 7, 8
"""The book: contact heat, friction heat and work on the bodies in J, their powers at the last commit in W, the energy
stored at the first commit in J, and whether there was one."""

Array = Any


@kernel
def velocity_at(x: Array, w: Array, r: Array, body: int, px: float, py: float, pz: float) -> tuple[float, float, float]:
    """World velocity of the point of a body that is at a world position."""
    ox, oy, oz = turned(r, body, w[6 * body + 3], w[6 * body + 4], w[6 * body + 5])
    dx, dy, dz = px - x[7 * body], py - x[7 * body + 1], pz - x[7 * body + 2]
    return (
        w[6 * body] + oy * dz - oz * dy,
        w[6 * body + 1] + oz * dx - ox * dz,
        w[6 * body + 2] + ox * dy - oy * dx,
    )


@kernel
def push(
    x: Array, r: Array, body: int, px: float, py: float, pz: float, fx: float, fy: float, fz: float, q: Array
) -> None:
    """Add a world force at a world point to the generalised force of a body."""
    dx, dy, dz = px - x[7 * body], py - x[7 * body + 1], pz - x[7 * body + 2]
    tx, ty, tz = dy * fz - dz * fy, dz * fx - dx * fz, dx * fy - dy * fx
    m, k = r[body], 6 * body
    q[k] += fx
    q[k + 1] += fy
    q[k + 2] += fz
    q[k + 3] += m[0, 0] * tx + m[1, 0] * ty + m[2, 0] * tz
    q[k + 4] += m[0, 1] * tx + m[1, 1] * ty + m[2, 1] * tz
    q[k + 5] += m[0, 2] * tx + m[1, 2] * ty + m[2, 2] * tz


@kernel
def friction_on(row: Array, n: float, a: float, v: Any, normal: Any, held: Any, h: float) -> Any:
    """Friction force against the sliding velocity v of A over B, as a world vector; `held` is the committed one."""
    square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    pull = static_pull(row, n, a, np.sqrt(square + row[7] * row[7]))
    sx, sy, sz = pull * v[0], pull * v[1], pull * v[2]
    if row[8] == 0.0:
        return sx, sy, sz
    along = held[0] * normal[0] + held[1] * normal[1] + held[2] * normal[2]
    gate = opening(np.sqrt(square), row[9])
    return (
        memory_step(held[0] - along * normal[0], sx, gate, row[8], h),
        memory_step(held[1] - along * normal[1], sy, gate, row[8], h),
        memory_step(held[2] - along * normal[2], sz, gate, row[8], h),
    )


@kernel
def contact_forces(
    x: Array, w: Array, r: Array, elements: Array, geometry: Array, materials: Array, memory: Array,
    h: float, commit: bool, q: Array, totals: Array, report: Array,
) -> None:  # fmt: skip
    """Add the generalised forces of all elements to q, and their energy and powers to totals.

    Args:
        r: room for the rotation matrices. elements: kind, bodies and material of each. geometry: a row for each.
        materials: rows of reach (gap in m beyond which it is not felt), offset (s_0 in m from which its law counts
            distances), normal law and friction law.
        memory: friction force of each element at the last commit. h: time since then, in s.
        commit: write the memory as it is after h.
        totals: stored energy in J, power lost in contacts and by friction in W.
        report: a row for each element that asks what it does, or no rows.
    """
    rotations(x, r)
    detailed = report.shape[0] > 0
    for e in range(elements.shape[0]):
        kind, a, b, material = elements[e, KIND], elements[e, BODY_A], elements[e, BODY_B], elements[e, MATERIAL]
        gap, nx, ny, nz, px, py, pz, weight = gap_of(kind, a, b, x, r, geometry[e])
        if detailed:
            report[e, :] = 0.0
            report[e, GAP] = gap
            report[e, NORMAL], report[e, NORMAL + 1], report[e, NORMAL + 2] = nx, ny, nz
            report[e, POINT], report[e, POINT + 1], report[e, POINT + 2] = px, py, pz
        if gap > materials[material, REACH] or weight == 0.0:
            if commit:
                memory[e, 0], memory[e, 1], memory[e, 2] = 0.0, 0.0, 0.0
            continue
        va, vb = velocity_at(x, w, r, a, px, py, pz), velocity_at(x, w, r, b, px, py, pz)
        vx, vy, vz = va[0] - vb[0], va[1] - vb[1], va[2] - vb[2]
        vn = vx * nx + vy * ny + vz * nz
        s = gap + materials[material, OFFSET]
        normal_row, friction_row = materials[material, NORMAL_LAW:FRICTION_LAW], materials[material, FRICTION_LAW:]
        force, elastic, share = normal_force(normal_row, s, vn)
        force, elastic, share = weight * force, weight * elastic, weight * share
        slip = (vx - vn * nx, vy - vn * ny, vz - vn * nz)
        fx, fy, fz = 0.0, 0.0, 0.0
        if friction_row[0] >= 0.0:
            held = turned(r, b, memory[e, 0], memory[e, 1], memory[e, 2])
            fx, fy, fz = friction_on(friction_row, force, share, slip, (nx, ny, nz), held, h)
        gx, gy, gz = force * nx - fx, force * ny - fy, force * nz - fz
        push(x, r, a, px, py, pz, gx, gy, gz, q)
        push(x, r, b, px, py, pz, -gx, -gy, -gz, q)
        stored, heat = weight * normal_potential(normal_row, s), -(force - elastic) * vn
        rub = fx * slip[0] + fy * slip[1] + fz * slip[2]
        totals[0] += stored
        totals[1] += heat
        totals[2] += rub
        if commit:
            m = r[b]
            for i in range(3):
                memory[e, i] = m[0, i] * fx + m[1, i] * fy + m[2, i] * fz
        if detailed:
            report[e, FORCE], report[e, ACTIVATION], report[e, STORED] = force, share, stored
            report[e, HEAT], report[e, RUB] = heat, rub
            report[e, FRICTION], report[e, FRICTION + 1], report[e, FRICTION + 2] = -fx, -fy, -fz


@kernel
def close_books(q: Array, w: Array, totals: Array, since: float, commit: bool, book: Array) -> int:
    """Number of the first body whose generalised force is not finite, or -1; a commit adds to the book.

    Heat and work since the last commit follow from the powers at both ends by the trapezoidal rule.
    """
    work = 0.0
    for i in range(q.size):
        if not np.isfinite(q[i]):
            return i // 6
        work += q[i] * w[i]
    if commit:
        if book[BOOK_OPEN] == 0.0:
            book[BOOK_OPEN], book[BOOK_STORED] = 1.0, totals[0]
        else:
            book[0] += 0.5 * since * (totals[1] + book[3])
            book[1] += 0.5 * since * (totals[2] + book[4])
            book[2] += 0.5 * since * (work + book[5])
        book[3], book[4], book[5] = totals[1], totals[2], work
    return -1


@kernel
def all_forces(
    x: Array, w: Array, r: Array, elements: Array, geometry: Array, materials: Array, memory: Array, report: Array,
    q: Array, totals: Array, book: Array, h: float, commit: bool,
) -> int:  # fmt: skip
    """A whole evaluation with contacts alone: one call from Python, for a call costs as much as a few contacts."""
    q[:] = 0.0
    totals[:] = 0.0
    contact_forces(x, w, r, elements, geometry, materials, memory, h, commit, q, totals, report)
    return close_books(q, w, totals, h, commit, book)
