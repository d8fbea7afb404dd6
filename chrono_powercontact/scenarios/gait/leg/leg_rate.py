"""The compiled right-hand side of all stages (5.17), (5.20), (5.22), (5.26), (5.38), and its RK4 loop.

State x: phi, s, omega, v; then, where the state is long enough, the memory of hip and slide, that of the foot's tip,
and the ledger's four integrals as in the reference engine. Input u: hip torque in N m, slide force in N.

This is a model with a right-hand side of its own; steps and laws are those of all engines. At stage S3 a step takes
3.2 us, and 5.5 us where the general engine derives the same leg from its energies: that matters to a filter, which
evaluates it thousands of times a second. It also has what a `Model` cannot express: friction that varies along its
axis, friction of the foot that passes the memory of the slide (5.36), and states of several lengths for the observers
of the thesis.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernel import kernel
from ....laws.friction.friction_table import DISSIPATION, friction_point
from ....laws.friction.memory import memory_rate, opening
from ....laws.normal.normal_table import normal_force, normal_potential
from ....numerics.rk4 import REACH, STAGES, Rk4Room, rk4_add, rk4_finish, rk4_room, rk4_stage
from ....numerics.two_by_two import solve_two
from .drives import drive_input, mean_drive_input
from .leg_kinematics import POSE, STRETCHED, inertia, velocity_forces, weight, write_pose

STATE = (
    *("phi", "s", "phi_dot", "s_dot", "held_hip", "held_slide", "held_foot"),
    *("contact_heat", "friction_heat", "handed_back", "drive_work"),
)
PHI, S, OMEGA, V, HELD_HIP, HELD_SLIDE, HELD_FOOT, CONTACT_HEAT, FRICTION_HEAT, HANDED_BACK, DRIVE_WORK = range(11)
FULL = len(STATE)
"""Columns of a whole state by name, their indices, and how many there are."""

MEMORIES = 3
"""Memories that a state may carry, from HELD_HIP on."""

REPORT = np.dtype(
    [
        (name, np.float64)
        for name in (
            *("Q_hip", "Q_slide", "knee", "F_knee", "F_lower", "F_upper", "d_foot", "F_foot", "Ft_foot"),
            *("kinetic", "potential", "stored", "net_hip", "net_slide", "contact_power", "friction_power"),
        )
    ]
)
"""What acts on the leg: friction of hip and slide, knee angle and its torque, forces of the slide's stops, distance,
normal force and friction of the foot's tip; energies in J; net input of both axes, which is drive and patient less
friction and with contacts; powers in W lost in contacts and by friction."""

WORK = np.dtype(
    [
        ("report", REPORT),
        ("pose", POSE),
        ("held", np.float64, MEMORIES),
        ("held_rate", np.float64, MEMORIES),
        ("slip", np.float64, 1),
        ("friction", np.float64, 1),
    ]
)
"""Work space of an evaluation: what acts, the pose, memories and their rates, sliding speed and friction of a point. It
is passed as an array of one record, so that it lives as long as it is used. All evaluations share it, for allocating
many small arrays takes half of the time."""

ROW = np.dtype([("t", np.float64), ("x", np.float64, FULL), ("u", np.float64, 2), ("report", REPORT)])
"""A record of a run: time, state, input, and what acts."""

OUT_OF_REACH = 40.0
"""Beyond this many transition lengths from its middle a contact is not evaluated: its force is below 1e-34 of r_f."""

Array = Any


@kernel
def axis_friction(
    law: Any, wave: Any, position: float, v: Array, held: Array, extra: float, force: Array, rate: Array
) -> float:
    """Friction of an axis at a position, the rate of its memory, and an extra static force through the same memory."""
    level = 1.0 + wave.amplitude * np.sin(2.0 * np.pi * position / wave.period + wave.phase)
    friction_point(law, level, 1.0, v, held, force, rate)
    if law.kind == DISSIPATION and law.t_f > 0.0:
        rate[0] += memory_rate(0.0, extra, opening(v[0], law.v_f), law.t_f)
        return force[0]
    return force[0] + extra


@kernel
def touch(law: Any, s: float, v: float) -> tuple[float, float, float]:
    """Force of a contact at distance s and normal speed v, power in W that it loses, and energy in J that it holds."""
    p = law.restriction
    if p.r_f == 0.0 or p.r_t * (s - p.r_c) > OUT_OF_REACH:
        return 0.0, 0.0, 0.0
    force, elastic, _ = normal_force(law, s, v)
    return force, (elastic - force) * v, normal_potential(law, s)


@kernel
def add_contacts(x: Array, stage: Any, work: Any) -> None:
    """Add the generalised forces of knee, slide stops and foot to the net input, and report them."""
    pose = work.pose
    report = work.report
    knee_rate = pose.knee_phi * x[OMEGA] + pose.knee_s * x[V]
    gap_rate = pose.gap_phi * x[OMEGA] + pose.gap_s * x[V]
    f_knee, lost_knee, in_knee = touch(stage.knee, pose.knee_angle, knee_rate)
    f_low, lost_low, in_low = touch(stage.lower, x[S] - stage.s_lower, x[V])
    f_high, lost_high, in_high = touch(stage.upper, stage.s_upper - x[S], -x[V])
    f_foot, lost_foot, in_foot = touch(stage.foot, pose.gap, gap_rate)
    report.net_hip += f_knee * pose.knee_phi + f_foot * pose.gap_phi
    report.net_slide += f_knee * pose.knee_s + f_foot * pose.gap_s + f_low - f_high
    report.knee = pose.knee_angle
    report.F_knee = f_knee
    report.F_lower = f_low
    report.F_upper = f_high
    report.d_foot = pose.gap
    report.F_foot = f_foot
    report.stored = in_knee + in_low + in_high + in_foot
    report.contact_power = lost_knee + lost_low + lost_high + lost_foot


@kernel
def tip_friction(x: Array, stage: Any, work: Any) -> float:
    """Friction in N at the foot's tip, which slides with its own speed or with that of the slide."""
    pose = work.pose
    own = pose.along_phi * x[OMEGA] + pose.along_s * x[V]
    work.slip[0] = own if stage.own_slip != 0 else x[V]
    held = work.held[HELD_FOOT - HELD_HIP :]
    rate = work.held_rate[HELD_FOOT - HELD_HIP :]
    friction_point(stage.foot_friction, work.report.F_foot, 1.0, work.slip, held, work.friction, rate)
    return float(work.friction[0])


