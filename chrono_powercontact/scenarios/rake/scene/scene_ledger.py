"""What a Chrono scene of the machine does, read off its bodies, compiled: lines, energies, and the ledger of a stretch.

States are packed as Chrono packs them: position and quaternion, velocity in the world and angular velocity in the body.

Chrono's linearised Euler step is a leapfrog: v' = v + h a(x, v), then x' = x + h v'. Its velocities are those half a
step before its positions; the ledger brings them to the same time, v + (v - v_before) / 2, and is of second order then.
Forces are those that Chrono exerts, from the velocities as they are. A step leaves the joints along their tangent, so
that a velocity is not quite one of the machine: work of the seals is computed from the displacement between two states.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....kernel import kernel
from ..machine.machine import GRAVITY
from ..machine.rack_contact import locate
from ..machine.water import on_cell, on_rake, span
from ..motion.gauges import GAUGE, RECORD, RECORD_SIZE
from ..motion.rake_motion import seal_force

Array = Any
LINES = 2

PACKED = np.dtype([(name, np.float64) for name in ("x", "y", "z", "e0", "e1", "e2", "e3")])
PACKED_RATE = np.dtype([(name, np.float64) for name in ("vx", "vy", "vz", "wx", "wy", "wz")])
"""A body as Chrono packs it: position in m and quaternion; velocity in m/s, and angular velocity in the body."""

LOAD = np.dtype([(name, np.float64) for name in ("fx", "fz", "torque")])
"""A load on a body: force in N along x and z, and torque in N m about y."""

KEPT = np.dtype(
    [
        ("drive", np.float64),
        ("damping", np.float64),
        ("outer", np.float64),
        ("away", np.float64),
        ("sliding", np.float64),
        ("resist", np.float64, LINES),
        ("length", np.float64, LINES),
    ]
)
"""What the ledger keeps of a state: powers in W of drives, dampers and water; speeds in m/s of the scraper away from
and up the rack; forces of the seals in N and lengths of the lines in m."""


class HeldPoint(NamedTuple):
    """Position in m and velocity in m/s, along x and z, of a point that a body or the ground holds."""

    x: float
    z: float
    vx: float
    vz: float


@kernel
def angle_of(x: Array, i: int) -> float:
    """Angle in rad of body i: its turn about -y."""
    body = x.view(PACKED)[i]
    return float(-2.0 * np.arctan2(body.e2, body.e0))


@kernel
def held_point(x: Array, w: Array, end: Any) -> HeldPoint:
    """The point of a STATION."""
    i = end.part
    if i < 0:
        return HeldPoint(end.along, end.above, 0.0, 0.0)
    body = x.view(PACKED)[i]
    speed = w.view(PACKED_RATE)[i]
    a = angle_of(x, i)
    c = np.cos(a)
    s = np.sin(a)
    rx = end.along * c - end.above * s
    rz = end.along * s + end.above * c
    turn = -speed.wy
    return HeldPoint(body.x + rx, body.z + rz, speed.vx - turn * rz, speed.vz + turn * rx)


@kernel
def stretch(x: Array, w: Array, foot: Any, head: Any) -> tuple[float, float]:
    """Length in m of a line, and its rate in m/s."""
    a = held_point(x, w, foot)
    b = held_point(x, w, head)
    dx = b.x - a.x
    dz = b.z - a.z
    length = np.sqrt(dx * dx + dz * dz)
    return length, (dx * (b.vx - a.vx) + dz * (b.vz - a.vz)) / length


@kernel
def line_powers(
    parts: Any, x: Array, w: Array, timely: Array, c: Array, rate: Array, kept: Any, forces: Array
) -> float:
    """Powers of the lines and of the bending springs' dampers, and the lines' forces; returns their energy in J.

    Forces come from the velocities w, powers from the `timely` ones.
    """
    kept.drive = 0.0
    kept.damping = 0.0
    stored = 0.0
    for i in range(LINES):
        line = parts.lines[i]
        length, speed = stretch(x, w, parts.feet[i], parts.heads[i])
        f = line.k * (c[i] - length) + line.c * (rate[i] - speed)
        kept.drive += f * rate[i]
        now = stretch(x, timely, parts.feet[i], parts.heads[i])[1]
        kept.damping += line.c * (rate[i] - speed) * (rate[i] - now)
        kept.resist[i] = seal_force(line.seal, speed)
        kept.length[i] = length
        stored += 0.5 * line.k * (c[i] - length) ** 2
        forces[i] = f
    speeds = w.view(PACKED_RATE)
    timely_speeds = timely.view(PACKED_RATE)
    for i in range(1, parts.bodies.size):
        turn = speeds[i].wy - speeds[i - 1].wy
        timely_turn = timely_speeds[i].wy - timely_speeds[i - 1].wy
        kept.damping += parts.beta * parts.bodies[i].bend * turn * timely_turn
    return stored


@kernel
def read_scraper(parts: Any, rack: Any, x: Array, w: Array, push: Array, gauges: Any) -> float:
    """Where the scraper is, how it slides and how Chrono's own contact pushes it; returns its speed away in m/s."""
    tip = held_point(x, w, parts.scraper)
    at = locate(rack, tip.x, tip.z)
    nx = at.gap_x / at.length
    nz = at.gap_z / at.length
    gauges.N = push[0] * nx + push[1] * nz
    gauges.F_t = push[1] * nx - push[0] * nz
    gauges.s = at.s
    gauges.v_t = nx * tip.vz - nz * tip.vx
    gauges.gap = at.gap
    gauges.x_T = tip.x
    gauges.z_T = tip.z
    return nx * tip.vx + nz * tip.vz


