"""The compiled right-hand side of all stages (5.17), (5.20), (5.22), (5.26), (5.38), and its RK4 loop.

State x: phi, s, omega, v; then, where the state is long enough, the memory of hip and slide, that of the foot's tip,
and the ledger's four integrals as in the reference engine. Input u: hip torque in N m, slide force in N.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernel import kernel
from ....laws.friction.memory import opening
from ....laws.rows import FRICTION_WIDTH, NORMAL_WIDTH, POWER, friction_point, normal_force, normal_potential
from . import leg_kinematics as kin
from . import stages as at

PHI, S, OMEGA, V, HELD_HIP, HELD_SLIDE, HELD_FOOT, LEDGER = range(8)
FULL = LEDGER + 4

Q_HIP, Q_SLIDE, KNEE, F_KNEE, F_LOWER, F_UPPER, D_FOOT, F_FOOT, FT_FOOT = range(9)
KINETIC, POTENTIAL, STORED, NET_HIP, NET_SLIDE, CONTACT_POWER, FRICTION_POWER = range(9, 16)
REPORT_WIDTH = 16
"""Places in a report: friction of hip and slide, knee angle and its torque, forces of the slide's stops, distance,
normal force and friction of the foot's tip; energies in J; net input of both axes, which is the drive less friction and
with contacts; powers in W lost in contacts and by friction."""

POSE = REPORT_WIDTH
NET = POSE + kin.POSE_WIDTH
HELD, HELD_RATE, SLIP, FT = NET + 2, NET + 5, NET + 8, NET + 9
WORK_WIDTH = NET + 10
"""Places in the work space of an evaluation behind the report: pose, net generalised force, memories and their rates,
speed and friction of the tip. All evaluations share one array, for making many small ones takes half of the time."""

OUT_OF_REACH = 40.0
"""Beyond this many transition lengths from its middle a contact is not evaluated: its force is below 1e-34 of r_f."""

TORQUE, FORCE, START, OMEGA_DRIVE, HOLD = 0, 2, 4, 5, 6
DRIVE_WIDTH = 7
"""Places in a drive: offset and amplitude of hip torque and slide force, begin in s, angular frequency in rad/s, time
in s over which the input is held (0: not at all)."""

JUMP = 1e-7
"""Time in s to either side of a jump."""

Array = Any


@kernel
def drive(t: float, d: Array, u: Array) -> None:
    """Input at a time in s: zero before the begin, then offset and sine on both axes."""
    if d[HOLD] > 0.0:
        t = np.floor(t / d[HOLD] + 1e-9) * d[HOLD]
    u[0], u[1] = 0.0, 0.0
    if t >= d[START] - 1e-9:
        wave = np.sin(d[OMEGA_DRIVE] * (t - d[START]))
        u[0], u[1] = d[TORQUE] + d[TORQUE + 1] * wave, d[FORCE] + d[FORCE + 1] * wave


@kernel
def mean_drive(t: float, d: Array, u: Array) -> None:
    """Input at a time in s, and at a jump the mean of both sides: so no integrator begins a jump half a step off."""
    before = np.zeros(2)
    drive(t - JUMP, d, before)
    drive(t + JUMP, d, u)
    u[0], u[1] = 0.5 * (u[0] + before[0]), 0.5 * (u[1] + before[1])


@kernel
def axis_friction(
    row: Array, wave: Array, place: float, v: Array, held: Array, extra: float, force: Array, rate: Array
) -> float:
    """Friction of an axis at a place, the rate of its memory, and an extra static force that passes the same memory."""
    share = 1.0 + wave[0] * np.sin(2.0 * np.pi * place / wave[1] + wave[2])
    friction_point(row, share, 1.0, v, held, force, rate)
    if row[0] == POWER and row[8] > 0.0:
        rate[0] += opening(v[0], row[9]) * extra / row[8]
        return force[0]
    return force[0] + extra


@kernel
def touch(row: Array, s: float, v: float) -> tuple[float, float, float]:
    """Force of a contact at distance s and normal speed v, power in W that it loses, and energy in J that it holds."""
    if row[3] == 0.0 or row[1] * (s - row[2]) > OUT_OF_REACH:
        return 0.0, 0.0, 0.0
    force, elastic, _ = normal_force(row, s, v)
    return force, (elastic - force) * v, normal_potential(row, s)


@kernel
def contacts(x: Array, p: Array, work: Array) -> None:
    """Add the generalised forces of knee, slide stops and foot to the net force, and report them."""
    pose, w, v, s = work[POSE:NET], x[OMEGA], x[V], x[S]
    knee_rate = pose[kin.KNEE_PHI] * w + pose[kin.KNEE_S] * v
    gap_rate = pose[kin.GAP_PHI] * w + pose[kin.GAP_S] * v
    f_knee, lost_knee, in_knee = touch(p[at.KNEE_ROW : at.LOWER], pose[kin.KNEE_ANGLE], knee_rate)
    f_low, lost_low, in_low = touch(p[at.LOWER : at.UPPER], s - p[at.S_LOWER], v)
    f_high, lost_high, in_high = touch(p[at.UPPER : at.FOOT], p[at.S_UPPER] - s, -v)
    f_foot, lost_foot, in_foot = touch(p[at.FOOT : at.FOOT + NORMAL_WIDTH], pose[kin.GAP], gap_rate)
    work[NET] += f_knee * pose[kin.KNEE_PHI] + f_foot * pose[kin.GAP_PHI]
    work[NET + 1] += f_knee * pose[kin.KNEE_S] + f_foot * pose[kin.GAP_S] + f_low - f_high
    work[KNEE], work[F_KNEE], work[F_LOWER], work[F_UPPER] = pose[kin.KNEE_ANGLE], f_knee, f_low, f_high
    work[D_FOOT], work[F_FOOT] = pose[kin.GAP], f_foot
    work[STORED] = in_knee + in_low + in_high + in_foot
    work[CONTACT_POWER] = lost_knee + lost_low + lost_high + lost_foot


@kernel
def frictions(x: Array, p: Array, dx: Array, work: Array) -> None:
    """Take the friction of both axes and of the foot's tip from the net force, and write the rates of the memories."""
    pose, held, rates = work[POSE:NET], work[HELD:HELD_RATE], work[HELD_RATE:SLIP]
    slip, force = work[SLIP : SLIP + 1], work[FT : FT + 1]
    known = min(max(x.size - HELD_HIP, 0), 3)
    held[:] = 0.0
    held[:known] = x[HELD_HIP : HELD_HIP + known]
    own = p[at.FOOT_POINT] > 0.0
    slip[0] = pose[kin.ALONG_PHI] * x[OMEGA] + pose[kin.ALONG_S] * x[V] if own else x[V]
    rub = p[at.FOOT_FRICTION : at.FOOT_FRICTION + FRICTION_WIDTH]
    friction_point(rub, work[F_FOOT], 1.0, slip, held[2:3], force, rates[2:3])
    f_foot = force[0]
    hip, slide = p[at.HIP : at.HIP + FRICTION_WIDTH], p[at.SLIDE_ROW : at.SLIDE_ROW + FRICTION_WIDTH]
    wave, w, v = p[at.WAVE_HIP : at.WAVE_HIP + 3], x[OMEGA : OMEGA + 1], x[V : V + 1]
    f_hip = axis_friction(hip, wave, x[PHI], w, held[0:1], 0.0, force, rates[0:1])
    wave, extra = p[at.WAVE_SLIDE : at.WAVE_SLIDE + 3], 0.0 if own else f_foot
    f_slide = axis_friction(slide, wave, x[S], v, held[1:2], extra, force, rates[1:2])
    dx[HELD_HIP : HELD_HIP + known] = rates[:known]
    work[NET] -= f_hip
    work[NET + 1] -= f_slide
    work[Q_HIP], work[Q_SLIDE], work[FT_FOOT] = f_hip, f_slide, f_foot
    work[FRICTION_POWER] = f_hip * x[OMEGA] + f_slide * x[V]
    if own:
        work[NET] -= f_foot * pose[kin.ALONG_PHI]
        work[NET + 1] -= f_foot * pose[kin.ALONG_S]
        work[FRICTION_POWER] += f_foot * slip[0]


