"""One implicit step, compiled: free velocities, impacts, islands, and Newton's method on each of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

from ...kernel import kernel
from ...numerics.lu import lu_factor
from ...numerics.vectors import cross, dot, minus, store, times, triple
from ..contact.addresses import doubles, integers
from ..contact.bodies import SPEED_WIDTH, rotations, to_body
from ..contact.bodies import Bodies as States
from ..contact.records import ELEMENT, GEOMETRY, MATERIAL, MEMORY
from ..joint.joint_records import JOINT, JOINT_LAW, JOINT_MEMORY
from .blocks import BLOCK, CONTACT, JOINT_FORCE, Contacts, add_wrench, gather_contacts, gather_joints, twist_of
from .island_newton import (
    SINGULAR,
    Bodies,
    Island,
    Links,
    Problem,
    free_island,
    momentum,
    put_masses,
    respond,
    solve_island,
)
from .islands import Groups, islands_of
from .local_forces import Laws
from .short_impacts import (
    LARGEST_FALL,
    LONGEST_IMPACT,
    LONGEST_STRETCH,
    SHORTEST_FLIGHT,
    exit_target,
    free_impact,
    impact_speed,
    is_behind,
)

Array = Any

OUTCOME = np.dtype(
    [
        ("iterations", np.int64), ("residual", np.float64), ("islands", np.int64), ("largest", np.int64),
        ("contacts", np.int64), ("impacts", np.int64),
    ]
)  # fmt: skip
"""Outcome of a step: iterations of the slowest island, largest relative residual, number of islands, of blocks and of
impacts, and the number of bodies in the largest island."""

(
    STATE, SPEEDS, FORCES, RESIDUAL, PLACES, MASS, INERTIA, MOBILITY, ROTATIONS, IMPULSE, FREE, BLOCKS, OUTCOMES,
    LINK_ROWS, DEMANDED, LINK_BODIES, MATERIALS, JOINTS, JOINT_SHAPES, JOINT_LAWS, JOINT_MEMORIES, EXPECTED,
    FIRST_TABLE,
) = range(23)  # fmt: skip
"""Arrays in the directory of a step. FORCES holds those of the last step at the beginning; EXPECTED are impulses that
Chrono will add after ours; MATERIALS are those of all contact tables, one after the other; at FIRST_TABLE begin the
elements, geometry, materials and memory of each."""

PER_TABLE = 4
CONTACT_TABLES = 3
DIRECTORY_SIZE = FIRST_TABLE + PER_TABLE * CONTACT_TABLES
"""Arrays for each contact table, number of contact tables, and length of a directory."""

MOST_TOGETHER = 60
"""Number of bodies up to which an island is solved: its matrix is dense."""
TOO_LARGE = -1

IMPACT_STIFFNESS = 1e4
"""Stiffness with which an impact holds its exit speed, relative to effective mass over step."""


@kernel
def free_velocities(bodies: Bodies, force: Array, h: float, out: Array) -> None:
    """Velocities at the end of the step under the impulses of other forces and generalised forces of ours."""
    for body in range(bodies.mass.size):
        k = SPEED_WIDTH * body
        if bodies.mass[body] == 0.0:
            for i in range(SPEED_WIDTH):
                out[k + i] = bodies.w[k + i]
            continue
        for i in range(3):
            out[k + i] = bodies.w[k + i] + (bodies.impulse[k + i] + h * force[k + i]) / bodies.mass[body]
            change = 0.0
            for j in range(3):
                change += bodies.mobility[body, i, j] * (bodies.impulse[k + 3 + j] + h * force[k + 3 + j])
            out[k + 3 + i] = bodies.w[k + 3 + i] + change


@kernel
def normal_compliance(bodies: Bodies, island: Island, block: Any) -> float:
    """Change of the normal speed in m/s of a block by a normal impulse of 1 N s, with the links of its island."""
    n = triple(block.normal)
    push = np.zeros(SPEED_WIDTH * island.bodies.size + island.rows.size)
    for body, arm, sign in ((block.a, triple(block.arm_a), 1.0), (block.b, triple(block.arm_b), -1.0)):
        k = SPEED_WIDTH * island.place[body]
        if k >= 0:
            turn = to_body(bodies.r, body, cross(arm, n))
            for i in range(3):
                push[k + i] = sign * n[i]
                push[k + 3 + i] = sign * turn[i]
    response = push.copy()
    respond(bodies, island, response)
    total = 0.0
    for i in range(SPEED_WIDTH * island.bodies.size):
        total += push[i] * response[i]
    return total


@kernel
def set_impact(bodies: Bodies, island: Island, material: Any, block: Any, free: Array, h: float) -> float:
    """Give a contact that begins and ends within the step its exit speed; returns its compliance, 0 if the law acts."""
    n = triple(block.normal)
    before = dot(twist_of(block, bodies.r, bodies.w).velocity, n)
    after = dot(twist_of(block, bodies.r, free).velocity, n)
    apart = max(block.gap, 0.0)
    if after >= 0.0 or block.gap + block.bend + h * after > 0.0 or block.gap < h * after:
        return 0.0
    if block.gap < 0.0 and is_behind(material.normal, material.offset, block.gap):
        return 0.0
    fall = (after - before) / h
    speed = impact_speed(before, apart, fall, h)
    if not speed > 0.5 * SHORTEST_FLIGHT * h * abs(fall):
        return 0.0
    compliance = normal_compliance(bodies, island, block)
    reach = max(material.reach, 0.0)
    stretch = max(reach, LONGEST_STRETCH * h * speed)
    found = free_impact(material.normal, material.offset + reach, 1.0 / compliance, speed, stretch)
    if not found.ended or found.speed <= 0.0:
        return 0.0
    inside = found.duration - reach / speed - reach / found.speed
    if inside > LONGEST_IMPACT * h:
        return 0.0
    if inside * abs(fall) > LARGEST_FALL * speed or 2.0 * found.speed < SHORTEST_FLIGHT * h * abs(fall):
        return 0.0
    block.approach = speed
    block.exit = found.speed
    block.target = exit_target(found.speed, before, apart, fall, h)
    return compliance


@kernel
def set_impacts(bodies: Bodies, laws: Laws, blocks: Array, island: Island, free: Array) -> int:
    """Find the impacts of an island within the step; returns their number."""
    count = 0
    for e in island.blocks:
        block = blocks[e]
        if block.kind != CONTACT:
            continue
        compliance = set_impact(bodies, island, laws.materials[block.material], block, free, laws.h)
        if compliance > 0.0:
            laws.stiffness[e] = IMPACT_STIFFNESS / (laws.h * compliance)
            count += 1
    return count


@kernel
def energy_gained(bodies: Bodies, island: Island, w: Array) -> float:
    """Energy in J that a step to velocities w adds to an island: its kinetic energy less the work of other forces."""
    gained = 0.0
    p = np.empty(SPEED_WIDTH)
    for body in island.bodies:
        k = SPEED_WIDTH * body
        momentum(bodies, body, w[k : k + SPEED_WIDTH], p)
        for i in range(SPEED_WIDTH):
            gained += (0.5 * p[i] - bodies.impulse[k + i]) * w[k + i]
        momentum(bodies, body, bodies.w[k : k + SPEED_WIDTH], p)
        for i in range(SPEED_WIDTH):
            gained -= 0.5 * p[i] * bodies.w[k + i]
    return gained


@kernel
def calm_impacts(problem: Problem, w: Array, free: Array, missing: float) -> tuple[int, float]:
    """Lower the exit speeds of an island until its impacts with friction add no energy; more iterations, residual."""
    iterations = 0
    for factor in (0.9, 0.7, 0.4, 0.0):
        if not energy_gained(problem.bodies, problem.island, w) > 0.0:
            break
        for e in problem.island.blocks:
            problem.blocks[e].target *= factor
        more, missing = solve_island(problem, w, free)
        iterations += more
    return iterations, missing


@kernel
def share_losses(bodies: Bodies, blocks: Array, island: Island, w: Array, h: float) -> None:
    """Let impacts claim no more heat than their island lost in the step, after friction: the rest was the step's gain.

    The heat of an impact is its impulse times the mean of the speeds before and after it.
    """
    claimed = 0.0
    rubbed = 0.0
    for e in island.blocks:
        block = blocks[e]
        if block.kind == CONTACT:
            twist = twist_of(block, bodies.r, w)
            load = dot(block.force, block.normal)
            rubbed += h * (load * dot(block.normal, twist.velocity) - dot(block.force, twist.velocity))
            rubbed -= h * dot(block.moment, twist.turning)
            claimed += 0.5 * h * load * (block.approach - block.exit)
    lost = max(-energy_gained(bodies, island, w) - rubbed, 0.0)
    if claimed > lost:
        for e in island.blocks:
            block = blocks[e]
            block.exit = block.approach - lost / claimed * (block.approach - block.exit)


@kernel
def island_at(groups: Groups, i: int, bodies: Bodies, links: Links, place: Array) -> Island:
    """The island of a number; `place` receives the index of each of its bodies."""
    members = groups.bodies[groups.bodies_at[i] : groups.bodies_at[i + 1]]
    for n in range(members.size):
        place[members[n]] = n
    blocks = groups.blocks[groups.blocks_at[i] : groups.blocks_at[i + 1]]
    rows = groups.rows[groups.rows_at[i] : groups.rows_at[i + 1]]
    size = SPEED_WIDTH * members.size + rows.size if rows.size > 0 else 0
    island = Island(members, blocks, rows, place, np.empty((size, size)), np.empty(size, np.int64))
    if rows.size > 0:
        put_masses(bodies, links, island, island.base)
        lu_factor(island.base, island.order, SINGULAR)
    return island


@kernel
def leave_island(island: Island) -> None:
    """Clear the indices of the bodies of an island."""
    for body in island.bodies:
        island.place[body] = -1


@kernel
def free_motion(x: Array, residual: Array, places: Array, expected: Array, bodies: Bodies, free: Array) -> None:
    """Rotations of all bodies, impulses of the other forces on them, and velocities after the step without ours.

    Args:
        residual: Chrono's vector of impulses. places: index in it for each velocity, -1 if the body does not move.
        expected: impulses that are not in it yet.
    """
    rotations(x, bodies.r)
    for i in range(places.size):
        bodies.impulse[i] = residual[places[i]] + expected[i] if places[i] >= 0 else 0.0
    free_velocities(bodies, bodies.impulse, 0.0, free)


@kernel
def contacts_at(directory: Array, number: int, first_material: int) -> Contacts:
    """A table of contacts from a directory."""
    at = FIRST_TABLE + PER_TABLE * number
    return Contacts(
        number, first_material, integers(directory, at).view(ELEMENT), doubles(directory, at + 1).view(GEOMETRY),
        doubles(directory, at + 2).view(MATERIAL), doubles(directory, at + 3).view(MEMORY),
    )  # fmt: skip


@kernel
def gather(directory: Array, x: Array, bodies: Bodies, free: Array, h: float, blocks: Array) -> int:
    """Fill the blocks from all tables of a directory; returns the number of blocks that there should be."""
    count = 0
    first_material = 0
    states = States(x, bodies.w, bodies.r)
    for number in range(CONTACT_TABLES):
        contacts = contacts_at(directory, number, first_material)
        count = gather_contacts(states, free, contacts, h, blocks, count)
        first_material += contacts.materials.size
    return gather_joints(
        states, integers(directory, JOINTS), doubles(directory, JOINT_SHAPES), doubles(directory, JOINT_MEMORIES),
        blocks, count,
    )  # fmt: skip


@kernel
def largest_of(groups: Groups) -> int:
    """Number of bodies in the largest island."""
    most = 0
    for i in range(groups.bodies_at.size - 1):
        most = max(most, groups.bodies_at[i + 1] - groups.bodies_at[i])
    return most


@kernel
def solve_blocks(
    bodies: Bodies, laws: Laws, links: Links, row_bodies: Array, blocks: Array, last: Array, free: Array, told: Any
) -> None:
    """Find the forces of the blocks at the end of the step, island by island, from the forces of the last step."""
    ahead = bodies.w.copy()
    nothing = np.zeros(ahead.size)
    groups = islands_of(bodies.mass, blocks, row_bodies)
    told.islands = groups.bodies_at.size - 1
    told.largest = largest_of(groups)
    if told.largest > MOST_TOGETHER:
        return
    place = np.full(bodies.mass.size, -1, np.int64)
    for i in range(told.islands):
        island = island_at(groups, i, bodies, links, place)
        problem = Problem(bodies, laws, links, blocks, island)
        free_island(bodies, links, island, nothing, laws.h, free)
        free_island(bodies, links, island, last, laws.h, ahead)
        impacts = set_impacts(bodies, laws, blocks, island, free)
        iterations, missing = solve_island(problem, ahead, free)
        if impacts > 0:
            more, missing = calm_impacts(problem, ahead, free, missing)
            iterations += more
            share_losses(bodies, blocks, island, ahead, laws.h)
        told.impacts += impacts
        told.iterations = max(told.iterations, iterations)
        told.residual = max(told.residual, missing)
        leave_island(island)


@kernel
def keep_contacts(directory: Array, blocks: Array, bodies: Bodies) -> None:
    """Keep the forces that contacts exert in the step, for the energy book."""
    for e in range(blocks.size):
        block = blocks[e]
        if block.kind == CONTACT:
            own = contacts_at(directory, block.table, 0).memory[block.index]
            n = triple(block.normal)
            f = triple(block.force)
            own.load = dot(f, n)
            own.surplus = own.load - block.elastic
            own.approach = block.approach
            own.exit = block.exit
            store(n, own.push)
            store(triple(block.point), own.point)
            store(minus(times(own.load, n), f), own.friction)
            store(times(-1.0, triple(block.moment)), own.moment)
            start = twist_of(block, bodies.r, bodies.w).velocity
            own.speed = dot(start, n)
            own.rubbing = dot(start, own.friction)


@kernel
def keep_joints(memories: Array, blocks: Array) -> None:
    """Keep the forces that joints exert in the step, for the energy book."""
    for e in range(blocks.size):
        block = blocks[e]
        if block.kind == JOINT_FORCE:
            own = memories[block.index]
            f = triple(block.force)
            if dot(f, f) == 0.0:
                f = triple(block.moment)
            own.stop = block.load
            own.surplus = block.load - block.elastic
            own.friction[0] = block.load - dot(f, block.normal)
            own.friction[1] = -dot(f, block.second)
            store(triple(block.normal), own.first)
            store(triple(block.second), own.second)
            store(triple(block.point), own.point)


@njit(types.int64(types.int64[::1], types.float64), cache=True, error_model="numpy")
def implicit_step(directory: Array, h: float) -> int:
    """Forces of all contacts and joint forces at the end of a step h; for the directory see the indices above.

    Returns the number of blocks; if there is no space for them nothing is solved. Neither is it with an island that is
    TOO_LARGE, which is then returned.
    """
    x = doubles(directory, STATE)
    q = doubles(directory, FORCES)
    free = doubles(directory, FREE)
    mass = doubles(directory, MASS)
    n = mass.size
    bodies = Bodies(
        doubles(directory, ROTATIONS).reshape(n, 3, 3), mass, doubles(directory, INERTIA).reshape(n, 3, 3),
        doubles(directory, MOBILITY).reshape(n, 3, 3), doubles(directory, SPEEDS), doubles(directory, IMPULSE),
    )  # fmt: skip
    expected = doubles(directory, EXPECTED)
    free_motion(x, doubles(directory, RESIDUAL), integers(directory, PLACES), expected, bodies, free)
    space = doubles(directory, BLOCKS).view(BLOCK)
    count = gather(directory, x, bodies, free, h, space)
    told = doubles(directory, OUTCOMES).view(OUTCOME)[0]
    if count > space.size:
        return count
    blocks = space[:count]
    laws = Laws(
        h, doubles(directory, MATERIALS).view(MATERIAL), integers(directory, JOINTS).view(JOINT),
        doubles(directory, JOINT_LAWS).view(JOINT_LAW), doubles(directory, JOINT_MEMORIES).view(JOINT_MEMORY),
        np.zeros(count), np.zeros(q.size),
    )  # fmt: skip
    demanded = doubles(directory, DEMANDED)
    links = Links(doubles(directory, LINK_ROWS).reshape(demanded.size, q.size), demanded)
    told.contacts = count
    told.iterations = 0
    told.residual = 0.0
    told.largest = 0
    told.impacts = 0
    solve_blocks(bodies, laws, links, integers(directory, LINK_BODIES).reshape(demanded.size, 2), blocks, q, free, told)
    if told.largest > MOST_TOGETHER:
        return TOO_LARGE
    q[:] = 0.0
    for e in range(count):
        add_wrench(blocks[e], bodies.r, 1.0, q)
    keep_contacts(directory, blocks, bodies)
    keep_joints(doubles(directory, JOINT_MEMORIES).view(JOINT_MEMORY), blocks)
    return count
