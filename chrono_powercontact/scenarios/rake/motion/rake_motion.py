"""The machine in motion, compiled: lines, contact and water act on the stations, RK4 steps.

State: coordinates, velocities, memory of the contact, ledger. The ledger holds integrals in J: work of the drives,
heat in arms, bearings and seals, work against the pressing force, work against friction, work of water and debris.

This is a model with a right-hand side of its own; steps, solver and laws are those of all engines. It is not there for
speed: with six segments a step takes 7.4 us, and 6.4 us where the general engine derives the same machine from its
energies. It is there for what a `Model` cannot express: a command of hundreds of knots from a file, a rack whose
profile passes smoothly from plane to plane, water on a dozen cells, modal arms, and longer steps off the rack. And a
machine of other numbers needs no derivation and no compiler, which there takes 5 s.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....kernel import expanded, kernel
from ....laws.friction.stribeck import Stribeck, dissipation_force
from ....numerics.cholesky import cholesky_solve
from ....numerics.copying import put
from ....numerics.rk4 import REACH, STAGES, rk4_add, rk4_finish, rk4_room, rk4_stage
from ..machine.arm_terms import arm_energy, point, pose, terms
from ..machine.arms import TIP, TRIG_ROWS, B, C, D, Mechanism, Place
from ..machine.rack_contact import MEMORY, ContactRecords, commit, locate, rack_energy, rack_force
from ..machine.water import wet
from .gauges import GAUGE, LEDGER, RECORD, RECORD_SIZE

Array = Any
CLEAR = 0.05
"""Gap in m from which on the rake is far enough from the rack for longer steps."""
SEAL_SPEED = 1e-3
"""Speed in m/s over which the seal friction turns."""

LINE = np.dtype([(name, np.float64) for name in ("k", "c", "seal")])
"""A line of cylinders: stiffness in N/m and damping in N s/m of its bearings, friction of its seals in N."""


class World(NamedTuple):
    """Everything the compiled motion reads.

    Attributes:
        mech: the arms. lines: a LINE for the main and for the knuckle cylinders. foot: A in m.
        knots, command: times in s of the command, and its cubic coefficients (line, interval, power).
        rack, contact, water: records of the rack, of its contact with the scraper, and of the water.
    """

    mech: Mechanism
    lines: NDArray[Any]
    foot: NDArray[np.float64]
    knots: NDArray[np.float64]
    command: NDArray[np.float64]
    rack: Any
    contact: ContactRecords
    water: Any


class Workspace(NamedTuple):
    """Arrays of one evaluation.

    Attributes:
        trig: what the arms note about a pose. mass, force: mass matrix and generalised force.
        foot, head: ends of a line; the head is also the scraper, and a point under water. lever: of a line.
        slip, pull: sliding speed in m/s and friction in N of the scraper. gauges: one record.
        interval: of the command in which the last time was found.
    """

    trig: NDArray[np.float64]
    mass: NDArray[np.float64]
    force: NDArray[np.float64]
    foot: Place
    head: Place
    lever: NDArray[np.float64]
    slip: NDArray[np.float64]
    pull: NDArray[np.float64]
    gauges: NDArray[Any]
    interval: NDArray[np.int64]


class Parts(NamedTuple):
    """Coordinates, velocities, memory of the contact and ledger of a state, or of its rate."""

    q: NDArray[np.float64]
    v: NDArray[np.float64]
    memory: NDArray[np.float64]
    ledger: NDArray[Any]


class LineReading(NamedTuple):
    """What a line does: force that the pressure shows in N, length in m, energy in its bearings in J."""

    force: float
    length: float
    stored: float


@kernel
def workspace(n: int) -> Workspace:
    """Room for n coordinates."""
    return Workspace(
        np.zeros((TRIG_ROWS, n)),
        np.zeros((n, n)),
        np.zeros(n),
        Place(np.zeros(2), np.zeros((2, n))),
        Place(np.zeros(2), np.zeros((2, n))),
        np.zeros(n),
        np.zeros(1),
        np.zeros(1),
        np.zeros(1, GAUGE),
        np.zeros(1, np.int64),
    )


@expanded
def parts_of(x: Array, n: int) -> Parts:
    """Views of the parts of a state with n coordinates."""
    end = 2 * n + MEMORY
    return Parts(x[:n], x[n : 2 * n], x[2 * n : end], x[end:].view(LEDGER))


@kernel
def seek(knots: Array, t: float, i: int) -> int:
    """The interval of a time, searched from interval i."""
    while i < knots.size - 2 and t >= knots[i + 1]:
        i += 1
    while i > 0 and t < knots[i]:
        i -= 1
    return i


@kernel
def commanded(a: Array, x: float, width: float) -> tuple[float, float]:
    """Length in m and its rate in m/s, x after the beginning of an interval; held beyond the ends of the command."""
    if x < 0.0:
        return a[3], 0.0
    if x > width:
        return ((a[0] * width + a[1]) * width + a[2]) * width + a[3], 0.0
    return ((a[0] * x + a[1]) * x + a[2]) * x + a[3], (3.0 * a[0] * x + 2.0 * a[1]) * x + a[2]


@kernel
def seal_force(seal: float, rate: float) -> float:
    """Friction in N of seals that resist with up to `seal` N, at a rate in m/s: a dissipation function's."""
    if seal == 0.0:
        return 0.0
    return float(dissipation_force(rate, 1.0, 1.0, Stribeck(seal, SEAL_SPEED, 0.0, 1.0, 0.0, 0.0)))