@kernel
def rate(x: Array, u: Array, p: Array, dx: Array, work: Array) -> None:
    """dx/dt of a state of 4, 6, 7 or FULL entries under an input; the head of `work` reports what acts."""
    pose, q = work[POSE:NET], work[NET : NET + 2]
    kin.place(x[PHI], x[S], p, pose)
    m11, m12, m22 = kin.inertia(p, pose)
    g1, g2, potential = kin.weight(p, pose, x[S])
    q[0], q[1] = u[0], u[1]
    contacts(x, p, work)
    frictions(x, p, dx, work)
    work[NET_HIP], work[NET_SLIDE] = q[0], q[1]
    q[0] -= g1
    q[1] -= g2
    if p[at.CORIOLIS] > 0.0:
        c1, c2 = kin.turning(p, pose, x[OMEGA], x[V])
        q[0] -= c1
        q[1] -= c2
    dx[PHI], dx[S] = x[OMEGA], x[V]
    dx[OMEGA], dx[V] = kin.meet(m11, m12, q[0], m12, m22, q[1])
    work[KINETIC] = 0.5 * m11 * x[OMEGA] ** 2 + m12 * x[OMEGA] * x[V] + 0.5 * m22 * x[V] ** 2
    work[POTENTIAL] = potential
    if x.size == FULL:
        dx[LEDGER] = work[CONTACT_POWER]
        dx[LEDGER + 1] = max(work[FRICTION_POWER], 0.0)
        dx[LEDGER + 2] = max(-work[FRICTION_POWER], 0.0)
        dx[LEDGER + 3] = u[0] * x[OMEGA] + u[1] * x[V]


