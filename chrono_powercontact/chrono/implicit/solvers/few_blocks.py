"""A Newton step of an island with links and few blocks: the unknowns are the velocities at the blocks alone.

With P the inverse mass of the mechanism (see `island_newton`), L the velocities at the blocks by those of the bodies and
S the slopes of the blocks, the step u of the residual g solves u = P g + P L^T h S L u. The velocities y = L u follow
from (1 - h W S) y = L P g with W = L P L^T, a small matrix that is the same in all iterations of a step.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernel import kernel
from ....numerics.lu import lu_factor, lu_solve
from ....numerics.vectors import Triple, cross, minus, plus
from ...contact.bodies import SPEED_WIDTH, to_body, to_world
from ..island import SINGULAR, Problem, own, respond
from ..local_forces import is_rotary

Array = Any


@kernel
def push_along(problem: Problem, block: Any, i: int, p: Array) -> None:
    """Add a unit impulse of a block along a world axis, or from 3 on about one, to impulses of its island."""
    axis = (1.0 * (i % 3 == 0), 1.0 * (i % 3 == 1), 1.0 * (i % 3 == 2))
    for body, arm, sign in ((block.a, block.arm_a, 1.0), (block.b, block.arm_b, -1.0)):
        n = problem.island.place[body]
        if n >= 0:
            part = own(p, n)
            moment = to_body(problem.bodies.r, body, cross(arm, axis) if i < 3 else axis)
            for k in range(3):
                part[k] += sign * axis[k] if i < 3 else 0.0
                part[3 + k] += sign * moment[k]


@kernel
def motion_of(problem: Problem, u: Array, body: int, arm: Any) -> tuple[Triple, Triple]:
    """Velocity of the end of an arm on a body and its angular velocity, in world components; zero outside the island."""
    n = problem.island.place[body]
    if n < 0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    part = own(u, n)
    turning = to_world(problem.bodies.r, body, (part[3], part[4], part[5]))
    return plus((part[0], part[1], part[2]), cross(turning, arm)), turning


@kernel
def motion_at_blocks(problem: Problem, u: Array, out: Array) -> None:
    """Relative velocity and angular velocity at each block of an island, by velocities u of its bodies."""
    for m in range(problem.island.blocks.size):
        block = problem.blocks[problem.island.blocks[m]]
        on_a = motion_of(problem, u, block.a, block.arm_a)
        on_b = motion_of(problem, u, block.b, block.arm_b)
        velocity = minus(on_a[0], on_b[0])
        turning = minus(on_a[1], on_b[1])
        for k in range(3):
            out[SPEED_WIDTH * m + k] = velocity[k]
            out[SPEED_WIDTH * m + 3 + k] = turning[k]


@kernel
def put_reached(problem: Problem, responses: Array, between: Array) -> None:
    """Write P L^T, a row for each unit impulse at the blocks of an island, and W."""
    island = problem.island
    many = SPEED_WIDTH * island.bodies.size
    p = np.empty(many + island.rows.size)
    for m in range(island.blocks.size):
        block = problem.blocks[island.blocks[m]]
        for i in range(SPEED_WIDTH if is_rotary(problem.laws, block) else 3):
            p[:] = 0.0
            push_along(problem, block, i, p)
            respond(problem.bodies, problem.links, island, p)
            responses[SPEED_WIDTH * m + i] = p[:many]
            motion_at_blocks(problem, p, between[SPEED_WIDTH * m + i])


@kernel
def impulse_of(problem: Problem, y: Array, out: Array) -> None:
    """Impulses h S y of all blocks of an island by velocities y at them."""
    for m in range(problem.island.blocks.size):
        block = problem.blocks[problem.island.blocks[m]]
        rotary = is_rotary(problem.laws, block)
        k = SPEED_WIDTH * m
        for i in range(3):
            out[k + i] = 0.0
            out[k + 3 + i] = 0.0
            for j in range(3):
                out[k + i] += problem.laws.h * block.by_v[i, j] * y[k + j]
                if rotary:
                    out[k + 3 + i] += problem.laws.h * block.by_turning[i, j] * y[k + 3 + j]


@kernel
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
    matrix = np.zeros((size, size))
    unit = np.zeros(size)
    pushed = np.empty(size)
    for j in range(size):
        unit[j] = 1.0
        impulse_of(problem, unit, pushed)
        unit[j] = 0.0
        matrix[j, j] = 1.0
        first = SPEED_WIDTH * (j // SPEED_WIDTH)
        for i in range(size):
            for k in range(first, first + SPEED_WIDTH):
                matrix[i, j] -= between[k, i] * pushed[k]
    order = np.empty(size, np.int64)
    if lu_factor(matrix, order, SINGULAR) == 0:
        return False
    y = np.empty(size)
    motion_at_blocks(problem, g, y)
    lu_solve(matrix, order, y)
    impulse_of(problem, y, pushed)
    for k in range(size):
        for i in range(many):
            g[i] += responses[k, i] * pushed[k]
    return True
