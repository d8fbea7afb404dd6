"""Two cones that touch by their sides, away from rims and apices: all in closed form.

Every tangent plane of a cone contains its apex, and its normal has a known angle to the axis. Where two sides touch,
one plane is tangent to both: its normal lies on two circles of the unit sphere, which meet in two points at most.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....kernel import kernel
from ....numerics.vectors import Triple, cross, dot, minus, norm, plus, times
from ..geometry import ramp

Found = tuple[float, Triple, Triple, float]
"""Distance in m, normal, point on the first of two shapes, and weight."""

END = 0.05
"""Fraction of a side, at either end, over which its rim and its apex take over."""


NEARLY_PARALLEL = 1e-6
"""Square of the sine of the angle between axes below which sides touch along a line, by a rim or by an apex."""


class ConeSide(NamedTuple):
    """The side of a cone: its apex, the centre of its base, and the radius of its base, in m."""

    apex: Any
    base: Any
    radius: float


@kernel
def side_axis(side: ConeSide) -> Triple:
    """Unit vector from base to apex."""
    along = minus(side.apex, side.base)
    return times(1.0 / norm(along), along)


@kernel
def side_sine(side: ConeSide) -> float:
    """Sine of the angle between the axis and the side: the component of an outward normal along the axis."""
    height = norm(minus(side.apex, side.base))
    return side.radius / np.sqrt(side.radius * side.radius + height * height)


@kernel
def generator(side: ConeSide, outward: Triple) -> Triple:
    """Vector from the apex to the rim along the line of a side that has a given outward normal."""
    axis = side_axis(side)
    radial = minus(outward, times(dot(outward, axis), axis))
    return plus(minus(side.base, side.apex), times(side.radius / norm(radial), radial))


@kernel
def tangent_normal(one: ConeSide, other: ConeSide) -> tuple[bool, Triple]:
    """Normal, towards the first side, of the plane that touches both from outside; and whether there is one.

    Of two such planes, the one that keeps the sides farther apart.
    """
    a = side_axis(one)
    b = side_axis(other)
    c = dot(a, b)
    across = cross(a, b)
    square = dot(across, across)
    if square < NEARLY_PARALLEL:
        return False, a
    along_a = -side_sine(one)
    along_b = side_sine(other)
    flat = plus(times((along_a - c * along_b) / square, a), times((along_b - c * along_a) / square, b))
    rest = (1.0 - dot(flat, flat)) / square
    if rest <= 0.0:
        return False, a
    aside = times(np.sqrt(rest), across)
    if dot(aside, minus(one.apex, other.apex)) < 0.0:
        aside = times(-1.0, aside)
    return True, plus(flat, aside)


@kernel
def between_sides(one: ConeSide, other: ConeSide) -> Found:
    """Two sides of cones; without weight where they touch by a rim, by an apex or along a line."""
    away = minus(one.apex, other.apex)
    crossing, n = tangent_normal(one, other)
    if not crossing:
        return norm(away), n, one.apex, 0.0
    u = generator(one, times(-1.0, n))
    v = generator(other, n)
    uu = dot(u, u)
    uv = dot(u, v)
    vv = dot(v, v)
    det = uu * vv - uv * uv
    if det < 1e-12 * uu * vv:
        return dot(n, away), n, one.apex, 0.0
    s = (uv * dot(v, away) - vv * dot(u, away)) / det
    t = (uu * dot(v, away) - uv * dot(u, away)) / det
    return dot(n, away), n, plus(one.apex, times(s, u)), ramp(s, END) * ramp(t, END)
