"""Impacts shorter than the step within an island: contacts and stops of joints that get an exit speed to reach."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ....kernel import inlined, kernel
from ....laws.normal.normal_table import normal_potential
from ....numerics.vectors import cross, dot, norm, triple
from ....sealed import sealed
from ...contact.bodies import SPEED_WIDTH, to_body
from ..blocks import CONTACT, Twist, twist_of
from ..island import PROBLEM, SOLVED, VELOCITIES, Island, Problem, is_large, kinetic, momentum, own, respond
from ..local_forces import is_rotary
from ..solvers.island_newton import solve_island
from .short_impacts import (
    LARGEST_FALL,
    LONGEST_IMPACT,
    LONGEST_STRETCH,
    SHORTEST_FLIGHT,
    Exit,
    Impact,
    exit_target,
    free_impact,
    impact_speed,
)

Array = Any

IMPACT_STIFFNESS = 1e5
"""Stiffness with which an impact holds its exit speed, relative to effective mass over step."""

LIGHT = 0.1
"""Force that counts as a load, relative to the other forces on a body."""


@kernel
def unit_impulse(problem: Problem, block: Any, body: int, arm: Any, sign: float, out: Array) -> None:
    """Impulse on a body by a unit impulse of a block along its direction."""
    n = triple(block.normal)
    force = n
    moment = cross(arm, n)
    if block.kind != CONTACT and is_rotary(problem.laws, block):
        force = (0.0, 0.0, 0.0)
        moment = n
    turn = to_body(problem.bodies.r, body, moment)
    for i in range(3):
        out[i] = sign * force[i]
        out[3 + i] = sign * turn[i]


@kernel
def compliance_of(problem: Problem, block: Any) -> float:
    """Change of the speed of a block along its direction by a unit impulse, with the links of its island."""
    bodies = problem.bodies
    island = problem.island
    push = np.empty((2, SPEED_WIDTH))
    unit_impulse(problem, block, block.a, block.arm_a, 1.0, push[0])
    unit_impulse(problem, block, block.b, block.arm_b, -1.0, push[1])
    total = 0.0
    if island.rows.size == 0:
        for side, body in ((0, block.a), (1, block.b)):
            if island.place[body] >= 0:
                total += kinetic(bodies, body, push[side], push[side])
        return total
    response = np.zeros(SPEED_WIDTH * island.bodies.size + island.rows.size)
    for side, body in ((0, block.a), (1, block.b)):
        if island.place[body] >= 0:
            for i in range(SPEED_WIDTH):
                response[SPEED_WIDTH * island.place[body] + i] += push[side, i]
    respond(bodies, problem.links, island, response)
    for side, body in ((0, block.a), (1, block.b)):
        if island.place[body] >= 0:
            for i in range(SPEED_WIDTH):
                total += push[side, i] * response[SPEED_WIDTH * island.place[body] + i]
    return total


@inlined
def speed_along(problem: Problem, block: Any, twist: Twist) -> float:
    """Speed of a block along its direction, in m/s, or in rad/s for a joint that turns."""
    if block.kind != CONTACT and is_rotary(problem.laws, block):
        return dot(twist.turning, block.normal)
    return dot(twist.velocity, block.normal)


@inlined
def carries(problem: Problem, block: Any, body: int) -> bool:
    """Whether a contact carries some of the load of a body when the step begins."""
    impulse = own(problem.bodies.impulse, body)
    return problem.laws.h * block.load > LIGHT * norm(triple(impulse[:3]))


@kernel
def is_loaded(problem: Problem, block: Any) -> bool:
    """Whether a contact carries some of the load of a moving body when the step begins; a joint always may."""
    if block.kind != CONTACT:
        return True
    place = problem.island.place
    by_a = place[block.a] >= 0 and carries(problem, block, block.a)
    return by_a or (place[block.b] >= 0 and carries(problem, block, block.b))


@kernel
def is_slow(problem: Problem, block: Any, before: float) -> bool:
    """Whether a block approaches more slowly than other forces can change the speed of its bodies in the step."""
    bodies = problem.bodies
    for body in (block.a, block.b):
        moves = problem.island.place[body] >= 0
        if moves and -before < norm(triple(own(bodies.impulse, body)[:3])) / bodies.mass[body]:
            return True
    return False


@kernel
def begins(problem: Problem, block: Any, reach: float, gap: float, before: float, after: float) -> bool:
    """Whether an impact begins within the step: the law acts at its end, or the body has crossed s_0 if it is slow.

    Args:
        before, after: speeds in m/s along the direction, at the start and at the end without our forces.
    """
    h = problem.laws.h
    near = 0.0 if is_slow(problem, block, before) or is_loaded(problem, block) else reach
    return after < 0.0 and gap + block.bend + h * after <= near and gap >= h * after


@kernel
def is_brief(found: Exit, impact: Impact, reach: float, tail: float) -> bool:
    """Whether an impact may be taken as one within the step, and leaves fast enough to fly.

    `tail` is the part of the reach, in m, that does not count.
    """
    if not found.ended:
        return False
    if found.speed < 0.0:
        return found.duration <= LONGEST_IMPACT * impact.h
    inside = found.duration - tail / impact.speed - tail / found.speed
    falls = abs(impact.fall)
    if inside > LONGEST_IMPACT * impact.h or inside * falls > LARGEST_FALL * impact.speed:
        return False
    return 2.0 * found.speed >= SHORTEST_FLIGHT * impact.h * falls


@kernel
def break_wall(block: Any, found: Exit, impact: Impact, reach: float) -> None:
    """Let the bodies of a block break a wall: a contact then passes it, a joint gets the speed at the end of the step.

    A joint whose step would end in front of its wall has no target: there the law acts.
    """
    if block.kind == CONTACT:
        block.behind = found.place - impact.outside + reach
        return
    ends_behind = impact.gap + impact.h * found.passing <= impact.outside - reach
    block.exit = found.passing if ends_behind else 0.0
    block.target = found.passing if ends_behind else np.nan
    block.approach = block.approach if ends_behind else 0.0


@kernel
def set_exit(problem: Problem, block: Any, law: Any, outside: float, reach: float, gap: float, free: Array) -> float:
    """Give a block its exit speed if it begins and ends its contact within the step.

    Returns the compliance of the block, zero if the law is to act at the end of the step.

    Args:
        law: normal law. outside: distance in m beyond which it does not act. reach: of the law. gap: distance in m to
            the wall. free: velocities at the end of the step without our forces.
    """
    bodies = problem.bodies
    h = problem.laws.h
    before = block.way * speed_along(problem, block, twist_of(block, bodies.r, bodies.w))
    after = block.way * speed_along(problem, block, twist_of(block, bodies.r, free))
    if not begins(problem, block, reach, gap, before, after):
        return 0.0
    fall = (after - before) / h
    apart = gap - reach
    speed = impact_speed(before, max(apart, 0.0), fall, h)
    if not speed > 0.5 * SHORTEST_FLIGHT * h * abs(fall):
        return 0.0
    compliance = compliance_of(problem, block)
    if not compliance > 0.0:
        return 0.0
    scale = max(reach, LONGEST_STRETCH * h * speed)
    start = outside + min(apart, 0.0)
    impact = Impact(start, outside, speed, 1.0 / compliance, fall, scale, outside + apart, h)
    found = free_impact(law, impact)
    crosses = gap + block.bend + h * after <= 0.0
    if not is_brief(found, impact, reach, reach if crosses else 0.0):
        return 0.0
    block.approach = speed
    block.exit = found.speed
    block.target = found.speed
    if found.speed > 0.0:
        block.target = exit_target(found.speed, before, apart, fall, h)
    else:
        break_wall(block, found, impact, reach)
    return compliance if block.target == block.target else 0.0


@kernel
def set_impact(problem: Problem, block: Any, free: Array) -> float:
    """Give a contact or a stop its exit speed if it is an impact; returns its compliance, zero if it is none."""
    laws = problem.laws
    if block.kind == CONTACT:
        material = laws.materials[block.material]
        reach = max(material.reach, 0.0)
        return set_exit(problem, block, material.normal, material.offset + reach, reach, block.gap, free)
    law = laws.joint_laws[block.index]
    outside = law.offset + law.reach
    for way, end in ((1.0, law.lower), (-1.0, law.upper)):
        block.way = way
        if abs(end) < np.inf:
            compliance = set_exit(problem, block, law.stop, outside, law.reach, way * (block.gap - end), free)
            if compliance > 0.0:
                return compliance
    return 0.0


@kernel
def loaded_contacts(problem: Problem) -> Array:
    """Number of contacts of each body of an island that carry some of its load when the step begins."""
    island = problem.island
    count = np.zeros(island.bodies.size, np.int64)
    for e in island.blocks:
        block = problem.blocks[e]
        for body in (block.a, block.b):
            if block.kind == CONTACT and island.place[body] >= 0 and carries(problem, block, body):
                count[island.place[body]] += 1
    return count


@kernel
def is_free(island: Island, loaded: Array, block: Any) -> bool:
    """Whether one of the bodies of a block moves and carries no load."""
    for body in (block.a, block.b):
        n = island.place[body]
        if n >= 0 and loaded[n] == 0:
            return True
    return False


@sealed(types.int64(PROBLEM, VELOCITIES))
def set_impacts(problem: Problem, free: Array) -> int:
    """Find the impacts of an island within the step; returns their number.

    In a large island only bodies that carry no load have impacts; between the others the law acts at the end of the
    step.
    """
    laws = problem.laws
    count = 0
    large = is_large(problem.island.bodies.size, problem.island.rows.size)
    loaded = loaded_contacts(problem) if large else np.empty(0, np.int64)
    for e in problem.island.blocks:
        if large and not is_free(problem.island, loaded, problem.blocks[e]):
            continue
        compliance = set_impact(problem, problem.blocks[e], free)
        if compliance > 0.0:
            laws.stiffness[e] = IMPACT_STIFFNESS / (laws.h * compliance)
            count += 1
    return count


@kernel
def taken_by_step(problem: Problem, w: Array) -> float:
    """Kinetic energy in J that a step to velocities w takes from an island, whatever the forces: see `last_step`."""
    bodies = problem.bodies
    taken = 0.0
    p = np.empty(SPEED_WIDTH)
    change = np.empty(SPEED_WIDTH)
    for body in problem.island.bodies:
        for i in range(SPEED_WIDTH):
            change[i] = w[SPEED_WIDTH * body + i] - bodies.w[SPEED_WIDTH * body + i]
        momentum(bodies, body, change, p)
        for i in range(SPEED_WIDTH):
            taken += 0.5 * p[i] * change[i]
    return taken


@kernel
def energy_gained(problem: Problem, w: Array) -> float:
    """Energy in J that the blocks add to an island in a step to velocities w.

    It is their work, less what the step takes from the kinetic energy. Links, springs, driven bodies and other forces
    do work too, as those of motors, which does not count.
    """
    gained = -taken_by_step(problem, w)
    for e in problem.island.blocks:
        block = problem.blocks[e]
        twist = twist_of(block, problem.bodies.r, w)
        gained += problem.laws.h * (dot(block.force, twist.velocity) + dot(block.moment, twist.turning))
    return gained


@inlined
def pushed(block: Any) -> float:
    """Force in N (or moment in N m) with which a block pushes its bodies apart."""
    return dot(block.force, block.normal) if block.kind == CONTACT else block.way * block.load


@kernel
def gained_by_impacts(problem: Problem, w: Array) -> float:
    """The same for the impacts and all friction. What other contacts push with was stored in them before, or is lost.

    Their elastic forces at the end of the step do no more work than their stored energy, which is convex, falls by.
    """
    gained = energy_gained(problem, w)
    for e in problem.island.blocks:
        block = problem.blocks[e]
        if block.approach == 0.0:
            twist = twist_of(block, problem.bodies.r, w)
            gained -= problem.laws.h * pushed(block) * block.way * speed_along(problem, block, twist)
    return gained


@sealed(SOLVED(PROBLEM, VELOCITIES, VELOCITIES, types.float64, types.float64))
def calm_impacts(problem: Problem, w: Array, free: Array, missing: float, allowed: float) -> tuple[int, float, float]:
    """Lower the exit speeds of an island until its impacts with friction add no energy.

    `missing` and `allowed` are the residual so far, and the one up to which the island counts as solved. Returns more
    iterations and both of the last solve.
    """
    iterations = 0
    for factor in (0.9, 0.7, 0.4, 0.0):
        if not gained_by_impacts(problem, w) > 0.0:
            break
        for e in problem.island.blocks:
            problem.blocks[e].target *= factor
        more, missing, allowed = solve_island(problem, w, free)
        iterations += more
    return iterations, missing, allowed


@inlined
def stored_by_wall(problem: Problem, block: Any, speed: float) -> float:
    """Energy in J that a wall stores in the step: a broken one keeps what breaking it took."""
    laws = problem.laws
    moved = laws.h * speed + block.bend
    if block.kind == CONTACT:
        material = laws.materials[block.material]
        s = material.offset + block.gap
        behind = normal_potential(material.normal, material.offset + block.behind)
        return block.weight * (behind - normal_potential(material.normal, s))
    law = laws.joint_laws[block.index]
    s = law.offset + (block.gap - law.lower if block.way > 0.0 else law.upper - block.gap)
    return normal_potential(law.stop, s + moved) - normal_potential(law.stop, s)


@inlined
def hold_by_wall(problem: Problem, block: Any, speed: float) -> None:
    """Let the elastic part of an impact that breaks a wall be what the wall stores in the step."""
    way = 0.5 * problem.laws.h * (block.approach - block.exit)
    block.elastic = block.way * stored_by_wall(problem, block, speed) / way


@sealed(types.void(PROBLEM, VELOCITIES))
def share_losses(problem: Problem, w: Array) -> None:
    """Let impacts claim no more heat than they took from the motion of their island: the rest was the step's gain.

    The heat of an impact is its impulse times the mean of the speeds before and after it, less what a wall stores. What
    friction and other contacts take from the motion is their own heat, or stored.
    """
    h = problem.laws.h
    claimed = 0.0
    lost = taken_by_step(problem, w)
    for e in problem.island.blocks:
        block = problem.blocks[e]
        load = pushed(block)
        if block.approach != 0.0 and load > 0.0:
            speed = block.way * speed_along(problem, block, twist_of(block, problem.bodies.r, w))
            if block.exit < 0.0:
                hold_by_wall(problem, block, speed)
            mean = 0.5 * (block.approach - block.exit)
            held = block.way * block.elastic * mean
            claimed += h * (load * mean - held)
            lost -= h * (load * speed + held)
    lost = max(lost, 0.0)
    if claimed > lost:
        for e in problem.island.blocks:
            block = problem.blocks[e]
            block.exit = block.approach - lost / claimed * (block.approach - block.exit)
