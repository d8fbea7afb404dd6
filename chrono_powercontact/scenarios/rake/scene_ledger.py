"""What a Chrono scene of the machine does, read off its bodies, compiled: lines, energies, and the ledger of a stretch.

States are packed as Chrono packs them: position and quaternion, velocity in the world and spin in the body.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...laws.kernel import kernel
from .motion import DAMPING, DRIVE, FRICTION, LEDGER, NORMAL, SEAL_SPEED
from .readings import GAUGE_COUNT
from .table import GRAVITY

Array = Any


@kernel
def angle_of(x: Array, i: int) -> float:
    """Angle in rad of body i: its turn about -y."""
    return float(-2.0 * np.arctan2(x[7 * i + 5], x[7 * i + 3]))


@kernel
def held_point(x: Array, w: Array, end: Array) -> tuple[float, float, float, float]:
    """Place in m and velocity in m/s, along x and z, of a point that a body or the ground holds."""
    i = int(end[0])
    if i < 0:
        return end[1], end[2], 0.0, 0.0
    a = angle_of(x, i)
    c, s = np.cos(a), np.sin(a)
    rx, rz, turn = end[1] * c - end[2] * s, end[1] * s + end[2] * c, -w[6 * i + 4]
    return x[7 * i] + rx, x[7 * i + 2] + rz, w[6 * i] - turn * rz, w[6 * i + 2] + turn * rx


@kernel
def stretch(x: Array, w: Array, foot: Array, head: Array) -> tuple[float, float]:
    """Length in m of a line, and its rate in m/s."""
    ax, az, avx, avz = held_point(x, w, foot)
    bx, bz, bvx, bvz = held_point(x, w, head)
    dx, dz = bx - ax, bz - az
    length = np.sqrt(dx * dx + dz * dz)
    return length, (dx * (bvx - avx) + dz * (bvz - avz)) / length


@kernel
def powers(parts: Any, x: Array, w: Array, c: Array, rate: Array, gauges: Array, out: Array) -> float:
    """Powers in W of drives and dampers, and the lines' gauges; returns the energy in the bearings in J."""
    out[:] = 0.0
    stored = 0.0
    for i in range(2):
        k, damping, seal = parts.lines[i, 0], parts.lines[i, 1], parts.lines[i, 2]
        length, speed = stretch(x, w, parts.ends[2 * i], parts.ends[2 * i + 1])
        f = k * (c[i] - length) + damping * (rate[i] - speed)
        resisted = seal * np.tanh(rate[i] / SEAL_SPEED)
        out[DRIVE] += (f + resisted) * rate[i]
        out[DAMPING] += damping * (rate[i] - speed) ** 2 + resisted * rate[i]
        stored += 0.5 * k * (c[i] - length) ** 2
        gauges[i], gauges[9 + i], gauges[11 + i] = f + resisted, c[i], length
    for i in range(1, parts.bends.size):
        turn = w[6 * i + 4] - w[6 * i - 2]
        out[DAMPING] += parts.beta * parts.bends[i] * turn * turn
    return stored


@kernel
def place_gauges(parts: Any, rack: Array, x: Array, w: Array, gauges: Array) -> float:
    """Where the scraper is and how it slides; returns its speed away from the rack in m/s."""
    px, pz, vx, vz = held_point(x, w, parts.ends[parts.ends.shape[0] - 1])
    dx, dz = px - rack[0], pz - rack[1]
    gauges[4], gauges[5] = rack[2] * dx + rack[3] * dz, rack[2] * vx + rack[3] * vz
    gauges[6], gauges[7], gauges[8] = rack[3] * dx - rack[2] * dz - rack[4], px, pz
    return rack[3] * vx - rack[2] * vz


@kernel
def mechanical(parts: Any, x: Array, w: Array) -> tuple[float, float]:
    """Kinetic energy, and potential energy of weight and bending, in J."""
    kinetic, potential = 0.0, 0.0
    for i in range(parts.bodies.shape[0]):
        m, inertia, k = parts.bodies[i, 0], parts.bodies[i, 1], 6 * i
        kinetic += 0.5 * m * (w[k] ** 2 + w[k + 1] ** 2 + w[k + 2] ** 2)
        kinetic += 0.5 * inertia * (w[k + 3] ** 2 + w[k + 4] ** 2 + w[k + 5] ** 2)
        potential += m * GRAVITY * x[7 * i + 2]
        if parts.bends[i] > 0.0:
            potential += 0.5 * parts.bends[i] * (angle_of(x, i) - angle_of(x, i - 1)) ** 2
    return kinetic, potential


@kernel
def tally(
    parts: Any, rack: Array, x: Array, w: Array, c: Array, rate: Array, push: Array, h: float, last: Array,
    ledger: Array, row: Array,
) -> None:  # fmt: skip
    """Add a stretch of steps to the ledger, and write the gauges and energies at its end.

    Args:
        x, w: states after each step. c, rate: commanded lengths and rates then. push: contact force in N on the rake
            along x and z in that step, where Chrono's own contact exerts it: constant in a step, also as an impact.
        last: powers in W of drives and dampers, and speeds in m/s away from and up the rack, before the first step;
            takes those after the last one. row: takes a record without time.
    """
    now, gauges, stored = np.zeros(LEDGER), np.zeros(GAUGE_COUNT), 0.0
    for k in range(x.shape[0]):
        stored = powers(parts, x[k], w[k], c[k], rate[k], gauges, now)
        away = place_gauges(parts, rack, x[k], w[k], gauges)
        gauges[2] = push[k, 0] * rack[3] - push[k, 1] * rack[2]
        gauges[3] = push[k, 0] * rack[2] + push[k, 1] * rack[3]
        now[NORMAL], now[FRICTION] = away, gauges[5]
        ledger[DRIVE] += 0.5 * h * (last[DRIVE] + now[DRIVE])
        ledger[DAMPING] += 0.5 * h * (last[DAMPING] + now[DAMPING])
        ledger[NORMAL] -= 0.5 * h * gauges[2] * (last[NORMAL] + now[NORMAL])
        ledger[FRICTION] -= 0.5 * h * gauges[3] * (last[FRICTION] + now[FRICTION])
        last[:] = now
    end, at = x.shape[0] - 1, GAUGE_COUNT
    row[:at] = gauges
    kinetic, potential = mechanical(parts, x[end], w[end])
    row[at], row[at + 1], row[at + 2] = kinetic, potential + stored, 0.0
    row[at + 3 : at + 3 + LEDGER] = ledger
    for i in range(parts.bodies.shape[0]):
        row[at + 3 + LEDGER + i] = angle_of(x[end], i)
