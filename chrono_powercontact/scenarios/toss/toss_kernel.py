"""Many tosses of a cube in one compiled parallel loop.

A state is position of the centre of mass in m, quaternion, velocity in m/s, angular velocity in the axes of the cube in
rad/s. Corners that are out of reach of the ground cost next to nothing, a sample in free flight is one step, and a cube
that has come to rest stays there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from ...errors import ParameterError, positive
from ...kernel import inlined, kernel
from ...laws.friction.anchor import anchor_potential, anchor_pull, anchor_rate, moved_on
from ...laws.normal.restriction import activation, restriction_force
from ...numerics.rk4 import REACH, STAGES, WEIGHT, Rk4Room, rk4_add, rk4_finish, rk4_room, rk4_stage
from ...numerics.vectors import ZERO, Triple, cross, dot, norm, plus, store, times, triple
from .toss_body import REFERENCE_LOAD, TOSS

Array = Any

X, QUATERNION, V, W, SIZE = 0, 3, 7, 10, 13
"""First columns of position, quaternion, velocity and angular velocity in a state, and its size."""

AT_REST = 1e-4
"""Speed in m/s of every point of a cube below which it has come to rest, once it has moved so slowly for a sample."""

CALM = 0.05
LIGHT = 0.01
"""Normal speed of a corner in m/s, and activation of its contact, below which it slides and does not strike."""

SLIDING = 4
"""Steps of a cube that slides are so many times longer: its loads, and with them its stiffness, are a hundredth."""

Matrix = tuple[Triple, Triple, Triple]


class Corners(NamedTuple):
    """The corners of a cube within a step: anchors at its start in m, slip in m/s, mean slip, whether they touch."""

    anchors: Array
    slip: Array
    mean_slip: Array
    touching: Array


@kernel
def rotation_matrix(q: Array) -> Matrix:
    """Rows of the rotation from the axes of the cube to the world, of a unit quaternion."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


@kernel
def turned(m: Matrix, a: Triple) -> Triple:
    """A vector of the cube's axes in the world."""
    return (
        m[0][0] * a[0] + m[0][1] * a[1] + m[0][2] * a[2],
        m[1][0] * a[0] + m[1][1] * a[1] + m[1][2] * a[2],
        m[2][0] * a[0] + m[2][1] * a[1] + m[2][2] * a[2],
    )


@kernel
def turned_back(m: Matrix, a: Triple) -> Triple:
    """A vector of the world in the axes of the cube."""
    return (
        m[0][0] * a[0] + m[1][0] * a[1] + m[2][0] * a[2],
        m[0][1] * a[0] + m[1][1] * a[1] + m[2][1] * a[2],
        m[0][2] * a[0] + m[1][2] * a[1] + m[2][2] * a[2],
    )


@kernel
def friction_load(n: float, exponent: float) -> float:
    """Normal force in N that friction is proportional to: n^(1 - exponent), equal to n at the reference load."""
    if exponent == 0.0 or n <= 0.0:
        return n
    return n * (n / REFERENCE_LOAD) ** (-exponent)


@kernel
def corner_force(cube: Any, gap: float, velocity: Triple, anchor: Triple, moved: Triple) -> Triple:
    """Force of the ground in N on a corner, at a gap in m, after it has slid by `moved` in m since the step began."""
    slip = (velocity[0], velocity[1], 0.0)
    z = moved_on(cube.anchor, anchor, slip, moved)
    shift = anchor_potential(cube.anchor, norm(z))
    rate = anchor_rate(cube.anchor, z, slip)[3]
    n, _, active = restriction_force(gap - shift, velocity[2] - rate, cube.restriction)
    pull = anchor_pull(cube.anchor, friction_load(n, cube.load_exponent), active, z, slip)
    return -pull[0], -pull[1], n


@inlined
def touch(cube: Any, x: Array, m: Matrix, corners: Corners, ahead: float) -> tuple[Triple, Triple]:
    """Force in N and torque in N m, in the world, of the ground on a cube, `ahead` in s after the step began."""
    v = triple(x[V:W])
    spin = turned(m, triple(x[W:SIZE]))
    force = ZERO
    torque = ZERO
    for i in range(corners.touching.size):
        corner = triple(cube.corners[i])
        height = x[X + 2] + dot(m[2], corner)
        gap = height - cube.radius
        corners.touching[i] = gap < cube.reach
        if gap >= cube.reach:
            store(ZERO, corners.slip[i])
            continue
        arm = turned(m, corner)
        lever = (arm[0], arm[1], arm[2] - 0.5 * (height + cube.radius))
        velocity = plus(v, cross(spin, lever))
        moved = times(ahead, triple(corners.slip[i]))
        own = corner_force(cube, gap, velocity, triple(corners.anchors[i]), moved)
        corners.slip[i, 0] = velocity[0]
        corners.slip[i, 1] = velocity[1]
        force = plus(force, own)
        torque = plus(torque, cross(lever, own))
    return force, torque


