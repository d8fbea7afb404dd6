"""Bodies whose motion is given: links hold all of it to what is fixed, as on the table of a shaker or a motor's blade.

In the solve such a body is like a fixed one that moves: it connects nothing, and no force changes its velocity. What
its links have to bear is found afterwards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernel import kernel
from ...contact.bodies import SPEED_WIDTH
from ..island import (
    Island,
    Links,
    MovingBodies,
    free_island,
    kinetic,
    leave_island,
    link_compliance,
    put_base,
    put_moved,
    respond,
)
from ..solvers.arrangement import Layout

Array = Any

LOCKED = 1e-3
"""Velocity by an impulse, relative to that of the free body, below which a motion is held."""
INDEPENDENT = 1e-6
"""Velocity of a link row by a unit impulse of it while the rows before it are held, relative to that of free bodies,
above which it adds a motion that is held."""


@kernel
def rows_on(links: Links, body: int) -> Array:
    """The link rows that hold a body to what is fixed."""
    found = np.empty(links.springs, np.int64)
    count = 0
    for c in range(links.springs):
        if links.bodies[c, 0] == body and links.bodies[c, 1] < 0 and links.one_sided[c] == 0:
            found[count] = c
            count += 1
    return found[:count]


@kernel
def held_island(bodies: MovingBodies, links: Links, body: int, place: Array) -> Island:
    """A body alone with the rows that hold it."""
    rows = rows_on(links, body)
    none = rows[:0]
    place[body] = 0
    moved = np.zeros((rows.size, 2, SPEED_WIDTH))
    put_moved(bodies, links, rows, moved)
    base = np.empty((rows.size, rows.size))
    put_base(links, rows, moved, base)
    return Island(np.full(1, body), none, rows, place, Layout(none, none, 0), moved, base, bodies.mass[:0])


@kernel
def are_independent(bodies: MovingBodies, links: Links, island: Island) -> bool:
    """Whether no link row of an island follows from the others: a factor of their matrix tells what each adds."""
    last = island.base.shape[1] - 1
    for c in range(island.rows.size):
        if not island.base[c, last] > INDEPENDENT * link_compliance(bodies, links, island.rows[c]):
            return False
    return True


@kernel
def is_held(bodies: MovingBodies, links: Links, island: Island) -> bool:
    """Whether no impulse moves the body of an island: six independent rows hold it, others are tried."""
    if island.rows.size < SPEED_WIDTH:
        return False
    if island.rows.size == SPEED_WIDTH and are_independent(bodies, links, island):
        return True
    body = island.bodies[0]
    p = np.empty(SPEED_WIDTH + island.rows.size)
    for i in range(SPEED_WIDTH):
        p[:] = 0.0
        p[i] = 1.0
        freely = kinetic(bodies, body, p[:SPEED_WIDTH], p[:SPEED_WIDTH])
        respond(bodies, links, island, p)
        if not abs(p[i]) < LOCKED * freely:
            return False
    return True


@kernel
def driven_bodies(bodies: MovingBodies, links: Links, h: float, w: Array) -> Array:
    """Whether each body is driven, 1 or 0; w receives the velocities of those that are."""
    driven = np.zeros(bodies.mass.size, np.int64)
    held = np.zeros(bodies.mass.size, np.int64)
    for c in range(links.springs):
        if links.bodies[c, 0] >= 0 and links.bodies[c, 1] < 0:
            held[links.bodies[c, 0]] += 1
    nothing = np.zeros(w.size)
    place = np.full(bodies.mass.size, -1, np.int64)
    for body in range(driven.size):
        if held[body] >= SPEED_WIDTH:
            island = held_island(bodies, links, body, place)
            if is_held(bodies, links, island):
                driven[body] = 1
                free_island(bodies, links, island, nothing, h, w)
                for row in island.rows:
                    links.impulse[row] = 0.0
            leave_island(island)
    return driven


@kernel
def without_driven(bodies: MovingBodies, links: Links, driven: Array, w: Array) -> tuple[MovingBodies, Links]:
    """Bodies and links of a solve in which driven bodies are fixed ones that move at the velocities w."""
    mass = bodies.mass.copy()
    speeds = bodies.w.copy()
    for body in range(driven.size):
        if driven[body] != 0:
            mass[body] = 0.0
            for i in range(SPEED_WIDTH * body, SPEED_WIDTH * (body + 1)):
                speeds[i] = w[i]
    ends = links.bodies.copy()
    demanded = links.demanded.copy()
    for c in range(demanded.size):
        for side in (1, 0):
            body = ends[c, side]
            if body >= 0 and driven[body] != 0:
                for i in range(SPEED_WIDTH * body, SPEED_WIDTH * (body + 1)):
                    demanded[c] -= links.jacobian[c, i] * w[i]
                ends[c, side] = ends[c, 1] if side == 0 else -1
                ends[c, 1] = -1
    held = MovingBodies(bodies.r, mass, bodies.inertia, bodies.mobility, speeds, bodies.impulse)
    rest = Links(
        links.jacobian, demanded, ends, links.softness, links.one_sided, links.springs, links.handed, links.impulse
    )
    return held, rest


@kernel
def bear(bodies: MovingBodies, links: Links, driven: Array, h: float, load: Array) -> None:
    """Find what the links of driven bodies bear under forces on all bodies, and add what is handed over to these."""
    place = np.full(bodies.mass.size, -1, np.int64)
    w = np.empty(bodies.w.size)
    for body in range(driven.size):
        if driven[body] != 0:
            island = held_island(bodies, links, body, place)
            free_island(bodies, links, island, load, h, w)
            leave_island(island)
            for c in range(island.rows.size if links.handed == 0 else 0):
                row = island.rows[c]
                for i in range(SPEED_WIDTH * body, SPEED_WIDTH * (body + 1)):
                    load[i] += links.impulse[row] / h * links.jacobian[row, i]
