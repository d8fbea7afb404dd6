"""Sweeps over the contacts of an island: each contact in turn takes the impulse of its laws at the end of the step.

This is the method of Gauss and Seidel on the impulses p of the contacts. The velocities are always those that the
impulses give, w' = w_free + M^-1 J^T p: an iteration that stops early leaves a motion that is a little wrong, but never
a force that throws bodies. A contact takes its own impulse out of its velocity, solves its laws with the compliance of
its two bodies, and puts the new impulse back. The normal force falls with the speed, so its equation has one solution,
found by Newton's method in brackets. Friction is linearised by its secant, as in Kacanov's method.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....kernel import inlined, kernel
from ....laws.friction.anchor import anchor_pull
from ....laws.friction.friction_table import ABSENT, ANCHORED, LUGRE, held_friction, rounded_speed, static_pull
from ....laws.friction.lugre import lugre_pull
from ....laws.friction.memory import opening
from ....laws.normal.normal_table import normal_response
from ....numerics.vectors import ZERO, Triple, cross, dot, minus, norm, plus, store, times, triple
from ...contact.bodies import SPEED_WIDTH, to_body, to_world
from ...contact.contact_kernel import Carried, Pressed, rolling_moment
from ...contact.transport import along, in_plane
from ..blocks import Twist
from ..island import Problem
from ..local_forces import Laws, carried_over
from .island_matrix import turn_tensor, turning_of, velocity_of

Array = Any

MOST_TRIALS = 40
LOCALLY = 0.1
"""Evaluations of a normal law in a visit, and the part of its first change of speed that may be left. A law whose force
hardly differs from the last impulse, and hardly changes, is taken as linear."""

_VECTOR = (np.float64, (3,))

SWEPT = np.dtype(
    [
        ("a", np.int64), ("b", np.int64), ("material", np.int64), ("turns", np.int64),
        ("gap", np.float64), ("bend", np.float64), ("weight", np.float64), ("psi", np.float64), ("target", np.float64),
        ("normal", *_VECTOR), ("arm_a", *_VECTOR), ("arm_b", *_VECTOR), ("held", *_VECTOR),
        ("along", np.float64), ("across", np.float64), ("against", np.float64), ("gate", np.float64),
        ("elastic", np.float64), ("turn", *_VECTOR),
    ]
)  # fmt: skip
"""A contact in the sweeps: indices of its bodies in the island, -1 if one does not move; what its block says, side by
side in memory; compliances in 1/kg along the normal and, at most, across it, and in 1/(kg m^2), at most, against
relative rotation; opening of the filter; elastic part of the normal force in N."""

IMPULSE = np.dtype([("push", np.float64), ("rub", *_VECTOR), ("twist", *_VECTOR)])
IMPULSE_SIZE = IMPULSE.itemsize // 8
"""Impulses of a contact: along the normal in N s; in world components that of friction against the motion of A in N s,
and that of its moment in N m s. And how many numbers these are."""


class Sweeps(NamedTuple):
    """The contacts of an island, records of SWEPT, and their impulses, flat records of IMPULSE."""

    contacts: Array
    impulses: Array


class Motion(NamedTuple):
    """Bodies of an island in world components: velocities (6 a body), inverse masses in 1/kg, and inverse inertias."""

    u: Array
    lightness: Array
    mobility: Array


@kernel
def motion_of(problem: Problem, w: Array) -> Motion:
    """The bodies of an island at packed velocities."""
    bodies = problem.bodies
    many = problem.island.bodies.size
    motion = Motion(np.empty(SPEED_WIDTH * many), np.empty(many), np.empty((many, 3, 3)))
    for n in range(many):
        body = problem.island.bodies[n]
        k = SPEED_WIDTH * body
        motion.lightness[n] = 1.0 / bodies.mass[body]
        turn_tensor(bodies.r[body], bodies.mobility[body], motion.mobility[n])
        part = motion.u[SPEED_WIDTH * n : SPEED_WIDTH * (n + 1)]
        store((w[k], w[k + 1], w[k + 2]), part[:3])
        store(to_world(bodies.r, body, (w[k + 3], w[k + 4], w[k + 5])), part[3:])
    return motion


@kernel
def put_motion(problem: Problem, motion: Motion, w: Array) -> None:
    """Write the velocities of an island into packed velocities."""
    for n in range(problem.island.bodies.size):
        body = problem.island.bodies[n]
        k = SPEED_WIDTH * body
        part = motion.u[SPEED_WIDTH * n : SPEED_WIDTH * (n + 1)]
        store(part[:3], w[k : k + 3])
        store(to_body(problem.bodies.r, body, part[3:]), w[k + 3 : k + 6])


@inlined
def turned_by(mobility: Array, n: int, twist: Triple) -> Triple:
    """Change of the angular velocity of a body by an impulse of a moment; no view of its matrix, which would cost."""
    return (
        mobility[n, 0, 0] * twist[0] + mobility[n, 0, 1] * twist[1] + mobility[n, 0, 2] * twist[2],
        mobility[n, 1, 0] * twist[0] + mobility[n, 1, 1] * twist[1] + mobility[n, 1, 2] * twist[2],
        mobility[n, 2, 0] * twist[0] + mobility[n, 2, 1] * twist[1] + mobility[n, 2, 2] * twist[2],
    )


@inlined
def yield_body(motion: Motion, n: int, arm: Any, sign: float, impulse: Triple, twist: Triple) -> None:
    """Change the velocity of a body by an impulse at the end of an arm and an impulse of a moment."""
    if n < 0:
        return
    u = motion.u
    k = SPEED_WIDTH * n
    turned = turned_by(motion.mobility, n, plus(cross(arm, impulse), twist))
    light = sign * motion.lightness[n]
    for i in range(3):
        u[k + i] += light * impulse[i]
        u[k + 3 + i] += sign * turned[i]


@inlined
def give(motion: Motion, swept: Any, impulse: Triple, twist: Triple) -> None:
    """Give an impulse of a contact, and one of its moment, to both bodies."""
    yield_body(motion, swept.a, swept.arm_a, 1.0, impulse, twist)
    yield_body(motion, swept.b, swept.arm_b, -1.0, impulse, twist)


@inlined
def twist_at(motion: Motion, swept: Any) -> Twist:
    """The relative twist of the bodies of a contact; without moments the rotation does not matter."""
    u = motion.u
    v = minus(velocity_of(u, swept.a, swept.arm_a), velocity_of(u, swept.b, swept.arm_b))
    if swept.turns == 0:
        return Twist(v, ZERO)
    return Twist(v, minus(turning_of(u, swept.a), turning_of(u, swept.b)))


@kernel
def compliance(motion: Motion, swept: Any, first: Triple, second: Triple) -> float:
    """Velocity along a direction at a contact by a unit impulse along another."""
    total = 0.0
    for n, arm in ((swept.a, swept.arm_a), (swept.b, swept.arm_b)):
        if n >= 0:
            total += motion.lightness[n] * dot(first, second)
            total += dot(cross(arm, first), turned_by(motion.mobility, n, cross(arm, second)))
    return total


@kernel
def put_compliances(motion: Motion, swept: Any) -> None:
    """Write the compliances of a contact."""
    n = triple(swept.normal)
    side = cross(n, (1.0, 0.0, 0.0) if abs(n[0]) < 0.6 else (0.0, 1.0, 0.0))
    first = times(1.0 / norm(side), side)
    second = cross(n, first)
    swept.along = compliance(motion, swept, n, n)
    one = compliance(motion, swept, first, first)
    two = compliance(motion, swept, second, second)
    mixed = compliance(motion, swept, first, second)
    swept.across = 0.5 * (one + two) + np.sqrt(0.25 * (one - two) ** 2 + mixed * mixed)
    swept.against = 0.0
    if swept.turns != 0:
        for body in (swept.a, swept.b):
            if body >= 0:
                mobility = motion.mobility[body]
                swept.against += mobility[0, 0] + mobility[1, 1] + mobility[2, 2]


@kernel
def copy_block(block: Any, place: Array, swept: Any) -> None:
    """Write what a block says to its contact in the sweeps; `place` are the indices of bodies in the island."""
    swept.a = place[block.a]
    swept.b = place[block.b]
    swept.material = block.material
    swept.turns = block.turns
    swept.gap = block.gap
    swept.bend = block.bend
    swept.weight = block.weight
    swept.psi = block.psi
    swept.target = block.target
    swept.elastic = block.elastic
    store(triple(block.normal), swept.normal)
    store(triple(block.arm_a), swept.arm_a)
    store(triple(block.arm_b), swept.arm_b)
    store(triple(block.held), swept.held)
    store(triple(block.turn), swept.turn)


@kernel
def begin_sweeps(problem: Problem, motion: Motion) -> Sweeps:
    """The contacts of an island with the impulses of the last step, which the bodies receive; impacts begin with none.

    A block begins with the force and the moment on A of the last step.
    """
    h = problem.laws.h
    many = problem.island.blocks.size
    sweeps = Sweeps(np.zeros(many, SWEPT), np.zeros(IMPULSE_SIZE * many))
    impulses = sweeps.impulses.view(IMPULSE)
    for m in range(many):
        block = problem.blocks[problem.island.blocks[m]]
        swept = sweeps.contacts[m]
        given = impulses[m]
        copy_block(block, problem.island.place, swept)
        put_compliances(motion, swept)
        if block.target != block.target:
            n = triple(block.normal)
            impulse = times(h, triple(block.force))
            given.push = max(dot(impulse, n), 0.0)
            store(minus(times(dot(impulse, n), n), impulse), given.rub)
            store(times(-h, triple(block.moment)), given.twist)
            give(motion, swept, minus(times(given.push, n), triple(given.rub)), times(h, triple(block.moment)))
    return sweeps


@inlined
def settled(laws: Laws, swept: Any, carried: Carried, alone: float, start: float) -> Any:
    """Impulse in N s with which a contact and its law agree, at the speed v = alone + along h F(v), and the law there.

    Args:
        alone: normal speed in m/s without its own impulse. start: speed to begin with.
    """
    h = laws.h
    material = laws.materials[swept.material]
    s = swept.gap + swept.bend + material.offset - carried.psi
    c = swept.along * h * swept.weight
    low = -np.inf
    high = np.inf
    close = np.inf
    v = start
    for trial in range(MOST_TRIALS):
        force, elastic, activation, by_s, by_v = normal_response(material.normal, s + h * v, v - carried.psi_rate)
        missing = v - alone - c * force
        if missing < 0.0:
            low = v
        else:
            high = v
        ahead = v - missing / max(1.0 - c * (h * by_s + by_v), 1.0)
        if ahead != v and not low < ahead < high:
            ahead = 0.5 * (low + high)
        change = abs(ahead - v)
        v = ahead
        if trial == 0:
            close = LOCALLY * change + 1e-14 * abs(v)
            steep = max(abs(h * by_s + by_v) * change, abs(missing) / c)
            if steep <= LOCALLY * force:
                break
        if change <= close:
            break
    push = (v - alone) / swept.along
    return push, Pressed(push / h, swept.weight * elastic, swept.weight * activation)


@inlined
def pressed(laws: Laws, swept: Any, push: float, carried: Carried, speed: float) -> Any:
    """Impulse of a contact along its normal in N s, and the normal force; an impact gets its exit speed exactly.

    `push` is its impulse so far.
    """
    alone = speed - swept.along * push
    if swept.target != swept.target:
        return settled(laws, swept, carried, alone, speed)
    push = max(swept.target - alone, 0.0) / swept.along
    return push, Pressed(push / laws.h, 0.0, 1.0 if push > 0.0 else 0.0)


class Rubbing(NamedTuple):
    """Friction of a contact against its slip in N, and the same without memory, or as steep as bristles can be."""

    friction: Triple
    static: Triple


@inlined
def rubbing(law: Any, load: Pressed, slip: Triple, held: Triple, gate: float, h: float) -> Rubbing:
    """Friction of a contact at the end of the step. The opening of a filter is held: its friction then resists."""
    if law.kind == ANCHORED:
        return Rubbing(anchor_pull(law.anchor, load.force, load.activation, held, slip), ZERO)
    if law.kind == LUGRE:
        return Rubbing(lugre_pull(law.lugre, load.force, load.activation, held, slip), ZERO)
    static = times(static_pull(law, load.force, load.activation, rounded_speed(law, slip)), slip)
    if law.t_f == 0.0:
        return Rubbing(static, static)
    return Rubbing(held_friction(law, held, static, gate, h), static)


@inlined
def anchor_secant(anchor: Any, held: Triple, rate: Triple, force: Triple, h: float) -> float:
    """Force (or moment) of an anchor per speed (or angular velocity), by its secant from where it vanishes."""
    longer = h + anchor.tau
    stretch = norm(plus(held, times(longer, rate)))
    return longer * norm(force) / max(stretch, 1e-9 * anchor.limit)


@inlined
def secant_of(law: Any, swept: Any, slip: Triple, load: Pressed, rubbed: Rubbing, h: float) -> float:
    """Friction in N per m/s by its secant from where it vanishes: at least as steep as its slope."""
    if law.kind == ANCHORED:
        return anchor_secant(law.anchor, triple(swept.held), slip, rubbed.friction, h)
    if law.kind == LUGRE:
        return load.force * (h * law.lugre.k + law.lugre.d_k) + load.activation * law.lugre.d
    secant = norm(rubbed.static) / np.sqrt(dot(slip, slip) + law.eps * law.eps + 1e-24)
    if law.t_f > 0.0:
        secant *= -np.expm1(-swept.gate * h / law.t_f)
    return secant


@inlined
def spin_secant(material: Any, swept: Any, turning: Triple, moment: Triple, h: float) -> float:
    """Moment of rolling and spinning friction in N m per rad/s: the steeper of both secants."""
    n = triple(swept.normal)
    held = triple(swept.turn)
    steepest = 0.0
    if material.rolling.kind != ABSENT:
        rolled = in_plane(turning, n)
        steepest = anchor_secant(material.rolling.anchor, in_plane(held, n), rolled, in_plane(moment, n), h)
    if material.spinning.kind != ABSENT:
        spun = along(turning, n)
        steepest = max(steepest, anchor_secant(material.spinning.anchor, along(held, n), spun, along(moment, n), h))
    return steepest


@inlined
def rub(law: Any, swept: Any, given: Any, slip: Triple, load: Pressed, rubbed: Rubbing, h: float) -> Triple:
    """Change the friction impulse of a contact towards its law; returns the change, in N s."""
    eased = 1.0 / (1.0 + h * swept.across * secant_of(law, swept, slip, load, rubbed, h))
    change = times(eased, minus(times(h, rubbed.friction), triple(given.rub)))
    store(plus(triple(given.rub), change), given.rub)
    return change


@inlined
def twist_on(material: Any, swept: Any, given: Any, turning: Triple, moment: Triple, h: float) -> Triple:
    """Change the impulse of the moment of a contact towards its laws; returns the change, in N m s."""
    eased = 1.0 / (1.0 + h * swept.against * spin_secant(material, swept, turning, moment, h))
    change = times(eased, minus(times(h, moment), triple(given.twist)))
    store(plus(triple(given.twist), change), given.twist)
    return change


@inlined
def visit(laws: Laws, motion: Motion, swept: Any, given: Any, follow: bool) -> float:
    """Give a contact the impulse of its laws; returns twice the kinetic energy in J of the change of velocity.

    `follow` lets the opening of a filter follow the slip.
    """
    h = laws.h
    material = laws.materials[swept.material]
    twist = twist_at(motion, swept)
    n = triple(swept.normal)
    speed = dot(twist.velocity, n)
    apart = swept.gap + swept.bend + h * speed > material.reach and swept.target != swept.target
    if apart and given.push == 0.0:
        return 0.0
    slip = minus(twist.velocity, times(speed, n))
    carried = carried_over(material, swept, slip, twist.turning, h)
    push, load = pressed(laws, swept, given.push, carried, speed)
    change = push - given.push
    energy = swept.along * change * change
    given.push = push
    swept.elastic = load.elastic
    impulse = times(change, n)
    turned = ZERO
    law = material.friction
    if law.kind != ABSENT:
        if follow and law.t_f > 0.0:
            swept.gate = opening(norm(slip), law.v_f)
        friction = rubbing(law, load, slip, carried.held, swept.gate, h)
        rubbed = rub(law, swept, given, slip, load, friction, h)
        energy += swept.across * dot(rubbed, rubbed)
        impulse = minus(impulse, rubbed)
    if swept.turns != 0:
        moment = rolling_moment(material, load.force, load.activation, carried, n)
        turned = twist_on(material, swept, given, twist.turning, moment, h)
        energy += swept.against * dot(turned, turned)
        turned = times(-1.0, turned)
    give(motion, swept, impulse, turned)
    return energy


@kernel
def sweep(laws: Laws, motion: Motion, sweeps: Sweeps, backward: bool, follow: bool) -> float:
    """Visit all contacts of an island once; returns twice the kinetic energy in J of the changes. See `visit`."""
    contacts = sweeps.contacts
    impulses = sweeps.impulses.view(IMPULSE)
    energy = 0.0
    for i in range(contacts.size):
        m = contacts.size - 1 - i if backward else i
        energy += visit(laws, motion, contacts[m], impulses[m], follow)
    return energy


@kernel
def end_sweeps(problem: Problem, sweeps: Sweeps) -> None:
    """Write the forces of the contacts to their blocks."""
    per_step = 1.0 / problem.laws.h
    impulses = sweeps.impulses.view(IMPULSE)
    for m in range(sweeps.contacts.size):
        block = problem.blocks[problem.island.blocks[m]]
        given = impulses[m]
        block.load = per_step * given.push
        block.elastic = sweeps.contacts[m].elastic
        impulse = minus(times(given.push, triple(block.normal)), triple(given.rub))
        store(times(per_step, impulse), block.force)
        store(times(-per_step, triple(given.twist)), block.moment)
