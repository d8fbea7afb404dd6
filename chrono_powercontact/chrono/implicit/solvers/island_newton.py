"""Newton's method on the velocities at the end of the step, for one island of bodies at a time.

M (w' - w) - R - h J^T f(J w') - C^T l = 0 and C w' = b: M is the mass matrix, R holds Chrono's impulses of all other
forces, f are the forces of the blocks, C is the Jacobian of the links that connect the bodies. Velocities satisfy the
links from the start. The size of a residual g is twice the kinetic energy of P g, with P the inverse mass of the
mechanism, P = M^-1 - M^-1 C^T (C M^-1 C^T)^-1 C M^-1. The line search halves a step until this falls.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ....kernel import kernel
from ....numerics.copying import put
from ....sealed import sealed
from ...contact.bodies import SPEED_WIDTH
from ..blocks import add_wrench, twist_of
from ..island import (
    EFFORT,
    PROBLEM,
    SOLVED,
    VELOCITIES,
    Island,
    Problem,
    change_of,
    energy_of,
    is_large,
    put_missing,
    respond,
    row_speed,
    scale_of,
    set_island,
)
from ..local_forces import AMPLITUDE_LAGS, AT_ONCE, SECANT_LAGS, evaluate_block, lag_behind
from .direct_step import direct_step
from .few_blocks import few_blocks_step
from .krylov_step import krylov_step
from .large_island import can_be_swept, has_contacts_only, solve_by_sweeps

Array = Any

MOST_ITERATIONS = 30
MOST_HALVINGS = 12
MOST_TRIALS = 12
CLOSE = 1e-10
NEARLY = 1e-7
"""Residual, relative to the impulses of the step and the momenta, at which the iteration ends; and the largest one that
is accepted if it falls no further."""
NEAR = 1e-3
"""Residual of velocities with which no others are tried to begin with."""
FAIRLY = 1e-6
AMPLITUDE = 1e-4
MOST_LAGS = 4
"""The same for a large island; residual at which friction follows the normal forces closely enough; and how often it is
made to follow."""
ROUGHLY = 3e-3
MOST_SWEEPS = 15
"""Change of the velocities by a sweep, relative to the speeds and to what other forces change in the step, at which
sweeps over a large island end; and how many there are at the most."""
FIRST_SWEEPS = 6
MANY_SWEEPS = 100
"""Number of sweeps before Newton's method in a small island, and at the most before it is tried again."""
POOR = 1e-6
STILL_MOVING = 0.05
"""Relative residual above which a small island counts as not converged, and the change of the last sweep above which a
large one, or one in motion, does."""
SLOW = 0.999
"""Fraction by which the residual must fall in an iteration."""
FEW = 4
FAST = 5.0
MOVING = 0.01
"""Number of bodies up to which an island is always solved to round-off. A larger one counts as in motion if its speeds
exceed what other forces change in the step by a factor, and the forces of the last step leave a larger residual."""


@kernel
def put_unbalanced(
    mass: Array, inertia: Array, start: Array, impulse: Array, force: Array, members: Array, w: Array, g: Array
) -> None:
    """Write what momenta of an island at velocities w exceed those at the start, other impulses and our forces."""
    for n in range(members.size):
        body = members[n]
        k = SPEED_WIDTH * body
        at = SPEED_WIDTH * n
        for i in range(3):
            turned = 0.0
            for j in range(3):
                turned += inertia[body, i, j] * (w[k + 3 + j] - start[k + 3 + j])
            g[at + i] = mass[body] * (w[k + i] - start[k + i]) - impulse[k + i] - force[k + i]
            g[at + 3 + i] = turned - impulse[k + 3 + i] - force[k + 3 + i]


@sealed(types.void(PROBLEM, VELOCITIES, types.boolean, types.int64))
def evaluate_blocks(problem: Problem, w: Array, slopes: bool, lag: int) -> None:
    """Write the wrenches of all blocks of an island at trial velocities w and, if asked, their slopes."""
    laws = problem.laws
    for e in problem.island.blocks:
        block = problem.blocks[e]
        evaluate_block(laws, block, laws.stiffness[e], twist_of(block, problem.bodies.r, w), slopes, lag)


