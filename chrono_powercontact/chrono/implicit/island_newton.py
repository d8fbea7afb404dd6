"""Newton's method on the velocities at the end of the step, for one island of bodies at a time.

M (w' - w) - R - h J^T f(J w') - C^T l = 0 and C w' = b: M is the mass matrix, R holds Chrono's impulses of all other
forces, f are the forces of the blocks, C is the Jacobian of the links that connect the bodies. The matrix is dense over
the bodies of an island. Velocities satisfy the links from the start. The size of a residual g is twice the
kinetic energy of P g, with P the inverse mass of the mechanism, P = M^-1 - M^-1 C^T (C M^-1 C^T)^-1 C M^-1.
The line search halves a step until this falls.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel import kernel
from ...numerics.lu import lu_factor, lu_solve
from ..contact.bodies import SPEED_WIDTH
from .blocks import add_wrench, twist_of
from .local_forces import Laws, evaluate_block, is_rotary

Array = Any

MOST_ITERATIONS = 30
MOST_HALVINGS = 12
MOST_TRIALS = 12
CLOSE = 1e-10
NEARLY = 1e-7
"""Residual, relative to the impulses of the step and the momenta, at which the iteration ends; and the largest one that
is accepted if it falls no further."""
SLOW = 0.999
"""Fraction by which the residual must fall in an iteration."""
SINGULAR = 1e-300
SOFTNESS = 1e-11
"""Compliance of links, relative to that of their bodies: it keeps redundant links regular."""


class Bodies(NamedTuple):
    """The bodies on the load in the step.

    Attributes:
        r: rotation matrices. mass: in kg, zero if a body does not move. inertia, mobility: in kg m^2 about body-fixed
            axes, and its inverse. w: velocities at the start. impulse: R, by body.
    """

    r: Array
    mass: Array
    inertia: Array
    mobility: Array
    w: Array
    impulse: Array


class Links(NamedTuple):
    """Links between the bodies: rows of their Jacobian over all bodies on the load, and the velocities they demand."""

    jacobian: Array
    demanded: Array


class Island(NamedTuple):
    """An island of bodies.

    Attributes:
        bodies, blocks, rows: numbers of its bodies, blocks and link rows. place: index of each body, -1 if outside.
        base, order: factors of the mass matrix with the links; empty if there are no links.
    """

    bodies: Array
    blocks: Array
    rows: Array
    place: Array
    base: Array
    order: Array


class Problem(NamedTuple):
    """The step of an island: bodies, laws, links and blocks of the whole step, and the island."""

    bodies: Bodies
    laws: Laws
    links: Links
    blocks: Array
    island: Island


@kernel
def momentum(bodies: Bodies, body: int, change: Array, out: Array) -> None:
    """Mass matrix of a body times a change of its velocity."""
    for i in range(3):
        out[i] = bodies.mass[body] * change[i]
        total = 0.0
        for k in range(3):
            total += bodies.inertia[body, i, k] * change[3 + k]
        out[3 + i] = total


@kernel
def kinetic(bodies: Bodies, body: int, impulse: Array) -> float:
    """p^T M^-1 p of a body."""
    total = 0.0
    for i in range(3):
        total += impulse[i] * impulse[i] / bodies.mass[body]
        for k in range(3):
            total += impulse[3 + i] * bodies.mobility[body, i, k] * impulse[3 + k]
    return total


@kernel
def put_masses(bodies: Bodies, links: Links, island: Island, matrix: Array) -> None:
    """Write the mass matrix of an island with its links, [M, -C^T; C, softness]."""
    matrix[:, :] = 0.0
    many = SPEED_WIDTH * island.bodies.size
    for n in range(island.bodies.size):
        body = island.bodies[n]
        k = SPEED_WIDTH * n
        for i in range(3):
            matrix[k + i, k + i] = bodies.mass[body]
            for j in range(3):
                matrix[k + 3 + i, k + 3 + j] = bodies.inertia[body, i, j]
    for c in range(island.rows.size):
        row = links.jacobian[island.rows[c]]
        compliance = 0.0
        for n in range(island.bodies.size):
            body = island.bodies[n]
            compliance += kinetic(bodies, body, row[SPEED_WIDTH * body : SPEED_WIDTH * (body + 1)])
            for i in range(SPEED_WIDTH):
                matrix[SPEED_WIDTH * n + i, many + c] = -row[SPEED_WIDTH * body + i]
                matrix[many + c, SPEED_WIDTH * n + i] = row[SPEED_WIDTH * body + i]
        matrix[many + c, many + c] = SOFTNESS * compliance


@kernel
def respond(bodies: Bodies, island: Island, p: Array) -> None:
    """Change of the velocities of an island by impulses p, in place; behind them p holds what link rows demand."""
    if island.rows.size > 0:
        lu_solve(island.base, island.order, p)
        return
    for n in range(island.bodies.size):
        body = island.bodies[n]
        k = SPEED_WIDTH * n
        turn = (p[k + 3], p[k + 4], p[k + 5])
        for i in range(3):
            p[k + i] /= bodies.mass[body]
            mobility = bodies.mobility[body, i]
            p[k + 3 + i] = mobility[0] * turn[0] + mobility[1] * turn[1] + mobility[2] * turn[2]


@kernel
def missing_motion(links: Links, island: Island, w: Array, c: int) -> float:
    """What a link row of an island misses of its demanded velocity at velocities w."""
    row = links.jacobian[island.rows[c]]
    missing = links.demanded[island.rows[c]]
    for body in island.bodies:
        for i in range(SPEED_WIDTH * body, SPEED_WIDTH * (body + 1)):
            missing -= row[i] * w[i]
    return missing


@kernel
def free_island(bodies: Bodies, links: Links, island: Island, force: Array, h: float, w: Array) -> None:
    """Velocities w of an island at the end of the step under other forces, its links, and forces of ours."""
    p = np.empty(SPEED_WIDTH * island.bodies.size + island.rows.size)
    for n in range(island.bodies.size):
        for i in range(SPEED_WIDTH):
            k = SPEED_WIDTH * island.bodies[n] + i
            p[SPEED_WIDTH * n + i] = bodies.impulse[k] + h * force[k]
    for c in range(island.rows.size):
        p[SPEED_WIDTH * island.bodies.size + c] = missing_motion(links, island, bodies.w, c)
    respond(bodies, island, p)
    for n in range(island.bodies.size):
        for i in range(SPEED_WIDTH):
            k = SPEED_WIDTH * island.bodies[n] + i
            w[k] = bodies.w[k] + p[SPEED_WIDTH * n + i]


@kernel
def residual(problem: Problem, w: Array, lagged: bool, g: Array) -> float:
    """Residual g of an island at trial velocities w, and its size squared: twice the kinetic energy of what is missing.

    Behind the residual of the bodies g holds what the links miss. For `lagged` see `contact_wrench`.
    """
    bodies = problem.bodies
    laws = problem.laws
    links = problem.links
    blocks = problem.blocks
    island = problem.island
    force = laws.force
    many = SPEED_WIDTH * island.bodies.size
    for body in island.bodies:
        for i in range(SPEED_WIDTH * body, SPEED_WIDTH * (body + 1)):
            force[i] = 0.0
    for e in island.blocks:
        block = blocks[e]
        evaluate_block(laws, block, laws.stiffness[e], twist_of(block, bodies.r, w), False, lagged)
        add_wrench(block, bodies.r, laws.h, force)
    change = np.empty(SPEED_WIDTH)
    for n in range(island.bodies.size):
        k = SPEED_WIDTH * island.bodies[n]
        for i in range(SPEED_WIDTH):
            change[i] = w[k + i] - bodies.w[k + i]
        part = g[SPEED_WIDTH * n : SPEED_WIDTH * (n + 1)]
        momentum(bodies, island.bodies[n], change, part)
        for i in range(SPEED_WIDTH):
            part[i] -= bodies.impulse[k + i] + force[k + i]
    for c in range(island.rows.size):
        g[many + c] = 0.0
    p = g.copy()
    respond(bodies, island, p)
    for c in range(island.rows.size):
        g[many + c] = -missing_motion(links, island, w, c)
    return energy_of(bodies, island, p)


@kernel
def energy_of(bodies: Bodies, island: Island, motion: Array) -> float:
    """Twice the kinetic energy in J of velocities of an island."""
    total = 0.0
    p = np.empty(SPEED_WIDTH)
    for n in range(island.bodies.size):
        part = motion[SPEED_WIDTH * n : SPEED_WIDTH * (n + 1)]
        momentum(bodies, island.bodies[n], part, p)
        for i in range(SPEED_WIDTH):
            total += p[i] * part[i]
    return total


@kernel
def lever(r: Array, body: int, arm: Any, out: Array) -> None:
    """Velocity of the end of an arm as a matrix times the velocity and the body-fixed angular velocity of a body."""
    m = r[body]
    for i in range(3):
        for j in range(3):
            out[i, j] = 1.0 if i == j else 0.0
    for k in range(3):
        out[0, 3 + k] = m[1, k] * arm[2] - m[2, k] * arm[1]
        out[1, 3 + k] = m[2, k] * arm[0] - m[0, k] * arm[2]
        out[2, 3 + k] = m[0, k] * arm[1] - m[1, k] * arm[0]


@kernel
def add_slopes(left: Array, slopes: Array, right: Array, factor: float, out: Array) -> None:
    """out += factor left^T slopes right, for 3 x n matrices left and right."""
    n = left.shape[1]
    for j in range(n):
        column = (
            slopes[0, 0] * right[0, j] + slopes[0, 1] * right[1, j] + slopes[0, 2] * right[2, j],
            slopes[1, 0] * right[0, j] + slopes[1, 1] * right[1, j] + slopes[1, 2] * right[2, j],
            slopes[2, 0] * right[0, j] + slopes[2, 1] * right[1, j] + slopes[2, 2] * right[2, j],
        )
        for i in range(n):
            out[i, j] += factor * (left[0, i] * column[0] + left[1, i] * column[1] + left[2, i] * column[2])


@kernel
def add_block_matrix(bodies: Bodies, laws: Laws, block: Any, place: Array, levers: Array, h: Array) -> None:
    """Subtract the slopes of a block's wrench, times the step, from the matrix of its island."""
    a = place[block.a]
    b = place[block.b]
    if a >= 0:
        lever(bodies.r, block.a, block.arm_a, levers[0])
    if b >= 0:
        lever(bodies.r, block.b, block.arm_b, levers[1])
    for i, side, sign in ((a, 0, 1.0), (b, 1, -1.0)):
        for j, other, reverse in ((a, 0, 1.0), (b, 1, -1.0)):
            if i >= 0 and j >= 0:
                part = h[6 * i : 6 * i + 6, 6 * j : 6 * j + 6]
                add_slopes(levers[side], block.by_v, levers[other], -laws.h * sign * reverse, part)
                if is_rotary(laws, block):
                    turned = bodies.r[block.a if side == 0 else block.b]
                    turned_j = bodies.r[block.a if other == 0 else block.b]
                    add_slopes(turned, block.by_turning, turned_j, -laws.h * sign * reverse, part[3:, 3:])


