"""Forces of all joints at once: stops and friction about an axis, along an axis, two directions or a line of points.

Body 1 turns or slides relative to body 2, as Chrono's joints count it. A turn has an axis on body 2, a slide has one or
two directions on body 2 and a point on body 1, a line has a point on each and the direction from that of body 2 to that
of body 1. Layout of states and forces as in the contact kernel. What a joint remembers is written by an evaluation that
is told to commit, and by no other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ...laws.friction.anchor import anchor_potential, anchor_pull
from ...laws.friction.memory import memory_follow, opening
from ...laws.rows import ANCHORED, FRICTION_WIDTH, NORMAL_WIDTH, normal_force, normal_potential, static_pull
from ..contact.contact_kernel import length, placed_anchor, push, twist, velocity_at
from ..contact.geometry import rotations, to_world, turned

MOTION, BODY_1, BODY_2, EACH = 0, 1, 2, 3
TURN, SLIDE, LINE = 0, 1, 2

POINT, MARK, ORIGIN, AXIS, SIDE = 0, 3, 6, 9, 12
GEOMETRY_WIDTH = 15
"""Columns of a joint's geometry: on body 1 the sliding point and a direction across the axis; on body 2 the origin from
which a slide is counted, the axis or first direction, and the direction across it (of a slide: the second, or zero). A
line has its ends as point and origin, the rest is zero."""

LOWER, UPPER, OFFSET, STOP_LAW = 0, 1, 2, 3
FRICTION_LAW = STOP_LAW + NORMAL_WIDTH
LAW_WIDTH = FRICTION_LAW + FRICTION_WIDTH
"""Columns of a joint's laws: limits in rad or m (infinite where there is none), s_0 of the stop's law, its row, and the
row of the friction, whose kind is negative where there is none."""

PLACE, HELD, RATE, ASIDE = 0, 1, 3, 5
MEMORY_WIDTH = 6
"""Columns of a joint's memory: angle or position, friction (or the anchor) along both directions, both speeds, and the
position along the second direction, at the last commit; the speeds are not a number before the first."""

SPEED, STOP, FRICTION, STORED, HEAT, RUB = 1, 3, 4, 6, 7, 8
REPORT_WIDTH = 9
"""Columns of a report: place, both speeds, force of the stops, friction against both speeds, then stored energy and the
powers lost in the stops and by friction."""

Array = Any


@kernel
def angle_near(r: Array, a: int, b: int, g: Array, before: float) -> float:
    """Angle in rad of body 1 about the axis on body 2, on the turn nearest to an earlier angle."""
    mx, my, mz = turned(r, a, g[MARK], g[MARK + 1], g[MARK + 2])
    zx, zy, zz = turned(r, b, g[AXIS], g[AXIS + 1], g[AXIS + 2])
    sx, sy, sz = turned(r, b, g[SIDE], g[SIDE + 1], g[SIDE + 2])
    along = mx * sx + my * sy + mz * sz
    across = mx * (zy * sz - zz * sy) + my * (zz * sx - zx * sz) + mz * (zx * sy - zy * sx)
    angle = np.arctan2(across, along)
    return angle + 2.0 * np.pi * np.round((before - angle) / (2.0 * np.pi))


@kernel
def dot(u: Any, v: Any) -> float:
    """Product of two triples."""
    return float(u[0] * v[0] + u[1] * v[1] + u[2] * v[2])


@kernel
def relative_motion(x: Array, w: Array, r: Array, motion: int, a: int, b: int, g: Array, before: float) -> Any:
    """Places and speeds of a joint along its first and second direction, and these and where they act in the world.

    The velocity of body 2 is that of its material at the point: along a line it is that of its end as well. A line of
    no length has no direction and exerts no force.
    """
    z, side = turned(r, b, g[AXIS], g[AXIS + 1], g[AXIS + 2]), turned(r, b, g[SIDE], g[SIDE + 1], g[SIDE + 2])
    if motion == TURN:
        va = turned(r, a, w[6 * a + 3], w[6 * a + 4], w[6 * a + 5])
        vb = turned(r, b, w[6 * b + 3], w[6 * b + 4], w[6 * b + 5])
        v, none = (va[0] - vb[0], va[1] - vb[1], va[2] - vb[2]), (0.0, 0.0, 0.0)
        return (angle_near(r, a, b, g, before), 0.0), (dot(z, v), 0.0), z, none, none
    p, o = to_world(x, r, a, g, POINT), to_world(x, r, b, g, ORIGIN)
    d = (p[0] - o[0], p[1] - o[1], p[2] - o[2])
    if motion == LINE:
        span = length(d)
        per = 1.0 / span if span > 0.0 else 0.0
        z = (per * d[0], per * d[1], per * d[2])
    va, vb = velocity_at(x, w, r, a, p[0], p[1], p[2]), velocity_at(x, w, r, b, p[0], p[1], p[2])
    v = (va[0] - vb[0], va[1] - vb[1], va[2] - vb[2])
    return (dot(z, d), dot(side, d)), (dot(z, v), dot(side, v)), z, side, p


@kernel
def way_along(before: Array, at: Any, v: Any, h: float) -> Any:
    """Way in rad or m along both directions since the last commit, from places; before the first, by the speeds.

    A way found from places adds up to the distance moved, whatever the integrator makes of the path.
    """
    if np.isnan(before[RATE]):
        return h * v[0], h * v[1], 0.0
    return at[0] - before[PLACE], at[1] - before[ASIDE], 0.0


@kernel
def stop_forces(law: Array, place: float, speed: float) -> tuple[float, float, float]:
    """Force along the coordinate, stored energy and lost power of both stops at a place and a speed."""
    force, stored, heat = 0.0, 0.0, 0.0
    row = law[STOP_LAW:FRICTION_LAW]
    if law[LOWER] != -np.inf:
        s = place - law[LOWER] + law[OFFSET]
        push_up, elastic, _ = normal_force(row, s, speed)
        force += push_up
        stored += normal_potential(row, s)
        heat -= (push_up - elastic) * speed
    if law[UPPER] != np.inf:
        s = law[UPPER] - place + law[OFFSET]
        push_down, elastic, _ = normal_force(row, s, -speed)
        force -= push_down
        stored += normal_potential(row, s)
        heat += (push_down - elastic) * speed
    return force, stored, heat


@kernel
def friction_along(row: Array, each: int, v: Any, before: Array, h: float, straight: bool) -> tuple[float, float]:
    """Friction against both speeds; with memory it has followed the static force since the last commit.

    A static force that runs straight from the commit to now, with the opening at its mean, gives second order in the
    step. Where forces are asked for once a step that would lag and drive the motion: there the static force is held
    at its present value, as semi-implicit Euler does. `each` opens the filter of a direction by the speed along it,
    else by the norm.
    """
    pull = static_pull(row, 1.0, 1.0, np.sqrt(v[0] * v[0] + v[1] * v[1] + row[7] * row[7]))
    if row[8] == 0.0:
        return pull * v[0], pull * v[1]
    u = (before[RATE], before[RATE + 1]) if straight and not np.isnan(before[RATE]) else v
    earlier = static_pull(row, 1.0, 1.0, np.sqrt(u[0] * u[0] + u[1] * u[1] + row[7] * row[7]))
    if each == 1:
        gate_0 = 0.5 * (opening(u[0], row[9]) + opening(v[0], row[9]))
        gate_1 = 0.5 * (opening(u[1], row[9]) + opening(v[1], row[9]))
    else:
        u_norm, v_norm = np.sqrt(u[0] * u[0] + u[1] * u[1]), np.sqrt(v[0] * v[0] + v[1] * v[1])
        gate_0 = gate_1 = 0.5 * (opening(u_norm, row[9]) + opening(v_norm, row[9]))
    return (
        memory_follow(before[HELD], earlier * u[0], pull * v[0], gate_0, row[8], h),
        memory_follow(before[HELD + 1], earlier * u[1], pull * v[1], gate_1, row[8], h),
    )


@kernel
def joint_forces(
    x: Array, w: Array, r: Array, heads: Array, geometry: Array, laws: Array, memory: Array, h: float, commit: bool,
    straight: bool, q: Array, totals: Array, report: Array,
) -> None:  # fmt: skip
    """Add the generalised forces of all joints to q, and their energy and powers to totals.

    Args:
        r: room for the rotation matrices. heads: motion, bodies and filter of each joint.
        h: time in s since the last commit. commit: write the memory as it is after h.
        straight: whether static friction ran straight since the commit, rather than being held at its present value.
        totals: as in the contact kernel.
        report: a row for each joint that asks what it does, or no rows.
    """
    rotations(x, r)
    for e in range(heads.shape[0]):
        motion, a, b = heads[e, MOTION], heads[e, BODY_1], heads[e, BODY_2]
        at, v, z, side, p = relative_motion(x, w, r, motion, a, b, geometry[e], memory[e, PLACE])
        stop, stored, heat = stop_forces(laws[e], at[0], v[0])
        rub_0, rub_1, held_0, held_1, taken = 0.0, 0.0, 0.0, 0.0, 0.0
        if laws[e, FRICTION_LAW] >= 0.0:
            row = laws[e, FRICTION_LAW:]
            if row[0] == ANCHORED:
                slip, then = (v[0], v[1], 0.0), (memory[e, HELD], memory[e, HELD + 1], 0.0)
                held, psi, rate = placed_anchor(row, then, slip, way_along(memory[e], at, v, h), h)
                rub_0, rub_1, _ = anchor_pull(row, 1.0, 1.0, held, slip)
                held_0, held_1, stored = held[0], held[1], stored + psi
                gain = psi - anchor_potential(row, length(then))
                if commit:
                    totals[3] += gain
                else:
                    taken = gain / h if h > 0.0 else rate
            else:
                rub_0, rub_1 = friction_along(row, heads[e, EACH], v, memory[e], h, straight)
                held_0, held_1 = rub_0, rub_1
        f = stop - rub_0
        fx, fy, fz = f * z[0] - rub_1 * side[0], f * z[1] - rub_1 * side[1], f * z[2] - rub_1 * side[2]
        if motion == TURN:
            twist(r, a, fx, fy, fz, q)
            twist(r, b, -fx, -fy, -fz, q)
        else:
            push(x, r, a, p[0], p[1], p[2], fx, fy, fz, q)
            push(x, r, b, p[0], p[1], p[2], -fx, -fy, -fz, q)
        rub = rub_0 * v[0] + rub_1 * v[1] - taken
        totals[0] += stored
        totals[1] += heat
        totals[2] += rub
        if commit:
            memory[e, PLACE], memory[e, ASIDE], memory[e, HELD], memory[e, HELD + 1] = at[0], at[1], held_0, held_1
            memory[e, RATE], memory[e, RATE + 1] = v[0], v[1]
        if report.shape[0] > 0:
            report[e, 0], report[e, SPEED], report[e, SPEED + 1], report[e, STOP] = at[0], v[0], v[1], stop
            report[e, FRICTION], report[e, FRICTION + 1] = rub_0, rub_1
            report[e, STORED], report[e, HEAT], report[e, RUB] = stored, heat, rub