@sealed(types.float64(PROBLEM, VELOCITIES, types.int64, VELOCITIES))
def residual(problem: Problem, w: Array, lag: int, g: Array) -> float:
    """Residual g of an island at trial velocities w, and its size squared: twice the kinetic energy of what is missing.

    Behind the residual of the bodies g holds what the links miss. For `lag` see AT_ONCE.
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
    evaluate_blocks(problem, w, False, lag)
    for e in island.blocks:
        add_wrench(blocks[e], bodies.r, laws.h, force)
    put_unbalanced(bodies.mass, bodies.inertia, bodies.w, bodies.impulse, force, island.bodies, w, g)
    put_missing(links, island, w, -1.0, g[many:])
    p = g.copy()
    respond(bodies, links, island, p)
    return energy_of(bodies, island, p)


@sealed(types.boolean(PROBLEM, VELOCITIES, types.int64, VELOCITIES))
def newton_step(problem: Problem, w: Array, lag: int, g: Array) -> bool:
    """The step of Newton's method at velocities w, in place of the residual g; False if there is none."""
    island = problem.island
    evaluate_blocks(problem, w, True, lag)
    if is_large(island.bodies.size, island.rows.size):
        return krylov_step(problem, g)
    if island.reached.size > 0:
        return few_blocks_step(problem, g)
    return direct_step(problem, g)


@kernel
def move(island: Island, w: Array, step: Array, factor: float) -> None:
    """Subtract a Newton step, times a factor, from the velocities of an island."""
    for n in range(island.bodies.size):
        for i in range(SPEED_WIDTH):
            w[SPEED_WIDTH * island.bodies[n] + i] -= factor * step[SPEED_WIDTH * n + i]


@sealed(types.float64(PROBLEM, VELOCITIES, VELOCITIES, types.float64, VELOCITIES))
def begin_island(problem: Problem, w: Array, free: Array, close: float, g: Array) -> float:
    """Choose the velocities to begin with: w from the forces of the last step, or nearer ones.

    These come from a few sweeps over contacts. In an island with links they are those at the start of the step, which
    friction that falls with the speed keeps sticking as long as it can, or those without forces of ours.
    """
    island = problem.island
    warm = residual(problem, w, AT_ONCE, g)
    if warm <= close:
        return warm
    if has_contacts_only(problem):
        swept = problem.laws.trial
        set_island(island, w, swept)
        solve_by_sweeps(problem, swept, free, close, close, FIRST_SWEEPS)
        if residual(problem, swept, AT_ONCE, g) < warm:
            set_island(island, swept, w)
    else:
        still = residual(problem, problem.bodies.w, AT_ONCE, g)
        if still < warm:
            set_island(island, problem.bodies.w, w)
            warm = still
            if still <= NEAR * NEAR / (CLOSE * CLOSE) * close:
                return still
        cold = residual(problem, free, AT_ONCE, g)
        if cold < warm:
            set_island(island, free, w)
            return cold
    return residual(problem, w, AT_ONCE, g)


@kernel
def search_line(problem: Problem, w: Array, step: Array, before: float, g: Array) -> float:
    """Go along a Newton step as far as the residual falls; returns its size, `before` if it falls nowhere."""
    island = problem.island
    factor = 1.0
    move(island, w, step, factor)
    missing = residual(problem, w, AT_ONCE, g)
    for _ in range(MOST_HALVINGS):
        if missing < before:
            return missing
        move(island, w, step, -0.5 * factor)
        factor *= 0.5
        missing = residual(problem, w, AT_ONCE, g)
    if missing < before:
        return missing
    move(island, w, step, -factor)
    residual(problem, w, AT_ONCE, g)
    return before


@sealed(EFFORT(PROBLEM, VELOCITIES, types.float64, types.float64, VELOCITIES))
def newton(problem: Problem, w: Array, close: float, missing: float, g: Array) -> tuple[int, float]:
    """Newton's method from the velocities w with residual g; returns iterations and the size of the residual."""
    iterations = 0
    while missing > close and iterations < MOST_ITERATIONS:
        iterations += 1
        if not newton_step(problem, w, AT_ONCE, g):
            break
        before = missing
        missing = search_line(problem, w, g.copy(), before, g)
        if not missing < SLOW * before:
            break
    return iterations, missing


@kernel
def begin_without_forces(problem: Problem) -> None:
    """Let the blocks of an island exert nothing: forces of a trial that is far from a solution say nothing."""
    for e in problem.island.blocks:
        block = problem.blocks[e]
        block.load = 0.0
        block.elastic = 0.0
        block.force[:] = 0.0
        block.moment[:] = 0.0


