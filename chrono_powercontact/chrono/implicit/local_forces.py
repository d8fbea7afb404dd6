"""The wrench of a block at a trial twist, and its slopes: the laws at the end of the step.

Over a step h the gap changes by h times the normal speed, and anchors are dragged by h times the slip. Slopes are
differences of the wrench, so that every law is treated alike, users' laws included.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel import inlined, kernel
from ...laws.friction.anchor import carried_anchor, eased_pull, easing
from ...laws.friction.friction_table import ABSENT, ANCHORED, LUGRE, held_friction, rounded_speed, static_pull
from ...laws.friction.lugre import lugre_flow, lugre_pull
from ...laws.friction.memory import opening
from ...laws.normal.normal_table import normal_force
from ...numerics.vectors import ZERO, Triple, dot, minus, plus, store, times
from ..contact.contact_kernel import (
    HOLD,
    Acting,
    Carried,
    Pressed,
    carry_turn,
    on_patch,
    rolling_moment,
    rubbing_speed,
    under_load,
)
from ..contact.records import MATERIAL
from ..joint.joint_kernel import Motion, joint_friction, stop_forces
from ..joint.joint_records import JOINT, JOINT_LAW, JOINT_MEMORY, TURN
from .blocks import CONTACT, Twist

Array = Any

AT_ONCE, AMPLITUDE_LAGS, SECANT_LAGS = range(3)
"""Friction at a trial: of the trial itself; under an earlier normal force; and also by its secant at an earlier sliding
speed, which resists whatever the law does."""

SMALLEST_CHANGE = 1e-9
RELATIVE_CHANGE = 1e-7
"""Change of a velocity in m/s (or rad/s) for slopes, and the same as a fraction of the velocity."""


class Laws(NamedTuple):
    """What decides the forces of blocks: the step in s, all materials, and the tables of joint forces.

    Attributes:
        stiffness: force in N per m/s by which an impact misses its exit speed, for each block.
        force: space for impulses of our forces, by body. trial: space for velocities, with those of bodies that do not
            move.
    """

    h: float
    materials: Array
    joints: Array
    joint_laws: Array
    joint_memory: Array
    stiffness: Array
    force: Array
    trial: Array


def no_laws() -> Laws:
    """Laws of no blocks, for their type."""
    none = np.zeros(0)
    memory = np.zeros(0, JOINT_MEMORY)
    return Laws(0.0, np.zeros(0, MATERIAL), np.zeros(0, JOINT), np.zeros(0, JOINT_LAW), memory, none, none, none)


class Wrench(NamedTuple):
    """Force on A in N at the point, and moment in N m, in world components; elastic part of the normal force or stop.

    `stop` is the force of the stops of a joint in N or N m.
    """

    force: Triple
    moment: Triple
    elastic: float
    stop: float


@kernel
def carried_over(material: Any, block: Any, slip: Triple, turning: Triple, h: float) -> Carried:
    """The memory of a contact after a step with a constant slip and relative angular velocity."""
    held = (block.held[0], block.held[1], block.held[2])
    n = (block.normal[0], block.normal[1], block.normal[2])
    rubbed = rubbing_speed(material, slip, turning, n)
    psi = 0.0
    if material.friction.kind == ANCHORED:
        held, psi, _ = carried_anchor(material.friction.anchor, held, rubbed, times(h, rubbed), h)
    elif material.friction.kind == LUGRE:
        held = lugre_flow(material.friction.lugre, held, times(h, rubbed), h)
    turn = ZERO
    if block.turns != 0:
        was = (block.turn[0], block.turn[1], block.turn[2])
        turn, more, _ = carry_turn(material, was, turning, times(h, turning), n, h)
        psi += more
    gain = psi - block.psi
    return Carried(False, held, ZERO, turn, turning, psi, gain / h, gain, ZERO, 0.0)


@kernel
def pressed_by(material: Any, block: Any, speed: float, carried: Carried, h: float, stiffness: float) -> Pressed:
    """Normal force of a contact at the end of the step; an impact pushes the bodies to their exit speed instead."""
    if block.target == block.target:
        force = stiffness * max(block.target - speed, 0.0)
        return Pressed(force, 0.0, 1.0 if force > 0.0 else 0.0)
    s = block.gap + block.bend + h * speed + material.offset - carried.psi
    force, elastic, activation = normal_force(material.normal, s, speed - carried.psi_rate)
    return Pressed(block.weight * force, block.weight * elastic, block.weight * activation)


@kernel
def lag_behind(laws: Laws, block: Any, twist: Twist) -> None:
    """Let the secant of friction be that at a twist: keep the sliding speed there, and the factor of its anchor."""
    if block.kind != CONTACT:
        return
    material = laws.materials[block.material]
    n = (block.normal[0], block.normal[1], block.normal[2])
    slip = minus(twist.velocity, times(dot(twist.velocity, n), n))
    rubbed = rubbing_speed(material, slip, twist.turning, n)
    block.slipping = rounded_speed(material.friction, rubbed)
    block.ease = 1.0
    if material.friction.kind == ANCHORED:
        carried = carried_over(material, block, slip, twist.turning, laws.h)
        block.ease = easing(material.friction.anchor, carried.held, rubbed)


@inlined
def by_secant(
    material: Any, block: Any, activation: float, n: Triple, slip: Triple, carried: Carried, h: float
) -> Acting:
    """Friction under an earlier normal force, and by its secant at an earlier sliding speed, see `lag_behind`.

    It resists also where friction falls with the speed, so the problem is convex.
    """
    law = material.friction
    friction = ZERO
    rubbed = rubbing_speed(material, slip, carried.turning, n)
    if law.kind == ANCHORED:
        friction = eased_pull(law.anchor, block.load, activation, carried.held, rubbed, block.ease)
    elif law.kind == LUGRE:
        friction = lugre_pull(law.lugre, block.load, activation, carried.held, rubbed)
    elif law.kind != ABSENT:
        static = times(static_pull(law, block.load, activation, block.slipping), rubbed)
        friction = held_friction(law, carried.held, static, opening(block.slipping, law.v_f), h)
    moment = rolling_moment(material, block.load, activation, carried, n) if block.turns != 0 else ZERO
    force, moment = on_patch(material, friction, moment, n)
    return Acting(block.load, 0.0, activation, force, friction, 1.0, friction, moment)


@inlined
def contact_wrench(laws: Laws, block: Any, stiffness: float, twist: Twist, lag: int) -> Wrench:
    """The wrench of a contact on A at a trial twist; for the lag of its friction see AT_ONCE."""
    material = laws.materials[block.material]
    n = (block.normal[0], block.normal[1], block.normal[2])
    speed = dot(twist.velocity, n)
    if block.gap + block.bend + laws.h * speed > material.reach and block.target != block.target:
        return Wrench(ZERO, ZERO, 0.0, 0.0)
    slip = minus(twist.velocity, times(speed, n))
    carried = carried_over(material, block, slip, twist.turning, laws.h)
    pressed = pressed_by(material, block, speed, carried, laws.h, stiffness)
    if lag == SECANT_LAGS:
        acting = by_secant(material, block, pressed.activation, n, slip, carried, laws.h)
    else:
        load = pressed if lag == AT_ONCE else Pressed(block.load, 0.0, pressed.activation)
        acting = under_load(material, load, n, slip, carried, HOLD, laws.h)
    force = minus(times(pressed.force, n), acting.friction)
    return Wrench(force, times(-1.0, acting.moment), pressed.elastic, 0.0)


@inlined
def joint_wrench(laws: Laws, block: Any, stiffness: float, twist: Twist) -> Wrench:
    """The wrench of a joint force on body 1 at a trial twist; for an impact of a stop see `pressed_by`."""
    joint = laws.joints[block.index]
    law = laws.joint_laws[block.index]
    first = (block.normal[0], block.normal[1], block.normal[2])
    second = (block.second[0], block.second[1], block.second[2])
    rotary = joint.motion == TURN
    v = twist.turning if rotary else twist.velocity
    speed = dot(first, v), dot(second, v)
    place = block.gap + laws.h * speed[0], block.weight + laws.h * speed[1]
    motion = Motion(place, speed, first, second, ZERO)
    if block.target == block.target:
        stop = block.way * stiffness * max(block.target - block.way * speed[0], 0.0)
        surplus = stop
    else:
        stop, surplus, _ = stop_forces(law, place[0], speed[0])
    friction = joint_friction(law.friction, joint, motion, laws.joint_memory[block.index], laws.h, False)
    f = plus(times(stop - friction.force[0], first), times(-friction.force[1], second))
    return Wrench(ZERO if rotary else f, f if rotary else ZERO, stop - surplus, stop)


@inlined
def wrench_of(laws: Laws, block: Any, stiffness: float, twist: Twist, lag: int) -> Wrench:
    """The wrench of a block on A at a trial twist."""
    if block.kind == CONTACT:
        return contact_wrench(laws, block, stiffness, twist, lag)
    return joint_wrench(laws, block, stiffness, twist)


@kernel
def moved(v: Triple, i: int, change: float) -> Triple:
    """A vector with one component changed."""
    return (
        v[0] + change * (i == 0),
        v[1] + change * (i == 1),
        v[2] + change * (i == 2),
    )


@inlined
def is_rotary(laws: Laws, block: Any) -> bool:
    """Whether moments of a block depend on the relative angular velocity."""
    if block.kind == CONTACT:
        return block.turns != 0
    return laws.joints[block.index].motion == TURN


@inlined
def evaluate_block(laws: Laws, block: Any, stiffness: float, twist: Twist, slopes: bool, lag: int) -> None:
    """Write the wrench of a block at a trial twist and, if asked, its slopes.

    Slopes are those of the force by the velocity, and of the moment by the angular velocity. The moment of rolling
    friction also depends on the normal force; that is left to the iteration.
    """
    trials = 1
    if slopes:
        trials = 7 if is_rotary(laws, block) else 4
    for trial in range(trials):
        i = (trial - 1) % 3
        by_velocity = 1 <= trial < 4
        speed = twist.velocity[i] if by_velocity else twist.turning[i]
        change = SMALLEST_CHANGE + RELATIVE_CHANGE * abs(speed)
        v = moved(twist.velocity, i, change if by_velocity else 0.0)
        turning = moved(twist.turning, i, change if trial >= 4 else 0.0)
        wrench = wrench_of(laws, block, stiffness, Twist(v, turning), lag)
        if trial == 0:
            store(wrench.force, block.force)
            store(wrench.moment, block.moment)
            block.elastic = wrench.elastic
            if block.kind != CONTACT:
                block.load = wrench.stop
        elif by_velocity:
            for k in range(3):
                block.by_v[k, i] = (wrench.force[k] - block.force[k]) / change
        else:
            for k in range(3):
                block.by_turning[k, i] = (wrench.moment[k] - block.moment[k]) / change
