"""Stiffness and damping of the contacts for Chrono's implicit integrators: K = -dQ/dx and R = -dQ/dv, by formula.

The force along the normal changes with the gap, its damping with the normal speed, friction with the sliding speed
where it has no memory to hide behind. That the normal and the lever arms turn is left out: it is small as long as a
step turns a body little.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import ParameterError
from ...kernel import kernel
from ...laws.friction.anchor import TAU, grip_slope
from ...laws.friction.memory import opening
from ...laws.rows import ANCHORED, normal_force, normal_slopes, static_slopes
from .contact_kernel import (
    BODY_A,
    BODY_B,
    FRICTION_LAW,
    HELD,
    KIND,
    MATERIAL,
    NORMAL_LAW,
    OFFSET,
    REACH,
    ROLLING_LAW,
    length,
    velocity_at,
)  # fmt: skip
from .geometry import gap_of, rotations

MOST_BODIES = 60
"""The matrices are dense over all bodies of the load: more than this would be slower than a smaller step."""

Array = Any


def check_size(bodies: int) -> None:
    """Raise where dense matrices would be too large."""
    if bodies > MOST_BODIES:
        raise ParameterError(f"a Jacobian is dense over the bodies in contact: at most {MOST_BODIES}, got {bodies}")


@kernel
def lever(x: Array, r: Array, body: int, px: float, py: float, pz: float, g: Array) -> None:
    """Velocity of the world point p of a body as g times its (velocity, spin), a 3 x 6 matrix."""
    d = (px - x[7 * body], py - x[7 * body + 1], pz - x[7 * body + 2])
    m = r[body]
    for i in range(3):
        for j in range(3):
            g[i, j] = 1.0 if i == j else 0.0
    for k in range(3):
        g[0, 3 + k] = m[1, k] * d[2] - m[2, k] * d[1]
        g[1, 3 + k] = m[2, k] * d[0] - m[0, k] * d[2]
        g[2, 3 + k] = m[0, k] * d[1] - m[1, k] * d[0]


@kernel
def add_block(first: Array, c: Array, second: Array, sign: float, i: int, j: int, out: Array) -> None:
    """out[i, j] += sign first^T c second, for bodies i and j."""
    for a in range(6):
        for b in range(6):
            total = 0.0
            for k in range(3):
                for n in range(3):
                    total += first[k, a] * c[k, n] * second[n, b]
            out[6 * i + a, 6 * j + b] += sign * total


@kernel
def point_matrices(
    row: Array,
    friction: Array,
    s: float,
    n: Any,
    v: Any,
    held: float,
    weight: float,
    h: float,
    stiff: Array,
    damp: Array,
) -> None:
    """-df/dx and -df/dv of one contact's force on A, as 3 x 3 matrices.

    An anchor is a spring across the normal; `held` is how far it is stretched.
    """
    vn = v[0] * n[0] + v[1] * n[1] + v[2] * n[2]
    by_gap, by_speed = normal_slopes(row, s, vn)
    slip = (v[0] - vn * n[0], v[1] - vn * n[1], v[2] - vn * n[2])
    speed = np.sqrt(slip[0] ** 2 + slip[1] ** 2 + slip[2] ** 2)
    along, across, spring = 0.0, 0.0, 0.0
    if friction[0] >= 0.0:
        force, _, share = normal_force(row, s, vn)
        w = np.sqrt(speed * speed + friction[7] ** 2)
        along, across = static_slopes(friction, force, share, w)
        if friction[0] == ANCHORED:
            spring = force * grip_slope(friction, held)
            along = across = spring * friction[TAU]
        elif friction[8] > 0.0:
            seen = -np.expm1(-opening(speed, friction[9]) * h / friction[8])
            along, across = seen * along, seen * across
    for i in range(3):
        for k in range(3):
            tangent = (1.0 if i == k else 0.0) - n[i] * n[k]
            line = slip[i] * slip[k] / (speed * speed) if speed > 1e-12 else 0.0
            stiff[i, k] = weight * (spring * tangent - by_gap * n[i] * n[k])
            damp[i, k] = weight * (-by_speed * n[i] * n[k] + along * line + across * (tangent - line))


@kernel
def contact_jacobian(
    x: Array,
    w: Array,
    r: Array,
    elements: Array,
    geometry: Array,
    materials: Array,
    memory: Array,
    h: float,
    k_out: Array,
    r_out: Array,
) -> None:
    """Add K and R of all contacts to matrices that are dense over the bodies; h is the time since the commit."""
    rotations(x, r)
    ga, gb, stiff, damp = np.zeros((3, 6)), np.zeros((3, 6)), np.zeros((3, 3)), np.zeros((3, 3))
    for e in range(elements.shape[0]):
        a, b, material = elements[e, BODY_A], elements[e, BODY_B], elements[e, MATERIAL]
        gap, nx, ny, nz, px, py, pz, weight = gap_of(elements[e, KIND], a, b, x, r, geometry[e])
        if gap > materials[material, REACH] or weight == 0.0:
            continue
        va, vb = velocity_at(x, w, r, a, px, py, pz), velocity_at(x, w, r, b, px, py, pz)
        v = (va[0] - vb[0], va[1] - vb[1], va[2] - vb[2])
        laws = materials[material]
        s = gap + laws[OFFSET]
        held = length((memory[e, HELD], memory[e, HELD + 1], memory[e, HELD + 2]))
        rows = laws[NORMAL_LAW:FRICTION_LAW], laws[FRICTION_LAW:ROLLING_LAW]
        point_matrices(rows[0], rows[1], s, (nx, ny, nz), v, held, weight, h, stiff, damp)
        lever(x, r, a, px, py, pz, ga)
        lever(x, r, b, px, py, pz, gb)
        for matrix, out in ((stiff, k_out), (damp, r_out)):
            add_block(ga, matrix, ga, 1.0, a, a, out)
            add_block(ga, matrix, gb, -1.0, a, b, out)
            add_block(gb, matrix, ga, -1.0, b, a, out)
            add_block(gb, matrix, gb, 1.0, b, b, out)