@sealed(EFFORT(PROBLEM, VELOCITIES, VELOCITIES, types.float64, VELOCITIES))
def newton_after_sweeps(problem: Problem, w: Array, free: Array, close: float, g: Array) -> tuple[int, float]:
    """Newton's method from where sweeps over the contacts lead; returns sweeps with iterations, and the residual."""
    begin_without_forces(problem)
    sweeps, _ = solve_by_sweeps(problem, w, free, close, close, MANY_SWEEPS)
    iterations, missing = newton(problem, w, close, residual(problem, w, AT_ONCE, g), g)
    return sweeps + iterations, missing


@kernel
def slope_along(problem: Problem, g: Array, step: Array) -> float:
    """Slope of the potential of a lagged problem along a step."""
    island = problem.island
    links = problem.links
    many = SPEED_WIDTH * island.bodies.size
    total = 0.0
    for i in range(many):
        total += g[i] * step[i]
    for c in range(island.rows.size):
        row = island.rows[c]
        if row >= links.springs:
            speed = row_speed(links.jacobian, links.bodies, island.place, row, step)
            total += g[many + c] * speed / links.softness[row]
    return total


@kernel
def descend(problem: Problem, w: Array, step: Array, lag: int, g: Array) -> None:
    """Go along a step to where the potential of a lagged problem is least, by regula falsi on its slope."""
    island = problem.island
    first = slope_along(problem, g, step)
    low = 0.0
    at_low = first
    high = 1.0
    move(island, w, step, 1.0)
    residual(problem, w, lag, g)
    at_high = slope_along(problem, g, step)
    factor = 1.0
    slope = at_high
    for _ in range(MOST_HALVINGS):
        if abs(slope) <= 0.2 * abs(first) or (factor == 1.0 and slope > 0.0):
            return
        guess = low + (high - low) * min(max(at_low / (at_low - at_high), 0.1), 0.9)
        move(island, w, step, guess - factor)
        factor = guess
        residual(problem, w, lag, g)
        slope = slope_along(problem, g, step)
        if slope > 0.0:
            low = guess
            at_low = slope
        else:
            high = guess
            at_high = slope


@sealed(types.int64(PROBLEM, VELOCITIES, types.float64, types.int64, VELOCITIES))
def solve_lagged(problem: Problem, w: Array, close: float, lag: int, g: Array) -> int:
    """Minimise the potential of the problem in which friction lags; returns the iterations."""
    bodies = problem.bodies
    island = problem.island
    missing = residual(problem, w, lag, g)
    for iteration in range(MOST_ITERATIONS):
        if missing <= close:
            return iteration
        step = g.copy()
        if not newton_step(problem, w, lag, step):
            return iteration
        if not slope_along(problem, g, step) > 0.0:
            put(g, step)
            respond(bodies, problem.links, island, step)
        descend(problem, w, step, lag, g)
        missing = residual(problem, w, lag, g)
    return MOST_ITERATIONS


@kernel
def take_loads(problem: Problem, w: Array, relaxed: float) -> None:
    """Let friction that lags follow the last trial, at velocities w: its normal forces by a fraction."""
    for e in problem.island.blocks:
        block = problem.blocks[e]
        now = 0.0
        for i in range(3):
            now += block.force[i] * block.normal[i]
        block.load += relaxed * (now - block.load)
        lag_behind(problem.laws, block, twist_of(block, problem.bodies.r, w))


