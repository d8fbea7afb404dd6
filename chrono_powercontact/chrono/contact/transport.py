"""Transport of the memory with its contact: vectors in world components as the normal turns."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ...numerics.vectors import ZERO, Triple, cross, dot, minus, plus, store, times
from .bodies import point_in, point_on

Array = Any
SMALL = 1e-5
"""Angle in rad up to which the first terms of sine and cosine are accurate to round-off."""


@kernel
def distance_since(v: Triple, before: Any, h: float, once: bool) -> Triple:
    """Displacement since the last commit, when the velocity was `before`, by the mean velocity; with `once`, by v."""
    if once:
        return times(h, v)
    return times(0.5 * h, plus(v, before))


@kernel
def along(v: Triple, n: Triple) -> Triple:
    """The part of a vector along a unit normal."""
    return times(dot(v, n), n)


@kernel
def in_plane(v: Triple, n: Triple) -> Triple:
    """The part of a vector in the plane perpendicular to a unit normal."""
    return minus(v, times(dot(v, n), n))


@kernel
def shared_spin(a: float, b: float) -> float:
    """The rotation about the normal that two bodies share, in rad/s, from the spins of both: it carries the memory.

    Two bodies that turn together take the memory with them. A body that spins on one at rest leaves it where it is:
    turning it with the spin would direct friction away from the sliding velocity.
    """
    if a * b <= 0.0:
        return 0.0
    return a if abs(a) < abs(b) else b


@kernel
def transported(vector: Any, old: Any, n: Triple, angle: float) -> Triple:
    """A vector rotated from the normal `old` to the normal n, and then about n by an angle in rad.

    The first is the smallest rotation that takes one normal to the other:
    v - (o + n) (n.v + o.v)/(1 + n.o) + 2 n (o.v).
    For opposite normals there is no smallest rotation, and the result is zero.
    """
    v = (vector[0], vector[1], vector[2])
    if v[0] == 0.0 and v[1] == 0.0 and v[2] == 0.0:
        return v
    o = (old[0], old[1], old[2])
    cosine = dot(o, n)
    if cosine < -0.999:
        return ZERO
    if o[0] != n[0] or o[1] != n[1] or o[2] != n[2]:
        by_old = dot(v, o)
        k = (dot(v, n) + by_old) / (1.0 + cosine)
        v = plus(minus(v, times(k, plus(o, n))), times(2.0 * by_old, n))
    c = 1.0 - 0.5 * angle * angle
    s = angle
    if np.abs(angle) > SMALL:
        c = np.cos(angle)
        s = np.sin(angle)
    up = dot(v, n) * (1.0 - c)
    return plus(plus(times(c, v), times(s, cross(n, v))), times(up, n))


@kernel
def mark_point(x: Array, r: Array, element: Any, p: Triple, own: Any) -> None:
    """Mark a world point on both bodies of an element, and store the separation of the marks due to round-off."""
    store(point_in(x, r, element.a, p), own.mark_a)
    store(point_in(x, r, element.b, p), own.mark_b)
    store(minus(point_on(x, r, element.a, own.mark_a), point_on(x, r, element.b, own.mark_b)), own.apart)


@kernel
def displacement(x: Array, r: Array, element: Any, own: Any, n: Triple) -> Triple:
    """Relative tangential displacement in m of the marks that `mark_point` set on both bodies.

    A displacement from positions is exact if both bodies move together, whatever path the integrator takes. One from
    velocities would drift. If nothing has moved it is exactly zero.
    """
    on_a = point_on(x, r, element.a, own.mark_a)
    on_b = point_on(x, r, element.b, own.mark_b)
    return in_plane(minus(minus(on_a, on_b), own.apart), n)
