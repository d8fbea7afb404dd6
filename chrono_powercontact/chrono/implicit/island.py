"""An island of bodies in the step: its masses, the links between them, and how both respond to impulses."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types

from ...kernel import kernel
from ...numerics.band import symmetric_factor, symmetric_solve
from ..contact.bodies import SPEED_WIDTH
from .blocks import BLOCK, CONTACT
from .islands import Groups
from .local_forces import Laws, no_laws
from .solvers.arrangement import Layout, arranged, rows_apart

Array = Any

SINGULAR = 1e-300
SOFTNESS = 1e-11
"""Compliance of links, relative to that of their bodies: it keeps redundant links regular."""
LARGE = 16
LARGE_LINKED = 64
"""Number of bodies above which the matrix of an island is not kept as a whole; the second one for islands with links,
whose forces cannot be found by sweeps over contacts."""
LOOSE = 1e30
"""Softness in 1/kg or 1/(kg m^2) of a row that pushes only and lets go, see `limits`: it is left out."""


class MovingBodies(NamedTuple):
    """The bodies on the load in the step.

    Attributes:
        r: rotation matrices. mass: in kg, zero if a body does not move. inertia, mobility: in kg m^2 about body-fixed
            axes, and its inverse. w: velocities at the start. impulse: impulses of all other forces, by body.
    """

    r: Array
    mass: Array
    inertia: Array
    mobility: Array
    w: Array
    impulse: Array


class Links(NamedTuple):
    """Links between the bodies, in rows: C v' + softness p = demanded, with the impulse p of a row.

    Behind the links of Chrono come springs that are solved for, see `spring_rows`. For rows that push only, see
    `limits`.

    Attributes:
        jacobian: over the velocities of all bodies on the load. demanded: velocities that they demand.
        bodies: for each row the numbers of its moving bodies, -1 for none. softness: zero for a link, in 1/kg or
            1/(kg m^2) for a spring. one_sided: 1 for a row that pushes only. springs: number of the first spring.
        handed: number of the first row whose impulse is handed over to Chrono with the forces: that of the first
            spring, or 0 if Chrono solves its links by an iteration that may end too early.
        impulse: of rows in the step, in N s or N m s.
    """

    jacobian: Array
    demanded: Array
    bodies: Array
    softness: Array
    one_sided: Array
    springs: int
    handed: int
    impulse: Array


class Island(NamedTuple):
    """An island of bodies.

    Attributes:
        bodies, blocks, rows: numbers of its bodies, blocks and link rows. place: index of each body, -1 if outside.
        layout: of its matrix, empty if it is large. moved: M^-1 C^T for the two bodies of each link row, with the
            Jacobian C of its links. base: factors of C M^-1 C^T. reached: see `few_blocks`, empty if it has many.
    """

    bodies: Array
    blocks: Array
    rows: Array
    place: Array
    layout: Layout
    moved: Array
    base: Array
    reached: Array


class Problem(NamedTuple):
    """The step of an island: bodies, laws, links and blocks of the whole step, and the island."""

    bodies: MovingBodies
    laws: Laws
    links: Links
    blocks: Array
    island: Island


def no_problem() -> Problem:
    """An empty problem, for its type."""
    none = np.zeros(0)
    matrices = np.zeros((0, 3, 3))
    numbers = np.zeros(0, np.int64)
    bodies = MovingBodies(matrices, none, matrices, matrices, none, none)
    links = Links(np.zeros((0, 0)), none, np.zeros((0, 2), np.int64), none, numbers, 0, 0, none)
    layout = Layout(numbers, numbers, 0)
    moved = np.zeros((0, 2, SPEED_WIDTH))
    island = Island(numbers, numbers, numbers, numbers, layout, moved, np.zeros((0, 0)), none)
    return Problem(bodies, no_laws(), links, np.zeros(0, BLOCK), island)


PROBLEM = typeof(no_problem())
VELOCITIES = types.float64[::1]
EFFORT = types.Tuple((types.int64, types.float64))
SOLVED = types.Tuple((types.int64, types.float64, types.float64))
"""Types of a problem, of packed velocities, of iterations with a residual, and of these with the residual up to which
the island counts as solved, for sealed kernels."""


@kernel
def own(values: Array, body: int) -> Array:
    """The entries of a body in packed velocities or impulses."""
    return values[SPEED_WIDTH * body : SPEED_WIDTH * (body + 1)]


@kernel
def momentum(bodies: MovingBodies, body: int, change: Array, out: Array) -> None:
    """Mass matrix of a body times a change of its velocity."""
    for i in range(3):
        out[i] = bodies.mass[body] * change[i]
        total = 0.0
        for k in range(3):
            total += bodies.inertia[body, i, k] * change[3 + k]
        out[3 + i] = total


@kernel
def kinetic(bodies: MovingBodies, body: int, impulse: Array, other: Array) -> float:
    """p^T M^-1 q of a body for two impulses."""
    total = 0.0
    for i in range(3):
        total += impulse[i] * other[i] / bodies.mass[body]
        for k in range(3):
            total += impulse[3 + i] * bodies.mobility[body, i, k] * other[3 + k]
    return total


@kernel
def yield_to(bodies: MovingBodies, body: int, p: Array) -> None:
    """Change of the velocity of a body that no link holds, by an impulse p, in place."""
    turn = (p[3], p[4], p[5])
    for i in range(3):
        p[i] /= bodies.mass[body]
        mobility = bodies.mobility[body, i]
        p[3 + i] = mobility[0] * turn[0] + mobility[1] * turn[1] + mobility[2] * turn[2]


@kernel
def link_compliance(bodies: MovingBodies, links: Links, row: int) -> float:
    """Velocity of a link row by a unit impulse of it."""
    total = 0.0
    for body in links.bodies[row]:
        if body >= 0:
            part = own(links.jacobian[row], body)
            total += kinetic(bodies, body, part, part)
    return total


@kernel
def put_moved(bodies: MovingBodies, links: Links, rows: Array, moved: Array) -> None:
    """Write the velocities of both bodies of each link row by a unit impulse of it."""
    for c in range(rows.size):
        for side in range(2):
            body = links.bodies[rows[c], side]
            if body >= 0:
                for i in range(SPEED_WIDTH):
                    moved[c, side, i] = links.jacobian[rows[c], SPEED_WIDTH * body + i]
                yield_to(bodies, body, moved[c, side])


@kernel
def put_base(links: Links, rows: Array, moved: Array, base: Array) -> None:
    """Write and factor the velocities of all link rows by a unit impulse of each."""
    width = base.shape[1] - 1
    jacobian = links.jacobian
    ends = links.bodies
    for c in range(rows.size):
        row = rows[c]
        for d in range(max(c - width, 0), c + 1):
            total = 0.0
            for side in range(2):
                body = ends[rows[d], side]
                if body >= 0 and (body == ends[row, 0] or body == ends[row, 1]):
                    k = SPEED_WIDTH * body
                    for i in range(SPEED_WIDTH):
                        total += jacobian[row, k + i] * moved[d, side, i]
            base[c, d - c + width] = total
        base[c, width] = (1.0 + SOFTNESS) * base[c, width] + links.softness[row]
    symmetric_factor(base, SINGULAR)


@kernel
def is_large(bodies: int, rows: int) -> bool:
    """Whether an island with so many bodies and link rows is large."""
    return bodies > (LARGE_LINKED if rows > 0 else LARGE)


@kernel
def holding_rows(links: Links, rows: Array) -> Array:
    """Those of some rows that do not let go."""
    found = np.empty(rows.size, np.int64)
    count = 0
    for row in rows:
        if links.softness[row] < LOOSE:
            found[count] = row
            count += 1
    return found[:count]


@kernel
def island_at(groups: Groups, i: int, bodies: MovingBodies, links: Links, blocks: Array, place: Array) -> Island:
    """The island of a number; `place` receives the index of each of its bodies."""
    members = groups.bodies[groups.bodies_at[i] : groups.bodies_at[i + 1]]
    for n in range(members.size):
        place[members[n]] = n
    numbers = groups.blocks[groups.blocks_at[i] : groups.blocks_at[i + 1]]
    rows = holding_rows(links, groups.rows[groups.rows_at[i] : groups.rows_at[i + 1]])
    layout = Layout(rows[:0], rows[:0], 0)
    if not is_large(members.size, rows.size):
        layout = arranged(members, numbers, blocks, rows, links.bodies, place)
    moved = np.zeros((rows.size, 2, SPEED_WIDTH))
    put_moved(bodies, links, rows, moved)
    base = np.empty((rows.size, rows_apart(rows, links.bodies) + 1))
    put_base(links, rows, moved, base)
    size = reach_size(members.size, rows.size, blocks, numbers)
    return Island(members, numbers, rows, place, layout, moved, base, np.zeros(size))


@kernel
def reach_size(bodies: int, rows: int, blocks: Array, numbers: Array) -> int:
    """Numbers that `few_blocks` needs for the blocks of an island; none if it has many of them, or no links."""
    if is_large(bodies, rows) or rows == 0:
        return 0
    directions = 0
    for e in numbers:
        directions += 3 if blocks[e].kind == CONTACT and blocks[e].turns == 0 else SPEED_WIDTH
    return 1 + directions * directions if 2 * directions <= SPEED_WIDTH * bodies + rows else 0


@kernel
def leave_island(island: Island) -> None:
    """Clear the indices of the bodies of an island."""
    for body in island.bodies:
        island.place[body] = -1


@kernel
def row_speed(jacobian: Array, ends: Array, place: Array, row: int, motion: Array) -> float:
    """Velocity of a link row at a motion of its island; `ends` are the bodies of all rows."""
    speed = 0.0
    for side in range(2):
        body = ends[row, side]
        if body >= 0:
            j = SPEED_WIDTH * body
            k = SPEED_WIDTH * place[body]
            for i in range(SPEED_WIDTH):
                speed += jacobian[row, j + i] * motion[k + i]
    return speed


@kernel
def pull_rows(ends: Array, place: Array, rows: Array, moved: Array, pulls: Array, motion: Array) -> None:
    """Add the velocities by impulses of link rows to a motion of their island."""
    for c in range(rows.size):
        for side in range(2):
            body = ends[rows[c], side]
            if body >= 0:
                k = SPEED_WIDTH * place[body]
                for i in range(SPEED_WIDTH):
                    motion[k + i] += pulls[c] * moved[c, side, i]


@kernel
def respond(bodies: MovingBodies, links: Links, island: Island, p: Array) -> None:
    """Change of the velocities of an island by impulses p, in place; behind them p holds what link rows demand.

    The impulses of the links take the place of the demands.
    """
    for n in range(island.bodies.size):
        yield_to(bodies, island.bodies[n], own(p, n))
    if island.rows.size == 0:
        return
    pulls = p[SPEED_WIDTH * island.bodies.size :]
    jacobian = links.jacobian
    ends = links.bodies
    place = island.place
    rows = island.rows
    for c in range(rows.size):
        pulls[c] -= row_speed(jacobian, ends, place, rows[c], p)
    symmetric_solve(island.base, pulls)
    pull_rows(ends, place, rows, island.moved, pulls, p)


@kernel
def full_speed(jacobian: Array, ends: Array, row: int, w: Array) -> float:
    """Velocity of a link row at packed velocities of all bodies."""
    speed = 0.0
    for side in range(2):
        body = ends[row, side]
        if body >= 0:
            for i in range(SPEED_WIDTH * body, SPEED_WIDTH * (body + 1)):
                speed += jacobian[row, i] * w[i]
    return speed


@kernel
def put_missing(links: Links, island: Island, w: Array, sign: float, out: Array) -> None:
    """Write what the link rows of an island miss of their demanded velocities at velocities w, times a sign."""
    jacobian = links.jacobian
    ends = links.bodies
    demanded = links.demanded
    rows = island.rows
    for c in range(rows.size):
        out[c] = sign * (demanded[rows[c]] - full_speed(jacobian, ends, rows[c], w))


@kernel
def free_island(bodies: MovingBodies, links: Links, island: Island, force: Array, h: float, w: Array) -> None:
    """Velocities w of an island at the end of the step under other forces, its links, and forces of ours.

    The impulses of its link rows are kept.
    """
    many = SPEED_WIDTH * island.bodies.size
    p = np.empty(many + island.rows.size)
    for n in range(island.bodies.size):
        for i in range(SPEED_WIDTH):
            k = SPEED_WIDTH * island.bodies[n] + i
            p[SPEED_WIDTH * n + i] = bodies.impulse[k] + h * force[k]
    put_missing(links, island, bodies.w, 1.0, p[many:])
    respond(bodies, links, island, p)
    for c in range(island.rows.size):
        links.impulse[island.rows[c]] = p[many + c]
    for n in range(island.bodies.size):
        for i in range(SPEED_WIDTH):
            k = SPEED_WIDTH * island.bodies[n] + i
            w[k] = bodies.w[k] + p[SPEED_WIDTH * n + i]


@kernel
def energy_of(bodies: MovingBodies, island: Island, motion: Array) -> float:
    """Twice the kinetic energy in J of velocities of an island."""
    total = 0.0
    mass = bodies.mass
    inertia = bodies.inertia
    for n in range(island.bodies.size):
        body = island.bodies[n]
        k = SPEED_WIDTH * n
        for i in range(3):
            total += mass[body] * motion[k + i] * motion[k + i]
            for j in range(3):
                total += motion[k + 3 + i] * inertia[body, i, j] * motion[k + 3 + j]
    return total


@kernel
def change_of(bodies: MovingBodies, island: Island) -> float:
    """Twice the kinetic energy in J of what the impulses of the other forces change in the step."""
    total = 0.0
    for body in island.bodies:
        impulse = own(bodies.impulse, body)
        total += kinetic(bodies, body, impulse, impulse)
    return total


@kernel
def scale_of(bodies: MovingBodies, island: Island) -> float:
    """Twice the kinetic energy of the velocities and of the impulses of the other forces, in J."""
    total = 1e-300 + change_of(bodies, island)
    p = np.empty(SPEED_WIDTH)
    for body in island.bodies:
        momentum(bodies, body, own(bodies.w, body), p)
        total += kinetic(bodies, body, p, p)
    return total


@kernel
def set_island(island: Island, values: Array, w: Array) -> None:
    """Copy the velocities of an island from other packed velocities of all bodies."""
    for body in island.bodies:
        for i in range(SPEED_WIDTH * body, SPEED_WIDTH * (body + 1)):
            w[i] = values[i]