@kernel
def follow_lagged(problem: Problem, w: Array, close: float, lag: int, g: Array) -> tuple[int, float]:
    """Solve with friction that lags, and let it follow, until Newton's method converges from there.

    Returns iterations and the size of the residual. If that is not close, w and the forces are those of the last lagged
    problem.
    """
    iterations = 0
    missing = np.inf
    island = problem.island
    start = problem.laws.trial
    set_island(island, w, start)
    for trial in range(MOST_TRIALS):
        iterations += solve_lagged(problem, w, close, lag, g)
        set_island(island, w, start)
        missing = residual(problem, w, AT_ONCE, g)
        more, missing = newton(problem, w, close, missing, g)
        iterations += more
        if missing <= close:
            return iterations, missing
        set_island(island, start, w)
        residual(problem, w, lag, g)
        take_loads(problem, w, 1.0 if trial < MOST_TRIALS // 2 else 0.5)
    iterations += solve_lagged(problem, w, close, lag, g)
    missing = residual(problem, w, AT_ONCE, g)
    residual(problem, w, lag, g)
    return iterations, missing


@sealed(EFFORT(PROBLEM, VELOCITIES, VELOCITIES, types.float64, VELOCITIES))
def solve_stepwise(problem: Problem, w: Array, free: Array, close: float, g: Array) -> tuple[int, float]:
    """Solve with friction that lags behind its normal forces and, if that fails, behind its sliding speeds as well.

    If neither leads to the solution, the forces are those of the last lagged problem: friction then has an approximate
    amplitude, but supplies no energy, because its secant resists.
    """
    iterations = 0
    missing = np.inf
    for lag in (AMPLITUDE_LAGS, SECANT_LAGS):
        set_island(problem.island, free, w)
        for e in problem.island.blocks:
            block = problem.blocks[e]
            block.load = 0.0
            lag_behind(problem.laws, block, twist_of(block, problem.bodies.r, w))
        more, missing = follow_lagged(problem, w, close, lag, g)
        iterations += more
        if missing <= close:
            break
    return iterations, missing


@sealed(EFFORT(PROBLEM, VELOCITIES, VELOCITIES, types.float64))
def solve_large(problem: Problem, w: Array, free: Array, scale: float) -> tuple[int, float]:
    """Solve a large island with friction that lags behind the normal forces, which at first are those of the last step.

    Returns iterations and the size of the residual.
    """
    island = problem.island
    g = np.empty(SPEED_WIDTH * island.bodies.size + island.rows.size)
    close = FAIRLY * FAIRLY * scale
    lag = AMPLITUDE_LAGS
    take_loads(problem, w, 0.0)
    warm = residual(problem, w, lag, g)
    if not warm <= residual(problem, free, lag, g):
        set_island(island, free, w)
    iterations = solve_lagged(problem, w, close, lag, g)
    for _ in range(MOST_LAGS):
        if residual(problem, w, AT_ONCE, g) <= AMPLITUDE * AMPLITUDE * scale:
            break
        take_loads(problem, w, 1.0)
        iterations += solve_lagged(problem, w, close, lag, g)
    return iterations, residual(problem, w, lag, g)


@kernel
def is_in_motion(problem: Problem, w: Array, scale: float) -> bool:
    """Whether an island of several bodies in contact is far from rest: it is fast, and the last forces do not fit."""
    if problem.island.bodies.size <= FEW or not has_contacts_only(problem):
        return False
    if not scale > (1.0 + FAST * FAST) * change_of(problem.bodies, problem.island):
        return False
    g = np.empty(SPEED_WIDTH * problem.island.bodies.size)
    return residual(problem, w, AT_ONCE, g) > MOVING * MOVING * scale


@sealed(EFFORT(PROBLEM, VELOCITIES, VELOCITIES, types.float64))
def solve_roughly(problem: Problem, w: Array, free: Array, scale: float) -> tuple[int, float]:
    """Forces of a large island or of one in motion; returns iterations and the size of the residual."""
    if has_contacts_only(problem):
        enough = ROUGHLY * ROUGHLY * scale
        return solve_by_sweeps(problem, w, free, CLOSE * CLOSE * scale, enough, MOST_SWEEPS)
    return solve_large(problem, w, free, scale)


@sealed(EFFORT(PROBLEM, VELOCITIES, VELOCITIES, types.float64))
def solve_closely(problem: Problem, w: Array, free: Array, scale: float) -> tuple[int, float]:
    """Forces of a small island to round-off; returns iterations and the size of the residual."""
    island = problem.island
    g = np.empty(SPEED_WIDTH * island.bodies.size + island.rows.size)
    close = CLOSE * CLOSE * scale
    missing = begin_island(problem, w, free, close, g)
    iterations, missing = newton(problem, w, close, missing, g)
    if missing > NEARLY * NEARLY * scale and can_be_swept(problem):
        more, missing = newton_after_sweeps(problem, w, free, close, g)
        iterations += more
    if missing > NEARLY * NEARLY * scale:
        more, missing = solve_stepwise(problem, w, free, close, g)
        iterations += more
    return iterations, missing


@sealed(SOLVED(PROBLEM, VELOCITIES, VELOCITIES))
def solve_island(problem: Problem, w: Array, free: Array) -> tuple[int, float, float]:
    """Forces of an island, from the velocities w, in place.

    Returns iterations, the residual relative to the impulses of the other forces and the momenta, and the one up to
    which the island counts as solved.
    """
    scale = scale_of(problem.bodies, problem.island)
    large = is_large(problem.island.bodies.size, problem.island.rows.size)
    iterations = 0
    if large or is_in_motion(problem, w, scale):
        iterations, missing = solve_roughly(problem, w, free, scale)
        if large or missing <= STILL_MOVING * STILL_MOVING * scale:
            return iterations, np.sqrt(missing / scale), STILL_MOVING
    more, missing = solve_closely(problem, w, free, scale)
    return iterations + more, np.sqrt(missing / scale), POOR
