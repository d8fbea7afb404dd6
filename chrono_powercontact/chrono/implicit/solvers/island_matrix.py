"""The matrix of an island in a Newton step, which exists only block by block, and its preconditioner.

Velocities and impulses are in world components here. The preconditioner inverts the 6 x 6 block of each body and
satisfies the links exactly, so that an iteration stays among the motions that the links allow.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....kernel import inlined, kernel
from ....numerics.lu import lu_factor, lu_solve
from ....numerics.vectors import Triple, cross, minus, plus, store
from ...contact.bodies import SPEED_WIDTH, to_body, to_world
from ..island import SINGULAR, SOFTNESS, Island, Problem
from ..local_forces import is_rotary

Array = Any


class Matrix(NamedTuple):
    """The matrix of an island, block by block.

    Attributes:
        ends: indices of the two bodies of each block in the island, -1 if one does not move. arms: from their centres
            of mass to the point. slopes, turning: 3 x 3 matrices of its force by the velocity and of its moment by the
            angular velocity, times the step. mass, inertia: of the bodies. inverse: of each body's 6 x 6 block.
        rows: rows of links for their two bodies. holds: these bodies. softness: of springs among them, zero for links.
            base, order: factors of what links feel.
    """

    ends: Array
    arms: Array
    slopes: Array
    turning: Array
    mass: Array
    inertia: Array
    inverse: Array
    rows: Array
    holds: Array
    softness: Array
    base: Array
    order: Array


@kernel
def times_matrix(matrix: Array, v: Any) -> Triple:
    """A 3 x 3 matrix times a vector."""
    return (
        matrix[0, 0] * v[0] + matrix[0, 1] * v[1] + matrix[0, 2] * v[2],
        matrix[1, 0] * v[0] + matrix[1, 1] * v[1] + matrix[1, 2] * v[2],
        matrix[2, 0] * v[0] + matrix[2, 1] * v[1] + matrix[2, 2] * v[2],
    )


@kernel
def velocity_of(u: Array, n: int, arm: Any) -> Triple:
    """Velocity of the end of an arm on a body of the island; zero if it does not move."""
    if n < 0:
        return 0.0, 0.0, 0.0
    k = SPEED_WIDTH * n
    turning = cross((u[k + 3], u[k + 4], u[k + 5]), arm)
    return u[k] + turning[0], u[k + 1] + turning[1], u[k + 2] + turning[2]


@kernel
def turning_of(u: Array, n: int) -> Triple:
    """Angular velocity of a body of the island; zero if it does not move."""
    if n < 0:
        return 0.0, 0.0, 0.0
    k = SPEED_WIDTH * n + 3
    return u[k], u[k + 1], u[k + 2]


@kernel
def push_body(out: Array, n: int, sign: float, arm: Any, force: Triple, moment: Triple) -> None:
    """Add a force at the end of an arm, and a moment, to a body of the island, unless it does not move."""
    if n < 0:
        return
    k = SPEED_WIDTH * n
    torque = plus(cross(arm, force), moment)
    for i in range(3):
        out[k + i] += sign * force[i]
        out[k + 3 + i] += sign * torque[i]


@inlined
def multiply(matrix: Matrix, u: Array, out: Array) -> None:
    """The matrix of an island times velocities u."""
    for n in range(matrix.mass.size):
        k = SPEED_WIDTH * n
        turned = times_matrix(matrix.inertia[n], u[k + 3 : k + 6])
        for i in range(3):
            out[k + i] = matrix.mass[n] * u[k + i]
            out[k + 3 + i] = turned[i]
    for e in range(matrix.ends.shape[0]):
        a = matrix.ends[e, 0]
        b = matrix.ends[e, 1]
        arm_a = matrix.arms[e, 0]
        arm_b = matrix.arms[e, 1]
        force = times_matrix(matrix.slopes[e], minus(velocity_of(u, a, arm_a), velocity_of(u, b, arm_b)))
        moment = (0.0, 0.0, 0.0)
        if matrix.turning.shape[0] > 0:
            moment = times_matrix(matrix.turning[e], minus(turning_of(u, a), turning_of(u, b)))
        push_body(out, a, 1.0, arm_a, force, moment)
        push_body(out, b, -1.0, arm_b, force, moment)
    for c in range(matrix.softness.size):
        if matrix.softness[c] > 0.0:
            pull_row(matrix, c, row_motion(matrix, c, u) / matrix.softness[c], out)


@kernel
def row_motion(matrix: Matrix, c: int, u: Array) -> float:
    """Velocity of a link row at velocities u."""
    total = 0.0
    for side in range(2):
        if matrix.holds[c, side] >= 0:
            k = SPEED_WIDTH * matrix.holds[c, side]
            for i in range(SPEED_WIDTH):
                total += matrix.rows[c, side, i] * u[k + i]
    return total


@kernel
def pull_row(matrix: Matrix, c: int, impulse: float, out: Array) -> None:
    """Add the impulse of a link row to its bodies."""
    for side in range(2):
        if matrix.holds[c, side] >= 0:
            k = SPEED_WIDTH * matrix.holds[c, side]
            for i in range(SPEED_WIDTH):
                out[k + i] += impulse * matrix.rows[c, side, i]


@kernel
def pull_springs(matrix: Matrix, missing: Array, p: Array) -> None:
    """Add the impulses to p by which springs make up for what their rows miss."""
    for c in range(matrix.softness.size):
        if matrix.softness[c] > 0.0:
            pull_row(matrix, c, missing[c] / matrix.softness[c], p)


@kernel
def add_own_block(out: Array, arm: Any, slopes: Array, turning: Array) -> None:
    """Add the matrix of a block to the 6 x 6 block of one of its bodies."""
    column = np.empty(3)
    for j in range(SPEED_WIDTH):
        store((1.0 * (j == 0), 1.0 * (j == 1), 1.0 * (j == 2)), column)
        spin = (1.0 * (j == 3), 1.0 * (j == 4), 1.0 * (j == 5))
        force = times_matrix(slopes, plus(column, cross(spin, arm)))
        torque = cross(arm, force)
        if turning.size > 0:
            torque = plus(torque, times_matrix(turning, spin))
        for i in range(3):
            out[i, j] += force[i]
            out[3 + i, j] += torque[i]


@kernel
def invert(matrix: Array, out: Array) -> None:
    """The inverse of a small matrix, which is lost; the identity if it is singular."""
    n = matrix.shape[0]
    order = np.empty(n, np.int64)
    regular = lu_factor(matrix, order, SINGULAR) != 0
    column = np.empty(n)
    for j in range(n):
        for i in range(n):
            column[i] = 1.0 * (i == j)
        if regular:
            lu_solve(matrix, order, column)
        for i in range(n):
            out[i, j] = column[i]


@kernel
def put_inverses(matrix: Matrix) -> None:
    """Invert the 6 x 6 blocks of all bodies."""
    blocks = np.zeros((matrix.mass.size, SPEED_WIDTH, SPEED_WIDTH))
    none = np.empty((0, 0))
    for n in range(matrix.mass.size):
        for i in range(3):
            blocks[n, i, i] = matrix.mass[n]
            for j in range(3):
                blocks[n, 3 + i, 3 + j] = matrix.inertia[n, i, j]
    for e in range(matrix.ends.shape[0]):
        turning = matrix.turning[e] if matrix.turning.shape[0] > 0 else none
        for side in range(2):
            if matrix.ends[e, side] >= 0:
                add_own_block(blocks[matrix.ends[e, side]], matrix.arms[e, side], matrix.slopes[e], turning)
    for n in range(matrix.mass.size):
        invert(blocks[n], matrix.inverse[n])


@kernel
def turn_tensor(r: Array, tensor: Array, out: Array) -> None:
    """A body-fixed tensor in world components."""
    for i in range(3):
        for j in range(3):
            out[i, j] = 0.0
            for k in range(3):
                for m in range(3):
                    out[i, j] += r[i, k] * tensor[k, m] * r[j, m]


@kernel
def turn_motion(r: Array, island: Island, u: Array, to: int) -> None:
    """Turn the angular parts of motions of an island into world components (to = 1) or body-fixed ones (to = -1)."""
    for n in range(island.bodies.size):
        k = SPEED_WIDTH * n + 3
        part = (u[k], u[k + 1], u[k + 2])
        body = island.bodies[n]
        store(to_world(r, body, part) if to > 0 else to_body(r, body, part), u[k : k + 3])


@kernel
def apply_inverse(matrix: Matrix, n: int, p: Array, out: Array) -> None:
    """Inverse of the 6 x 6 block of a body times p."""
    inverse = matrix.inverse[n]
    for i in range(SPEED_WIDTH):
        total = 0.0
        for j in range(SPEED_WIDTH):
            total += inverse[i, j] * p[j]
        out[i] = total


@kernel
def put_links(problem: Problem, matrix: Matrix) -> None:
    """Write the rows of the links in world components, and factor what they feel through the blocks of the bodies."""
    island = problem.island
    links = problem.links
    many = island.rows.size
    moved = np.zeros((many, 2, SPEED_WIDTH))
    for c in range(many):
        for side in range(2):
            body = links.bodies[island.rows[c], side]
            matrix.holds[c, side] = island.place[body] if body >= 0 else -1
            if body >= 0:
                row = links.jacobian[island.rows[c], SPEED_WIDTH * body : SPEED_WIDTH * (body + 1)]
                store((row[0], row[1], row[2]), matrix.rows[c, side, :3])
                store(to_world(problem.bodies.r, body, (row[3], row[4], row[5])), matrix.rows[c, side, 3:])
                apply_inverse(matrix, matrix.holds[c, side], matrix.rows[c, side], moved[c, side])
        matrix.softness[c] = links.softness[island.rows[c]]
    matrix.base[:, :] = 0.0
    for c in range(many):
        for d in range(many):
            for side in range(2):
                for other in range(2):
                    if matrix.holds[c, side] >= 0 and matrix.holds[c, side] == matrix.holds[d, other]:
                        for i in range(SPEED_WIDTH):
                            matrix.base[c, d] += matrix.rows[c, side, i] * moved[d, other, i]
    for c in range(many):
        matrix.base[c, c] = (1.0 + SOFTNESS) * matrix.base[c, c] + matrix.softness[c]
    lu_factor(matrix.base, matrix.order, SINGULAR)


@kernel
def empty_matrix(problem: Problem) -> Matrix:
    """The matrix of an island with its bodies and the arms of its blocks, but without slopes and links."""
    island = problem.island
    bodies = problem.bodies
    many = island.blocks.size
    rows = island.rows.size
    rotary = 0
    for e in island.blocks:
        if is_rotary(problem.laws, problem.blocks[e]):
            rotary = many
    matrix = Matrix(
        np.empty((many, 2), np.int64), np.empty((many, 2, 3)), np.empty((many, 3, 3)), np.zeros((rotary, 3, 3)),
        np.empty(island.bodies.size), np.empty((island.bodies.size, 3, 3)),
        np.empty((island.bodies.size, SPEED_WIDTH, SPEED_WIDTH)), np.zeros((rows, 2, SPEED_WIDTH)),
        np.empty((rows, 2), np.int64), np.empty(rows), np.empty((rows, rows)), np.empty(rows, np.int64),
    )  # fmt: skip
    for n in range(island.bodies.size):
        body = island.bodies[n]
        matrix.mass[n] = bodies.mass[body]
        turn_tensor(bodies.r[body], bodies.inertia[body], matrix.inertia[n])
    for m in range(many):
        block = problem.blocks[island.blocks[m]]
        matrix.ends[m, 0] = island.place[block.a]
        matrix.ends[m, 1] = island.place[block.b]
        store(block.arm_a, matrix.arms[m, 0])
        store(block.arm_b, matrix.arms[m, 1])
    return matrix


@kernel
def matrix_of(problem: Problem) -> Matrix:
    """The matrix of an island from the slopes of its blocks."""
    laws = problem.laws
    matrix = empty_matrix(problem)
    for m in range(problem.island.blocks.size):
        block = problem.blocks[problem.island.blocks[m]]
        for i in range(3):
            for j in range(3):
                matrix.slopes[m, i, j] = -laws.h * block.by_v[i, j]
                if matrix.turning.shape[0] > 0 and is_rotary(laws, block):
                    matrix.turning[m, i, j] = -laws.h * block.by_turning[i, j]
    put_inverses(matrix)
    put_links(problem, matrix)
    return matrix


@kernel
def hold_links(matrix: Matrix, missing: Array, z: Array) -> None:
    """Change motions z by impulses of the links, until the links move as demanded; `missing` are these demands."""
    pulls = missing.copy()
    for c in range(pulls.size):
        pulls[c] -= row_motion(matrix, c, z)
    lu_solve(matrix.base, matrix.order, pulls)
    pull = np.empty(SPEED_WIDTH)
    change = np.empty(SPEED_WIDTH)
    for c in range(pulls.size):
        for side in range(2):
            if matrix.holds[c, side] >= 0:
                for i in range(SPEED_WIDTH):
                    pull[i] = pulls[c] * matrix.rows[c, side, i]
                apply_inverse(matrix, matrix.holds[c, side], pull, change)
                k = SPEED_WIDTH * matrix.holds[c, side]
                for i in range(SPEED_WIDTH):
                    z[k + i] += change[i]


@kernel
def precondition(matrix: Matrix, still: Array, p: Array, out: Array) -> None:
    """Motions by impulses p, body by body, that the links allow."""
    for n in range(matrix.mass.size):
        k = SPEED_WIDTH * n
        apply_inverse(matrix, n, p[k : k + SPEED_WIDTH], out[k : k + SPEED_WIDTH])
    if still.size > 0:
        hold_links(matrix, still, out)


@kernel
def product(a: Array, b: Array) -> float:
    """Scalar product of motions."""
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total
