"""A Newton step of a large island by BiCGSTAB, with a matrix that exists only block by block."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ....kernel import inlined
from ....numerics.copying import put
from ....sealed import sealed
from ...contact.bodies import SPEED_WIDTH
from ..island import PROBLEM, VELOCITIES, Problem
from .island_matrix import (
    Matrix,
    hold_links,
    matrix_of,
    multiply,
    precondition,
    product,
    pull_springs,
    turn_motion,
)

Array = Any

MOST_PRODUCTS = 120
"""Products with the matrix in a step."""
TOLERANCE = 0.03
"""Residual of the step, relative to that at its start."""


@inlined
def bicgstab(matrix: Matrix, g: Array, u: Array) -> None:
    """Improve u until the matrix times u is g, by van der Vorst's method, preconditioned from the left."""
    size = g.size
    still = np.zeros(matrix.holds.shape[0])
    work = np.empty(size)
    r = np.empty(size)
    v = np.zeros(size)
    p = np.zeros(size)
    t = np.empty(size)
    multiply(matrix, u, work)
    for i in range(size):
        work[i] = g[i] - work[i]
    precondition(matrix, still, work, r)
    shadow = r.copy()
    close = TOLERANCE * TOLERANCE * product(r, r)
    rho = 1.0
    alpha = 1.0
    omega = 1.0
    for _ in range(MOST_PRODUCTS // 2):
        ahead = product(shadow, r)
        if product(r, r) <= close or ahead == 0.0 or omega == 0.0:
            break
        beta = ahead / rho * alpha / omega
        rho = ahead
        for i in range(size):
            p[i] = r[i] + beta * (p[i] - omega * v[i])
        multiply(matrix, p, work)
        precondition(matrix, still, work, v)
        alpha = rho / product(shadow, v)
        for i in range(size):
            r[i] -= alpha * v[i]
        multiply(matrix, r, work)
        precondition(matrix, still, work, t)
        across = product(t, t)
        omega = product(t, r) / across if across > 0.0 else 0.0
        for i in range(size):
            u[i] += alpha * p[i] + omega * r[i]
            r[i] -= omega * t[i]


@sealed(types.boolean(PROBLEM, VELOCITIES))
def krylov_step(problem: Problem, g: Array) -> bool:
    """Solve for the Newton step with the slopes of the blocks; it takes the place of the residual g."""
    island = problem.island
    many = SPEED_WIDTH * island.bodies.size
    matrix = matrix_of(problem)
    turn_motion(problem.bodies.r, island, g, 1)
    u = np.zeros(many)
    if island.rows.size > 0:
        hold_links(matrix, g[many:], u)
        pull_springs(matrix, g[many:], g[:many])
    bicgstab(matrix, g[:many], u)
    turn_motion(problem.bodies.r, island, u, -1)
    put(u, g[:many])
    return product(u, u) < np.inf
