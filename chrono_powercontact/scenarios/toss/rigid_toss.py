"""Tosses of a rigid cube by time-stepping: Coulomb friction and Newton's restitution as impulses, as a rival.

Moreau's midpoint rule: corners that overlap the ground halfway through a step get impulses at its end, found by
projected Gauss-Seidel iterations over all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from ...kernel import kernel
from ...numerics.vectors import Triple, cross, dot, plus, times, triple
from .toss_kernel import QUATERNION, SIZE, V, W, X, rotation_matrix, turned, turned_back

Array = Any

SWEEPS = 60
"""Iterations over the corners of a step."""

AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@kernel
def drift(x: Array, h: float) -> None:
    """Move a state on by half a step h in s with its velocities."""
    for i in range(3):
        x[X + i] += h * x[V + i]
    w = triple(x[W:SIZE])
    q = x[QUATERNION:V].copy()
    x[QUATERNION] -= 0.5 * h * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2])
    x[QUATERNION + 1] += 0.5 * h * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1])
    x[QUATERNION + 2] += 0.5 * h * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2])
    x[QUATERNION + 3] += 0.5 * h * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0])
    length = np.sqrt(np.sum(x[QUATERNION:V] ** 2))
    for i in range(QUATERNION, V):
        x[i] /= length


@kernel
def velocity_at(x: Array, m: Any, lever: Triple) -> Triple:
    """Velocity in m/s of a point of the cube."""
    return plus(triple(x[V:W]), cross(turned(m, triple(x[W:SIZE])), lever))


@kernel
def push(cube: Any, x: Array, m: Any, lever: Triple, impulse: Triple) -> None:
    """Apply an impulse in N s at a point of the cube."""
    turn = turned_back(m, cross(lever, impulse))
    for i in range(3):
        x[V + i] += impulse[i] / cube.mass
        x[W + i] += turn[i] / cube.inertia[i]


@kernel
def ease(cube: Any, m: Any, lever: Triple, axis: Triple) -> float:
    """Speed in m/s along an axis that an impulse of 1 N s along it gives to a point."""
    turn = turned_back(m, cross(lever, axis))
    spin = (turn[0] / cube.inertia[0], turn[1] / cube.inertia[1], turn[2] / cube.inertia[2])
    return 1.0 / cube.mass + dot(axis, cross(turned(m, spin), lever))


@kernel
def solve_corner(cube: Any, x: Array, m: Any, lever: Triple, mu: float, rebound: float, impulse: Array) -> None:
    """Correct the impulse of one corner in N s, which is to leave with the speed `rebound` in m/s."""
    v = velocity_at(x, m, lever)
    normal = max(impulse[2] - (v[2] - rebound) / ease(cube, m, lever, AXES[2]), 0.0)
    push(cube, x, m, lever, (0.0, 0.0, normal - impulse[2]))
    impulse[2] = normal
    v = velocity_at(x, m, lever)
    softest = max(ease(cube, m, lever, AXES[0]), ease(cube, m, lever, AXES[1]))
    along = (impulse[0] - v[0] / softest, impulse[1] - v[1] / softest, 0.0)
    length = np.sqrt(dot(along, along))
    if length > mu * normal:
        along = times(mu * normal / length, along)
    push(cube, x, m, lever, (along[0] - impulse[0], along[1] - impulse[1], 0.0))
    impulse[0] = along[0]
    impulse[1] = along[1]


@kernel
def rigid_step(cube: Any, mu: float, e: float, x: Array, h: float) -> None:
    """Advance a state by a step in s."""
    drift(x, 0.5 * h)
    m = rotation_matrix(x[QUATERNION:V])
    levers = np.zeros((8, 3))
    rebound = np.zeros(8)
    count = 0
    for i in range(8):
        arm = turned(m, triple(cube.corners[i]))
        if x[X + 2] + arm[2] < cube.radius:
            levers[count] = (arm[0], arm[1], arm[2] - cube.radius)
            rebound[count] = -e * min(velocity_at(x, m, triple(levers[count]))[2], 0.0)
            count += 1
    w = triple(x[W:SIZE])
    for i in range(3):
        j = (i + 1) % 3
        k = (i + 2) % 3
        x[W + i] += h * (cube.inertia[j] - cube.inertia[k]) * w[j] * w[k] / cube.inertia[i]
    x[V + 2] -= h * cube.gravity
    impulses = np.zeros((8, 3))
    for _ in range(SWEEPS):
        for i in range(count):
            solve_corner(cube, x, m, triple(levers[i]), mu, rebound[i], impulses[i])
    drift(x, 0.5 * h)


@njit(cache=True, parallel=True, error_model="numpy")
def _rigid_all(
    cubes: Array, mu: float, e: float, starts: Array, first: Array, sample: float, substeps: int, out: Array
) -> None:
    for i in prange(starts.shape[0]):
        x = starts[i].copy()
        for row in range(first[i], first[i + 1]):
            out[row] = x
            for _ in range(substeps):
                rigid_step(cubes[0], mu, e, x, sample / substeps)


def rigid_ensemble(
    cubes: NDArray[Any], law: tuple[float, float], starts: NDArray[np.float64], first: NDArray[np.int64],
    sample: float, substeps: int = 8,
) -> NDArray[np.float64]:  # fmt: skip
    """States of many tosses of one rigid cube; as `toss_ensemble`, with mu and restitution in `law`."""
    out = np.zeros((int(first[-1]), SIZE))
    _rigid_all(cubes, *map(float, law), np.ascontiguousarray(starts), first, sample, substeps, out)
    return out
