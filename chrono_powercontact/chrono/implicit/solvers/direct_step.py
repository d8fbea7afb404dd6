"""A Newton step of a small island: one banded matrix over its bodies and link rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ....kernel import kernel
from ....numerics.band import band_factor, band_solve, empty_band
from ....sealed import sealed
from ...contact.bodies import SPEED_WIDTH, lever
from ..island import PROBLEM, SINGULAR, SOFTNESS, VELOCITIES, Island, Links, MovingBodies, Problem, link_compliance
from ..local_forces import Laws, is_rotary

Array = Any


@kernel
def put_masses(bodies: MovingBodies, island: Island, matrix: Array) -> None:
    """Write the mass matrix of an island."""
    width = island.layout.width
    for n in range(island.bodies.size):
        body = island.bodies[n]
        k = island.layout.bodies[n]
        for i in range(3):
            matrix[k + i, width] = bodies.mass[body]
            for j in range(3):
                matrix[k + 3 + i, j - i + width] = bodies.inertia[body, i, j]


@kernel
def put_links(bodies: MovingBodies, links: Links, island: Island, matrix: Array) -> None:
    """Write the links of an island into its matrix, [M, -C^T; C, softness]."""
    width = island.layout.width
    for c in range(island.rows.size):
        row = island.rows[c]
        at = island.layout.rows[c]
        for body in links.bodies[row]:
            if body >= 0:
                k = island.layout.bodies[island.place[body]]
                for i in range(SPEED_WIDTH):
                    entry = links.jacobian[row, SPEED_WIDTH * body + i]
                    matrix[k + i, at - k - i + width] = -entry
                    matrix[at, k + i - at + width] = entry
        matrix[at, width] = SOFTNESS * link_compliance(bodies, links, row) + links.softness[row]


@kernel
def add_slopes(left: Array, slopes: Array, right: Array, factor: float, i0: int, j0: int, out: Array) -> None:
    """Add factor left^T slopes right, for 3 x n matrices left and right, to a banded matrix from (i0, j0) on."""
    n = left.shape[1]
    width = (out.shape[1] - 1) // 3
    for j in range(n):
        column = (
            slopes[0, 0] * right[0, j] + slopes[0, 1] * right[1, j] + slopes[0, 2] * right[2, j],
            slopes[1, 0] * right[0, j] + slopes[1, 1] * right[1, j] + slopes[1, 2] * right[2, j],
            slopes[2, 0] * right[0, j] + slopes[2, 1] * right[1, j] + slopes[2, 2] * right[2, j],
        )
        for i in range(n):
            entry = left[0, i] * column[0] + left[1, i] * column[1] + left[2, i] * column[2]
            out[i0 + i, j0 + j - i0 - i + width] += factor * entry


@kernel
def add_block_matrix(bodies: MovingBodies, laws: Laws, block: Any, island: Island, levers: Array, out: Array) -> None:
    """Subtract the slopes of a block's wrench, times the step, from the matrix of its island."""
    a = island.place[block.a]
    b = island.place[block.b]
    if a >= 0:
        lever(bodies.r, block.a, block.arm_a, levers[0])
    if b >= 0:
        lever(bodies.r, block.b, block.arm_b, levers[1])
    for m, side, sign in ((a, 0, 1.0), (b, 1, -1.0)):
        for n, other, reverse in ((a, 0, 1.0), (b, 1, -1.0)):
            if m >= 0 and n >= 0:
                i = island.layout.bodies[m]
                j = island.layout.bodies[n]
                add_slopes(levers[side], block.by_v, levers[other], -laws.h * sign * reverse, i, j, out)
                if is_rotary(laws, block):
                    left = bodies.r[block.a if side == 0 else block.b]
                    right = bodies.r[block.a if other == 0 else block.b]
                    add_slopes(left, block.by_turning, right, -laws.h * sign * reverse, i + 3, j + 3, out)


@kernel
def put_in_order(island: Island, g: Array, out: Array) -> None:
    """Sort a vector over bodies and link rows as the matrix of the island is."""
    many = SPEED_WIDTH * island.bodies.size
    for n in range(island.bodies.size):
        for i in range(SPEED_WIDTH):
            out[island.layout.bodies[n] + i] = g[SPEED_WIDTH * n + i]
    for c in range(island.rows.size):
        out[island.layout.rows[c]] = g[many + c]


@kernel
def take_from_order(island: Island, ordered: Array, out: Array) -> None:
    """The reverse of `put_in_order`."""
    many = SPEED_WIDTH * island.bodies.size
    for n in range(island.bodies.size):
        for i in range(SPEED_WIDTH):
            out[SPEED_WIDTH * n + i] = ordered[island.layout.bodies[n] + i]
    for c in range(island.rows.size):
        out[many + c] = ordered[island.layout.rows[c]]


@sealed(types.boolean(PROBLEM, VELOCITIES))
def direct_step(problem: Problem, g: Array) -> bool:
    """Solve for the Newton step with the slopes of the blocks, in place of the residual g; False if it is singular."""
    island = problem.island
    matrix = empty_band(g.size, island.layout.width)
    put_masses(problem.bodies, island, matrix)
    put_links(problem.bodies, problem.links, island, matrix)
    levers = np.empty((2, 3, SPEED_WIDTH))
    for e in island.blocks:
        add_block_matrix(problem.bodies, problem.laws, problem.blocks[e], island, levers, matrix)
    order = np.empty(g.size, np.int64)
    if not band_factor(matrix, order, SINGULAR):
        return False
    ordered = np.empty(g.size)
    put_in_order(island, g, ordered)
    band_solve(matrix, order, ordered)
    take_from_order(island, ordered, g)
    return True
