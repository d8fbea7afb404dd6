"""The ledger of a Chrono scene of the machine whose springs and contact are solved for, compiled.

A step v' = v + h M^-1 Q, x' = x + h v' is a leapfrog: the forces Q, held over it, act at its start x, halfway between
the velocities v and v'. Its kinetic energy grows by exactly h Q (v + v')/2. So every force is booked over the mean way,
(x' - x_before)/2, and energies are those half a step before the end: the kinetic energy of v', the weight at the mean
height, and k e e'/2 of a spring with the deformations e and e' at start and end. The work of k e over the mean way is
exactly the change of that. What the plugin adds to k e, but for the damper, is what the step takes; see `spring_rows`.

Forces of a step at rest or in slow motion are those a part of it after its start, as large as the numerical damping. A
record takes its forces from the steps before and after it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....chrono.contact.bodies import SPEED_WIDTH, STATE_WIDTH
from ....kernel import kernel
from ..machine.machine import GRAVITY
from ..machine.rack_contact import locate
from ..motion.gauges import GAUGE, LEDGER, RECORD, RECORD_SIZE
from ..motion.rake_motion import seal_force
from .scene_ledger import (
    LINES,
    LOAD,
    PACKED,
    PACKED_RATE,
    angle_of,
    held_point,
    mechanical,
    read_scraper,
    stretch,
    wet_loads,
)

Array = Any


class Past(NamedTuple):
    """What a step begins with, and the last one did.

    Attributes:
        x, w: packed states and velocities. t: time in s. c, rate: commanded lengths and rates, in m and m/s.
        eased, moved, turned: by how much in m the lines were commanded to be longer and were so, and by how much in rad
            each body turned relative to the one before it, in the last step. force: of the lines in N.
    """

    x: Array
    w: Array
    t: Array
    c: Array
    rate: Array
    eased: Array
    moved: Array
    turned: Array
    force: Array


def past_of(bodies: int) -> Past:
    """A machine at rest."""
    pairs = (np.zeros(LINES) for _ in range(5))
    c, rate, eased, moved, force = pairs
    x, w = np.zeros(STATE_WIDTH * bodies), np.zeros(SPEED_WIDTH * bodies)
    return Past(x, w, np.zeros(1), c, rate, eased, moved, np.zeros(bodies), force)


@kernel
def book_line(parts: Any, i: int, past: Past, now: Any, h: float, damped: float, ledger: Any) -> None:
    """Book a line over a step h. `now` are states and velocities at the end, commanded lengths and rates."""
    x, w, c, rate = now
    line = parts.lines[i]
    length, ahead = stretch(past.x, w, parts.feet[i], parts.heads[i])
    behind = stretch(past.x, past.w, parts.feet[i], parts.heads[i])[1]
    moved = stretch(x, w, parts.feet[i], parts.heads[i])[0] - length
    eased = c[i] - past.c[i]
    kept = 0.25 * (1.0 - damped) ** 2
    added = line.k * (damped * (eased - h * ahead) + kept * h * (behind - ahead))
    damper = line.c * (past.rate[i] + damped * (rate[i] - past.rate[i]) - ahead)
    past.force[i] = line.k * (past.c[i] - length) + added + damper
    commanded = 0.5 * (eased + past.eased[i])
    way = 0.5 * (moved + past.moved[i])
    ledger.drive_work += past.force[i] * commanded
    ledger.damping_heat += damper * (commanded - way) + seal_force(line.seal, ahead) * way
    ledger.step_loss += added * (commanded - way)
    past.eased[i] = eased
    past.moved[i] = moved


@kernel
def bent(x: Array, i: int) -> float:
    """Angle in rad of a body relative to the one before it."""
    return angle_of(x, i) - angle_of(x, i - 1)


@kernel
def book_bends(parts: Any, past: Past, x: Array, h: float, damped: float, ledger: Any) -> None:
    """Book the bending springs over a step h."""
    kept = 0.25 * (1.0 - damped) ** 2
    for i in range(1, parts.bodies.size):
        turned = bent(x, i) - bent(past.x, i)
        mean = 0.5 * (turned + past.turned[i])
        stiffness = parts.bodies[i].bend
        ledger.damping_heat += parts.beta * stiffness * turned / h * mean
        ledger.step_loss += stiffness * (damped * turned + kept * (turned - past.turned[i])) * mean
        past.turned[i] = turned


@kernel
def book_contact(parts: Any, rack: Any, past: Past, w: Array, push: Array, h: float, ahead: float, ledger: Any) -> None:
    """Book the force of the rack on the rake over a step h.

    It acts halfway between the scraper and where the law begins to act, so many m before the rack.
    """
    before = held_point(past.x, past.w, parts.scraper)
    after = held_point(past.x, w, parts.scraper)
    at = locate(rack, before.x, before.z)
    nx = at.gap_x / at.length
    nz = at.gap_z / at.length
    body = parts.scraper.part
    turn = -0.5 * (past.w.view(PACKED_RATE)[body].wy + w.view(PACKED_RATE)[body].wy)
    beyond = -0.5 * (at.gap - ahead)
    vx = 0.5 * (before.vx + after.vx) - turn * beyond * nz
    vz = 0.5 * (before.vz + after.vz) + turn * beyond * nx
    ledger.contact_work -= h * (push[0] * nx + push[1] * nz) * (nx * vx + nz * vz)
    ledger.friction_work -= h * (push[1] * nx - push[0] * nz) * (nx * vz - nz * vx)


@kernel
def book_water(parts: Any, water: Any, past: Past, w: Array, loads: Array, h: float, ledger: Any) -> None:
    """Book the loads of the water, which are those of the start of a step h."""
    wet_loads(parts, water, past.t[0], past.x, past.w, loads)
    before = past.w.view(PACKED_RATE)
    after = w.view(PACKED_RATE)
    for i in range(loads.size):
        load = loads[i]
        way = load.fx * (before[i].vx + after[i].vx) + load.fz * (before[i].vz + after[i].vz)
        ledger.outer_work += 0.5 * h * (way + load.torque * (before[i].wy + after[i].wy))


@kernel
def held_energy(parts: Any, past: Past, x: Array, w: Array, c: Array) -> float:
    """Energy in J of weight, bending and lines half a step before a state."""
    here = x.view(PACKED)
    there = past.x.view(PACKED)
    total = 0.0
    for i in range(parts.bodies.size):
        total += 0.5 * parts.bodies[i].mass * GRAVITY * (here[i].z + there[i].z)
        if parts.bodies[i].bend > 0.0:
            total += 0.5 * parts.bodies[i].bend * bent(x, i) * bent(past.x, i)
    for i in range(LINES):
        now = c[i] - stretch(x, w, parts.feet[i], parts.heads[i])[0]
        then = past.c[i] - stretch(past.x, w, parts.feet[i], parts.heads[i])[0]
        total += 0.5 * parts.lines[i].k * now * then
    return total


@kernel
def put_past(past: Past, t: float, x: Array, w: Array, c: Array, rate: Array) -> None:
    """Let a step begin with a state."""
    past.t[0] = t
    past.x[:] = x
    past.w[:] = w
    past.c[:] = c
    past.rate[:] = rate


@kernel
def write_gauges(parts: Any, rack: Any, x: Array, w: Array, c: Array, push: Array, force: Array, gauges: Any) -> None:
    """Write where scraper and lines are, and their forces."""
    read_scraper(parts, rack, x, w, push, gauges)
    gauges.F1 = force[0]
    gauges.F2 = force[1]
    gauges.c1 = c[0]
    gauges.c2 = c[1]
    gauges.l1 = stretch(x, w, parts.feet[0], parts.heads[0])[0]
    gauges.l2 = stretch(x, w, parts.feet[1], parts.heads[1])[0]


@kernel
def share_forces(before: Any, after: Any, damped: float) -> None:
    """Let a record have the forces at its time, between those of the steps before and after it."""
    before.N += (1.0 - damped) * (after.N - before.N)
    before.F_t += (1.0 - damped) * (after.F_t - before.F_t)
    before.F1 += (1.0 - damped) * (after.F1 - before.F1)
    before.F2 += (1.0 - damped) * (after.F2 - before.F2)


@kernel
def write_record(parts: Any, x: Array, w: Array, energies: Any, gauges: Any, ledger: Any, row: Any) -> None:
    """Write gauges, energies (of weight and springs, and of the contact), the ledger and the angles of the bodies."""
    record = row[:RECORD_SIZE].view(RECORD)[0]
    record.gauges = gauges
    record.kinetic = mechanical(parts, x, w)[0]
    record.potential, record.stored = energies
    record.ledger = ledger
    for i in range(parts.bodies.size):
        row[RECORD_SIZE + i] = angle_of(x, i)


@kernel
def begin_tally(parts: Any, rack: Any, x: Array, w: Array, c: Array, past: Past, row: Any) -> None:
    """Write the record of a machine at rest, with which the first step begins."""
    gauges = np.zeros(1, GAUGE)
    ledger = np.zeros(1, LEDGER)
    for i in range(LINES):
        past.force[i] = parts.lines[i].k * (c[i] - stretch(x, w, parts.feet[i], parts.heads[i])[0])
    write_gauges(parts, rack, x, w, c, np.zeros(2), past.force, gauges[0])
    write_record(parts, x, w, (held_energy(parts, past, x, w, c), 0.0), gauges[0], ledger[0], row)


@kernel
def tally_solved(
    parts: Any, rack: Any, water: Any, t: Array, x: Array, w: Array, c: Array, rate: Array, push: Array,
    stored: Array, every: int, h: float, damped: float, ahead: float, past: Past, ledger: Array, rows: Array,
) -> None:  # fmt: skip
    """Add some steps to the ledger, and write a record after every so many of them; see `tally`.

    Args:
        stored: energy in J of the contact at each record. damped: numerical damping of the springs.
        ahead: how far in m the contact acts before the rack. past: what the steps begin with; takes what the next begin
            with. rows: the last record, which takes its part of the forces in the first step, and the new ones.
    """
    if h == 0.0:
        put_past(past, t[0], x[0], w[0], c[0], rate[0])
        begin_tally(parts, rack, x[0], w[0], c[0], past, rows[0])
        return
    gauges = np.zeros(1, GAUGE)
    loads = np.zeros(parts.bodies.size, LOAD)
    for k in range(x.shape[0]):
        for i in range(LINES):
            book_line(parts, i, past, (x[k], w[k], c[k], rate[k]), h, damped, ledger[0])
        book_bends(parts, past, x[k], h, damped, ledger[0])
        book_contact(parts, rack, past, w[k], push[k], h, ahead, ledger[0])
        if water.acts != 0:
            book_water(parts, water, past, w[k], loads, h, ledger[0])
        held = held_energy(parts, past, x[k], w[k], c[k])
        put_past(past, t[k], x[k], w[k], c[k], rate[k])
        write_gauges(parts, rack, x[k], w[k], c[k], push[k], past.force, gauges[0])
        r = k // every
        if k % every == 0:
            share_forces(rows[r, :RECORD_SIZE].view(RECORD)[0].gauges, gauges[0], damped)
        if k % every == every - 1:
            write_record(parts, x[k], w[k], (held, stored[r]), gauges[0], ledger[0], rows[r + 1])
