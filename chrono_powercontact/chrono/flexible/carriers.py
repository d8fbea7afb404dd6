"""Carriers, compiled: rigid stand-ins that move with bodies and finite element nodes.

The contact kernels know rigid bodies alone. A carrier has a packed state like one, see `bodies`. It follows a body, a
node with or without a rotation of its own, or two nodes at the ends of a link. Its velocities are linear in those of
the nodes, w_c = B w, so its forces go to the nodes as q = B^T q_c, and no power is lost on the way.

A link lies between two nodes with its x axis along it. It turns with the line between them by the smallest rotation
since the last commit, and about its own axis with the mean rotation of its nodes, where they have one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ...numerics.vectors import Triple, cross, dot, minus, norm, plus, times
from ..contact.bodies import SPEED_WIDTH, STATE_WIDTH

Array = Any

POINT, FRAME, LINK, TURNING_LINK = range(4)
"""Kinds: a node without a rotation; a body, or a node with a rotation; a link between two nodes of either kind."""

CARRIER = np.dtype(
    [
        ("kind", np.int64), ("x0", np.int64), ("w0", np.int64), ("x1", np.int64), ("w1", np.int64),
        ("free0", np.int64), ("free1", np.int64),
    ]
)  # fmt: skip
"""A carrier: its kind, places of its first and second node in the states and velocities, and whether these nodes can
move. A fixed node is not on the load and gets no force."""

FRAME_WIDTH = 12
"""Entries per carrier of the frames at the last commit: quaternions of the link and of its two nodes."""


@kernel
def point_at(x: Array, i: int) -> Triple:
    """Three consecutive entries of an array."""
    return x[i], x[i + 1], x[i + 2]


@kernel
def add_at(q: Array, i: int, v: Triple) -> None:
    """Add a vector to three consecutive entries of an array."""
    q[i] += v[0]
    q[i + 1] += v[1]
    q[i + 2] += v[2]


@kernel
def put_at(out: Array, i: int, v: Triple) -> None:
    """Write a vector to three consecutive entries of an array."""
    out[i] = v[0]
    out[i + 1] = v[1]
    out[i + 2] = v[2]


@kernel
def turned_by(e: Array, i: int, v: Triple) -> Triple:
    """A vector turned by the quaternion at a place of an array."""
    u = point_at(e, i + 1)
    t = times(2.0, cross(u, v))
    return plus(plus(v, times(e[i], t)), cross(u, t))


@kernel
def turned_back(e: Array, i: int, v: Triple) -> Triple:
    """A vector turned by the inverse of the quaternion at a place of an array."""
    u = times(-1.0, point_at(e, i + 1))
    t = times(2.0, cross(u, v))
    return plus(plus(v, times(e[i], t)), cross(u, t))


@kernel
def put_product(s: float, u: Triple, e: Array, i: int, out: Array, j: int) -> None:
    """Write the product of the quaternion (s, u) and the one at a place of an array, scaled to length 1."""
    t = e[i]
    v = point_at(e, i + 1)
    scalar = s * t - dot(u, v)
    vector = plus(plus(times(s, v), times(t, u)), cross(u, v))
    length = np.sqrt(scalar * scalar + dot(vector, vector))
    out[j] = scalar / length
    put_at(out, j + 1, times(1.0 / length, vector))


@kernel
def turn_since(x: Array, i: int, frames: Array, j: int) -> Triple:
    """Rotation vector in rad of a node since the last commit; both quaternions are at places of arrays."""
    s = x[i]
    u = point_at(x, i + 1)
    t = frames[j]
    v = point_at(frames, j + 1)
    scalar = s * t + dot(u, v)
    vector = minus(minus(times(t, u), times(s, v)), cross(u, v))
    sine = norm(vector)
    angle = 2.0 * np.arctan2(sine, np.abs(scalar)) / sine if sine > 0.0 else 0.0
    return times(angle if scalar >= 0.0 else -angle, vector)


@kernel
def axis_of(x: Array, carrier: Any) -> tuple[Triple, float]:
    """Direction of a link, and its length in m."""
    d = minus(point_at(x, carrier.x1), point_at(x, carrier.x0))
    length = norm(d)
    return times(1.0 / length, d), length


@kernel
def put_link_rotation(x: Array, carrier: Any, axis: Triple, frames: Array, j: int, out: Array, i: int) -> None:
    """Write the quaternion of a link: the smallest rotation since the last commit, and one about its axis."""
    before = turned_by(frames, j, (1.0, 0.0, 0.0))
    cosine = dot(before, axis)
    put_product(1.0 + cosine, cross(before, axis), frames, j, out, i)
    if carrier.kind == TURNING_LINK:
        first = turn_since(x, carrier.x0 + 3, frames, j + 4)
        second = turn_since(x, carrier.x1 + 3, frames, j + 8)
        half = 0.25 * dot(plus(first, second), axis)
        put_product(np.cos(half), times(np.sin(half), axis), out, i, out, i)


@kernel
def node_spin(x: Array, w: Array, i: int, j: int) -> Triple:
    """Angular velocity in rad/s of a node with a rotation, in world components."""
    return turned_by(x, i + 3, point_at(w, j + 3))


@kernel
def carry_link(x: Array, w: Array, carrier: Any, frames: Array, c: int, states: Array, speeds: Array) -> None:
    """Write the state and the velocities of a link."""
    i = STATE_WIDTH * c
    j = SPEED_WIDTH * c
    axis, length = axis_of(x, carrier)
    v0 = point_at(w, carrier.w0)
    v1 = point_at(w, carrier.w1)
    put_at(states, i, times(0.5, plus(point_at(x, carrier.x0), point_at(x, carrier.x1))))
    put_link_rotation(x, carrier, axis, frames, FRAME_WIDTH * c, states, i + 3)
    spin = times(1.0 / length, cross(axis, minus(v1, v0)))
    if carrier.kind == TURNING_LINK:
        both = plus(node_spin(x, w, carrier.x0, carrier.w0), node_spin(x, w, carrier.x1, carrier.w1))
        spin = plus(spin, times(0.5 * dot(both, axis), axis))
    put_at(speeds, j, times(0.5, plus(v0, v1)))
    put_at(speeds, j + 3, turned_back(states, i + 3, spin))


@kernel
def carry(x: Array, w: Array, heads: Array, frames: Array, states: Array, speeds: Array) -> None:
    """Write the packed states and velocities of all carriers.

    Args:
        x, w: states and velocities of the load, each body and node in its own width.
        heads: flat CARRIER. frames: flat, see FRAME_WIDTH. states, speeds: receive those of the carriers.
    """
    carriers = heads.view(CARRIER)
    for c in range(carriers.size):
        carrier = carriers[c]
        i = STATE_WIDTH * c
        j = SPEED_WIDTH * c
        if carrier.kind == POINT:
            put_at(states, i, point_at(x, carrier.x0))
            states[i + 3] = 1.0
            put_at(speeds, j, point_at(w, carrier.w0))
        elif carrier.kind == FRAME:
            states[i : i + STATE_WIDTH] = x[carrier.x0 : carrier.x0 + STATE_WIDTH]
            speeds[j : j + SPEED_WIDTH] = w[carrier.w0 : carrier.w0 + SPEED_WIDTH]
        else:
            carry_link(x, w, carrier, frames, c, states, speeds)


@kernel
def hand_on_link(x: Array, carrier: Any, c: int, states: Array, forces: Array, q: Array) -> None:
    """Add the forces of a link to those of its nodes."""
    axis, length = axis_of(x, carrier)
    force = times(0.5, point_at(forces, SPEED_WIDTH * c))
    torque = turned_by(states, STATE_WIDTH * c + 3, point_at(forces, SPEED_WIDTH * c + 3))
    couple = times(1.0 / length, cross(torque, axis))
    twist = times(0.5 * dot(torque, axis), axis)
    if carrier.free0:
        add_at(q, carrier.w0, minus(force, couple))
    if carrier.free1:
        add_at(q, carrier.w1, plus(force, couple))
    if carrier.kind == TURNING_LINK:
        if carrier.free0:
            add_at(q, carrier.w0 + 3, turned_back(x, carrier.x0 + 3, twist))
        if carrier.free1:
            add_at(q, carrier.w1 + 3, turned_back(x, carrier.x1 + 3, twist))


@kernel
def hand_on(x: Array, heads: Array, states: Array, forces: Array, q: Array) -> None:
    """Write the generalised forces of the load from those of all carriers, as flat arrays."""
    q[:] = 0.0
    carriers = heads.view(CARRIER)
    for c in range(carriers.size):
        carrier = carriers[c]
        j = SPEED_WIDTH * c
        if carrier.kind >= LINK:
            hand_on_link(x, carrier, c, states, forces, q)
        elif carrier.free0:
            for i in range(3 if carrier.kind == POINT else SPEED_WIDTH):
                q[carrier.w0 + i] += forces[j + i]


@kernel
def keep_frames(x: Array, heads: Array, states: Array, frames: Array) -> None:
    """Keep the quaternions of links and of their nodes at a commit."""
    carriers = heads.view(CARRIER)
    for c in range(carriers.size):
        carrier = carriers[c]
        if carrier.kind >= LINK:
            j = FRAME_WIDTH * c
            frames[j : j + 4] = states[STATE_WIDTH * c + 3 : STATE_WIDTH * c + 7]
            if carrier.kind == TURNING_LINK:
                frames[j + 4 : j + 8] = x[carrier.x0 + 3 : carrier.x0 + 7]
                frames[j + 8 : j + 12] = x[carrier.x1 + 3 : carrier.x1 + 7]


@kernel
def first_frames(x: Array, heads: Array, frames: Array) -> None:
    """Write the frames of all links before the first step; about its axis a link may begin at any angle."""
    carriers = heads.view(CARRIER)
    frames[:] = 0.0
    for c in range(carriers.size):
        carrier = carriers[c]
        if carrier.kind < LINK:
            continue
        j = FRAME_WIDTH * c
        axis, _ = axis_of(x, carrier)
        if axis[0] > -0.5:
            frames[j] = 1.0
            put_product(1.0 + axis[0], (0.0, -axis[2], axis[1]), frames, j, frames, j)
        else:
            frames[j + 2] = 1.0
            put_product(1.0 - axis[0], (0.0, axis[2], -axis[1]), frames, j, frames, j)
        if carrier.kind == TURNING_LINK:
            frames[j + 4 : j + 8] = x[carrier.x0 + 3 : carrier.x0 + 7]
            frames[j + 8 : j + 12] = x[carrier.x1 + 3 : carrier.x1 + 7]