@kernel
def newton_matrix(problem: Problem, w: Array, lagged: bool, matrix: Array) -> None:
    """The matrix of Newton's method for an island at velocities w."""
    bodies = problem.bodies
    laws = problem.laws
    links = problem.links
    blocks = problem.blocks
    island = problem.island
    put_masses(bodies, links, island, matrix)
    levers = np.empty((2, 3, SPEED_WIDTH))
    for e in island.blocks:
        block = blocks[e]
        evaluate_block(laws, block, laws.stiffness[e], twist_of(block, bodies.r, w), True, lagged)
        add_block_matrix(bodies, laws, block, island.place, levers, matrix)


@kernel
def move(island: Island, w: Array, step: Array, factor: float) -> None:
    """Subtract a Newton step, times a factor, from the velocities of an island."""
    for n in range(island.bodies.size):
        for i in range(SPEED_WIDTH):
            w[SPEED_WIDTH * island.bodies[n] + i] -= factor * step[SPEED_WIDTH * n + i]


@kernel
def begin_island(problem: Problem, w: Array, free: Array, close: float, g: Array) -> float:
    """Choose the velocities to begin with: w from the forces of the last step, or those without our forces."""
    island = problem.island
    warm = residual(problem, w, False, g)
    if warm <= close:
        return warm
    cold = residual(problem, free, False, g)
    if cold < warm:
        for body in island.bodies:
            for i in range(SPEED_WIDTH * body, SPEED_WIDTH * (body + 1)):
                w[i] = free[i]
        return cold
    return residual(problem, w, False, g)


