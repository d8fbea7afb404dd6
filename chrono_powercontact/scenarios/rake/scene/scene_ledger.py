"""What a Chrono scene of the machine does, read off its bodies, compiled: lines, energies, and the ledger of a stretch.

States are packed as Chrono packs them: position and quaternion, velocity in the world and spin in the body.

Chrono's linearised Euler step is a leapfrog: v' = v + h a(x, v), then x' = x + h v'. Its velocities are those half a
step before its positions; the ledger brings them to the same time, v + (v - v_before) / 2, and is of second order then.
Forces are those that Chrono exerts, from the velocities as they are. A step leaves the joints along their tangent, so
that a velocity is not quite one of the machine: work of the seals is reckoned from the way between two states.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernel import kernel
from ..machine.machine import GRAVITY
from ..machine.rack_contact import profile
from ..machine.water import on_cell, on_rake, span
from ..motion.gauges import GAUGE_COUNT
from ..motion.rake_motion import DAMPING, DRIVE, FRICTION, LEDGER, NORMAL, OUTER, seal_force

Array = Any
RESIST, LENGTH, KEPT = LEDGER, LEDGER + 2, LEDGER + 4
"""What the ledger keeps of a state after its powers: forces of the seals in N, lengths of the lines in m."""


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
def powers(parts: Any, x: Array, w: Array, now: Array, c: Array, rate: Array, gauges: Array, out: Array) -> float:
    """Powers in W of drives and dampers, and the lines' forces and gauges; returns the energy in the bearings in J.

    Forces come from the velocities w, powers from those `now`.
    """
    out[:] = 0.0
    stored = 0.0
    for i in range(2):
        k, damping, seal = parts.lines[i, 0], parts.lines[i, 1], parts.lines[i, 2]
        length, speed = stretch(x, w, parts.ends[2 * i], parts.ends[2 * i + 1])
        f = k * (c[i] - length) + damping * (rate[i] - speed)
        out[DRIVE] += f * rate[i]
        timely = stretch(x, now, parts.ends[2 * i], parts.ends[2 * i + 1])[1]
        out[DAMPING] += damping * (rate[i] - speed) * (rate[i] - timely)
        out[RESIST + i], out[LENGTH + i] = seal_force(seal, speed), length
        stored += 0.5 * k * (c[i] - length) ** 2
        gauges[i], gauges[9 + i], gauges[11 + i] = f, c[i], length
    for i in range(1, parts.bends.size):
        turn, timely = w[6 * i + 4] - w[6 * i - 2], now[6 * i + 4] - now[6 * i - 2]
        out[DAMPING] += parts.beta * parts.bends[i] * turn * timely
    return stored


@kernel
def place_gauges(parts: Any, rack: Array, x: Array, w: Array, gauges: Array) -> tuple[float, float, float]:
    """Where the scraper is and how it slides; returns the rack's normal there, and the speed away from it in m/s."""
    px, pz, vx, vz = held_point(x, w, parts.ends[parts.ends.shape[0] - 1])
    dx, dz = px - rack[0], pz - rack[1]
    s = rack[2] * dx + rack[3] * dz
    height, slope = profile(rack, s)
    norm = np.sqrt(1.0 + slope * slope)
    nx, nz = (rack[3] - slope * rack[2]) / norm, (-rack[2] - slope * rack[3]) / norm
    gauges[4], gauges[5] = s, nx * vz - nz * vx
    gauges[6], gauges[7], gauges[8] = rack[3] * dx - rack[2] * dz - height, px, pz
    return nx, nz, nx * vx + nz * vz


@kernel
def wet_loads(parts: Any, water: Array, t: float, x: Array, w: Array, loads: Array) -> float:
    """Forces in N along x and z, and torque in N m about y, of water and debris on each body; returns their power."""
    loads[:] = 0.0
    power, last = 0.0, parts.wet.shape[0] - 1
    drop = span(held_point(x, w, parts.wet[1])[1], held_point(x, w, parts.wet[last])[1], last)
    for k in range(last + 1):
        px, pz, vx, vz = held_point(x, w, parts.wet[k])
        fx, fz = on_rake(water, t, pz, vx) if k == 0 else on_cell(water, drop, pz, vx)
        i = int(parts.wet[k, 0])
        loads[i, 0] += fx
        loads[i, 1] += fz
        loads[i, 2] += (pz - x[7 * i + 2]) * fx - (px - x[7 * i]) * fz
        power += fx * vx + fz * vz
    return power


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
    parts: Any, rack: Array, water: Array, t: Array, x: Array, w: Array, c: Array, rate: Array, push: Array, h: float,
    before: Array, last: Array, ledger: Array, row: Array,
) -> None:  # fmt: skip
    """Add a stretch of steps to the ledger, and write the gauges and energies at its end.

    Args:
        t, x, w: times and states after each step. c, rate: commanded lengths and rates then.
        push: contact force in N on the rake along x and z in that step, where Chrono's own contact exerts it: constant
            in a step, also as an impact.
        before, last: velocities before the first step; powers in W of drives, dampers and water, speeds in m/s away
            from and up the rack, and what RESIST and LENGTH name; they take those after the last one.
        row: takes a record without time.
    """
    now, gauges, stored, loads = np.zeros(KEPT), np.zeros(GAUGE_COUNT), 0.0, np.zeros((parts.bodies.shape[0], 3))
    timely = np.zeros(before.size)
    for k in range(x.shape[0]):
        timely[:] = w[k] + 0.5 * (w[k] - before)
        before[:] = w[k]
        stored = powers(parts, x[k], w[k], timely, c[k], rate[k], gauges, now)
        nx, nz, away = place_gauges(parts, rack, x[k], timely, gauges)
        gauges[2] = push[k, 0] * nx + push[k, 1] * nz
        gauges[3] = push[k, 1] * nx - push[k, 0] * nz
        if water[4] != 0.0:
            now[OUTER] = wet_loads(parts, water, t[k], x[k], timely, loads)
        now[NORMAL], now[FRICTION] = away, gauges[5]
        ledger[DRIVE] += 0.5 * h * (last[DRIVE] + now[DRIVE])
        ledger[DAMPING] += 0.5 * h * (last[DAMPING] + now[DAMPING])
        for i in range(2):
            way = now[LENGTH + i] - last[LENGTH + i] if h > 0.0 else 0.0
            ledger[DAMPING] += 0.5 * (last[RESIST + i] + now[RESIST + i]) * way
        ledger[OUTER] += 0.5 * h * (last[OUTER] + now[OUTER])
        ledger[NORMAL] -= 0.5 * h * gauges[2] * (last[NORMAL] + now[NORMAL])
        ledger[FRICTION] -= 0.5 * h * gauges[3] * (last[FRICTION] + now[FRICTION])
        last[:] = now
    end, at = x.shape[0] - 1, GAUGE_COUNT
    row[:at] = gauges
    kinetic, potential = mechanical(parts, x[end], timely)
    row[at], row[at + 1], row[at + 2] = kinetic, potential + stored, 0.0
    row[at + 3 : at + 3 + LEDGER] = ledger
    for i in range(parts.bodies.shape[0]):
        row[at + 3 + LEDGER + i] = angle_of(x[end], i)