@expanded
def stretch_line(v: Array, work: Workspace) -> tuple[float, float]:
    """Length in m of the line from foot to head and its rate in m/s; writes the line's lever."""
    foot = work.foot
    head = work.head
    x = head.where[0] - foot.where[0]
    z = head.where[1] - foot.where[1]
    length = np.sqrt(x * x + z * z)
    x = x / length
    z = z / length
    rate = 0.0
    for i in range(v.size):
        across = head.jacobian[0, i] - foot.jacobian[0, i]
        up = head.jacobian[1, i] - foot.jacobian[1, i]
        work.lever[i] = x * across + z * up
        rate += work.lever[i] * v[i]
    return length, rate


@expanded
def pull_line(line: Any, c: float, c_rate: float, v: Array, work: Workspace, ledger: Any) -> LineReading:
    """Add the force of a line between foot and head that is commanded to a length and a rate."""
    length, rate = stretch_line(v, work)
    f = line.k * (c - length) + line.c * (c_rate - rate)
    for i in range(v.size):
        work.force[i] += f * work.lever[i]
    seal = seal_force(line.seal, c_rate)
    ledger.drive_work += (f + seal) * c_rate
    ledger.damping_heat += line.c * (c_rate - rate) ** 2 + seal * c_rate
    return LineReading(f + seal, length, 0.5 * line.k * (c - length) ** 2)


@expanded
def pull_lines(world: World, t: float, q: Array, v: Array, work: Workspace, ledger: Any) -> float:
    """Add the forces of both lines; returns the energy in their bearings in J."""
    k = seek(world.knots, t, work.interval[0])
    work.interval[0] = k
    since = t - world.knots[k]
    width = world.knots[k + 1] - world.knots[k]
    gauges = work.gauges[0]
    put(world.foot, work.foot.where)
    work.foot.jacobian[:, :] = 0.0
    point(world.mech, q, work.trig, B, work.head.where, work.head.jacobian)
    c, rate = commanded(world.command[0, k], since, width)
    main = pull_line(world.lines[0], c, rate, v, work, ledger)
    gauges.F1 = main.force
    gauges.c1 = c
    gauges.l1 = main.length
    point(world.mech, q, work.trig, C, work.foot.where, work.foot.jacobian)
    point(world.mech, q, work.trig, D, work.head.where, work.head.jacobian)
    c, rate = commanded(world.command[1, k], since, width)
    knuckle = pull_line(world.lines[1], c, rate, v, work, ledger)
    gauges.F2 = knuckle.force
    gauges.c2 = c
    gauges.l2 = knuckle.length
    return main.stored + knuckle.stored


