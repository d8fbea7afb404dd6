"""A Newton step of an island with links and few blocks: the unknowns are the velocities at the blocks alone.

P is the inverse mass of the mechanism (see `island_newton`), L gives the velocities at the blocks by those of the
bodies, and S holds the slopes of the blocks. The step u of the residual g solves u = P g + P L^T h S L u. The
velocities y = L u follow from (1 - h W S) y = L P g with W = L P L^T, a small matrix that is the same in all iterations
of a step.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ....kernel import kernel
from ....numerics.lu import lu_factor, lu_solve
from ....numerics.vectors import Triple, cross, minus, plus
from ....sealed import sealed
from ...contact.bodies import SPEED_WIDTH, to_body, to_world
from ..island import PROBLEM, SINGULAR, VELOCITIES, Problem, respond
from ..local_forces import is_rotary

Array = Any


@kernel
def push_along(r: Array, place: Array, block: Any, i: int, p: Array) -> None:
    """Add a unit impulse of a block along a world axis, or from 3 on about one, to impulses of its island."""
    axis = (1.0 * (i % 3 == 0), 1.0 * (i % 3 == 1), 1.0 * (i % 3 == 2))
    for body, arm, sign in ((block.a, block.arm_a, 1.0), (block.b, block.arm_b, -1.0)):
        if place[body] >= 0:
            at = SPEED_WIDTH * place[body]
            moment = to_body(r, body, cross(arm, axis) if i < 3 else axis)
            for k in range(3):
                p[at + k] += sign * axis[k] if i < 3 else 0.0
                p[at + 3 + k] += sign * moment[k]


@kernel
def motion_of(r: Array, place: Array, u: Array, body: int, arm: Any) -> tuple[Triple, Triple]:
    """Velocity of the end of an arm on a body, and its angular velocity, in the world; zero outside the island."""
    if place[body] < 0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    at = SPEED_WIDTH * place[body]
    turning = to_world(r, body, (u[at + 3], u[at + 4], u[at + 5]))
    return plus((u[at], u[at + 1], u[at + 2]), cross(turning, arm)), turning


@kernel
def motion_at_blocks(r: Array, place: Array, blocks: Array, numbers: Array, u: Array, out: Array) -> None:
    """Relative velocity and angular velocity at some blocks, by velocities u of the bodies of their island."""
    for m in range(numbers.size):
        block = blocks[numbers[m]]
        on_a = motion_of(r, place, u, block.a, block.arm_a)
        on_b = motion_of(r, place, u, block.b, block.arm_b)
        velocity = minus(on_a[0], on_b[0])
        turning = minus(on_a[1], on_b[1])
        for k in range(3):
            out[SPEED_WIDTH * m + k] = velocity[k]
            out[SPEED_WIDTH * m + 3 + k] = turning[k]


@kernel
def put_reached(problem: Problem, responses: Array, between: Array) -> None:
    """Write P L^T, a row for each unit impulse at the blocks of an island, and W."""
    island = problem.island
    r = problem.bodies.r
    many = SPEED_WIDTH * island.bodies.size
    p = np.empty(many + island.rows.size)
    for m in range(island.blocks.size):
        block = problem.blocks[island.blocks[m]]
        for i in range(SPEED_WIDTH if is_rotary(problem.laws, block) else 3):
            row = SPEED_WIDTH * m + i
            p[:] = 0.0
            push_along(r, island.place, block, i, p)
            respond(problem.bodies, problem.links, island, p)
            for k in range(many):
                responses[row, k] = p[k]
            motion_at_blocks(r, island.place, problem.blocks, island.blocks, p, between[row])


@kernel
def put_slopes(problem: Problem, slopes: Array) -> None:
    """Write the slopes of all blocks of an island times the step: a 6 x 6 matrix for each."""
    for m in range(problem.island.blocks.size):
        block = problem.blocks[problem.island.blocks[m]]
        rotary = is_rotary(problem.laws, block)
        for i in range(3):
            for j in range(3):
                slopes[m, i, j] = problem.laws.h * block.by_v[i, j]
                slopes[m, 3 + i, 3 + j] = problem.laws.h * block.by_turning[i, j] if rotary else 0.0


@kernel
def put_matrix(slopes: Array, between: Array, matrix: Array) -> None:
    """Write 1 - h W S; row k of `between` are the velocities at all blocks by a unit impulse k."""
    size = matrix.shape[0]
    for j in range(size):
        first = SPEED_WIDTH * (j // SPEED_WIDTH)
        for i in range(size):
            total = 1.0 if i == j else 0.0
            for k in range(SPEED_WIDTH):
                total -= between[first + k, i] * slopes[j // SPEED_WIDTH, k, j - first]
            matrix[i, j] = total


@sealed(types.boolean(PROBLEM, VELOCITIES))
def few_blocks_step(problem: Problem, g: Array) -> bool:
    """Solve for the Newton step with the slopes of the blocks, in place of the residual g; False if it is singular."""
    island = problem.island
    many = SPEED_WIDTH * island.bodies.size
    size = SPEED_WIDTH * island.blocks.size
    responses = island.reached[1 : 1 + size * many].reshape(size, many)
    between = island.reached[1 + size * many :].reshape(size, size)
    if island.reached[0] == 0.0:
        island.reached[0] = 1.0
        put_reached(problem, responses, between)
    respond(problem.bodies, problem.links, island, g)
    slopes = np.zeros((island.blocks.size, SPEED_WIDTH, SPEED_WIDTH))
    put_slopes(problem, slopes)
    matrix = np.empty((size, size))
    put_matrix(slopes, between, matrix)
    order = np.empty(size, np.int64)
    if lu_factor(matrix, order, SINGULAR) == 0:
        return False
    y = np.empty(size)
    motion_at_blocks(problem.bodies.r, island.place, problem.blocks, island.blocks, g, y)
    lu_solve(matrix, order, y)
    for k in range(size):
        first = SPEED_WIDTH * (k // SPEED_WIDTH)
        pushed = 0.0
        for j in range(SPEED_WIDTH):
            pushed += slopes[k // SPEED_WIDTH, k - first, j] * y[first + j]
        for i in range(many):
            g[i] += responses[k, i] * pushed
    return True
