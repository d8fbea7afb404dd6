"""How what a contact remembers moves on with it: vectors in world components under a turning normal."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from .geometry import to_world

MARKS_WIDTH = 9

Array = Any
SMALL = 1e-5
"""Angle in rad up to which sine and cosine are their first terms, to round-off."""


@kernel
def way_since(v: Any, before: Array, at: int, h: float, once: bool) -> Any:
    """Way since the last commit, when the velocity was before[at:]: by the mean velocity; once a step, by the last."""
    if once:
        return h * v[0], h * v[1], h * v[2]
    k = 0.5 * h
    return k * (v[0] + before[at]), k * (v[1] + before[at + 1]), k * (v[2] + before[at + 2])


@kernel
def along(v: Any, n: Any) -> Any:
    """The part of a vector along a unit normal."""
    up = v[0] * n[0] + v[1] * n[1] + v[2] * n[2]
    return up * n[0], up * n[1], up * n[2]


@kernel
def in_plane(v: Any, n: Any) -> Any:
    """The part of a vector in the plane across a unit normal."""
    up = v[0] * n[0] + v[1] * n[1] + v[2] * n[2]
    return v[0] - up * n[0], v[1] - up * n[1], v[2] - up * n[2]


@kernel
def moved_on(vectors: Array, at: int, normals: Array, place: int, n: Any, angle: float) -> Any:
    """vectors[at:at + 3], moved from the normal normals[place:place + 3] to n and turned about n by an angle in rad.

    The first is the smallest turn that brings one normal to the other: v - (o + n) (n.v + o.v)/(1 + n.o) + 2 n (o.v).
    Where the normals are opposite there is no smallest turn, and nothing is remembered.
    """
    vx, vy, vz = vectors[at], vectors[at + 1], vectors[at + 2]
    if vx == 0.0 and vy == 0.0 and vz == 0.0:
        return 0.0, 0.0, 0.0
    ox, oy, oz = normals[place], normals[place + 1], normals[place + 2]
    cosine = ox * n[0] + oy * n[1] + oz * n[2]
    if cosine < -0.999:
        return 0.0, 0.0, 0.0
    if ox != n[0] or oy != n[1] or oz != n[2]:
        by_new, by_old = vx * n[0] + vy * n[1] + vz * n[2], vx * ox + vy * oy + vz * oz
        share = (by_new + by_old) / (1.0 + cosine)
        vx = vx - share * (ox + n[0]) + 2.0 * by_old * n[0]
        vy = vy - share * (oy + n[1]) + 2.0 * by_old * n[1]
        vz = vz - share * (oz + n[2]) + 2.0 * by_old * n[2]
    c, s = 1.0 - 0.5 * angle * angle, angle
    if np.abs(angle) > SMALL:
        c, s = np.cos(angle), np.sin(angle)
    up = (vx * n[0] + vy * n[1] + vz * n[2]) * (1.0 - c)
    return (
        c * vx + s * (n[1] * vz - n[2] * vy) + up * n[0],
        c * vy + s * (n[2] * vx - n[0] * vz) + up * n[1],
        c * vz + s * (n[0] * vy - n[1] * vx) + up * n[2],
    )


@kernel
def mark(x: Array, r: Array, body: int, p: Any, row: Array, at: int) -> None:
    """Write a world point into row[at:at + 3] as a point of a body."""
    m, dx, dy, dz = r[body], p[0] - x[7 * body], p[1] - x[7 * body + 1], p[2] - x[7 * body + 2]
    for i in range(3):
        row[at + i] = m[0, i] * dx + m[1, i] * dy + m[2, i] * dz


@kernel
def mark_both(x: Array, r: Array, a: int, b: int, p: Any, row: Array, at: int) -> None:
    """Mark a world point on two bodies, and keep by how much rounding sets the marks apart: MARKS_WIDTH numbers."""
    mark(x, r, a, p, row, at)
    mark(x, r, b, p, row, at + 3)
    on_a, on_b = to_world(x, r, a, row, at), to_world(x, r, b, row, at + 3)
    for i in range(3):
        row[at + 6 + i] = on_a[i] - on_b[i]


@kernel
def parted(x: Array, r: Array, a: int, b: int, row: Array, at: int, n: Any) -> Any:
    """How far in m, across the normal, the marks that `mark_both` left on two bodies have parted since.

    A way found from positions is exact where both bodies move together, whatever the integrator makes of their path; a
    way found from velocities drifts there. Where nothing has moved it is exactly zero.
    """
    p, o = to_world(x, r, a, row, at), to_world(x, r, b, row, at + 3)
    way = (p[0] - o[0] - row[at + 6], p[1] - o[1] - row[at + 7], p[2] - o[2] - row[at + 8])
    return in_plane(way, n)
