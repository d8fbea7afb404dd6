"""A Newton step of an island with links and few blocks: the unknowns are the velocities at the blocks alone.

P is the inverse mass of the mechanism (see `island_newton`), L gives the velocities at the blocks by those of the
bodies, and S holds the slopes of the blocks. The step u of the residual g solves u = P g + P L^T h S L u. The
velocities y = L u follow from (1 - h W S) y = L P g with W = L P L^T, a small matrix that is the same in all iterations
of a step. With the factors F D F^T = C M^-1 C^T of the links it is

W = L M^-1 L^T - B^T D^-1 B,  F B = C M^-1 L^T,

so that all unit impulses at the blocks go through the factors once, side by side.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ....kernel import kernel
from ....numerics.band import symmetric_forward
from ....numerics.lu import lu_factor, lu_solve
from ....numerics.vectors import Triple, cross, minus, plus
from ....sealed import sealed
from ...contact.bodies import SPEED_WIDTH, to_body, to_world
from ..island import PROBLEM, SINGULAR, VELOCITIES, Island, Links, Problem, own, respond, yield_to
from ..local_forces import is_rotary

Array = Any


@kernel
def directions_of(problem: Problem) -> Array:
    """Number of the first direction of each block of an island, and behind them the number of all.

    A block has three along the world axes, and three about them if it exerts moments of its own.
    """
    numbers = problem.island.blocks
    first = np.zeros(numbers.size + 1, np.int64)
    for m in range(numbers.size):
        first[m + 1] = first[m] + (SPEED_WIDTH if is_rotary(problem.laws, problem.blocks[numbers[m]]) else 3)
    return first


@kernel
def push(r: Array, place: Array, block: Any, force: Triple, turning: Triple, p: Array) -> None:
    """Add an impulse in N s at a block and one in N m s about it to impulses of its island."""
    for body, arm, sign in ((block.a, block.arm_a, 1.0), (block.b, block.arm_b, -1.0)):
        if place[body] >= 0:
            at = SPEED_WIDTH * place[body]
            moment = to_body(r, body, plus(cross(arm, force), turning))
            for k in range(3):
                p[at + k] += sign * force[k]
                p[at + 3 + k] += sign * moment[k]


@kernel
def push_along(r: Array, place: Array, block: Any, i: int, p: Array) -> None:
    """Add a unit impulse of a block along a world axis, or from 3 on about one, to impulses of its island."""
    axis = (1.0 * (i % 3 == 0), 1.0 * (i % 3 == 1), 1.0 * (i % 3 == 2))
    none = (0.0, 0.0, 0.0)
    push(r, place, block, axis if i < 3 else none, none if i < 3 else axis, p)


@kernel
def motion_of(r: Array, place: Array, u: Array, body: int, arm: Any) -> tuple[Triple, Triple]:
    """Velocity of the end of an arm on a body, and its angular velocity, in the world; zero outside the island."""
    if place[body] < 0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    at = SPEED_WIDTH * place[body]
    turning = to_world(r, body, (u[at + 3], u[at + 4], u[at + 5]))
    return plus((u[at], u[at + 1], u[at + 2]), cross(turning, arm)), turning


@kernel
def motion_at_blocks(problem: Problem, first: Array, u: Array, out: Array) -> None:
    """Relative velocity, and angular velocity where it counts, at all blocks by velocities u of their island."""
    r = problem.bodies.r
    place = problem.island.place
    numbers = problem.island.blocks
    for m in range(numbers.size):
        block = problem.blocks[numbers[m]]
        on_a = motion_of(r, place, u, block.a, block.arm_a)
        on_b = motion_of(r, place, u, block.b, block.arm_b)
        velocity = minus(on_a[0], on_b[0])
        turning = minus(on_a[1], on_b[1])
        for k in range(3):
            out[first[m] + k] = velocity[k]
            if first[m] + 3 < first[m + 1]:
                out[first[m] + 3 + k] = turning[k]


@kernel
def put_row_speeds(links: Links, island: Island, block: Any, u: Array, out: Array) -> None:
    """Write the velocities of link rows by velocities u of the bodies of a block; those of other rows stay."""
    jacobian = links.jacobian
    ends = links.bodies
    for c in range(island.rows.size):
        row = island.rows[c]
        for side in range(2):
            body = ends[row, side]
            if body >= 0 and (body == block.a or body == block.b):
                j = SPEED_WIDTH * body
                k = SPEED_WIDTH * island.place[body]
                for i in range(SPEED_WIDTH):
                    out[c] += jacobian[row, j + i] * u[k + i]


@kernel
def put_free(problem: Problem, first: Array, between: Array, rows: Array) -> None:
    """Write L M^-1 L^T, and C M^-1 L^T with a row for each link row; both must be zero."""
    bodies = problem.bodies
    island = problem.island
    u = np.zeros(SPEED_WIDTH * island.bodies.size)
    for m in range(island.blocks.size):
        block = problem.blocks[island.blocks[m]]
        for i in range(first[m + 1] - first[m]):
            push_along(bodies.r, island.place, block, i, u)
            for body in (block.a, block.b):
                if island.place[body] >= 0:
                    yield_to(bodies, body, own(u, island.place[body]))
            motion_at_blocks(problem, first, u, between[first[m] + i])
            put_row_speeds(problem.links, island, block, u, rows[:, first[m] + i])
            for body in (block.a, block.b):
                if island.place[body] >= 0:
                    own(u, island.place[body])[:] = 0.0


@kernel
def put_reached(problem: Problem, first: Array, between: Array) -> None:
    """Write W, the velocities at all blocks by a unit impulse along each direction."""
    island = problem.island
    size = between.shape[0]
    rows = np.zeros((island.rows.size, size))
    between[:] = 0.0
    put_free(problem, first, between, rows)
    symmetric_forward(island.base, rows)
    width = island.base.shape[1] - 1
    for c in range(island.rows.size):
        for i in range(size):
            share = rows[c, i] / island.base[c, width]
            if share != 0.0:
                for k in range(size):
                    between[i, k] -= share * rows[c, k]


@kernel
def put_slopes(problem: Problem, first: Array, slopes: Array) -> None:
    """Write the slopes of all blocks of an island times the step: a 6 x 6 matrix for each."""
    for m in range(problem.island.blocks.size):
        block = problem.blocks[problem.island.blocks[m]]
        for i in range(3):
            for j in range(3):
                slopes[m, i, j] = problem.laws.h * block.by_v[i, j]
                if first[m] + 3 < first[m + 1]:
                    slopes[m, 3 + i, 3 + j] = problem.laws.h * block.by_turning[i, j]


@kernel
def put_matrix(slopes: Array, first: Array, between: Array, matrix: Array) -> None:
    """Write 1 - h W S; row k of `between` are the velocities at all blocks by a unit impulse k."""
    for i in range(matrix.shape[0]):
        for m in range(first.size - 1):
            for j in range(first[m + 1] - first[m]):
                total = 1.0 if i == first[m] + j else 0.0
                for k in range(first[m + 1] - first[m]):
                    total -= between[first[m] + k, i] * slopes[m, k, j]
                matrix[i, first[m] + j] = total


@kernel
def push_by(problem: Problem, first: Array, slopes: Array, y: Array, p: Array) -> None:
    """Add the impulses that blocks exert by their slopes at velocities y to impulses of their island."""
    island = problem.island
    pushed = np.zeros(SPEED_WIDTH)
    for m in range(island.blocks.size):
        many = first[m + 1] - first[m]
        for k in range(many):
            pushed[k] = 0.0
            for j in range(many):
                pushed[k] += slopes[m, k, j] * y[first[m] + j]
        turning = (pushed[3], pushed[4], pushed[5]) if many > 3 else (0.0, 0.0, 0.0)
        force = (pushed[0], pushed[1], pushed[2])
        push(problem.bodies.r, island.place, problem.blocks[island.blocks[m]], force, turning, p)


@sealed(types.boolean(PROBLEM, VELOCITIES))
def few_blocks_step(problem: Problem, g: Array) -> bool:
    """Solve for the Newton step with the slopes of the blocks, in place of the residual g; False if it is singular."""
    island = problem.island
    first = directions_of(problem)
    size = first[island.blocks.size]
    between = island.reached[1 : 1 + size * size].reshape(size, size)
    if island.reached[0] == 0.0:
        island.reached[0] = 1.0
        put_reached(problem, first, between)
    respond(problem.bodies, problem.links, island, g)
    slopes = np.zeros((island.blocks.size, SPEED_WIDTH, SPEED_WIDTH))
    put_slopes(problem, first, slopes)
    matrix = np.empty((size, size))
    put_matrix(slopes, first, between, matrix)
    order = np.empty(size, np.int64)
    if lu_factor(matrix, order, SINGULAR) == 0:
        return False
    y = np.empty(size)
    motion_at_blocks(problem, first, g, y)
    lu_solve(matrix, order, y)
    p = np.zeros(g.size)
    push_by(problem, first, slopes, y, p)
    respond(problem.bodies, problem.links, island, p)
    for i in range(SPEED_WIDTH * island.bodies.size):
        g[i] += p[i]
    return True
