"""Islands of contacts for which the forces of the last step still fit: at rest nothing needs to be solved.

Such an island keeps these forces as they are. The forces that the laws give for the resulting motion differ from them
by less than the tolerance, but would not lead to that motion: handed over in their place, they would let a body at rest
drift by the tolerance, magnified by the stiffness of its contacts. If the velocities are below the tolerance too, they
are round-off, and are taken off: else this would be summed up from step to step until it must be solved for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ...numerics.copying import put
from ...numerics.vectors import dot, minus, store, triple
from ..contact.bodies import SPEED_WIDTH
from .blocks import CONTACT, add_wrench, twist_of
from .impacts.short_impacts import SHORTEST_FLIGHT, impact_speed
from .island import MovingBodies, kinetic, momentum, own, yield_to
from .islands import Groups
from .local_forces import AT_ONCE, Laws, contact_wrench

Array = Any

FITS = 1e-9
"""Largest relative residual of an island with which the forces of the last step fit. The positions of an anchored body
at rest are rounded by more than a tenth of that."""
MOVES = 1e-6
"""Momentum of an island, relative to all impulses, above which it moves on with fitting forces. One that moves more
slowly, but is not at rest, is solved, so that the damping of its laws brings it to rest."""


@kernel
def is_round_off(bodies: MovingBodies, block: Any, speed: float) -> bool:
    """Whether a speed in m/s is nothing beside what the other forces do to both bodies of a contact in the step.

    Bodies that two contacts hold between them, as mortar holds a joint, always approach one of these.
    """
    most = 0.0
    for body in (block.a, block.b):
        if bodies.mass[body] > 0.0:
            first = SPEED_WIDTH * body
            push = bodies.impulse[first : first + 3]
            most = max(most, np.sqrt(dot(push, push)) / bodies.mass[body])
    return speed <= FITS * most


@kernel
def may_bounce(bodies: MovingBodies, laws: Laws, block: Any, free: Array) -> bool:
    """Whether an impact within the step is possible: the bodies approach, and fast enough to fly afterwards."""
    after = dot(twist_of(block, bodies.r, free).velocity, block.normal)
    reach = laws.materials[block.material].reach
    if after >= 0.0 or block.gap + block.bend + laws.h * after > reach:
        return False
    before = dot(twist_of(block, bodies.r, bodies.w).velocity, block.normal)
    fall = (after - before) / laws.h
    speed = impact_speed(before, max(block.gap - reach, 0.0), fall, laws.h)
    return speed > 0.5 * SHORTEST_FLIGHT * laws.h * abs(fall) and not is_round_off(bodies, block, speed)


@kernel
def expect_velocities(bodies: MovingBodies, blocks: Array, h: float, ahead: Array) -> None:
    """Velocities at the end of the step under the forces that the blocks begin with, and the other forces."""
    ahead[:] = 0.0
    for e in range(blocks.size):
        if blocks[e].kind == CONTACT:
            add_wrench(blocks[e], bodies.r, h, ahead)
    for body in range(bodies.mass.size):
        part = own(ahead, body)
        if bodies.mass[body] == 0.0:
            put(own(bodies.w, body), part)
            continue
        for i in range(SPEED_WIDTH):
            part[i] += bodies.impulse[SPEED_WIDTH * body + i]
        yield_to(bodies, body, part)
        for i in range(SPEED_WIDTH):
            part[i] += bodies.w[SPEED_WIDTH * body + i]


@kernel
def miss(laws: Laws, bodies: MovingBodies, block: Any, ahead: Array, missing: Array) -> None:
    """Add what the law of a contact misses in its force to the impulses of both bodies; keeps that force."""
    wrench = contact_wrench(laws, block, 0.0, twist_of(block, bodies.r, ahead), AT_ONCE)
    force = triple(block.force)
    moment = triple(block.moment)
    store(minus(wrench.force, force), block.force)
    store(minus(wrench.moment, moment), block.moment)
    block.elastic = wrench.elastic
    add_wrench(block, bodies.r, laws.h, missing)
    store(force, block.force)
    store(moment, block.moment)


@kernel
def island_numbers(groups: Groups, count: int) -> Array:
    """Number of the island of each body, -1 for none."""
    number = np.full(count, -1, np.int64)
    for i in range(groups.bodies_at.size - 1):
        for n in range(groups.bodies_at[i], groups.bodies_at[i + 1]):
            number[groups.bodies[n]] = i
    return number


@kernel
def compare(bodies: MovingBodies, number: Array, missing: Array, ahead: Array, sizes: Array) -> None:
    """For each island twice the kinetic energy in J of what is missing, of the velocities, and of all impulses."""
    p = np.empty(SPEED_WIDTH)
    for body in range(number.size):
        i = number[body]
        if i >= 0:
            short = own(missing, body)
            impulse = own(bodies.impulse, body)
            sizes[i, 0] += kinetic(bodies, body, short, short)
            momentum(bodies, body, own(ahead, body), p)
            sizes[i, 1] += kinetic(bodies, body, p, p)
            momentum(bodies, body, own(bodies.w, body), p)
            sizes[i, 2] += kinetic(bodies, body, impulse, impulse) + kinetic(bodies, body, p, p)


@kernel
def begin_with_forces(
    bodies: MovingBodies, laws: Laws, blocks: Array, groups: Groups, free: Array, ahead: Array
) -> Any:
    """Sizes of each island with the forces that its blocks begin with, see `compare`; negative if it must be solved.

    `free` are velocities at the end of the step without our forces and without links; `ahead` receives those with them.
    """
    missing = np.zeros(free.size)
    sizes = np.zeros((groups.bodies_at.size - 1, 3))
    expect_velocities(bodies, blocks, laws.h, ahead)
    for i in range(sizes.shape[0]):
        if groups.rows_at[i] < groups.rows_at[i + 1]:
            sizes[i, 2] = -np.inf
            continue
        for m in range(groups.blocks_at[i], groups.blocks_at[i + 1]):
            block = blocks[groups.blocks[m]]
            if block.kind != CONTACT or may_bounce(bodies, laws, block, free):
                sizes[i, 2] = -np.inf
                break
            miss(laws, bodies, block, ahead, missing)
    compare(bodies, island_numbers(groups, bodies.mass.size), missing, ahead, sizes)
    return sizes


@kernel
def hold(bodies: MovingBodies, members: Array, ahead: Array, h: float, held: Array) -> None:
    """Write the forces that take the velocities `ahead` off some bodies."""
    for body in members:
        part = own(held, body)
        momentum(bodies, body, own(ahead, body), part)
        for i in range(SPEED_WIDTH):
            part[i] /= -h


@kernel
def fitting_islands(
    bodies: MovingBodies, laws: Laws, blocks: Array, groups: Groups, free: Array, held: Array
) -> tuple[Array, int]:
    """Relative residual of each island with the forces that its blocks begin with, and the number of bodies at rest.

    It is infinite if they do not fit.

    Args:
        free: velocities at the end of the step without our forces, and without links.
        held: receives forces by body that take off what is left of the velocities of islands at rest.
    """
    ahead = np.empty(free.size)
    sizes = begin_with_forces(bodies, laws, blocks, groups, free, ahead)
    found = np.full(sizes.shape[0], np.inf)
    resting = 0
    for i in range(found.size):
        tolerance = FITS * FITS * sizes[i, 2]
        rests = sizes[i, 1] <= tolerance
        if sizes[i, 0] <= tolerance and (rests or sizes[i, 1] > MOVES * MOVES * sizes[i, 2]):
            found[i] = np.sqrt(sizes[i, 0] / (sizes[i, 2] + 1e-300))
            if rests:
                members = groups.bodies[groups.bodies_at[i] : groups.bodies_at[i + 1]]
                hold(bodies, members, ahead, laws.h, held)
                resting += members.size
    return found, resting