@kernel
def add_friction(x: Array, stage: Any, dx: Array, work: Any) -> None:
    """Take the friction of both axes and of the foot's tip from the net input, and write the rates of the memories."""
    report = work.report
    held = work.held
    rates = work.held_rate
    known = min(max(x.size - HELD_HIP, 0), MEMORIES)
    for i in range(MEMORIES):
        held[i] = x[HELD_HIP + i] if i < known else 0.0
    f_foot = tip_friction(x, stage, work)
    w = x[OMEGA : OMEGA + 1]
    v = x[V : V + 1]
    extra = 0.0 if stage.own_slip != 0 else f_foot
    f_hip = axis_friction(stage.hip, stage.hip_wave, x[PHI], w, held[0:1], 0.0, work.friction, rates[0:1])
    f_slide = axis_friction(stage.slide, stage.slide_wave, x[S], v, held[1:2], extra, work.friction, rates[1:2])
    for i in range(known):
        dx[HELD_HIP + i] = rates[i]
    report.Q_hip = f_hip
    report.Q_slide = f_slide
    report.Ft_foot = f_foot
    report.net_hip -= f_hip
    report.net_slide -= f_slide
    report.friction_power = f_hip * x[OMEGA] + f_slide * x[V]
    if stage.own_slip != 0:
        report.net_hip -= f_foot * work.pose.along_phi
        report.net_slide -= f_foot * work.pose.along_s
        report.friction_power += f_foot * work.slip[0]


