"""How what a contact remembers moves with it: vectors in world components under a turning normal."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ...numerics.vectors import ZERO, Triple, cross, dot, minus, plus, store, times
from .bodies import point_in, point_on

Array = Any
SMALL = 1e-5
"""Angle in rad up to which sine and cosine are their first terms, to round-off."""


@kernel
def distance_since(v: Triple, before: Any, h: float, once: bool) -> Triple:
    """Displacement since the last commit, when the velocity was `before`: by the mean velocity; once a step, by v."""
    if once:
        return times(h, v)
    return times(0.5 * h, plus(v, before))


@kernel
def along(v: Triple, n: Triple) -> Triple:
    """The part of a vector along a unit normal."""
    return times(dot(v, n), n)


@kernel
def in_plane(v: Triple, n: Triple) -> Triple:
    """The part of a vector in the plane across a unit normal."""
    return minus(v, times(dot(v, n), n))


@kernel
def transported(vector: Any, old: Any, n: Triple, angle: float) -> Triple:
    """A vector moved from the normal `old` to the normal n, and turned about n by an angle in rad.

    The first is the smallest rotation that brings one normal to the other:
    v - (o + n) (n.v + o.v)/(1 + n.o) + 2 n (o.v).
    Where the normals are opposite there is no smallest rotation, and nothing is remembered.
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
    """Mark a world point on both bodies of an element, and keep by how much rounding sets the marks apart."""
    store(point_in(x, r, element.a, p), own.mark_a)
    store(point_in(x, r, element.b, p), own.mark_b)
    store(minus(point_on(x, r, element.a, own.mark_a), point_on(x, r, element.b, own.mark_b)), own.apart)


@kernel
def displacement(x: Array, r: Array, element: Any, own: Any, n: Triple) -> Triple:
    """How far in m, across the normal, the marks that `mark_point` left on both bodies have moved apart since.

    A displacement from positions is exact where both bodies move together, whatever the integrator makes of their path;
    one from velocities drifts there. Where nothing has moved it is exactly zero.
    """
    on_a = point_on(x, r, element.a, own.mark_a)
    on_b = point_on(x, r, element.b, own.mark_b)
    return in_plane(minus(minus(on_a, on_b), own.apart), n)
