"""Stiffness and damping of stops and friction on joints for Chrono's implicit integrators: K = -dQ/dx, R = -dQ/dv.

By formula, as for contacts: that axes, lines and lever arms turn is left out, and with a filter that its opening
changes. An anchor is a spring along the joint, with its damping time tau. Friction that slides damps a little more than
its slope says: see CHORD.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ...laws.friction.anchor import LIMIT, TAU, D, anchor_flow, fall, grip, grip_slope, yielding
from ...laws.friction.memory import opening
from ...laws.rows import ANCHORED, normal_slopes, static_slopes
from ..contact.contact_jacobian import add_block, lever
from ..contact.contact_kernel import length
from ..contact.geometry import rotations
from .joint_kernel import (
    BODY_1,
    BODY_2,
    EACH,
    FRICTION_LAW,
    HELD,
    LOWER,
    MOTION,
    OFFSET,
    PLACE,
    RATE,
    STOP_LAW,
    TURN,
    UPPER,
    relative_motion,
    way_along,
)  # fmt: skip

Array = Any

CHORD = 0.6
"""Least damping of friction as a share of force over speed, its chord through rest. With the tangent alone a body that
comes to rest from sliding, where the tangent is flat, would be thrown to and fro from step to step; more than half of
the chord never lets a step go farther beyond rest than it came from."""


@kernel
def stop_slopes(law: Array, place: float, speed: float) -> tuple[float, float]:
    """Stiffness and damping of both stops along the coordinate, in N/m and N s/m (or N m, N m s)."""
    row, stiff, damp = law[STOP_LAW:FRICTION_LAW], 0.0, 0.0
    if law[LOWER] != -np.inf:
        by_place, by_speed = normal_slopes(row, place - law[LOWER] + law[OFFSET], speed)
        stiff, damp = stiff - by_place, damp - by_speed
    if law[UPPER] != np.inf:
        by_place, by_speed = normal_slopes(row, law[UPPER] - place + law[OFFSET], -speed)
        stiff, damp = stiff - by_place, damp - by_speed
    return stiff, damp


@kernel
def spread(along: float, across: float, y: Any, norm: float, out: Array) -> None:
    """A 2 x 2 matrix with one slope along y and another across it; the norm of y may be rounded."""
    n = (y[0] / norm, y[1] / norm) if norm > 0.0 else (0.0, 0.0)
    for i in range(2):
        for k in range(2):
            out[i, k] = (along - across) * n[i] * n[k] + (across if i == k else 0.0)


@kernel
def seen(u: float, v: float, v_f: float, t_f: float, h: float, fresh: bool) -> float:
    """Share of a change of the static force that a filter has let through, at speeds u at the commit and v now."""
    z = 0.5 * (opening(u, v_f) + opening(v, v_f)) * h / t_f
    if fresh or z < 1e-8:
        return float(-np.expm1(-z)) if fresh else 0.5 * z
    return 1.0 + np.expm1(-z) / z


@kernel
def friction_slopes(row: Array, each: int, v: Any, before: Array, h: float, damp: Array) -> None:
    """Damping by friction that follows a dissipation function, as a 2 x 2 matrix over both directions."""
    square = v[0] * v[0] + v[1] * v[1]
    norm = np.sqrt(square + row[7] * row[7])
    along, across = static_slopes(row, 1.0, 1.0, norm)
    spread(max(along, CHORD * across), across, v, norm, damp)
    if row[8] == 0.0:
        return
    fresh = np.isnan(before[RATE])
    u = v if fresh else (before[RATE], before[RATE + 1])
    both = np.sqrt(u[0] * u[0] + u[1] * u[1]), np.sqrt(square)
    for i in range(2):
        speeds = (u[i], v[i]) if each == 1 else both
        share = seen(speeds[0], speeds[1], row[9], row[8], h, fresh)
        damp[i, 0], damp[i, 1] = share * damp[i, 0], share * damp[i, 1]


@kernel
def anchor_slopes(row: Array, v: Any, then: Any, way: Any, stiff: Array, damp: Array) -> None:
    """Stiffness and damping by an anchor that was at `then` at the last commit, as 2 x 2 matrices.

    Where it yields it takes a share alpha of an outward motion, and friction falls to that of sliding.
    """
    z = anchor_flow(row[LIMIT], then, way)
    y, r = (z[0] + row[TAU] * v[0], z[1] + row[TAU] * v[1], 0.0), length(z)
    stretch, outward, alpha = length(y), z[0] * v[0] + z[1] * v[1], yielding(row, r)
    across = grip(row, stretch) / stretch if stretch > 1e-12 * row[LIMIT] else grip_slope(row, 0.0)
    share = 1.0 - alpha * fall(row, outward / r) if alpha > 0.0 else 1.0
    spread(share * grip_slope(row, stretch), share * across, y, stretch, damp)
    lost = alpha / (r * r) if outward > 0.0 and alpha > 0.0 else 0.0
    for i in range(2):
        taken = lost * (damp[i, 0] * z[0] + damp[i, 1] * z[1])
        for k in range(2):
            stiff[i, k] = damp[i, k] - taken * z[k]
            damp[i, k] = row[TAU] * damp[i, k] + (row[D] if i == k else 0.0)


@kernel
def turn_lever(r: Array, body: int, g: Array) -> None:
    """Spin of a body in the world as g times its (velocity, spin), a 3 x 6 matrix."""
    for i in range(3):
        for k in range(3):
            g[i, k], g[i, 3 + k] = 0.0, r[body, i, k]


@kernel
def in_world(c: Array, z: Any, side: Any, out: Array) -> None:
    """A 2 x 2 matrix over two directions as a 3 x 3 matrix of the world."""
    for i in range(3):
        for k in range(3):
            out[i, k] = z[i] * (c[0, 0] * z[k] + c[0, 1] * side[k]) + side[i] * (c[1, 0] * z[k] + c[1, 1] * side[k])


@kernel
def joint_jacobian(
    x: Array, w: Array, r: Array, heads: Array, geometry: Array, laws: Array, memory: Array, h: float,
    k_out: Array, r_out: Array,
) -> None:  # fmt: skip
    """Add K and R of all joints to matrices that are dense over the bodies; h is the time since the commit."""
    rotations(x, r)
    ga, gb, stiff, damp = np.zeros((3, 6)), np.zeros((3, 6)), np.zeros((2, 2)), np.zeros((2, 2))
    matrix = np.zeros((3, 3))
    for e in range(heads.shape[0]):
        motion, a, b, law, own = heads[e, MOTION], heads[e, BODY_1], heads[e, BODY_2], laws[e], memory[e]
        at, v, z, side, p = relative_motion(x, w, r, motion, a, b, geometry[e], own[PLACE])
        stiff[:, :], damp[:, :] = 0.0, 0.0
        if law[FRICTION_LAW] == ANCHORED:
            then = (own[HELD], own[HELD + 1], 0.0)
            anchor_slopes(law[FRICTION_LAW:], v, then, way_along(own, at, v, h), stiff, damp)
        elif law[FRICTION_LAW] >= 0.0:
            friction_slopes(law[FRICTION_LAW:], heads[e, EACH], v, own, h, damp)
        by_place, by_speed = stop_slopes(law, at[0], v[0])
        stiff[0, 0] += by_place
        damp[0, 0] += by_speed
        if motion == TURN:
            turn_lever(r, a, ga)
            turn_lever(r, b, gb)
        else:
            lever(x, r, a, p[0], p[1], p[2], ga)
            lever(x, r, b, p[0], p[1], p[2], gb)
        for small, out in ((stiff, k_out), (damp, r_out)):
            in_world(small, z, side, matrix)
            add_block(ga, matrix, ga, 1.0, a, a, out)
            add_block(ga, matrix, gb, -1.0, a, b, out)
            add_block(gb, matrix, ga, -1.0, b, a, out)
            add_block(gb, matrix, gb, 1.0, b, b, out)
