"""Packed states of the bodies on the load, compiled; only this module knows their layout.

State x of a body: position in m, quaternion. w: velocity in m/s (world), angular velocity in rad/s (body). Generalised
force q: force in N (world), torque in N m about the centre of mass (body).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel import kernel
from ...numerics.vectors import Triple, cross, minus, plus

Array = Any

STATE_WIDTH = 7
SPEED_WIDTH = 6
"""Number of entries per body in x, and in w and q."""


class Bodies(NamedTuple):
    """All bodies on the load: packed states x and w, and space for the rotation matrices r."""

    x: Array
    w: Array
    r: Array


@kernel
def rotations(x: Array, out: Array) -> None:
    """Rotation matrices of all bodies from their packed states."""
    for i in range(out.shape[0]):
        k = STATE_WIDTH * i
        e0 = x[k + 3]
        e1 = x[k + 4]
        e2 = x[k + 5]
        e3 = x[k + 6]
        r = out[i]
        r[0, 0] = 1.0 - 2.0 * (e2 * e2 + e3 * e3)
        r[0, 1] = 2.0 * (e1 * e2 - e0 * e3)
        r[0, 2] = 2.0 * (e1 * e3 + e0 * e2)
        r[1, 0] = 2.0 * (e1 * e2 + e0 * e3)
        r[1, 1] = 1.0 - 2.0 * (e1 * e1 + e3 * e3)
        r[1, 2] = 2.0 * (e2 * e3 - e0 * e1)
        r[2, 0] = 2.0 * (e1 * e3 - e0 * e2)
        r[2, 1] = 2.0 * (e2 * e3 + e0 * e1)
        r[2, 2] = 1.0 - 2.0 * (e1 * e1 + e2 * e2)


@kernel
def position(x: Array, body: int) -> Triple:
    """World position of a body's centre of mass."""
    k = STATE_WIDTH * body
    return x[k], x[k + 1], x[k + 2]


@kernel
def to_world(r: Array, body: int, d: Any) -> Triple:
    """World components of a body-fixed direction."""
    m = r[body]
    return (
        m[0, 0] * d[0] + m[0, 1] * d[1] + m[0, 2] * d[2],
        m[1, 0] * d[0] + m[1, 1] * d[1] + m[1, 2] * d[2],
        m[2, 0] * d[0] + m[2, 1] * d[1] + m[2, 2] * d[2],
    )


@kernel
def to_body(r: Array, body: int, d: Any) -> Triple:
    """Body-fixed components of a world direction."""
    m = r[body]
    return (
        m[0, 0] * d[0] + m[1, 0] * d[1] + m[2, 0] * d[2],
        m[0, 1] * d[0] + m[1, 1] * d[1] + m[2, 1] * d[2],
        m[0, 2] * d[0] + m[1, 2] * d[1] + m[2, 2] * d[2],
    )


@kernel
def point_on(x: Array, r: Array, body: int, p: Any) -> Triple:
    """World position of a body-fixed point."""
    m = r[body]
    k = STATE_WIDTH * body
    return (
        x[k] + m[0, 0] * p[0] + m[0, 1] * p[1] + m[0, 2] * p[2],
        x[k + 1] + m[1, 0] * p[0] + m[1, 1] * p[1] + m[1, 2] * p[2],
        x[k + 2] + m[2, 0] * p[0] + m[2, 1] * p[1] + m[2, 2] * p[2],
    )


@kernel
def point_in(x: Array, r: Array, body: int, p: Any) -> Triple:
    """Body-fixed position of a world point."""
    return to_body(r, body, minus(p, position(x, body)))


@kernel
def linear(w: Array, body: int) -> Triple:
    """Velocity of a body's centre of mass from packed velocities."""
    k = SPEED_WIDTH * body
    return w[k], w[k + 1], w[k + 2]


@kernel
def angular(r: Array, w: Array, body: int) -> Triple:
    """Angular velocity of a body in world components from packed velocities."""
    k = SPEED_WIDTH * body + 3
    return to_world(r, body, (w[k], w[k + 1], w[k + 2]))


@kernel
def angular_velocity(bodies: Bodies, body: int) -> Triple:
    """Angular velocity of a body in world components."""
    return angular(bodies.r, bodies.w, body)


