"""A Newton step of a small island: one dense matrix over its bodies and link rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernel import kernel
from ....numerics.lu import lu_factor, lu_solve
from ...contact.bodies import SPEED_WIDTH, lever
from ..island import SINGULAR, SOFTNESS, Island, Links, MovingBodies, Problem, link_compliance
from ..local_forces import Laws, is_rotary

Array = Any


@kernel
def put_masses(bodies: MovingBodies, links: Links, island: Island, matrix: Array) -> None:
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
        row = island.rows[c]
        for body in links.bodies[row]:
            if body >= 0:
                k = SPEED_WIDTH * island.place[body]
                for i in range(SPEED_WIDTH):
                    entry = links.jacobian[row, SPEED_WIDTH * body + i]
                    matrix[k + i, many + c] = -entry
                    matrix[many + c, k + i] = entry
        matrix[many + c, many + c] = SOFTNESS * link_compliance(bodies, links, row, row)


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
def add_block_matrix(bodies: MovingBodies, laws: Laws, block: Any, place: Array, levers: Array, matrix: Array) -> None:
    """Subtract the slopes of a block's wrench, times the step, from the matrix of its island."""
    a = SPEED_WIDTH * place[block.a]
    b = SPEED_WIDTH * place[block.b]
    if a >= 0:
        lever(bodies.r, block.a, block.arm_a, levers[0])
    if b >= 0:
        lever(bodies.r, block.b, block.arm_b, levers[1])
    for i, side, sign in ((a, 0, 1.0), (b, 1, -1.0)):
        for j, other, reverse in ((a, 0, 1.0), (b, 1, -1.0)):
            if i >= 0 and j >= 0:
                part = matrix[i : i + SPEED_WIDTH, j : j + SPEED_WIDTH]
                add_slopes(levers[side], block.by_v, levers[other], -laws.h * sign * reverse, part)
                if is_rotary(laws, block):
                    turned = bodies.r[block.a if side == 0 else block.b]
                    turned_j = bodies.r[block.a if other == 0 else block.b]
                    add_slopes(turned, block.by_turning, turned_j, -laws.h * sign * reverse, part[3:, 3:])


@kernel
def dense_step(problem: Problem, g: Array) -> bool:
    """Solve for the Newton step with the slopes of the blocks, in place of the residual g; False if it is singular."""
    island = problem.island
    matrix = np.empty((g.size, g.size))
    put_masses(problem.bodies, problem.links, island, matrix)
    levers = np.empty((2, 3, SPEED_WIDTH))
    for e in island.blocks:
        add_block_matrix(problem.bodies, problem.laws, problem.blocks[e], island.place, levers, matrix)
    order = np.empty(g.size, np.int64)
    if lu_factor(matrix, order, SINGULAR) == 0:
        return False
    lu_solve(matrix, order, g)
    return True