@kernel
def search_line(problem: Problem, w: Array, step: Array, before: float, g: Array) -> float:
    """Go along a Newton step as far as the residual falls; returns its size, `before` if it falls nowhere."""
    island = problem.island
    factor = 1.0
    move(island, w, step, factor)
    missing = residual(problem, w, False, g)
    for _ in range(MOST_HALVINGS):
        if missing < before:
            return missing
        move(island, w, step, -0.5 * factor)
        factor *= 0.5
        missing = residual(problem, w, False, g)
    if missing < before:
        return missing
    move(island, w, step, -factor)
    residual(problem, w, False, g)
    return before


@kernel
def newton(problem: Problem, w: Array, close: float, missing: float, g: Array) -> tuple[int, float]:
    """Newton's method from the velocities w with residual g; returns iterations and the size of the residual."""
    matrix = np.empty((g.size, g.size))
    order = np.empty(g.size, np.int64)
    iterations = 0
    while missing > close and iterations < MOST_ITERATIONS:
        iterations += 1
        newton_matrix(problem, w, False, matrix)
        if lu_factor(matrix, order, SINGULAR) == 0:
            break
        lu_solve(matrix, order, g)
        before = missing
        missing = search_line(problem, w, g.copy(), before, g)
        if not missing < SLOW * before:
            break
    return iterations, missing


@kernel
def slope_along(island: Island, g: Array, step: Array) -> float:
    """Slope of the potential of a lagged problem along a step."""
    total = 0.0
    for i in range(SPEED_WIDTH * island.bodies.size):
        total += g[i] * step[i]
    return total