@kernel
def velocity_at(bodies: Bodies, body: int, p: Triple) -> Triple:
    """World velocity of the point of a body that is at a world position."""
    arm = minus(p, position(bodies.x, body))
    turning = cross(angular_velocity(bodies, body), arm)
    return plus(linear(bodies.w, body), turning)


@kernel
def lever(r: Array, body: int, arm: Any, out: Array) -> None:
    """Velocity of the end of an arm as a 3 x 6 matrix times the (velocity, angular velocity) of a body."""
    m = r[body]
    for i in range(3):
        for j in range(3):
            out[i, j] = 1.0 if i == j else 0.0
    for k in range(3):
        out[0, 3 + k] = m[1, k] * arm[2] - m[2, k] * arm[1]
        out[1, 3 + k] = m[2, k] * arm[0] - m[0, k] * arm[2]
        out[2, 3 + k] = m[0, k] * arm[1] - m[1, k] * arm[0]


@kernel
def push(bodies: Bodies, body: int, p: Triple, force: Triple, q: Array) -> None:
    """Add a world force at a world point to the generalised force of a body."""
    torque = cross(minus(p, position(bodies.x, body)), force)
    k = SPEED_WIDTH * body
    q[k] += force[0]
    q[k + 1] += force[1]
    q[k + 2] += force[2]
    twist(bodies, body, torque, q)


@kernel
def twist(bodies: Bodies, body: int, torque: Triple, q: Array) -> None:
    """Add a world torque to the generalised force of a body."""
    local = to_body(bodies.r, body, torque)
    k = SPEED_WIDTH * body + 3
    q[k] += local[0]
    q[k + 1] += local[1]
    q[k + 2] += local[2]


@kernel
def way_of(x: Array, reference: Array, extents: Array, body: int) -> float:
    """Longest possible way in m of a point of the cores of a body's shapes since a reference.

    Rotation of a body moves no point of its shapes' cores by more than twice the distance between the quaternions times
    the extent of the cores.
    """
    square = 0.0
    near = 0.0
    far = 0.0
    for k in range(STATE_WIDTH * body, STATE_WIDTH * body + 3):
        square += (x[k] - reference[k]) ** 2
    for k in range(STATE_WIDTH * body + 3, STATE_WIDTH * (body + 1)):
        near += (x[k] - reference[k]) ** 2
        far += (x[k] + reference[k]) ** 2
    return float(np.sqrt(square) + 2.0 * np.sqrt(min(near, far)) * extents[body])


@kernel
def speed_of(w: Array, extents: Array, body: int) -> float:
    """Largest speed in m/s of any point of the cores of a body's shapes."""
    linear = 0.0
    angular = 0.0
    for k in range(SPEED_WIDTH * body, SPEED_WIDTH * body + 3):
        linear += w[k] * w[k]
        angular += w[k + 3] * w[k + 3]
    return float(np.sqrt(linear) + np.sqrt(angular) * extents[body])


@kernel
def outgrown_among(
    first: int, last: int, x: Array, w: Array, ahead: float, reference: Array, extents: Array, rooms: Array
) -> int:
    """The same as `outgrown` among the bodies from the first one to the one before the last."""
    found = 0
    for body in range(first, last):
        way = way_of(x, reference, extents, body)
        if not np.isfinite(way):
            return -1 - body
        if ahead > 0.0:
            way += ahead * speed_of(w, extents, body)
        if way > rooms[body]:
            found = 1
    return found


@kernel
def outgrown(x: Array, w: Array, ahead: float, reference: Array, extents: Array, rooms: Array) -> int:
    """Whether a body has left its room around a reference, or may do so in a time ahead: 1 if one has, 0 if none.

    -1 - number of a body that is not finite. Rooms are in m, `ahead` is in s.
    """
    return outgrown_among(0, extents.size, x, w, ahead, reference, extents, rooms)


@kernel
def ways_ahead(w: Array, extents: Array, ahead: float) -> Array:
    """Longest way in m of the cores of each body's shapes in a time ahead, in s, at the present speeds."""
    ways = np.empty(extents.size)
    for body in range(extents.size):
        ways[body] = ahead * speed_of(w, extents, body)
    return ways