@kernel
def wet_loads(parts: Any, water: Any, t: float, x: Array, w: Array, loads: Array) -> float:
    """Loads of water and debris on each body; returns their power in W."""
    bodies = x.view(PACKED)
    for i in range(loads.size):
        loads[i].fx = 0.0
        loads[i].fz = 0.0
        loads[i].torque = 0.0
    power = 0.0
    last = parts.wet.size - 1
    drop = span(held_point(x, w, parts.wet[1]).z, held_point(x, w, parts.wet[last]).z, last)
    for k in range(last + 1):
        at = held_point(x, w, parts.wet[k])
        fx, fz = on_rake(water, t, at.z, at.vx) if k == 0 else on_cell(water, drop, at.z, at.vx)
        i = parts.wet[k].part
        loads[i].fx += fx
        loads[i].fz += fz
        loads[i].torque += (at.z - bodies[i].z) * fx - (at.x - bodies[i].x) * fz
        power += fx * at.vx + fz * at.vz
    return power


@kernel
def mechanical(parts: Any, x: Array, w: Array) -> tuple[float, float]:
    """Kinetic energy, and potential energy of weight and bending, in J."""
    bodies = x.view(PACKED)
    speeds = w.view(PACKED_RATE)
    kinetic = 0.0
    potential = 0.0
    for i in range(parts.bodies.size):
        body = parts.bodies[i]
        v = speeds[i]
        kinetic += 0.5 * body.mass * (v.vx**2 + v.vy**2 + v.vz**2)
        kinetic += 0.5 * body.inertia * (v.wx**2 + v.wy**2 + v.wz**2)
        potential += body.mass * GRAVITY * bodies[i].z
        if body.bend > 0.0:
            potential += 0.5 * body.bend * (angle_of(x, i) - angle_of(x, i - 1)) ** 2
    return kinetic, potential


@kernel
def book(ledger: Any, last: Any, now: Any, gauges: Any, h: float) -> None:
    """Add a step of h in s to the ledger, by the trapezium rule; Chrono's own contact force is constant in it."""
    ledger.drive_work += 0.5 * h * (last.drive + now.drive)
    ledger.damping_heat += 0.5 * h * (last.damping + now.damping)
    for i in range(LINES):
        displacement = now.length[i] - last.length[i] if h > 0.0 else 0.0
        ledger.damping_heat += 0.5 * (last.resist[i] + now.resist[i]) * displacement
    ledger.outer_work += 0.5 * h * (last.outer + now.outer)
    ledger.contact_work -= 0.5 * h * gauges.N * (last.away + now.away)
    ledger.friction_work -= 0.5 * h * gauges.F_t * (last.sliding + now.sliding)


@kernel
def write_lines(gauges: Any, forces: Array, c: Array, last: Any) -> None:
    """Write forces in N, commanded and actual lengths in m of both lines."""
    gauges.F1 = forces[0]
    gauges.F2 = forces[1]
    gauges.c1 = c[0]
    gauges.c2 = c[1]
    gauges.l1 = last.length[0]
    gauges.l2 = last.length[1]


@kernel
def write_end(parts: Any, x: Array, timely: Array, bearings: float, gauges: Array, ledger: Array, row: Array) -> None:
    """Write the gauges and energies at the end of a stretch, the ledger and the angles of the bodies."""
    kinetic, potential = mechanical(parts, x, timely)
    record = row[:RECORD_SIZE].view(RECORD)[0]
    record.gauges = gauges[0]
    record.kinetic = kinetic
    record.potential = potential + bearings
    record.stored = 0.0
    record.ledger = ledger[0]
    for i in range(parts.bodies.size):
        row[RECORD_SIZE + i] = angle_of(x, i)


@kernel
def tally(
    parts: Any, rack: Any, water: Any, t: Array, x: Array, w: Array, c: Array, rate: Array, push: Array, h: float,
    before: Array, last: Array, ledger: Array, row: Array,
) -> None:  # fmt: skip
    """Add a stretch of steps to the ledger, and write the gauges and energies at its end.

    Args:
        t, x, w: times and states after each step. c, rate: commanded lengths and rates then.
        push: contact force in N on the rake along x and z in that step, where Chrono's own contact exerts it: constant
            in a step, also as an impact.
        before, last: velocities before the first step, and one KEPT of it; they take those after the last one.
        ledger: one LEDGER. row: takes a record.
    """
    now = np.zeros(1, KEPT)
    gauges = np.zeros(1, GAUGE)
    loads = np.zeros(parts.bodies.size, LOAD)
    timely = np.zeros(before.size)
    forces = np.zeros(LINES)
    stored = 0.0
    for k in range(x.shape[0]):
        timely[:] = w[k] + 0.5 * (w[k] - before)
        before[:] = w[k]
        stored = line_powers(parts, x[k], w[k], timely, c[k], rate[k], now[0], forces)
        now[0].away = read_scraper(parts, rack, x[k], timely, push[k], gauges[0])
        now[0].sliding = gauges[0].v_t
        if water.acts != 0:
            now[0].outer = wet_loads(parts, water, t[k], x[k], timely, loads)
        book(ledger[0], last[0], now[0], gauges[0], h)
        last[0] = now[0]
        write_lines(gauges[0], forces, c[k], last[0])
    write_end(parts, x[x.shape[0] - 1], timely, stored, gauges, ledger, row)
