"""One implicit step, compiled: free velocities, impacts, islands, and Newton's method on each of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

from ...kernel import kernel
from ...numerics.copying import put
from ...numerics.vectors import dot, minus, store, times, triple
from ...sealed import sealed
from ..contact.addresses import doubles, integers
from ..contact.bodies import SPEED_WIDTH, Bodies, rotations
from ..contact.last_step import keep_springs, keep_step
from ..contact.records import ELEMENT, GEOMETRY, MATERIAL, MEMORY
from ..joint.joint_records import JOINT, JOINT_LAW, JOINT_MEMORY
from ..joint.spring_records import SPRING
from .all_islands import begin_outcome, solve_blocks
from .blocks import BLOCK, CONTACT, JOINT_FORCE, Contacts, add_wrench, gather_contacts, gather_joints, twist_of
from .island import Links, MovingBodies, own, yield_to
from .island_step import OUTCOME
from .linked.driven import bear, driven_bodies, without_driven
from .linked.spring_rows import add_handed, put_springs
from .local_forces import Laws

Array = Any

(
    STATE, SPEEDS, FORCES, RESIDUAL, PLACES, MASS, INERTIA, MOBILITY, ROTATIONS, IMPULSE, FREE, BLOCKS, OUTCOMES,
    LINK_ROWS, DEMANDED, LINK_BODIES, MATERIALS, JOINTS, JOINT_SHAPES, JOINT_LAWS, JOINT_MEMORIES, EXPECTED,
    LOAD, KEPT, SOFTNESS, ONE_SIDED, PULLS, HANDED, SPRINGS, SPRING_SHAPES, SPRING_STATES, SUMS, LEDGER, REFERENCE,
    EXTENTS, ROOMS, FIRST_TABLE,
) = range(37)  # fmt: skip
"""Arrays in the directory of a step. FORCES holds those of the last step at the beginning, without springs; EXPECTED
are impulses that Chrono will add after ours; LOAD receives the forces; KEPT is the last step for the energy book, see
`last_step`. Rows of links have room for those of SPRINGS behind them; PULLS receives their impulses, and HANDED is 1 if
all of these are handed over, see `Links`; SUMS and LEDGER: totals and energy book; REFERENCE, EXTENTS and ROOMS tell
whether bodies have moved too far since their near contacts were listed, see `near_list`;
MATERIALS are those of all contact tables, one after the other; at FIRST_TABLE begin the elements, geometry, materials
and memory of each."""

PER_TABLE = 4
CONTACT_TABLES = 3
DIRECTORY_SIZE = FIRST_TABLE + PER_TABLE * CONTACT_TABLES
"""Arrays for each contact table, number of contact tables, and length of a directory."""


@kernel
def free_velocities(bodies: MovingBodies, out: Array) -> None:
    """Velocities at the end of the step under the impulses of other forces, without links."""
    for body in range(bodies.mass.size):
        part = own(out, body)
        if bodies.mass[body] == 0.0:
            put(own(bodies.w, body), part)
            continue
        put(own(bodies.impulse, body), part)
        yield_to(bodies, body, part)
        for i in range(SPEED_WIDTH):
            part[i] += bodies.w[SPEED_WIDTH * body + i]


@kernel
def free_motion(x: Array, residual: Array, places: Array, expected: Array, bodies: MovingBodies, free: Array) -> None:
    """Rotations of all bodies, impulses of the other forces on them, and velocities after the step without ours.

    Args:
        residual: Chrono's vector of impulses. places: index in it for each velocity, -1 if the body does not move.
        expected: impulses that are not in it yet.
    """
    rotations(x, bodies.r)
    for i in range(places.size):
        bodies.impulse[i] = residual[places[i]] + expected[i] if places[i] >= 0 else 0.0
    free_velocities(bodies, free)


@kernel
def contacts_at(directory: Array, number: int, first_material: int) -> Contacts:
    """A table of contacts from a directory."""
    at = FIRST_TABLE + PER_TABLE * number
    return Contacts(
        number, first_material, integers(directory, at).view(ELEMENT), doubles(directory, at + 1).view(GEOMETRY),
        doubles(directory, at + 2).view(MATERIAL), doubles(directory, at + 3).view(MEMORY),
    )  # fmt: skip


@kernel
def gather(directory: Array, x: Array, bodies: MovingBodies, free: Array, h: float, blocks: Array) -> int:
    """Fill the blocks from all tables of a directory; returns the number of blocks that there should be."""
    count = 0
    first_material = 0
    states = Bodies(x, bodies.w, bodies.r)
    for number in range(CONTACT_TABLES):
        contacts = contacts_at(directory, number, first_material)
        count = gather_contacts(states, free, contacts, h, blocks, count)
        first_material += contacts.materials.size
    return gather_joints(
        states, integers(directory, JOINTS), doubles(directory, JOINT_SHAPES), doubles(directory, JOINT_MEMORIES),
        blocks, count,
    )  # fmt: skip


@kernel
def keep_contacts(directory: Array, blocks: Array, bodies: MovingBodies) -> None:
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
            own.behind = block.behind
            store(n, own.push)
            store(triple(block.point), own.point)
            store(minus(times(own.load, n), f), own.friction)
            store(times(-1.0, triple(block.moment)), own.moment)
            store(f, own.solved)
            store(triple(block.moment), own.solved_moment)
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
            own.approach = block.approach
            own.exit = block.exit
            own.friction[0] = block.load - dot(f, block.normal)
            own.friction[1] = -dot(f, block.second)
            store(triple(block.normal), own.first)
            store(triple(block.second), own.second)
            store(triple(block.point), own.point)


@kernel
def links_at(directory: Array, x: Array, bodies: MovingBodies, h: float) -> Links:
    """The links from a directory, and behind them the springs, for a step h."""
    demanded = doubles(directory, DEMANDED)
    rows = demanded.size
    heads = integers(directory, SPRINGS)
    springs = rows - heads.view(SPRING).size
    impulse = doubles(directory, PULLS)
    impulse[:] = 0.0
    handed = integers(directory, HANDED)
    links = Links(
        doubles(directory, LINK_ROWS).reshape(rows, bodies.w.size), demanded,
        integers(directory, LINK_BODIES).reshape(rows, 2), doubles(directory, SOFTNESS),
        integers(directory, ONE_SIDED), springs, 0 if handed.size > 0 and handed[0] != 0 else springs, impulse,
    )  # fmt: skip
    shapes = doubles(directory, SPRING_SHAPES)
    put_springs(x, bodies, h, heads, shapes, doubles(directory, SPRING_STATES), links)
    return links


@kernel
def leave_load(links: Links, h: float, q: Array, load: Array) -> None:
    """Write the forces of blocks, springs, and links that are handed over to the load."""
    put(q, load)
    add_handed(links, h, load)


@kernel
def bodies_at(directory: Array) -> MovingBodies:
    """The bodies from a directory."""
    mass = doubles(directory, MASS)
    n = mass.size
    return MovingBodies(
        doubles(directory, ROTATIONS).reshape(n, 3, 3), mass, doubles(directory, INERTIA).reshape(n, 3, 3),
        doubles(directory, MOBILITY).reshape(n, 3, 3), doubles(directory, SPEEDS), doubles(directory, IMPULSE),
    )  # fmt: skip


@kernel
def laws_at(directory: Array, h: float, blocks: int, w: Array) -> Laws:
    """The laws of contacts and joints from a directory for a step h, with room for so many blocks and velocities w."""
    return Laws(
        h, doubles(directory, MATERIALS).view(MATERIAL), integers(directory, JOINTS).view(JOINT),
        doubles(directory, JOINT_LAWS).view(JOINT_LAW), doubles(directory, JOINT_MEMORIES).view(JOINT_MEMORY),
        np.zeros(blocks), np.zeros(w.size), w.copy(),
    )  # fmt: skip


@kernel
def keep_solved(directory: Array, bodies: MovingBodies, blocks: Array, q: Array) -> None:
    """Keep what the next step begins with, and what the energy book is told."""
    kept = doubles(directory, KEPT)
    keep_step(kept, doubles(directory, STATE), bodies.w, doubles(directory, LOAD))
    keep_springs(kept, q)
    keep_contacts(directory, blocks, bodies)
    keep_joints(doubles(directory, JOINT_MEMORIES).view(JOINT_MEMORY), blocks)


@sealed(types.int64(types.int64[::1], types.float64))
def solve_step(directory: Array, h: float) -> int:
    """Forces of all contacts and joint forces at the end of a step h; for the directory see the indices above.

    Returns the number of blocks; if there is no space for them nothing is solved.
    """
    x = doubles(directory, STATE)
    q = doubles(directory, FORCES)
    free = doubles(directory, FREE)
    bodies = bodies_at(directory)
    expected = doubles(directory, EXPECTED)
    free_motion(x, doubles(directory, RESIDUAL), integers(directory, PLACES), expected, bodies, free)
    space = doubles(directory, BLOCKS).view(BLOCK)
    links = links_at(directory, x, bodies, h)
    driven = driven_bodies(bodies, links, h, free)
    solved, rest = without_driven(bodies, links, driven, free)
    count = gather(directory, x, solved, free, h, space)
    if count > space.size:
        return count
    blocks = space[:count]
    told = doubles(directory, OUTCOMES).view(OUTCOME)[0]
    begin_outcome(told)
    told.contacts = count
    held = np.zeros(q.size)
    solve_blocks(solved, laws_at(directory, h, count, solved.w), rest, blocks, q, free, held, told)
    put(held, q)
    for e in range(count):
        add_wrench(blocks[e], bodies.r, 1.0, q)
    leave_load(links, h, q, doubles(directory, LOAD))
    bear(bodies, links, driven, h, doubles(directory, LOAD))
    keep_solved(directory, bodies, blocks, q)
    return count


@njit(types.int64(types.int64[::1], types.float64), cache=True, error_model="numpy")
def implicit_step(directory: Array, h: float) -> int:
    """`solve_step` for Python."""
    return solve_step(directory, h)
