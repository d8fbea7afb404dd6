"""A visit of a contact in a sweep: it takes the impulse of its laws at the end of the step.

A contact takes its own impulse out of its velocity, solves its laws with the compliance of its two bodies, and puts the
new impulse back. The normal force falls with the speed, so its equation has one solution, found by Newton's method in
brackets. Friction is linearised by its secant, as in Kacanov's method. Where the laws are known nearby, their tangents
do: see `contact_tangent`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....kernel import inlined
from ....laws.friction.anchor import anchor_pull
from ....laws.friction.friction_table import ABSENT, ANCHORED, LUGRE, held_friction, rounded_speed, static_pull
from ....laws.friction.lugre import lugre_pull
from ....laws.friction.memory import opening
from ....laws.normal.normal_table import HERTZ, HOOKE, RESTRICTION, normal_response
from ....numerics.vectors import ZERO, Triple, cross, dot, minus, norm, plus, store, times, triple
from ...contact.bodies import SPEED_WIDTH
from ...contact.contact_kernel import Carried, Pressed, rolling_moment
from ...contact.transport import along, in_plane
from ..blocks import Twist
from ..local_forces import carried_over
from .contact_tangent import Gripped, Nearness, gripped_by, gripped_near, is_gripped_near, keep_push, pushed_near
from .island_matrix import turning_of, velocity_of
from .linked_response import spread

Array = Any

MOST_TRIALS = 40
LOCALLY = 0.1
"""Evaluations of a normal law in a visit, and the part of its first change of speed that may be left. A law whose force
hardly differs from the last impulse, and hardly changes, is taken as linear."""
FLAT = 0.25
"""Activation of a restriction from which on its force tends to its limit."""


class Motion(NamedTuple):
    """Bodies of an island in world components.

    Attributes:
        u: velocities, 6 a body. lightness: inverse masses in 1/kg. mobility: inverse inertias in 1/(kg m^2).
        reached: in an island with links, what impulses at its contacts do to all bodies, see `linked_response`.
    """

    u: Array
    lightness: Array
    mobility: Array
    reached: Array


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
    """Give an impulse of a contact, and one of its moment, to both bodies, and to those that links move with them."""
    if motion.reached.size > 0:
        spread(motion.reached, swept.first, impulse, motion.u)
        if swept.turns != 0:
            spread(motion.reached, swept.first + 3, twist, motion.u)
    else:
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


@inlined
def has_flat_parts(kind: int, activation: float) -> bool:
    """Whether a normal law may be flat where it is, so that its tangent does not tell where the force ends.

    So may be any law of which it is not known.
    """
    if kind in (HOOKE, HERTZ):
        return False
    return kind != RESTRICTION or activation > FLAT


@inlined
def settled(material: Any, swept: Any, alone: float, start: float, h: float) -> Any:
    """Impulse in N s with which a contact and its law agree, at the speed v = alone + along h F(v), and the law there.

    Speeds are those at which the law is asked: normal speeds less d(psi)/dt, in m/s. `alone` is that without its own
    impulse, `start` one to begin with. The tangent of the law is kept. No speed is tried at which the law is out of
    reach: where it is flat, near its limit, its tangent leads far beyond.
    """
    s = swept.gap + swept.bend + material.offset - swept.psi
    c = swept.along * h * swept.weight
    low = -np.inf
    high = max(alone, (material.reach + material.offset - s) / h)
    close = np.inf
    v = min(start, high)
    for trial in range(MOST_TRIALS):
        force, elastic, activation, by_s, by_v = normal_response(material.normal, s + h * v, v)
        slope = h * by_s + by_v
        asked = v
        missing = v - alone - c * force
        if missing < 0.0:
            low = v
        else:
            high = v
        ahead = v - missing / max(1.0 - c * slope, 1.0)
        if ahead != v and not low < ahead < high:
            ahead = 0.5 * (low + high)
        change = abs(ahead - v)
        v = ahead
        if trial == 0:
            close = LOCALLY * change + 1e-14 * abs(v)
            if c * abs(slope) * change <= c * LOCALLY * force and abs(missing) <= c * LOCALLY * force:
                break
        if change <= close:
            break
    law = Pressed(swept.weight * force, swept.weight * elastic, swept.weight * activation)
    keep_push(swept, asked, law, swept.weight * slope, h)
    if has_flat_parts(material.normal.kind, activation):
        swept.known_force = 0.0
    push = (v - alone) / swept.along
    return push, Pressed(push / h, law.elastic, law.activation)


@inlined
def pressed(material: Any, swept: Any, push: float, carried: Carried, speed: float, h: float) -> Any:
    """Impulse of a contact along its normal in N s, and the normal force; an impact gets its exit speed exactly.

    `push` is its impulse so far.
    """
    alone = speed - swept.along * push
    if swept.target != swept.target:
        return settled(material, swept, alone - carried.psi_rate, speed - carried.psi_rate, h)
    push = max(swept.target - alone, 0.0) / swept.along
    return push, Pressed(push / h, 0.0, 1.0 if push > 0.0 else 0.0)


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
def has_tangents(material: Any, swept: Any) -> bool:
    """Whether the laws of a contact may be followed by their tangents: the normal law, and friction on an anchor."""
    law = material.friction
    if swept.turns != 0 or swept.target == swept.target:
        return False
    return law.kind == ABSENT or (law.kind == ANCHORED and law.anchor.lag == 0.0 and law.anchor.d == 0.0)


@inlined
def visit_near(material: Any, swept: Any, given: Any, speed: float, slip: Triple, h: float, near: Nearness) -> Any:
    """Change the impulses of a contact towards its laws, or their tangents where these are near.

    Returns the change in N s, and twice its kinetic energy in J.
    """
    gripped = Gripped(ZERO, 0.0, 0.0)
    if material.friction.kind != ABSENT:
        moved = minus(slip, triple(swept.known_slip))
        if is_gripped_near(swept, moved, near):
            gripped = gripped_near(swept, moved)
        else:
            gripped = gripped_by(material.friction.anchor, swept, slip, h)
    alone = speed - gripped.rate - swept.along * given.push
    push = pushed_near(swept, alone, h, near)
    if push < 0.0:
        push, _ = settled(material, swept, alone, speed - gripped.rate, h)
    swept.elastic = swept.share * push / h
    change = push - given.push
    given.push = push
    eased = 1.0 / (1.0 + swept.across * push * gripped.stiff)
    rubbed = times(eased, minus(times(push, gripped.pull), triple(given.rub)))
    store(plus(triple(given.rub), rubbed), given.rub)
    energy = swept.along * change * change + swept.across * dot(rubbed, rubbed)
    return minus(times(change, triple(swept.normal)), rubbed), energy


@inlined
def visit(material: Any, motion: Motion, swept: Any, given: Any, h: float, follow: bool, near: Nearness) -> float:
    """Give a contact the impulse of its laws; returns twice the kinetic energy in J of the change of velocity.

    `follow` lets the opening of a filter follow the slip.
    """
    twist = twist_at(motion, swept)
    n = triple(swept.normal)
    speed = dot(twist.velocity, n)
    apart = swept.gap + swept.bend + h * speed > material.reach and swept.target != swept.target
    if apart and given.push == 0.0:
        return 0.0
    slip = minus(twist.velocity, times(speed, n))
    turned = ZERO
    if has_tangents(material, swept):
        impulse, energy = visit_near(material, swept, given, speed, slip, h, near)
    else:
        impulse, turned, energy = visit_laws(material, swept, given, Twist(slip, twist.turning), speed, h, follow)
    give(motion, swept, impulse, turned)
    return energy


@inlined
def visit_laws(
    material: Any, swept: Any, given: Any, sliding: Twist, speed: float, h: float, follow: bool
) -> tuple[Triple, Triple, float]:
    """Change the impulses of a contact towards its laws; `sliding` is its twist without the normal speed in m/s.

    Returns the change in N s, that of its moment in N m s, and twice the kinetic energy of both in J.
    """
    n = triple(swept.normal)
    slip = sliding.velocity
    carried = carried_over(material, swept, slip, sliding.turning, h)
    push, load = pressed(material, swept, given.push, carried, speed, h)
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
        turned = twist_on(material, swept, given, sliding.turning, moment, h)
        energy += swept.against * dot(turned, turned)
        turned = times(-1.0, turned)
    return impulse, turned, energy