@inlined
def toss_rates(cube: Any, x: Array, corners: Corners, ahead: float, dx: Array) -> None:
    """Rates of a state."""
    w = triple(x[W:SIZE])
    q = x[QUATERNION:V]
    m = rotation_matrix(q)
    force, torque = touch(cube, x, m, corners, ahead)
    own = turned_back(m, torque)
    for i in range(3):
        dx[X + i] = x[V + i]
        dx[V + i] = force[i] / cube.mass
        j = (i + 1) % 3
        k = (i + 2) % 3
        dx[W + i] = (own[i] + (cube.inertia[j] - cube.inertia[k]) * w[j] * w[k]) / cube.inertia[i]
    dx[V + 2] -= cube.gravity
    dx[QUATERNION] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2])
    dx[QUATERNION + 1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1])
    dx[QUATERNION + 2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2])
    dx[QUATERNION + 3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0])


@inlined
def toss_step(cube: Any, x: Array, h: float, corners: Corners, room: Rk4Room) -> None:
    """Advance a state by a step of RK4 in s, and commit the anchors."""
    corners.mean_slip[:] = 0.0
    for stage in range(STAGES):
        rk4_stage(room, x, stage, h)
        toss_rates(cube, room.point, corners, REACH[stage] * h, room.rate)
        rk4_add(room, stage)
        for i in range(corners.touching.size):
            corners.mean_slip[i, 0] += WEIGHT[stage] * corners.slip[i, 0]
            corners.mean_slip[i, 1] += WEIGHT[stage] * corners.slip[i, 1]
    rk4_finish(room, x, h)
    length = np.sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6])
    for i in range(QUATERNION, V):
        x[i] /= length
    for i in range(corners.touching.size):
        z = ZERO
        if corners.touching[i]:
            slid = times(h, triple(corners.mean_slip[i]))
            z = moved_on(cube.anchor, triple(corners.anchors[i]), triple(corners.slip[i]), slid)
        store(z, corners.anchors[i])


@inlined
def steps_in(cube: Any, x: Array, time: float, most: int) -> int:
    """Steps of RK4 that a time in s needs: one in flight, `most` in impacts, a part of them while the cube slides."""
    m = rotation_matrix(x[QUATERNION:V])
    w = triple(x[W:SIZE])
    flies = True
    for i in range(cube.corners.shape[0]):
        corner = triple(cube.corners[i])
        speed = x[V + 2] + turned(m, cross(w, corner))[2]
        gap = x[X + 2] + turned(m, corner)[2] - cube.radius
        falls = time * (time * (cube.gravity + norm(corner) * dot(w, w)) - min(speed, 0.0))
        if gap > falls + cube.reach:
            continue
        flies = False
        if abs(speed) > CALM or activation(gap, cube.restriction.r_t, cube.restriction.r_c) > LIGHT:
            return most
    return 1 if flies else max(most // SLIDING, 1)


@kernel
def fastest(cube: Any, x: Array) -> float:
    """A bound on the speed in m/s of all points of a cube."""
    return norm(triple(x[V:W])) + norm(triple(cube.corners[0])) * norm(triple(x[W:SIZE]))


@kernel
def toss_cube(cube: Any, start: Array, sample: float, substeps: int, out: Array) -> None:
    """Roll out a toss from a state, one row per sample in s."""
    x = start.copy()
    corners = Corners(np.zeros((8, 3)), np.zeros((8, 3)), np.zeros((8, 3)), np.zeros(8, np.bool_))
    room = rk4_room(SIZE)
    slow = False
    for row in range(out.shape[0]):
        out[row] = x
        was_slow = slow
        slow = corners.touching.any() and fastest(cube, x) < AT_REST
        if slow and was_slow:
            x[V:] = 0.0
            continue
        steps = steps_in(cube, x, sample, substeps)
        for _ in range(steps):
            toss_step(cube, x, sample / steps, corners, room)


@njit(cache=True, parallel=True, error_model="numpy")
def _toss_all(cubes: Array, starts: Array, first: Array, sample: float, substeps: int, out: Array) -> None:
    for i in prange(starts.shape[0]):
        toss_cube(cubes[i % cubes.size], starts[i], sample, substeps, out[first[i] : first[i + 1]])


def toss_ensemble(
    cubes: NDArray[Any], starts: NDArray[np.float64], first: NDArray[np.int64], sample: float, substeps: int = 40
) -> NDArray[np.float64]:
    """States of many tosses, one row per sample, on all cores.

    Args:
        cubes: one record (`TossedCube.record`) for all tosses, or one each.
        starts: one state per toss. first: first row of each toss in the result, and the number of all rows.
        sample: time in s between two rows. substeps: steps of RK4 in it, where a corner is near the ground.
    """
    positive("sample", sample)
    if substeps < 1:
        raise ParameterError(f"substeps must be at least 1, got {substeps}")
    if starts.ndim != 2 or starts.shape[1] != SIZE or len(first) != len(starts) + 1:
        raise ParameterError(f"starts must have {SIZE} columns and first one entry more than it, got {starts.shape}")
    if len(cubes) not in (1, len(starts)):
        raise ParameterError(f"give one cube, or one for each of the {len(starts)} tosses, got {len(cubes)}")
    out = np.zeros((int(first[-1]), SIZE))
    _toss_all(np.ascontiguousarray(cubes, TOSS), np.ascontiguousarray(starts), first, sample, substeps, out)
    return out