@kernel
def accelerate(x: Array, stage: Any, dx: Array, work: Any) -> None:
    """Write the motion's rates from the net input, weight and Coriolis terms, and the energies of motion and weight."""
    leg = stage.leg
    pose = work.pose
    report = work.report
    m11, m12, m22 = inertia(leg, pose)
    g1, g2, report.potential = weight(leg, pose, x[S])
    hip = report.net_hip - g1
    slide = report.net_slide - g2
    if stage.coriolis != 0:
        c1, c2 = velocity_forces(leg, pose, x[OMEGA], x[V])
        hip -= c1
        slide -= c2
    dx[PHI] = x[OMEGA]
    dx[S] = x[V]
    dx[OMEGA], dx[V] = solve_two(m11, m12, hip, m12, m22, slide)
    report.kinetic = 0.5 * m11 * x[OMEGA] ** 2 + m12 * x[OMEGA] * x[V] + 0.5 * m22 * x[V] ** 2


@kernel
def leg_rate(x: Array, u: Array, stage: Any, dx: Array, room: Array) -> None:
    """dx/dt of a state of 4, 6, 7 or FULL entries under an input; room is one WORK, whose report tells what acts."""
    work = room[0]
    report = work.report
    write_pose(x[PHI], x[S], stage.leg, work.pose)
    report.net_hip = u[0] + stage.patient[0]
    report.net_slide = u[1] + stage.patient[1]
    add_contacts(x, stage, work)
    add_friction(x, stage, dx, work)
    accelerate(x, stage, dx, work)
    if x.size == FULL:
        dx[CONTACT_HEAT] = report.contact_power
        dx[FRICTION_HEAT] = max(report.friction_power, 0.0)
        dx[HANDED_BACK] = max(-report.friction_power, 0.0)
        dx[DRIVE_WORK] = u[0] * x[OMEGA] + u[1] * x[V]


@kernel
def write_reports(xs: Array, us: Array, stage: Any, reports: Array) -> None:
    """What acts at each of many states under its input."""
    dx = np.zeros(xs.shape[1])
    room = np.zeros(1, WORK)
    for i in range(xs.shape[0]):
        leg_rate(xs[i], us[i], stage, dx, room)
        reports[i] = room[0].report


@kernel
def advance(x: Array, t: float, h: float, drive: Any, stage: Any, steps: Rk4Room, room: Array, u: Array) -> None:
    """One RK4 step of x in place, under a drive."""
    for k in range(STAGES):
        rk4_stage(steps, x, k, h)
        if drive.hold > 0.0:
            drive_input(t, drive, u)
        else:
            mean_drive_input(t + REACH[k] * h, drive, u)
        leg_rate(steps.point, u, stage, steps.rate, room)
        rk4_add(steps, k)
    rk4_finish(steps, x, h)


@kernel
def advance_held(x: Array, u: Array, h: float, stage: Any, steps: Rk4Room, room: Array) -> None:
    """One RK4 step of x in place, under an input that is held."""
    for k in range(STAGES):
        rk4_stage(steps, x, k, h)
        leg_rate(steps.point, u, stage, steps.rate, room)
        rk4_add(steps, k)
    rk4_finish(steps, x, h)


@kernel
def march(x: Array, first: int, h: float, every: int, drive: Any, stage: Any, rows: Array) -> int:
    """RK4 of a FULL state from step number `first`, one ROW before each `every` steps. Returns the rows written."""
    steps = rk4_room(x.size)
    room = np.zeros(1, WORK)
    u = np.zeros(2)
    for r in range(rows.size):
        row = rows[r]
        row.t = (first + r * every) * h
        drive_input(row.t, drive, u)
        leg_rate(x, u, stage, steps.rate, room)
        if not np.all(np.isfinite(x)) or room[0].pose.stretch >= STRETCHED:
            return r
        row.x[:] = x
        row.u[:] = u
        row.report = room[0].report
        for i in range(every):
            advance(x, (first + r * every + i) * h, h, drive, stage, steps, room, u)
    return int(rows.size)
