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
from .blocks import (
    BLOCK,
    CONTACT,
    JOINT_FORCE,
    Contacts,
    add_wrench,
    gather_contacts,
    gather_joints,
    set_bend,
    twist_of,
)
from .island import (
    Island,
    Links,
    MovingBodies,
    Problem,
    free_island,
    island_at,
    leave_island,
    own,
    set_island,
    yield_to,
)
from .island_impacts import calm_impacts, set_impacts, share_losses
from .islands import Groups, islands_of
from .linked.driven import bear, driven_bodies, without_driven
from .linked.limits import MOST_CHANGES, changes_limits
from .linked.spring_rows import add_handed, put_springs
from .local_forces import Laws
from .rescue import FAR, rescue
from .resting import fitting_islands
from .solvers.island_newton import solve_island

Array = Any

OUTCOME = np.dtype(
    [
        ("iterations", np.int64), ("residual", np.float64), ("islands", np.int64), ("largest", np.int64),
        ("contacts", np.int64), ("impacts", np.int64), ("missed", np.int64), ("resting", np.int64),
    ]
)  # fmt: skip
"""Outcome of a step: iterations of the slowest island, largest relative residual, number of islands, of blocks and of
impacts, the number of bodies in the largest island, the number of islands that did not converge, and the number of
bodies at rest."""

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
def largest_of(groups: Groups) -> int:
    """Number of bodies in the largest island."""
    most = 0
    for i in range(groups.bodies_at.size - 1):
        most = max(most, groups.bodies_at[i + 1] - groups.bodies_at[i])
    return most


@kernel
def solve_blocks_of(problem: Problem, ahead: Array, free: Array, told: Any) -> None:
    """Find the forces of the blocks of an island; `ahead` are velocities under the forces of the last step."""
    impacts = set_impacts(problem, free)
    iterations, missing, allowed = solve_island(problem, ahead, free)
    if impacts > 0:
        more, missing, allowed = calm_impacts(problem, ahead, free, missing, allowed)
        iterations += more
    if missing > FAR:
        missing = rescue(problem, ahead, free, missing)
    if impacts > 0:
        share_losses(problem, ahead)
    told.impacts += impacts
    told.iterations = max(told.iterations, iterations)
    told.residual = max(told.residual, missing)
    told.missed += missing > allowed


@kernel
def bend_paths(problem: Problem, free: Array) -> None:
    """Let the gaps of an island with links follow the paths that its links allow."""
    for e in problem.island.blocks:
        if problem.blocks[e].kind == CONTACT:
            set_bend(problem.blocks[e], problem.bodies.r, free, problem.laws.h)


@kernel
def leave_forces(problem: Problem, q: Array) -> None:
    """Add the forces of the blocks of an island to generalised forces."""
    for e in problem.island.blocks:
        add_wrench(problem.blocks[e], problem.bodies.r, 1.0, q)


@kernel
def clear_forces(island: Island, blocks: Array, q: Array) -> None:
    """Clear the generalised forces on the bodies of the blocks of an island."""
    for e in island.blocks:
        for body in (blocks[e].a, blocks[e].b):
            for i in range(SPEED_WIDTH * body, SPEED_WIDTH * (body + 1)):
                q[i] = 0.0


@kernel
def follow_blocks(problem: Problem, nothing: Array, ahead: Array) -> None:
    """Velocities of an island with the forces of its blocks, and the impulses of its link rows; `nothing` is zero."""
    leave_forces(problem, nothing)
    free_island(problem.bodies, problem.links, problem.island, nothing, problem.laws.h, ahead)
    clear_forces(problem.island, problem.blocks, nothing)


@kernel
def solve_linked(problem: Problem, last: Array, nothing: Array, ahead: Array, free: Array, told: Any) -> None:
    """Find the forces of the blocks of an island, from the forces of the last step."""
    links = problem.links
    island = problem.island
    free_island(problem.bodies, links, island, nothing, problem.laws.h, free)
    if island.rows.size > 0:
        bend_paths(problem, free)
    if island.blocks.size > 0:
        free_island(problem.bodies, links, island, last, problem.laws.h, ahead)
        solve_blocks_of(problem, ahead, free, told)
        if island.rows.size > 0:
            follow_blocks(problem, nothing, ahead)
    else:
        set_island(island, free, ahead)


@kernel
def solve_blocks(
    bodies: MovingBodies, laws: Laws, links: Links, blocks: Array, last: Array, free: Array, held: Array, told: Any
) -> None:
    """Find the forces of the blocks at the end of the step, island by island, from the forces of the last step.

    For `held` see `fitting_islands`.
    """
    ahead = bodies.w.copy()
    nothing = np.zeros(ahead.size)
    groups = islands_of(bodies.mass, blocks, links.bodies, links.handed)
    told.islands = groups.bodies_at.size - 1
    told.largest = largest_of(groups)
    place = np.full(bodies.mass.size, -1, np.int64)
    fitting, told.resting = fitting_islands(bodies, laws, blocks, groups, free, held)
    for i in range(told.islands):
        if fitting[i] < np.inf:
            told.residual = max(told.residual, fitting[i])
            continue
        impacts = told.impacts
        missed = told.missed
        for _ in range(1 + MOST_CHANGES):
            told.impacts = impacts
            told.missed = missed
            island = island_at(groups, i, bodies, links, blocks, place)
            solve_linked(Problem(bodies, laws, links, blocks, island), last, nothing, ahead, free, told)
            leave_island(island)
            if not changes_limits(links, groups.rows[groups.rows_at[i] : groups.rows_at[i + 1]], ahead):
                break


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
def laws_at(directory: Array, h: float, blocks: int, speeds: int) -> Laws:
    """The laws of contacts and joints from a directory for a step h, with room for so many blocks and speeds."""
    return Laws(
        h, doubles(directory, MATERIALS).view(MATERIAL), integers(directory, JOINTS).view(JOINT),
        doubles(directory, JOINT_LAWS).view(JOINT_LAW), doubles(directory, JOINT_MEMORIES).view(JOINT_MEMORY),
        np.zeros(blocks), np.zeros(speeds),
    )  # fmt: skip


@kernel
def begin_outcome(told: Array, count: int) -> None:
    """Nothing is known yet of the solve for so many blocks."""
    told.contacts = count
    told.iterations = 0
    told.residual = 0.0
    told.largest = 0
    told.islands = 0
    told.impacts = 0
    told.missed = 0
    told.resting = 0


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
    begin_outcome(told, count)
    held = np.zeros(q.size)
    solve_blocks(solved, laws_at(directory, h, count, q.size), rest, blocks, q, free, held, told)
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
