"""Signed distance and outward normal from a point to a solid, in the solid's own frame, in m.

Cylinder, cone and torus have the z axis as axis of revolution and their middle at the origin. Outside, and down to the
depth of a contact inside, the distance is that to the nearest point of the surface.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernel import kernel
from ....numerics.vectors import Triple, dot

ITERATIONS = 60
"""Most iterations of the point on an ellipsoid; Newton's method from the outer side needs fewer than ten."""

Near = tuple[float, Triple]


@kernel
def turned(c: Triple, out: float, up: float) -> Triple:
    """A direction from its radial and axial components at a point; on the axis, any radial direction."""
    rho = np.sqrt(c[0] * c[0] + c[1] * c[1])
    if rho < 1e-150:
        return out, 0.0, up
    return out * c[0] / rho, out * c[1] / rho, up


@kernel
def to_cylinder(c: Triple, size: Any) -> Near:
    """A cylinder whose size is (radius, radius, half length)."""
    out = np.sqrt(c[0] * c[0] + c[1] * c[1]) - size[0]
    up = abs(c[2]) - size[2]
    side = 1.0 if c[2] >= 0.0 else -1.0
    if out > 0.0 and up > 0.0:
        d = np.sqrt(out * out + up * up)
        return d, turned(c, out / d, side * up / d)
    if out >= up:
        return out, turned(c, 1.0, 0.0)
    return up, (0.0, 0.0, side)


@kernel
def to_cone(c: Triple, size: Any) -> Near:
    """A cone whose size is (radius of the base, same, half height); the apex points along z."""
    radius = size[0]
    height = 2.0 * size[2]
    slant = np.sqrt(radius * radius + height * height)
    out = np.sqrt(c[0] * c[0] + c[1] * c[1]) - radius
    up = c[2] + size[2]
    above = (height * out + radius * up) / slant
    along = (height * up - radius * out) / slant
    if above <= 0.0 and up >= 0.0:
        if above >= -up:
            return above, turned(c, height / slant, radius / slant)
        return -up, (0.0, 0.0, -1.0)
    if up < 0.0 and out <= 0.0:
        return -up, (0.0, 0.0, -1.0)
    if 0.0 <= along <= slant:
        return above, turned(c, height / slant, radius / slant)
    if along > slant:
        out += radius
        up -= height
    d = np.sqrt(out * out + up * up)
    return d, turned(c, out / d, up / d)


@kernel
def to_ring(c: Triple, size: Any) -> Near:
    """The circle of a torus, whose size is (radius of the ring, same, 0); the tube is the radius around it."""
    out = np.sqrt(c[0] * c[0] + c[1] * c[1]) - size[0]
    d = np.sqrt(out * out + c[2] * c[2])
    if d < 1e-300:
        return 0.0, (0.0, 0.0, 1.0)
    return d, turned(c, out / d, c[2] / d)


@kernel
def ellipsoid_parameter(c: Triple, square: Triple, start: float) -> float:
    """The number t at which the point e^2 c/(t + e^2) lies on an ellipsoid of squared half axes e^2.

    The condition is a convex, decreasing function of t, at least zero at the start: Newton's method approaches its root
    from that side and cannot overshoot.
    """
    t = start
    for _ in range(ITERATIONS):
        value = -1.0
        slope = 0.0
        for i in range(3):
            part = square[i] * c[i] * c[i] / (t + square[i]) ** 2
            value += part
            slope -= 2.0 * part / (t + square[i])
        if value <= 1e-15 or slope == 0.0:
            break
        following = t - value / slope
        if following <= t:
            break
        t = following
    return t


@kernel
def to_ellipsoid(c: Triple, size: Any) -> Near:
    """An ellipsoid whose size are its half axes; exact everywhere but near its middle."""
    square = (size[0] * size[0], size[1] * size[1], size[2] * size[2])
    start = -np.inf
    for i in range(3):
        start = max(start, size[i] * abs(c[i]) - square[i])
    least = min(square)
    t = ellipsoid_parameter(c, square, max(start, -least * (1.0 - 1e-9)))
    tilt = (c[0] / (t + square[0]), c[1] / (t + square[1]), c[2] / (t + square[2]))
    length = np.sqrt(dot(tilt, tilt))
    if length < 1e-300:
        return -np.sqrt(least), (0.0, 0.0, 1.0)
    normal = (tilt[0] / length, tilt[1] / length, tilt[2] / length)
    return t * length, normal