@kernel
def descend(problem: Problem, w: Array, step: Array, g: Array) -> None:
    """Go along a step to where the potential of a lagged problem is least, by regula falsi on its slope."""
    island = problem.island
    first = slope_along(island, g, step)
    low = 0.0
    at_low = first
    high = 1.0
    move(island, w, step, 1.0)
    residual(problem, w, True, g)
    at_high = slope_along(island, g, step)
    factor = 1.0
    slope = at_high
    for _ in range(MOST_HALVINGS):
        if abs(slope) <= 0.2 * abs(first) or (factor == 1.0 and slope > 0.0):
            return
        guess = low + (high - low) * min(max(at_low / (at_low - at_high), 0.1), 0.9)
        move(island, w, step, guess - factor)
        factor = guess
        residual(problem, w, True, g)
        slope = slope_along(island, g, step)
        if slope > 0.0:
            low = guess
            at_low = slope
        else:
            high = guess
            at_high = slope


@kernel
def solve_lagged(problem: Problem, w: Array, close: float, g: Array) -> int:
    """Minimise the potential of the problem in which friction lags; returns the iterations."""
    bodies = problem.bodies
    island = problem.island
    matrix = np.empty((g.size, g.size))
    order = np.empty(g.size, np.int64)
    missing = residual(problem, w, True, g)
    for iteration in range(MOST_ITERATIONS):
        if missing <= close:
            return iteration
        newton_matrix(problem, w, True, matrix)
        step = g.copy()
        if lu_factor(matrix, order, SINGULAR) == 0:
            return iteration
        lu_solve(matrix, order, step)
        if not slope_along(island, g, step) > 0.0:
            for i in range(g.size):
                step[i] = g[i]
            respond(bodies, island, step)
        descend(problem, w, step, g)
        missing = residual(problem, w, True, g)
    return MOST_ITERATIONS


@kernel
def take_loads(blocks: Array, island: Island, relaxed: float) -> None:
    """Let friction follow the normal forces of the last trial, by a fraction."""
    for e in island.blocks:
        block = blocks[e]
        now = 0.0
        for i in range(3):
            now += block.force[i] * block.normal[i]
        block.load += relaxed * (now - block.load)


@kernel
def solve_stepwise(problem: Problem, w: Array, close: float, g: Array) -> tuple[int, float]:
    """Solve with friction that lags behind the normal forces, again and again, until Newton's method converges.

    If it never does, the forces are those of the last lagged problem: friction then has an approximate amplitude, but
    supplies no energy.
    """
    blocks = problem.blocks
    island = problem.island
    for e in island.blocks:
        blocks[e].load = 0.0
    iterations = 0
    start = w.copy()
    for trial in range(MOST_TRIALS):
        iterations += solve_lagged(problem, w, close, g)
        start[:] = w
        missing = residual(problem, w, False, g)
        more, missing = newton(problem, w, close, missing, g)
        iterations += more
        if missing <= close:
            return iterations, missing
        w[:] = start
        residual(problem, w, True, g)
        take_loads(blocks, island, 1.0 if trial < MOST_TRIALS // 2 else 0.5)
    solve_lagged(problem, w, close, g)
    missing = residual(problem, w, False, g)
    residual(problem, w, True, g)
    return iterations, missing


@kernel
def solve_island(problem: Problem, w: Array, free: Array) -> tuple[int, float]:
    """Forces of an island, from the velocities w, in place; returns iterations and the relative residual.

    The residual is relative to the impulses of the other forces and the momenta.
    """
    bodies = problem.bodies
    island = problem.island
    g = np.empty(SPEED_WIDTH * island.bodies.size + island.rows.size)
    scale = scale_of(bodies, island)
    close = CLOSE * CLOSE * scale
    missing = begin_island(problem, w, free, close, g)
    iterations, missing = newton(problem, w, close, missing, g)
    if missing > NEARLY * NEARLY * scale:
        for body in island.bodies:
            for i in range(SPEED_WIDTH * body, SPEED_WIDTH * (body + 1)):
                w[i] = free[i]
        more, missing = solve_stepwise(problem, w, close, g)
        iterations += more
    return iterations, np.sqrt(missing / scale)


@kernel
def scale_of(bodies: Bodies, island: Island) -> float:
    """Twice the kinetic energy of the velocities and of the impulses of the other forces, in J."""
    total = 1e-300
    p = np.empty(SPEED_WIDTH)
    for body in island.bodies:
        k = SPEED_WIDTH * body
        total += kinetic(bodies, body, bodies.impulse[k : k + SPEED_WIDTH])
        momentum(bodies, body, bodies.w[k : k + SPEED_WIDTH], p)
        total += kinetic(bodies, body, p)
    return total
