"""How what a contact remembers moves on with it: vectors in world components under a turning normal."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..laws.kernel import kernel

Array = Any


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

    The first is the smallest turn that brings one normal to the other: v - (o + n) (n.v)/(1 + n.o) + 2 n (o.v), for
    any v. Where the normals are opposite there is no smallest turn, and nothing is remembered.
    """
    vx, vy, vz = vectors[at], vectors[at + 1], vectors[at + 2]
    if vx == 0.0 and vy == 0.0 and vz == 0.0:
        return 0.0, 0.0, 0.0
    ox, oy, oz = normals[place], normals[place + 1], normals[place + 2]
    cosine = ox * n[0] + oy * n[1] + oz * n[2]
    if cosine < -0.999:
        return 0.0, 0.0, 0.0
    by_new, by_old = vx * n[0] + vy * n[1] + vz * n[2], vx * ox + vy * oy + vz * oz
    share = (by_new + by_old) / (1.0 + cosine)
    vx = vx - share * (ox + n[0]) + 2.0 * by_old * n[0]
    vy = vy - share * (oy + n[1]) + 2.0 * by_old * n[1]
    vz = vz - share * (oz + n[2]) + 2.0 * by_old * n[2]
    c, s = np.cos(angle), np.sin(angle)
    up = (vx * n[0] + vy * n[1] + vz * n[2]) * (1.0 - c)
    return (
        c * vx + s * (n[1] * vz - n[2] * vy) + up * n[0],
        c * vy + s * (n[2] * vx - n[0] * vz) + up * n[1],
        c * vz + s * (n[0] * vy - n[1] * vx) + up * n[2],
    )
