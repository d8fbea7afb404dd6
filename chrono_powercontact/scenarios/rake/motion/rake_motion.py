"""The machine in motion, compiled: lines, contact and water act on the stations, RK4 steps.

State: coordinates, velocities, memory of the contact, ledger. The ledger holds integrals in J: work of the drives,
heat in arms, bearings and seals, work against the pressing force, work against friction, work of water and debris.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....kernel import kernel
from ....laws.friction.dissipation import dissipation_force
from ....numerics.ldl import solve
from ..machine.arm_terms import arm_energy, point, pose, terms
from ..machine.arms import TIP, TRIG_ROWS, B, C, D, Mechanism
from ..machine.rack_contact import MEMORY, commit, profile, rack_energy, rack_force
from ..machine.water import wet
from .gauges import GAUGE_COUNT

Array = Any
LEDGER = 5
DRIVE, DAMPING, NORMAL, FRICTION, OUTER = 0, 1, 2, 3, 4
CLEAR = 0.05
"""Gap in m from which on the rake is far enough from the rack for longer steps."""
SEAL_SPEED = 1e-3
"""Speed in m/s over which the seal friction turns."""


class World(NamedTuple):
    """Everything the compiled motion reads.

    Attributes:
        mech: the arms. lines: k, c and seal of both cylinder lines. foot: A in m.
        knots, command: times in s of the command, and its cubic coefficients (line, interval, power).
        rack, normal, friction, water: numbers of the contact and of the water.
    """

    mech: Mechanism
    lines: NDArray[np.float64]
    foot: NDArray[np.float64]
    knots: NDArray[np.float64]
    command: NDArray[np.float64]
    rack: NDArray[np.float64]
    normal: NDArray[np.float64]
    friction: NDArray[np.float64]
    water: NDArray[np.float64]


class Workspace(NamedTuple):
    """Arrays of one evaluation."""

    trig: NDArray[np.float64]
    mass: NDArray[np.float64]
    force: NDArray[np.float64]
    places: NDArray[np.float64]
    jacobians: NDArray[np.float64]
    small: NDArray[np.float64]
    interval: NDArray[np.int64]


@kernel
def workspace(n: int) -> Workspace:
    """Room for n coordinates."""
    return Workspace(
        np.zeros((TRIG_ROWS, n)), np.zeros((n, n)), np.zeros(n), np.zeros((2, 2)), np.zeros((2, 2, n)),
        np.zeros((2, 1)), np.zeros(1, np.int64),
    )  # fmt: skip


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
    return float(dissipation_force(rate, 1.0, 1.0, seal, SEAL_SPEED, 0.0, 1.0, 0.0, 0.0)) if seal != 0.0 else 0.0


@kernel
def pull_line(
    line: int, numbers: Array, c: float, c_rate: float, v: Array, places: Array, jacobians: Array, force: Array,
    ledger: Array, gauges: Array,
) -> float:  # fmt: skip
    """Add the force of a cylinder between places 0 and 1; returns the energy in its bearings in J."""
    x, z = places[1, 0] - places[0, 0], places[1, 1] - places[0, 1]
    length = np.sqrt(x * x + z * z)
    x, z = x / length, z / length
    rate = 0.0
    for i in range(v.size):
        lever = x * (jacobians[1, 0, i] - jacobians[0, 0, i]) + z * (jacobians[1, 1, i] - jacobians[0, 1, i])
        jacobians[0, 0, i] = lever
        rate += lever * v[i]
    f = numbers[0] * (c - length) + numbers[1] * (c_rate - rate)
    for i in range(v.size):
        force[i] += f * jacobians[0, 0, i]
    seal = seal_force(numbers[2], c_rate)
    ledger[DRIVE] += (f + seal) * c_rate
    ledger[DAMPING] += numbers[1] * (c_rate - rate) ** 2 + seal * c_rate
    gauges[line], gauges[9 + line], gauges[11 + line] = f + seal, c, length
    return 0.5 * numbers[0] * (c - length) ** 2


@kernel
def press(
    rack: Array, normal: Array, friction: Array, v: Array, memory: Array, drift: Array, place: Array, jacobian: Array,
    small: Array, force: Array, ledger: Array, gauges: Array,
) -> None:  # fmt: skip
    """Add the force of the rack on the scraper; `small` is room for the sliding speed and the friction."""
    x, z = place[0] - rack[0], place[1] - rack[1]
    s = rack[2] * x + rack[3] * z
    height, slope = profile(rack, s)
    gap = rack[3] * x - rack[2] * z - height
    nx, nz = rack[3] - slope * rack[2], -rack[2] - slope * rack[3]
    norm = np.sqrt(1.0 + slope * slope)
    tx, tz = -nz / norm, nx / norm
    vx, vz = 0.0, 0.0
    for i in range(v.size):
        vx += jacobian[0, i] * v[i]
        vz += jacobian[1, i] * v[i]
    rate = nx * vx + nz * vz
    small[0, 0] = tx * vx + tz * vz
    load = rack_force(normal, friction, gap, rate, small[0], memory, small[1], drift)
    pull = small[1, 0]
    fx, fz = load * nx - pull * tx, load * nz - pull * tz
    for i in range(v.size):
        force[i] += fx * jacobian[0, i] + fz * jacobian[1, i]
    ledger[NORMAL] -= load * rate
    ledger[FRICTION] += pull * small[0, 0]
    gauges[2], gauges[3], gauges[4], gauges[5] = load, -pull, s, small[0, 0]
    gauges[6], gauges[7], gauges[8] = gap, place[0], place[1]


@kernel
def rates(world: Any, t: float, x: Array, work: Any, dx: Array, gauges: Array) -> float:
    """Derivative of the state; returns the energy in the bearings in J, nan where no motion is defined."""
    mech, trig, mass, force, places, jacobians = (
        world.mech, work.trig, work.mass, work.force, work.places, work.jacobians,
    )  # fmt: skip
    n = force.size
    q, v, memory = x[:n], x[n : 2 * n], x[2 * n : 2 * n + MEMORY]
    dx[2 * n :] = 0.0
    drift, ledger = dx[2 * n : 2 * n + MEMORY], dx[2 * n + MEMORY :]
    k = seek(world.knots, t, work.interval[0])
    work.interval[0] = k
    since, width = t - world.knots[k], world.knots[k + 1] - world.knots[k]
    pose(mech, q, trig)
    ledger[DAMPING] = terms(mech, q, v, trig, mass, force)
    places[0, 0], places[0, 1] = world.foot[0], world.foot[1]
    jacobians[0, :, :] = 0.0
    point(mech, q, trig, B, places[1], jacobians[1])
    c, rate = commanded(world.command[0, k], since, width)
    stored = pull_line(0, world.lines[0], c, rate, v, places, jacobians, force, ledger, gauges)
    point(mech, q, trig, C, places[0], jacobians[0])
    point(mech, q, trig, D, places[1], jacobians[1])
    c, rate = commanded(world.command[1, k], since, width)
    stored += pull_line(1, world.lines[1], c, rate, v, places, jacobians, force, ledger, gauges)
    point(mech, q, trig, TIP, places[0], jacobians[0])
    press(
        world.rack, world.normal, world.friction, v, memory, drift, places[0], jacobians[0], work.small, force, ledger,
        gauges,
    )  # fmt: skip
    if world.water[4] != 0.0:
        ledger[OUTER] = wet(mech, world.water, t, q, v, trig, places, jacobians, force)
    dx[:n] = v
    if not solve(mass, force):
        return np.nan
    dx[n : 2 * n] = force
    return stored


@kernel
def record(world: Any, t: float, x: Array, work: Any, dx: Array, gauges: Array, row: Array) -> None:
    """Write time, gauges, energies and coordinates of a state."""
    n, at = work.force.size, 1 + gauges.size
    lines = rates(world, t, x, work, dx, gauges)
    kinetic, potential = arm_energy(world.mech, x[:n], x[n : 2 * n], work.trig)
    row[0] = t
    row[1:at] = gauges
    row[at], row[at + 1], row[at + 2] = (
        kinetic,
        potential + lines,
        rack_energy(world.normal, world.friction, gauges[6], x[2 * n : 2 * n + MEMORY]),
    )
    row[at + 3 : at + 3 + LEDGER] = x[2 * n + MEMORY :]
    row[at + 3 + LEDGER :] = x[:n]


@kernel
def rk4(world: Any, begin: float, x: Array, step: float, every: int, rows: Array, free: int = 1) -> int:
    """Record, then take `every` steps, for each row; returns the rows before the state left the finite numbers.

    Where the rake is CLEAR of the rack, `free` steps are taken as one; `every` is a multiple of it.
    """
    n = world.mech.own.size
    work = workspace(n)
    gauges, k, total, y = np.zeros(GAUGE_COUNT), np.zeros(x.size), np.zeros(x.size), np.zeros(x.size)
    for r in range(rows.shape[0]):
        record(world, begin + r * every * step, x, work, k, gauges, rows[r])
        if not np.isfinite(np.sum(rows[r])):
            return r
        joined = free if gauges[6] > CLEAR else 1
        h = joined * step
        for i in range(every // joined):
            t = begin + r * every * step + i * h
            total[:] = 0.0
            y[:] = x
            for stage in range(4):
                ahead = 0.0 if stage == 0 else (1.0 if stage == 3 else 0.5)
                if stage > 0:
                    for j in range(x.size):
                        y[j] = x[j] + ahead * h * k[j]
                rates(world, t + ahead * h, y, work, k, gauges)
                weight = h / 6.0 if stage in (0, 3) else h / 3.0
                for j in range(x.size):
                    total[j] += weight * k[j]
            for j in range(x.size):
                x[j] += total[j]
            commit(world.normal, world.friction, gauges[6], x[2 * n : 2 * n + MEMORY])
    return rows.shape[0]
