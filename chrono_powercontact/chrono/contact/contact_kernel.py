"""The compiled heart of the plugin: packed body states in, generalised forces out, for all contact elements at once.

Layout per body: state x = position, quaternion; w = velocity (world), spin (body); force Q = force (world), torque
about the centre of mass (body). What an element remembers is as it was at the last commit, in world components; it is
moved on with the contact: by the smallest turn that brings the old normal to the new one, then about it with the mean
spin of both bodies. At a trial state the memory is a function of that, of the trial velocity and of the time since the
commit; only an evaluation that is told to commit writes it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ...laws.friction.anchor import LIMIT, anchor_flow, anchor_potential, anchor_pull, anchor_rate, length
from ...laws.friction.memory import memory_follow, memory_step, opening
from ...laws.rows import ANCHORED, FRICTION_WIDTH, NORMAL_WIDTH, normal_force, normal_potential, static_pull
from .geometry import gap_of, rotations, turned
from .transport import MARKS_WIDTH, along, in_plane, mark_both, moved_on, parted, way_since

KIND, BODY_A, BODY_B, MATERIAL = 0, 1, 2, 3
GAP, FORCE, ACTIVATION, STORED, HEAT, RUB, NORMAL, POINT, FRICTION = 0, 1, 2, 3, 4, 5, 6, 9, 12
REPORT_WIDTH = 15
"""Columns of a report: gap, normal force, activation, stored energy, power lost in the normal direction and by
friction, then normal, point and friction force on A in world components, three each."""

REACH, OFFSET, NORMAL_LAW, FRICTION_LAW = 0, 1, 2, 2 + NORMAL_WIDTH
ROLLING_LAW, SPINNING_LAW = FRICTION_LAW + FRICTION_WIDTH, FRICTION_LAW + 2 * FRICTION_WIDTH
MATERIAL_WIDTH = SPINNING_LAW + FRICTION_WIDTH
"""Columns of a material: reach, offset, and the rows of its laws; the kind of a friction law is negative where there is
none."""

HELD, EARLIER, TURN, SPIN, OLD_NORMAL, GATE, LOAD, SURPLUS, PSI, MARKS = 0, 3, 6, 9, 12, 15, 16, 17, 18, 19
MEMORY_WIDTH = MARKS + MARKS_WIDTH
"""Columns of an element's memory, at the last commit: friction force in N or anchor in m; static friction force in N;
the anchor of rolling and spinning in rad, the relative spin in rad/s; the normal, zero before the first commit; opening
of the filter; normal force in N, its part above the elastic one, and psi of all anchors in m; with an anchor the
marks of the contact point on both bodies."""

TOTALS = 5
"""Stored energy in J, power lost in contacts and by friction in W, with what anchors take from friction and give to
contacts. At a commit the first is not told, and the last is told apart: two energies in J since the last commit."""

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
def twist(r: Array, body: int, tx: float, ty: float, tz: float, q: Array) -> None:
    """Add a world torque to the generalised force of a body."""
    m, k = r[body], 6 * body
    for i in range(3):
        q[k + 3 + i] += m[0, i] * tx + m[1, i] * ty + m[2, i] * tz


@kernel
def placed_anchor(row: Array, then: Any, v: Any, way: Any, h: float) -> Any:
    """The anchor after a way, its potential psi in m, and where no time has passed the rate of psi in m/s."""
    z = anchor_flow(row[LIMIT], then, way)
    return z, anchor_potential(row, length(z)), anchor_rate(row, z, v)[3] if h == 0.0 else 0.0


@kernel
def placed_turn(law: Array, was: Any, spin: Any, way: Any, n: Any, h: float) -> Any:
    """Like `placed_anchor` for the anchors of rolling and of spinning together, under a relative spin in rad/s."""
    x, y, z, psi, rate = 0.0, 0.0, 0.0, 0.0, 0.0
    if law[ROLLING_LAW] >= 0.0:
        row = law[ROLLING_LAW:SPINNING_LAW]
        at, psi, rate = placed_anchor(row, in_plane(was, n), in_plane(spin, n), in_plane(way, n), h)
        x, y, z = at[0], at[1], at[2]
    if law[SPINNING_LAW] >= 0.0:
        at, rise, faster = placed_anchor(law[SPINNING_LAW:], along(was, n), along(spin, n), along(way, n), h)
        x, y, z = x + at[0], y + at[1], z + at[2]
        psi, rate = psi + rise, rate + faster
    return (x, y, z), psi, rate


@kernel
def spin_moment(law: Array, force: float, share: float, turn: Any, spin: Any, n: Any) -> Any:
    """Moment in N m against a relative spin, of rolling and of spinning friction, with their anchors at `turn`."""
    x, y, z = 0.0, 0.0, 0.0
    if law[ROLLING_LAW] >= 0.0:
        x, y, z = anchor_pull(law[ROLLING_LAW:SPINNING_LAW], force, share, in_plane(turn, n), in_plane(spin, n))
    if law[SPINNING_LAW] >= 0.0:
        m = anchor_pull(law[SPINNING_LAW:], force, share, along(turn, n), along(spin, n))
        x, y, z = x + m[0], y + m[1], z + m[2]
    return x, y, z


@kernel
def filtered(row: Array, n: float, a: float, v: Any, held: Any, earlier: Any, gate: float, h: float, once: bool) -> Any:
    """Friction force against the sliding velocity v, the static one, and how far the filter is open.

    A static force that runs straight from the commit to now, with the opening at its mean, gives second order in the
    step. Where forces are asked for once a step that would lag and drive the motion: there the static force is held at
    its present value, as semi-implicit Euler does.
    """
    square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    pull = static_pull(row, n, a, np.sqrt(square + row[7] * row[7]))
    static = (pull * v[0], pull * v[1], pull * v[2])
    if row[8] == 0.0:
        return static, static, 1.0
    opened = opening(np.sqrt(square), row[9])
    if once:
        return (
            (
                memory_step(held[0], static[0], opened, row[8], h),
                memory_step(held[1], static[1], opened, row[8], h),
                memory_step(held[2], static[2], opened, row[8], h),
            ),
            static,
            opened,
        )
    mean = 0.5 * (gate + opened)
    return (
        (
            memory_follow(held[0], earlier[0], static[0], mean, row[8], h),
            memory_follow(held[1], earlier[1], static[1], mean, row[8], h),
            memory_follow(held[2], earlier[2], static[2], mean, row[8], h),
        ),
        static,
        opened,
    )


@kernel
def contact_forces(
    x: Array, w: Array, r: Array, elements: Array, geometry: Array, materials: Array, memory: Array,
    h: float, commit: bool, once: bool, q: Array, totals: Array, report: Array,
) -> None:  # fmt: skip
    """Add the generalised forces of all elements to q, and their energy and powers to totals.

    Args:
        r: room for the rotation matrices. elements: kind, bodies and material of each. geometry: a row for each.
        materials: rows of reach, offset (s_0 in m from which its law counts distances) and laws.
        memory: what each element remembers from the last commit. h: time since then, in s.
        commit: write the memory as it is after h. once: whether forces are asked for once a step.
        totals: see TOTALS.
        report: a row for each element that asks what it does, or no rows.
    """
    rotations(x, r)
    detailed = report.shape[0] > 0
    for e in range(elements.shape[0]):
        kind, a, b, material = elements[e, KIND], elements[e, BODY_A], elements[e, BODY_B], elements[e, MATERIAL]
        gap, nx, ny, nz, px, py, pz, weight = gap_of(kind, a, b, x, r, geometry[e])
        own = memory[e]
        if detailed:
            report[e, :] = 0.0
            report[e, GAP] = gap
            report[e, NORMAL], report[e, NORMAL + 1], report[e, NORMAL + 2] = nx, ny, nz
            report[e, POINT], report[e, POINT + 1], report[e, POINT + 2] = px, py, pz
        if gap > materials[material, REACH] or weight == 0.0:
            if commit and own[LOAD] != 0.0:
                own[:] = 0.0
            continue
        va, vb = velocity_at(x, w, r, a, px, py, pz), velocity_at(x, w, r, b, px, py, pz)
        vx, vy, vz = va[0] - vb[0], va[1] - vb[1], va[2] - vb[2]
        vn = vx * nx + vy * ny + vz * nz
        slip = (vx - vn * nx, vy - vn * ny, vz - vn * nz)
        law = materials[material]
        s, normal = gap + law[OFFSET], (nx, ny, nz)
        rubbing, anchored = law[FRICTION_LAW] >= 0.0, law[FRICTION_LAW] == ANCHORED
        rolls, spins = law[ROLLING_LAW] >= 0.0, law[SPINNING_LAW] >= 0.0
        remembers = anchored or rolls or spins or (rubbing and law[FRICTION_LAW + 8] > 0.0)
        fresh = own[OLD_NORMAL] == 0.0 and own[OLD_NORMAL + 1] == 0.0 and own[OLD_NORMAL + 2] == 0.0
        held, turned_by, turning = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        psi, psi_rate, gain, angle = 0.0, 0.0, 0.0, 0.0
        if remembers:
            oa = turned(r, a, w[6 * a + 3], w[6 * a + 4], w[6 * a + 5])
            ob = turned(r, b, w[6 * b + 3], w[6 * b + 4], w[6 * b + 5])
            angle = 0.5 * h * ((oa[0] + ob[0]) * nx + (oa[1] + ob[1]) * ny + (oa[2] + ob[2]) * nz)
            if not fresh:
                held = moved_on(own, HELD, own, OLD_NORMAL, normal, angle)
            if anchored:
                way = parted(x, r, a, b, own, MARKS, normal) if not fresh else (h * slip[0], h * slip[1], h * slip[2])
                held, psi, psi_rate = placed_anchor(law[FRICTION_LAW:ROLLING_LAW], held, slip, way, h)
            if rolls or spins:
                turning = (oa[0] - ob[0], oa[1] - ob[1], oa[2] - ob[2])
                angles, was = way_since(turning, own, SPIN, h, once or fresh), (0.0, 0.0, 0.0)
                if not fresh:
                    was = moved_on(own, TURN, own, OLD_NORMAL, normal, angle)
                turned_by, rise, rate = placed_turn(law, was, turning, angles, normal, h)
                psi, psi_rate = psi + rise, psi_rate + rate
            gain = psi - own[PSI]
            if h > 0.0:
                psi_rate = gain / h
        force, elastic, share = normal_force(law[NORMAL_LAW:FRICTION_LAW], s - psi, vn - psi_rate)
        force, elastic, share = weight * force, weight * elastic, weight * share
        f, static, gate = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0
        if anchored:
            f = anchor_pull(law[FRICTION_LAW:ROLLING_LAW], force, share, held, slip)
        elif rubbing:
            earlier = held
            if remembers and not once and not fresh:
                earlier = moved_on(own, EARLIER, own, OLD_NORMAL, normal, angle)
            f, static, gate = filtered(
                law[FRICTION_LAW:ROLLING_LAW], force, share, slip, held, earlier, own[GATE], h, once or fresh
            )
            held = f
        gx, gy, gz = force * nx - f[0], force * ny - f[1], force * nz - f[2]
        push(x, r, a, px, py, pz, gx, gy, gz, q)
        push(x, r, b, px, py, pz, -gx, -gy, -gz, q)
        stored, heat = 0.0, -(force - elastic) * vn
        rub = f[0] * slip[0] + f[1] * slip[1] + f[2] * slip[2]
        if rolls or spins:
            tx, ty, tz = spin_moment(law, force, share, turned_by, turning, normal)
            twist(r, a, -tx, -ty, -tz, q)
            twist(r, b, tx, ty, tz, q)
            rub += tx * turning[0] + ty * turning[1] + tz * turning[2]
        if not commit:
            stored = weight * normal_potential(law[NORMAL_LAW:FRICTION_LAW], s - psi)
            rub, heat = rub - force * psi_rate, heat + (force - elastic) * psi_rate
        totals[0] += stored
        totals[1] += heat
        totals[2] += rub
        if commit and remembers and share == 0.0:
            own[:] = 0.0
        elif commit and remembers:
            if not fresh:
                totals[3] += 0.5 * (force + own[LOAD]) * gain
                totals[4] += 0.5 * (force - elastic + own[SURPLUS]) * gain
            for i in range(3):
                own[HELD + i], own[EARLIER + i], own[OLD_NORMAL + i] = held[i], static[i], normal[i]
                own[TURN + i], own[SPIN + i] = turned_by[i], turning[i]
            own[GATE], own[LOAD], own[SURPLUS], own[PSI] = gate, force, force - elastic, psi
            if anchored:
                mark_both(x, r, a, b, (px, py, pz), own, MARKS)
        if detailed:
            report[e, FORCE], report[e, ACTIVATION], report[e, STORED] = force, share, stored
            report[e, HEAT], report[e, RUB] = heat, rub
            report[e, FRICTION], report[e, FRICTION + 1], report[e, FRICTION + 2] = -f[0], -f[1], -f[2]


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
            book[BOOK_OPEN] = 1.0
        else:
            book[0] += 0.5 * since * (totals[1] + book[3])
            book[1] += 0.5 * since * (totals[2] + book[4])
            book[0] += totals[4]
            book[1] -= totals[3]
            book[2] += 0.5 * since * (work + book[5])
        book[3], book[4], book[5] = totals[1], totals[2], work
    return -1


@kernel
def all_forces(
    x: Array, w: Array, r: Array, elements: Array, geometry: Array, materials: Array, memory: Array, report: Array,
    q: Array, totals: Array, book: Array, h: float, commit: bool, once: bool,
) -> int:  # fmt: skip
    """A whole evaluation with contacts alone: one call from Python, for a call costs as much as a few contacts."""
    q[:] = 0.0
    totals[:] = 0.0
    contact_forces(x, w, r, elements, geometry, materials, memory, h, commit, once, q, totals, report)
    return close_books(q, w, totals, h, commit, book)
