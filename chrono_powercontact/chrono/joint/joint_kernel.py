"""Forces of all joints at once: stops and friction about an axis, along one or two directions, or along a line.

Body 1 turns or slides relative to body 2, with the sign convention of Chrono's joints. A turn has an axis on body 2. A
slide has one or two directions on body 2 and a point on body 1. A line has a point on each body, and its direction is
from that of body 2 to that of body 1. Only an evaluation with the flag `commit` writes the memory.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel import kernel
from ...laws.friction.anchor import anchor_potential, anchor_pull, carried_anchor
from ...laws.friction.friction_table import ABSENT, ANCHORED, LUGRE, followed, rounded_speed, static_pull
from ...laws.friction.lugre import lugre_flow, lugre_pull
from ...laws.friction.memory import opening
from ...laws.normal.normal_table import normal_force, normal_potential
from ...numerics.vectors import ZERO, Triple, cross, dot, minus, norm, plus, store, times
from ..contact.bodies import Bodies, angular_velocity, point_on, push, rotations, to_world, twist, velocity_at
from ..contact.contact_kernel import HOLD, Powers
from ..contact.last_step import between, body_ways, spin_between
from ..contact.records import TOTALS
from .joint_records import JOINT, JOINT_GEOMETRY, JOINT_LAW, JOINT_MEMORY, JOINT_REPORT, LINE, TURN

Array = Any
Pair = tuple[float, float]


class Motion(NamedTuple):
    """Position and velocity of a joint.

    Attributes:
        position: angle in rad or position in m, and the position along the second direction.
        speed: along both directions, in rad/s or m/s. first, second: directions in the world. point: of application.
    """

    position: Pair
    speed: Pair
    first: Triple
    second: Triple
    point: Triple


class Friction(NamedTuple):
    """Friction of a joint.

    Attributes:
        force: force against both speeds, in N or N m. held: next memory.
        stored: energy of the anchor in J. gain: change of that energy since the last commit, in J. rate: its rate in W,
            if no time has passed.
    """

    force: Pair
    held: Pair
    stored: float
    gain: float
    rate: float


@kernel
def angle_near(r: Array, joint: Any, g: Any, before: float) -> float:
    """Angle in rad of body 1 about the axis on body 2, unwrapped to be nearest to an earlier angle."""
    mark = to_world(r, joint.body_1, g.mark)
    axis = to_world(r, joint.body_2, g.axis)
    side = to_world(r, joint.body_2, g.side)
    angle = np.arctan2(dot(mark, cross(axis, side)), dot(mark, side))
    return angle + 2.0 * np.pi * np.round((before - angle) / (2.0 * np.pi))


@kernel
def joint_motion(bodies: Bodies, joint: Any, g: Any, before: float) -> Motion:
    """Position and velocity of a joint; the angle is unwrapped near an earlier one.

    The velocity of body 2 is that of its material at the point; along a line this equals the velocity of its end. A
    line of zero length has no direction and exerts no force.
    """
    first = to_world(bodies.r, joint.body_2, g.axis)
    if joint.motion == TURN:
        v = minus(angular_velocity(bodies, joint.body_1), angular_velocity(bodies, joint.body_2))
        return Motion((angle_near(bodies.r, joint, g, before), 0.0), (dot(first, v), 0.0), first, ZERO, ZERO)
    second = to_world(bodies.r, joint.body_2, g.side)
    point = point_on(bodies.x, bodies.r, joint.body_1, g.point)
    apart = minus(point, point_on(bodies.x, bodies.r, joint.body_2, g.origin))
    if joint.motion == LINE:
        length = norm(apart)
        first = times(1.0 / length if length > 0.0 else 0.0, apart)
    v = minus(velocity_at(bodies, joint.body_1, point), velocity_at(bodies, joint.body_2, point))
    position = dot(first, apart), dot(second, apart)
    return Motion(position, (dot(first, v), dot(second, v)), first, second, point)


@kernel
def slid_since(own: Any, motion: Motion, h: float) -> Triple:
    """Displacement in rad or m along both directions since the last commit; before the first commit, from the speeds.

    Displacements from positions add up to the distance moved, whatever path the integrator takes.
    """
    if np.isnan(own.speed[0]):
        return h * motion.speed[0], h * motion.speed[1], 0.0
    return motion.position[0] - own.position, motion.position[1] - own.aside, 0.0


@kernel
def stop_forces(law: Any, position: float, speed: float) -> tuple[float, float, float]:
    """Force along the coordinate in N, its dissipative part in N, and stored energy in J of both stops."""
    force = 0.0
    surplus = 0.0
    stored = 0.0
    if law.lower != -np.inf:
        s = position - law.lower + law.offset
        push_up, elastic, _ = normal_force(law.stop, s, speed)
        force += push_up
        surplus += push_up - elastic
        stored += normal_potential(law.stop, s)
    if law.upper != np.inf:
        s = law.upper - position + law.offset
        push_down, elastic, _ = normal_force(law.stop, s, -speed)
        force -= push_down
        surplus -= push_down - elastic
        stored += normal_potential(law.stop, s)
    return force, surplus, stored


@kernel
def openings(law: Any, v: Pair, each: int) -> Pair:
    """Opening of the filter of each direction: from the speed along it, or from the norm."""
    if each == 1:
        return opening(v[0], law.v_f), opening(v[1], law.v_f)
    both = opening(np.sqrt(v[0] * v[0] + v[1] * v[1]), law.v_f)
    return both, both


@kernel
def filtered_forces(law: Any, each: int, v: Pair, own: Any, h: float, straight: bool) -> Pair:
    """Friction against both speeds, for a law without an anchor; a filter follows the static force from the commit on.

    With `straight` the static force varies linearly from the commit to now. Otherwise it is held at its present value:
    with one evaluation per step, linear variation would lag and drive the motion.
    """
    pull = static_pull(law, 1.0, 1.0, rounded_speed(law, v))
    if law.t_f == 0.0:
        return pull * v[0], pull * v[1]
    now = openings(law, v, each)
    u = v
    then = HOLD, HOLD
    if straight and not np.isnan(own.speed[0]):
        u = own.speed[0], own.speed[1]
        then = openings(law, u, each)
    earlier = static_pull(law, 1.0, 1.0, rounded_speed(law, u))
    return (
        followed(law.t_f, own.held[0], earlier * u[0], pull * v[0], then[0], now[0], h),
        followed(law.t_f, own.held[1], earlier * u[1], pull * v[1], then[1], now[1], h),
    )


@kernel
def anchored_forces(p: Any, motion: Motion, own: Any, h: float) -> Friction:
    """Friction of a joint with an anchor."""
    slip = motion.speed[0], motion.speed[1], 0.0
    then = own.held[0], own.held[1], 0.0
    z, psi, rate = carried_anchor(p, then, slip, slid_since(own, motion, h), h)
    force = anchor_pull(p, 1.0, 1.0, z, slip)
    return Friction((force[0], force[1]), (z[0], z[1]), psi, psi - anchor_potential(p, norm(then)), rate)


@kernel
def bristle_forces(p: Any, motion: Motion, own: Any, h: float) -> Friction:
    """LuGre friction of a joint."""
    z = lugre_flow(p, (own.held[0], own.held[1], 0.0), slid_since(own, motion, h), h)
    force = lugre_pull(p, 1.0, 1.0, z, (motion.speed[0], motion.speed[1], 0.0))
    return Friction((force[0], force[1]), (z[0], z[1]), 0.0, 0.0, 0.0)


@kernel
def joint_friction(law: Any, joint: Any, motion: Motion, own: Any, h: float, straight: bool) -> Friction:
    """Friction of a joint at a trial state."""
    if law.kind == ABSENT:
        return Friction((0.0, 0.0), (0.0, 0.0), 0.0, 0.0, 0.0)
    if law.kind == ANCHORED:
        return anchored_forces(law.anchor, motion, own, h)
    if law.kind == LUGRE:
        return bristle_forces(law.lugre, motion, own, h)
    force = filtered_forces(law, joint.each, motion.speed, own, h, straight)
    return Friction(force, force, 0.0, 0.0, 0.0)


@kernel
def scatter_joint(bodies: Bodies, joint: Any, motion: Motion, along: float, aside: float, q: Array) -> None:
    """Add a force (or a moment) along both directions to body 1, and the reaction to body 2."""
    f = plus(times(along, motion.first), times(aside, motion.second))
    if joint.motion == TURN:
        twist(bodies, joint.body_1, f, q)
        twist(bodies, joint.body_2, times(-1.0, f), q)
    else:
        push(bodies, joint.body_1, motion.point, f, q)
        push(bodies, joint.body_2, motion.point, times(-1.0, f), q)


@kernel
def commit_joint(own: Any, motion: Motion, friction: Friction) -> None:
    """Write the memory of a joint."""
    own.position = motion.position[0]
    own.aside = motion.position[1]
    own.held[0] = friction.held[0]
    own.held[1] = friction.held[1]
    own.speed[0] = motion.speed[0]
    own.speed[1] = motion.speed[1]


@kernel
def keep_joint(own: Any, motion: Motion, stop: float, surplus: float, friction: Friction) -> None:
    """Keep the forces that a joint exerts in the step that now begins."""
    own.stop = stop
    own.surplus = surplus
    own.approach = 0.0
    own.exit = 0.0
    own.friction[0] = friction.force[0]
    own.friction[1] = friction.force[1]
    store(motion.first, own.first)
    store(motion.second, own.second)
    store(motion.point, own.point)


@kernel
def book_joint(joint: Any, own: Any, gain: float, sticky: bool, ways: Array, h: float, totals: Any) -> None:
    """Sum what the forces of a joint did in the last step of a linearised integrator; see `book_forces`."""
    if joint.motion == TURN:
        v = spin_between(ways, joint.body_1, joint.body_2, 6)
        slowed = spin_between(ways, joint.body_1, joint.body_2, 12)
    else:
        v = between(ways, joint.body_1, joint.body_2, own.point, 3)
        slowed = between(ways, joint.body_1, joint.body_2, own.point, 9)
    along = h * dot(v, own.first)
    totals.friction_drag += 0.5 * h * own.friction[0] * dot(slowed, own.first)
    totals.friction_drag += 0.5 * h * own.friction[1] * dot(slowed, own.second)
    rubbed = own.friction[0] * along + own.friction[1] * h * dot(v, own.second) - gain
    moved = along
    if own.approach != 0.0:
        moved = np.sign(own.stop) * 0.5 * h * (own.exit - own.approach)
        totals.impact += own.stop * (along - moved)
    else:
        totals.contact_drag -= 0.5 * h * own.surplus * dot(slowed, own.first)
    totals.contact_heat -= own.surplus * moved
    totals.elastic += (own.stop - own.surplus) * moved
    if rubbed >= 0.0 or sticky:
        totals.friction_heat += rubbed
    else:
        totals.handed_back -= rubbed


@kernel
def report_joint(line: Any, motion: Motion, stop: float, friction: Friction, powers: Powers) -> None:
    """Report the state and forces of a joint."""
    line.position = motion.position[0]
    line.speed[0] = motion.speed[0]
    line.speed[1] = motion.speed[1]
    line.stop = stop
    line.friction[0] = friction.force[0]
    line.friction[1] = friction.force[1]
    line.stored = powers.stored
    line.contact_power = powers.contact
    line.friction_power = powers.friction


@kernel
def joint_forces(
    x: Array, w: Array, r: Array, joints: Array, geometry: Array, laws: Array, memory: Array, h: float, commit: bool,
    once: bool, q: Array, totals: Array, report: Array, past: Array,
) -> None:  # fmt: skip
    """Add the generalised forces of all joints to q, and their energy and powers to totals.

    Args:
        r: space for the rotation matrices. joints, geometry, laws, memory: flat, see `joint_records`.
        h: time in s since the last commit. commit: whether to write the memory as it is after h.
        once: whether forces are evaluated once per step, at its start. totals: as in the contact kernel.
        report: flat JOINT_REPORT for each joint, or empty. past: as in the contact kernel.
    """
    rotations(x, r)
    bodies = Bodies(x, w, r)
    heads = joints.view(JOINT)
    shapes = geometry.view(JOINT_GEOMETRY)
    acting = laws.view(JOINT_LAW)
    memories = memory.view(JOINT_MEMORY)
    lines = report.view(JOINT_REPORT)
    sums = totals.view(TOTALS)[0]
    ways = body_ways(past, w) if commit and once else np.empty((0, 0))
    for e in range(heads.size):
        own = memories[e]
        law = acting[e]
        motion = joint_motion(bodies, heads[e], shapes[e], own.position)
        stop, surplus, stored = stop_forces(law, motion.position[0], motion.speed[0])
        friction = joint_friction(law.friction, heads[e], motion, own, h, not once)
        scatter_joint(bodies, heads[e], motion, stop - friction.force[0], -friction.force[1], q)
        friction_power = friction.force[0] * motion.speed[0] + friction.force[1] * motion.speed[1]
        sticky = law.friction.kind == ANCHORED
        if not commit:
            friction_power -= friction.gain / h if h > 0.0 else friction.rate
        powers = Powers(stored + friction.stored, -surplus * motion.speed[0], friction_power)
        sums.stored += powers.stored
        sums.contact_power += powers.contact
        sums.friction_power += powers.friction
        if not sticky:
            sums.returned_power += max(-powers.friction, 0.0)
        if commit:
            sums.anchors_took += friction.gain
            if once and not np.isnan(own.speed[0]):
                book_joint(heads[e], own, friction.gain, sticky, ways, h, sums)
            commit_joint(own, motion, friction)
            keep_joint(own, motion, stop, surplus, friction)
        if lines.size > 0:
            report_joint(lines[e], motion, stop, friction, powers)