@expanded
def press(world: World, parts: Parts, drift: Array, work: Workspace, ledger: Any) -> None:
    """Add the force of the rack on the scraper; `drift` takes the rate of the contact's memory."""
    point(world.mech, parts.q, work.trig, TIP, work.head.where, work.head.jacobian)
    jacobian = work.head.jacobian
    at = locate(world.rack, work.head.where[0], work.head.where[1])
    tx = -at.gap_z / at.length
    tz = at.gap_x / at.length
    vx = 0.0
    vz = 0.0
    for i in range(parts.v.size):
        vx += jacobian[0, i] * parts.v[i]
        vz += jacobian[1, i] * parts.v[i]
    rate = at.gap_x * vx + at.gap_z * vz
    work.slip[0] = tx * vx + tz * vz
    load = rack_force(world.contact, at.gap, rate, work.slip, parts.memory, work.pull, drift)
    pull = work.pull[0]
    fx = load * at.gap_x - pull * tx
    fz = load * at.gap_z - pull * tz
    for i in range(parts.v.size):
        work.force[i] += fx * jacobian[0, i] + fz * jacobian[1, i]
    ledger.contact_work -= load * rate
    ledger.friction_work += pull * work.slip[0]
    gauges = work.gauges[0]
    gauges.N = load
    gauges.F_t = -pull
    gauges.s = at.s
    gauges.v_t = work.slip[0]
    gauges.gap = at.gap
    gauges.x_T = work.head.where[0]
    gauges.z_T = work.head.where[1]


@kernel
def rates(world: World, t: float, x: Array, work: Workspace, dx: Array) -> float:
    """Derivative of the state; returns the energy in the bearings in J, nan where no motion is defined."""
    mech = world.mech
    n = work.force.size
    now = parts_of(x, n)
    change = parts_of(dx, n)
    change.memory[:] = 0.0
    dx[2 * n + MEMORY :] = 0.0
    ledger = change.ledger[0]
    pose(mech, now.q, work.trig)
    ledger.damping_heat = terms(mech, now.q, now.v, work.trig, work.mass, work.force)
    stored = pull_lines(world, t, now.q, now.v, work, ledger)
    press(world, now, change.memory, work, ledger)
    if world.water.acts != 0:
        ledger.outer_work = wet(mech, world.water, t, now.q, now.v, work.trig, work.head, work.force)
    put(now.v, change.q)
    if not cholesky_solve(work.mass, work.force):
        return np.nan
    put(work.force, change.v)
    return stored


@kernel
def write_record(world: World, t: float, x: Array, work: Workspace, dx: Array, row: Array) -> None:
    """Write time, gauges, energies and coordinates of a state."""
    now = parts_of(x, work.force.size)
    bearings = rates(world, t, x, work, dx)
    kinetic, potential = arm_energy(world.mech, now.q, now.v, work.trig)
    record = row[:RECORD_SIZE].view(RECORD)[0]
    record.t = t
    record.gauges = work.gauges[0]
    record.kinetic = kinetic
    record.potential = potential + bearings
    record.stored = rack_energy(world.contact, work.gauges[0].gap, now.memory)
    record.ledger = now.ledger[0]
    put(now.q, row[RECORD_SIZE:])


@kernel
def commit_contact(world: World, x: Array, work: Workspace) -> None:
    """End a step: commit the anchor of the contact, at the gap that was found last."""
    commit(world.contact, work.gauges[0].gap, parts_of(x, work.force.size).memory)


@kernel
def rk4(world: World, begin: float, x: Array, step: float, every: int, rows: Array, free: int = 1) -> int:
    """Record, then take `every` steps, for each row; returns the rows before the state is no longer finite.

    Where the rake is CLEAR of the rack, `free` steps are taken as one; `every` is a multiple of it.
    """
    work = workspace(world.mech.own.size)
    room = rk4_room(x.size)
    for r in range(rows.shape[0]):
        first = begin + r * every * step
        write_record(world, first, x, work, room.rate, rows[r])
        if not np.isfinite(np.sum(rows[r])):
            return r
        joined = free if work.gauges[0].gap > CLEAR else 1
        h = joined * step
        for i in range(every // joined):
            for stage in range(STAGES):
                rk4_stage(room, x, stage, h)
                rates(world, first + i * h + REACH[stage] * h, room.point, work, room.rate)
                rk4_add(room, stage)
            rk4_finish(room, x, h)
            commit_contact(world, x, work)
    return int(rows.shape[0])
