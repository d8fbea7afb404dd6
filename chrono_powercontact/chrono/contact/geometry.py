"""Gaps and normals between cores, in double precision: what a contact law needs to know of two shapes.

Every element is a sphere (or a segment) on body A against a plane, sphere, segment or box on body B. A gap is the
distance of the surfaces in m, the normal is a unit vector from B towards A, the point lies between the surfaces.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel

SPHERE_PLANE, SPHERE_SPHERE, SPHERE_BOX, SEGMENT_SEGMENT, EDGE_EDGE = 0, 1, 2, 3, 4

Array = Any

A0, A1, A_OUT, A_RADIUS = 0, 3, 6, 9
B0, B1, B_OUT, B_RADIUS, B_TURN = 10, 13, 16, 19, 20
WIDTH = 29
"""Columns of an element's geometry: two points and an outward direction on A, its radius; the same on B; and the
rotation of a box on B. A plane keeps its point in B0 and its normal in B1, a box its centre and half edges."""


@kernel
def rotations(x: Array, out: Array) -> None:
    """Rotation matrices of all bodies from their packed states (position, quaternion)."""
    for i in range(out.shape[0]):
        e0, e1, e2, e3 = x[7 * i + 3], x[7 * i + 4], x[7 * i + 5], x[7 * i + 6]
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
def to_world(x: Array, r: Array, body: int, g: Array, k: int) -> tuple[float, float, float]:
    """World position of the body-fixed point g[k : k + 3]."""
    m, a, b, c = r[body], g[k], g[k + 1], g[k + 2]
    return (
        x[7 * body] + m[0, 0] * a + m[0, 1] * b + m[0, 2] * c,
        x[7 * body + 1] + m[1, 0] * a + m[1, 1] * b + m[1, 2] * c,
        x[7 * body + 2] + m[2, 0] * a + m[2, 1] * b + m[2, 2] * c,
    )


@kernel
def turned(r: Array, body: int, a: float, b: float, c: float) -> tuple[float, float, float]:
    """A body-fixed direction in world components."""
    m = r[body]
    return (
        m[0, 0] * a + m[0, 1] * b + m[0, 2] * c,
        m[1, 0] * a + m[1, 1] * b + m[1, 2] * c,
        m[2, 0] * a + m[2, 1] * b + m[2, 2] * c,
    )


@kernel
def nearest_on_segments(p0: Any, p1: Any, q0: Any, q1: Any) -> tuple[float, float]:
    """Shares along two segments at which they are nearest."""
    ux, uy, uz = p1[0] - p0[0], p1[1] - p0[1], p1[2] - p0[2]
    vx, vy, vz = q1[0] - q0[0], q1[1] - q0[1], q1[2] - q0[2]
    wx, wy, wz = p0[0] - q0[0], p0[1] - q0[1], p0[2] - q0[2]
    a, b, c = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz
    d, e = ux * wx + uy * wy + uz * wz, vx * wx + vy * wy + vz * wz
    if a < 1e-30:
        return 0.0, min(max(e / c, 0.0), 1.0) if c > 1e-30 else 0.0
    if c < 1e-30:
        return min(max(-d / a, 0.0), 1.0), 0.0
    det = a * c - b * b
    s = min(max((b * e - c * d) / det, 0.0), 1.0) if det > 1e-12 * a * c else 0.5
    t = (b * s + e) / c
    if t < 0.0:
        t, s = 0.0, min(max(-d / a, 0.0), 1.0)
    elif t > 1.0:
        t, s = 1.0, min(max((b - d) / a, 0.0), 1.0)
    return s, t


@kernel
def between(p: Any, q: Any, radius_a: float, radius_b: float) -> tuple[float, float, float, float, float, float, float]:
    """Gap, normal and point of two spheres with centres p on A and q on B."""
    dx, dy, dz = p[0] - q[0], p[1] - q[1], p[2] - q[2]
    distance = np.sqrt(dx * dx + dy * dy + dz * dz)
    if distance < 1e-14:
        nx, ny, nz = 0.0, 0.0, 1.0
    else:
        nx, ny, nz = dx / distance, dy / distance, dz / distance
    reach = radius_b + 0.5 * (distance - radius_a - radius_b)
    return distance - radius_a - radius_b, nx, ny, nz, q[0] + reach * nx, q[1] + reach * ny, q[2] + reach * nz


@kernel
def to_box(c: Any, x: Array, r: Array, body: int, g: Array) -> tuple[float, float, float]:
    """A world point in the frame of the box on a body."""
    m = r[body]
    dx, dy, dz = c[0] - x[7 * body], c[1] - x[7 * body + 1], c[2] - x[7 * body + 2]
    lx = m[0, 0] * dx + m[1, 0] * dy + m[2, 0] * dz - g[B0]
    ly = m[0, 1] * dx + m[1, 1] * dy + m[2, 1] * dz - g[B0 + 1]
    lz = m[0, 2] * dx + m[1, 2] * dy + m[2, 2] * dz - g[B0 + 2]
    k = B_TURN
    return (
        g[k] * lx + g[k + 3] * ly + g[k + 6] * lz,
        g[k + 1] * lx + g[k + 4] * ly + g[k + 7] * lz,
        g[k + 2] * lx + g[k + 5] * ly + g[k + 8] * lz,
    )


@kernel
def from_box(n: Any, r: Array, body: int, g: Array) -> tuple[float, float, float]:
    """A direction in the frame of the box on a body, in world components."""
    k = B_TURN
    lx = g[k] * n[0] + g[k + 1] * n[1] + g[k + 2] * n[2]
    ly = g[k + 3] * n[0] + g[k + 4] * n[1] + g[k + 5] * n[2]
    lz = g[k + 6] * n[0] + g[k + 7] * n[1] + g[k + 8] * n[2]
    return turned(r, body, lx, ly, lz)


@kernel
def nearest_face(lx: float, ly: float, lz: float, hx: float, hy: float, hz: float) -> Any:
    """Depth (negative) below the nearest face of a box, and that face's normal, of a point inside."""
    dx, dy, dz = abs(lx) - hx, abs(ly) - hy, abs(lz) - hz
    if dx >= dy and dx >= dz:
        return dx, (1.0 if lx >= 0.0 else -1.0, 0.0, 0.0)
    if dy >= dz:
        return dy, (0.0, 1.0 if ly >= 0.0 else -1.0, 0.0)
    return dz, (0.0, 0.0, 1.0 if lz >= 0.0 else -1.0)