@kernel
def reports(xs: Array, us: Array, p: Array, out: Array) -> None:
    """What acts at each of many states under its input."""
    dx, work = np.zeros(xs.shape[1]), np.zeros(WORK_WIDTH)
    for i in range(xs.shape[0]):
        rate(xs[i], us[i], p, dx, work)
        out[i] = work[:REPORT_WIDTH]


@kernel
def advance(x: Array, t: float, h: float, d: Array, p: Array, room: Array, u: Array, work: Array) -> None:
    """One RK4 step of x in place; room has three rows of its size."""
    k, y, total = room[0], room[1], room[2]
    total[:] = 0.0
    for stage in range(4):
        reach = 0.0 if stage == 0 else (h if stage == 3 else 0.5 * h)
        weight = 1.0 / 6.0 if stage in (0, 3) else 1.0 / 3.0
        for i in range(x.size):
            y[i] = x[i] + (reach * k[i] if stage > 0 else 0.0)
        if d[HOLD] > 0.0:
            drive(t, d, u)
        else:
            mean_drive(t + reach, d, u)
        rate(y, u, p, k, work)
        for i in range(x.size):
            total[i] += weight * k[i]
    for i in range(x.size):
        x[i] += h * total[i]


@kernel
def march(x: Array, first: int, h: float, every: int, d: Array, p: Array, rows: Array) -> int:
    """RK4 from step number `first`; a row of t, x, u and report before each `every` steps. Returns the rows written."""
    n = x.size
    room, work, u = np.zeros((3, n)), np.zeros(WORK_WIDTH), np.zeros(2)
    for r in range(rows.shape[0]):
        t = (first + r * every) * h
        drive(t, d, u)
        rate(x, u, p, room[0], work)
        if not np.all(np.isfinite(x)) or work[POSE + kin.STRETCH] >= kin.STRETCHED:
            return r
        rows[r, 0] = t
        rows[r, 1 : 1 + n] = x
        rows[r, 1 + n : 3 + n] = u
        rows[r, 3 + n :] = work[:REPORT_WIDTH]
        for i in range(every):
            advance(x, (first + r * every + i) * h, h, d, p, room, u, work)
    return rows.shape[0]
