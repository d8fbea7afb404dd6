"""Blocks of the implicit solve: contacts and joint forces that may act during the step, with their state at its start.

A block maps the relative twist of two bodies at a point to a wrench. The geometry (point, normal, levers) is that of
the start of the step; the gap, the anchors and the filters follow the twist over the step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel import kernel
from ...numerics.vectors import Triple, cross, dot, minus, norm, plus, store
from ..contact.bodies import SPEED_WIDTH, Bodies, angular, linear, position, to_body
from ..contact.contact_kernel import is_passing, turns
from ..contact.geometry import EDGE_EDGE, Gap
from ..contact.solids.locating import curve_around, is_beyond, locate_any
from ..contact.solids.rolling import roll_bend
from ..joint.joint_kernel import joint_motion
from ..joint.joint_records import JOINT, JOINT_GEOMETRY, JOINT_MEMORY

Array = Any
_VECTOR = (np.float64, (3,))

CONTACT, JOINT_FORCE = range(2)
"""Kinds of blocks."""

BLOCK = np.dtype(
    [
        ("kind", np.int64), ("index", np.int64), ("a", np.int64), ("b", np.int64), ("material", np.int64),
        ("turns", np.int64), ("gap", np.float64), ("weight", np.float64), ("psi", np.float64), ("target", np.float64),
        ("load", np.float64), ("bend", np.float64), ("elastic", np.float64), ("approach", np.float64),
        ("exit", np.float64), ("way", np.float64), ("core_a", np.float64), ("core_b", np.float64), ("table", np.int64),
        ("slipping", np.float64), ("ease", np.float64), ("behind", np.float64),
        ("point", *_VECTOR), ("normal", *_VECTOR), ("second", *_VECTOR), ("held", *_VECTOR), ("turn", *_VECTOR),
        ("arm_a", *_VECTOR), ("arm_b", *_VECTOR), ("force", *_VECTOR), ("moment", *_VECTOR),
        ("by_v", np.float64, (3, 3)), ("by_turning", np.float64, (3, 3)),
    ]
)  # fmt: skip
"""A block: its kind, index in its table, both bodies, material, whether moments act; gap in m, weight, potential of the
anchors in m, the normal speed in m/s that an impact must reach (NaN if there is none); a normal force in N for friction
that lags; the change of the gap in m due to the curved paths of rotating bodies, the elastic part of the normal force,
the speeds before and after an impact and the sign of its force along the direction, how far in m the cores of both
shapes lie beyond the point along the normal, and the number of the table; for friction that lags the sliding speed in
m/s and the factor of its anchor, see `lag_behind`; the gap in m behind a wall that breaks within the step. In
world components: the point, the normal (or first direction of a joint), second direction of a joint, friction force or
anchor held, anchors of rolling and spinning, the arms from both centres of mass; the force in N and the moment in N m
on A at the last trial, and their slopes with respect to the velocity and the angular velocity."""

NO_TARGET = np.nan


class Twist(NamedTuple):
    """Relative velocity of A and B at the point in m/s, and relative angular velocity in rad/s, in the world."""

    velocity: Triple
    turning: Triple


@kernel
def twist_of(block: Any, r: Array, w: Array) -> Twist:
    """The relative twist of the bodies of a block at packed velocities w."""
    turning_a = angular(r, w, block.a)
    turning_b = angular(r, w, block.b)
    on_a = plus(linear(w, block.a), cross(turning_a, block.arm_a))
    on_b = plus(linear(w, block.b), cross(turning_b, block.arm_b))
    return Twist(minus(on_a, on_b), minus(turning_a, turning_b))


@kernel
def add_wrench(block: Any, r: Array, factor: float, q: Array) -> None:
    """Add the wrench of a block, times a factor, to the generalised forces of both bodies."""
    f = (factor * block.force[0], factor * block.force[1], factor * block.force[2])
    m = (factor * block.moment[0], factor * block.moment[1], factor * block.moment[2])
    for body, arm, sign in ((block.a, block.arm_a, 1.0), (block.b, block.arm_b, -1.0)):
        torque = to_body(r, body, plus(cross(arm, f), m))
        k = SPEED_WIDTH * body
        for i in range(3):
            q[k + i] += sign * f[i]
            q[k + 3 + i] += sign * torque[i]


@kernel
def set_arms(block: Any, x: Array, point: Triple) -> None:
    """Write the point of a block and the arms to it from both centres of mass."""
    store(point, block.point)
    store(minus(point, position(x, block.a)), block.arm_a)
    store(minus(point, position(x, block.b)), block.arm_b)


class Contacts(NamedTuple):
    """A table of contacts: its number, the number of its first material, and its records."""

    number: int
    first_material: int
    elements: Array
    geometry: Array
    materials: Array
    memory: Array


@kernel
def put_contact(bodies: Bodies, free: Array, contacts: Contacts, e: int, gap: Gap, h: float, block: Any) -> None:
    """Write the block of a contact element."""
    element = contacts.elements[e]
    own = contacts.memory[e]
    shape = contacts.geometry[e]
    block.kind = CONTACT
    block.index = e
    block.table = contacts.number
    block.approach = 0.0
    block.exit = 0.0
    block.behind = 0.0
    block.way = 1.0
    block.a = element.a
    block.b = element.b
    block.material = contacts.first_material + element.material
    block.turns = 1 if turns(contacts.materials[element.material]) else 0
    block.gap = gap.gap
    block.weight = gap.weight
    block.psi = own.psi
    block.load = own.load
    block.target = NO_TARGET
    store(gap.normal, block.normal)
    set_arms(block, bodies.x, gap.point)
    block.core_a = shape.a_radius + (0.5 + shape.skew) * gap.gap
    block.core_b = -shape.b_radius - (0.5 - shape.skew) * gap.gap
    if element.kind > EDGE_EDGE:
        block.bend = roll_bend(bodies.x, bodies.r, free, element, shape, h)
    else:
        set_bend(block, bodies.r, free, h)
    for i in range(3):
        block.held[i] = own.held[i]
        block.turn[i] = own.turn[i]
        block.force[i] = own.solved[i]
        block.moment[i] = own.solved_moment[i]


@kernel
def set_bend(block: Any, r: Array, free: Array, h: float) -> None:
    """Change of the gap of a contact in a step h as its bodies rotate, with packed velocities without contact."""
    n = (block.normal[0], block.normal[1], block.normal[2])
    inward_a = inward(r, free, block.a, block.arm_a, n, block.core_a)
    inward_b = inward(r, free, block.b, block.arm_b, n, block.core_b)
    block.bend = 0.5 * h * h * (inward_a - inward_b)


@kernel
def gather_contacts(bodies: Bodies, free: Array, contacts: Contacts, h: float, blocks: Array, count: int) -> int:
    """Append a block for each contact element that may act within a step h; returns the new count.

    A contact may act if its gap is less than the reach of its material plus the distance that its bodies may move. If
    there is no room for a block it is only counted.

    Args:
        free: packed velocities at the end of the step without contact.
    """
    for e in range(contacts.elements.size):
        element = contacts.elements[e]
        reach = contacts.materials[element.material].reach
        if cannot_touch(bodies, free, element, contacts.geometry[e], reach, h):
            continue
        gap = locate_any(bodies.x, bodies.r, element, contacts.geometry[e])
        if gap.weight == 0.0 or is_passing(bodies, element, contacts.memory[e], gap):
            continue
        if not gap.gap <= reach + h * nearing(bodies, free, element.a, element.b, gap.point):
            continue
        if count < blocks.size:
            put_contact(bodies, free, contacts, e, gap, h, blocks[count])
        count += 1
    return count


@kernel
def inward(r: Array, w: Array, body: int, arm: Any, n: Triple, beyond: float) -> float:
    """Normal acceleration in m/s^2 of the core of a shape as its body rotates; it lies `beyond` the end of the arm."""
    core = (arm[0] + beyond * n[0], arm[1] + beyond * n[1], arm[2] + beyond * n[2])
    turning = angular(r, w, body)
    return dot(n, cross(turning, cross(turning, core)))


@kernel
def nearing(bodies: Bodies, free: Array, a: int, b: int, point: Triple) -> float:
    """A speed in m/s that bodies hardly exceed at a point during the step: that before it, plus twice its change."""
    arm_a = minus(point, position(bodies.x, a))
    arm_b = minus(point, position(bodies.x, b))
    v = relative(bodies.r, bodies.w, a, b, arm_a, arm_b)
    change = minus(relative(bodies.r, free, a, b, arm_a, arm_b), v)
    return norm(v) + 2.0 * norm(change)


@kernel
def cannot_touch(bodies: Bodies, free: Array, element: Any, shape: Any, reach: float, h: float) -> bool:
    """Whether a curve of an element is surely too far from its target to touch it within a step h."""
    middle, extent = curve_around(bodies.x, bodies.r, element, shape)
    if extent < 0.0:
        return False
    turning = 0.0
    for body in (element.a, element.b):
        before = angular(bodies.r, bodies.w, body)
        turning += norm(before) + 2.0 * norm(minus(angular(bodies.r, free, body), before))
    moves = nearing(bodies, free, element.a, element.b, middle) + 2.0 * (extent + shape.a_radius + reach) * turning
    return is_beyond(bodies.x, bodies.r, element, shape, reach + h * moves)


@kernel
def relative(r: Array, w: Array, a: int, b: int, arm_a: Triple, arm_b: Triple) -> Triple:
    """Relative velocity of two bodies at the ends of arms from their centres of mass."""
    on_a = plus(linear(w, a), cross(angular(r, w, a), arm_a))
    on_b = plus(linear(w, b), cross(angular(r, w, b), arm_b))
    return minus(on_a, on_b)


@kernel
def gather_joints(bodies: Bodies, joints: Array, geometry: Array, memory: Array, blocks: Array, count: int) -> int:
    """Append a block for each joint force; returns the new count."""
    heads = joints.view(JOINT)
    shapes = geometry.view(JOINT_GEOMETRY)
    memories = memory.view(JOINT_MEMORY)
    for e in range(heads.size):
        if count < blocks.size:
            block = blocks[count]
            motion = joint_motion(bodies, heads[e], shapes[e], memories[e].position)
            block.kind = JOINT_FORCE
            block.index = e
            block.a = heads[e].body_1
            block.b = heads[e].body_2
            block.turns = 0
            block.gap = motion.position[0]
            block.weight = motion.position[1]
            block.bend = 0.0
            block.approach = 0.0
            block.exit = 0.0
            block.way = 1.0
            block.target = NO_TARGET
            store(motion.first, block.normal)
            store(motion.second, block.second)
            set_arms(block, bodies.x, motion.point)
        count += 1
    return count