@kernel
def sphere_box(
    c: Any, x: Array, r: Array, body: int, g: Array
) -> tuple[float, float, float, float, float, float, float]:
    """Gap, normal and point of a sphere with centre c against the box on a body."""
    lx, ly, lz = to_box(c, x, r, body, g)
    hx, hy, hz = g[B1], g[B1 + 1], g[B1 + 2]
    ox, oy, oz = lx - min(max(lx, -hx), hx), ly - min(max(ly, -hy), hy), lz - min(max(lz, -hz), hz)
    square = ox * ox + oy * oy + oz * oz
    if square > 1e-28:
        distance = np.sqrt(square)
        out = (ox / distance, oy / distance, oz / distance)
    else:
        distance, out = nearest_face(lx, ly, lz, hx, hy, hz)
    nx, ny, nz = from_box(out, r, body, g)
    gap = distance - g[A_RADIUS] - g[B_RADIUS]
    back = g[A_RADIUS] + 0.5 * gap
    return gap, nx, ny, nz, c[0] - back * nx, c[1] - back * ny, c[2] - back * nz


@kernel
def sphere_plane(
    c: Any, x: Array, r: Array, body: int, g: Array
) -> tuple[float, float, float, float, float, float, float]:
    """Gap, normal and point of a sphere with centre c against the plane on a body."""
    px, py, pz = to_world(x, r, body, g, B0)
    nx, ny, nz = turned(r, body, g[B1], g[B1 + 1], g[B1 + 2])
    gap = nx * (c[0] - px) + ny * (c[1] - py) + nz * (c[2] - pz) - g[A_RADIUS]
    back = g[A_RADIUS] + 0.5 * gap
    return gap, nx, ny, nz, c[0] - back * nx, c[1] - back * ny, c[2] - back * nz


@kernel
def ramp(share: float, width: float) -> float:
    """0 at the ends of a segment, 1 further in than a width, smooth between."""
    z = min(max(min(share, 1.0 - share) / width, 0.0), 1.0)
    return z * z * (3.0 - 2.0 * z)


@kernel
def edge_weight(n: Any, r: Array, a: int, b: int, g: Array, s: float, t: float) -> float:
    """How much two box edges count: 1 where they cross freely, 0 at their ends and outside each other's wedge."""
    ax, ay, az = turned(r, a, g[A_OUT], g[A_OUT + 1], g[A_OUT + 2])
    bx, by, bz = turned(r, b, g[B_OUT], g[B_OUT + 1], g[B_OUT + 2])
    if ax * n[0] + ay * n[1] + az * n[2] > 0.0 or bx * n[0] + by * n[1] + bz * n[2] < 0.0:
        return 0.0
    return ramp(s, 0.05) * ramp(t, 0.05)


@kernel
def gap_of(kind: int, a: int, b: int, x: Array, r: Array, g: Array) -> Any:
    """Gap, normal, point and weight of one element; bodies a and b, geometry row g."""
    p = to_world(x, r, a, g, A0)
    if kind == SPHERE_PLANE:
        gap, nx, ny, nz, cx, cy, cz = sphere_plane(p, x, r, b, g)
        return gap, nx, ny, nz, cx, cy, cz, 1.0
    if kind == SPHERE_BOX:
        gap, nx, ny, nz, cx, cy, cz = sphere_box(p, x, r, b, g)
        return gap, nx, ny, nz, cx, cy, cz, 1.0
    q = to_world(x, r, b, g, B0)
    if kind == SPHERE_SPHERE:
        gap, nx, ny, nz, cx, cy, cz = between(p, q, g[A_RADIUS], g[B_RADIUS])
        return gap, nx, ny, nz, cx, cy, cz, 1.0
    p1, q1 = to_world(x, r, a, g, A1), to_world(x, r, b, g, B1)
    s, t = nearest_on_segments(p, p1, q, q1)
    on_a = (p[0] + s * (p1[0] - p[0]), p[1] + s * (p1[1] - p[1]), p[2] + s * (p1[2] - p[2]))
    on_b = (q[0] + t * (q1[0] - q[0]), q[1] + t * (q1[1] - q[1]), q[2] + t * (q1[2] - q[2]))
    gap, nx, ny, nz, cx, cy, cz = between(on_a, on_b, g[A_RADIUS], g[B_RADIUS])
    weight = edge_weight((nx, ny, nz), r, a, b, g, s, t) if kind == EDGE_EDGE else 1.0
    return gap, nx, ny, nz, cx, cy, cz, weight
