"""Stiffness and damping of stops and friction on joints for Chrono's implicit integrators: K = -dQ/dx, R = -dQ/dv.

The matrices are analytical, as for contacts. The rotation of axes, lines and lever arms is neglected, and so is the
change of a filter's opening. An anchor is a spring along the joint with the damping time tau. Sliding friction gets
slightly more damping than its slope: see CHORD.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ...laws.friction.anchor import damping_velocity, easing, grip, grip_slope, moved_on, outward_speed, yielding_at
from ...laws.friction.friction_table import ABSENT, ANCHORED, LUGRE, rounded_speed, static_slopes
from ...laws.friction.lugre import lugre_stiffness
from ...laws.friction.memory import opening
from ...laws.normal.normal_table import normal_slopes
from ...numerics.vectors import Triple, dot, minus, norm, plus, times
from ..contact.bodies import Bodies, lever, position, rotations
from ..contact.contact_jacobian import Levers, add_between
from .joint_kernel import Motion, Pair, joint_motion, slid_since
from .joint_records import JOINT, JOINT_GEOMETRY, JOINT_LAW, JOINT_MEMORY, TURN

Array = Any

CHORD = 0.6
"""Smallest damping of friction as a fraction of force divided by speed, the slope of its chord through rest. In fast
sliding the tangent is flat: with the tangent alone, a body that comes to rest would be thrown back and forth from step
to step. With more than half of the chord, no step overshoots rest by more than its distance from rest."""


@kernel
def stop_slopes(law: Any, position: float, speed: float) -> tuple[float, float]:
    """Stiffness and damping of both stops along the coordinate, in N/m and N s/m (or N m and N m s)."""
    stiff = 0.0
    damp = 0.0
    if law.lower != -np.inf:
        by_position, by_speed = normal_slopes(law.stop, position - law.lower + law.offset, speed)
        stiff -= by_position
        damp -= by_speed
    if law.upper != np.inf:
        by_position, by_speed = normal_slopes(law.stop, law.upper - position + law.offset, -speed)
        stiff -= by_position
        damp -= by_speed
    return stiff, damp


@kernel
def spread(along: float, across: float, y: Any, length: float, out: Array) -> None:
    """A 2 x 2 matrix with one slope along y and another across it; `length` may be a smoothed norm of y."""
    n = (y[0] / length, y[1] / length) if length > 0.0 else (0.0, 0.0)
    for i in range(2):
        for k in range(2):
            out[i, k] = (along - across) * n[i] * n[k] + (across if i == k else 0.0)


@kernel
def passed(law: Any, u: float, v: float, h: float, fresh: bool) -> float:
    """Fraction of a change of the static force that passes a filter; u is the speed at the commit, v is that now."""
    z = 0.5 * (opening(u, law.v_f) + opening(v, law.v_f)) * h / law.t_f
    if fresh:
        return float(-np.expm1(-z))
    if z < 1e-8:
        return 0.5 * z
    return 1.0 + np.expm1(-z) / z


@kernel
def speed_of(v: Any) -> float:
    """Norm of a velocity of two components."""
    return float(np.sqrt(v[0] * v[0] + v[1] * v[1]))


@kernel
def friction_slopes(law: Any, each: int, v: Pair, own: Any, h: float, damp: Array) -> None:
    """Damping of friction without an anchor, as a 2 x 2 matrix over both directions."""
    rounded = rounded_speed(law, v)
    along, across = static_slopes(law, 1.0, 1.0, rounded)
    spread(max(along, CHORD * across), across, v, rounded, damp)
    if law.t_f == 0.0:
        return
    fresh = bool(np.isnan(own.speed[0]))
    u = v if fresh else (own.speed[0], own.speed[1])
    for i in range(2):
        then = u[i] if each == 1 else speed_of(u)
        now = v[i] if each == 1 else speed_of(v)
        fraction = passed(law, then, now, h, fresh)
        damp[i, 0] *= fraction
        damp[i, 1] *= fraction


@kernel
def anchor_slopes(p: Any, v: Pair, then: Triple, slid: Triple, stiff: Array, damp: Array) -> None:
    """Stiffness and damping of an anchor that was at `then` at the last commit, as 2 x 2 matrices.

    If it yields, it absorbs a fraction alpha of an outward motion, and friction falls to that of sliding.
    """
    slip = v[0], v[1], 0.0
    z = moved_on(p, then, slip, slid)
    y = plus(z, times(p.tau, damping_velocity(p, z, slip)))
    r = norm(z)
    stretch = norm(y)
    outward = dot(z, slip)
    alpha = min(yielding_at(p, r, outward_speed(z, slip)), 1.0)
    across = grip(p, stretch) / stretch if stretch > 1e-12 * p.limit else grip_slope(p, 0.0)
    left = easing(p, z, slip)
    spread(left * grip_slope(p, stretch), left * across, y, stretch, damp)
    lost = alpha / (r * r) if outward > 0.0 and alpha > 0.0 else 0.0
    for i in range(2):
        taken = lost * (damp[i, 0] * z[0] + damp[i, 1] * z[1])
        for k in range(2):
            stiff[i, k] = damp[i, k] - taken * z[k]
            damp[i, k] = p.tau * damp[i, k] + (p.d if i == k else 0.0)


@kernel
def turn_lever(r: Array, body: int, g: Array) -> None:
    """Angular velocity of a body in the world as g times its (velocity, angular velocity), a 3 x 6 matrix."""
    for i in range(3):
        for k in range(3):
            g[i, k] = 0.0
            g[i, 3 + k] = r[body, i, k]


@kernel
def bristle_slopes(p: Any, speed: Any, own: Any, stiff: Array, damp: Array) -> None:
    """Stiffness and damping of LuGre friction in a joint, the same along both directions."""
    stretch = np.sqrt(own.held[0] ** 2 + own.held[1] ** 2)
    for i in range(2):
        stiff[i, i] += lugre_stiffness(p, stretch, np.sqrt(speed[0] ** 2 + speed[1] ** 2))
        damp[i, i] += p.d_k + p.d


@kernel
def in_world(c: Array, motion: Motion, out: Array) -> None:
    """A 2 x 2 matrix over the two directions of a joint as a 3 x 3 matrix in world components."""
    z = motion.first
    side = motion.second
    for i in range(3):
        for k in range(3):
            out[i, k] = z[i] * (c[0, 0] * z[k] + c[0, 1] * side[k]) + side[i] * (c[1, 0] * z[k] + c[1, 1] * side[k])


@kernel
def joint_slopes(joint: Any, law: Any, own: Any, motion: Motion, h: float, stiff: Array, damp: Array) -> None:
    """Stiffness and damping of a joint over its two directions."""
    stiff[:, :] = 0.0
    damp[:, :] = 0.0
    friction = law.friction
    if friction.kind == ANCHORED:
        then = own.held[0], own.held[1], 0.0
        anchor_slopes(friction.anchor, motion.speed, then, slid_since(own, motion, h), stiff, damp)
    elif friction.kind == LUGRE:
        bristle_slopes(friction.lugre, motion.speed, own, stiff, damp)
    elif friction.kind != ABSENT:
        friction_slopes(friction, joint.each, motion.speed, own, h, damp)
    by_position, by_speed = stop_slopes(law, motion.position[0], motion.speed[0])
    stiff[0, 0] += by_position
    damp[0, 0] += by_speed


@kernel
def set_levers(bodies: Bodies, joint: Any, motion: Motion, levers: Levers) -> None:
    """Levers of both bodies of a joint."""
    if joint.motion == TURN:
        turn_lever(bodies.r, joint.body_1, levers.a)
        turn_lever(bodies.r, joint.body_2, levers.b)
    else:
        lever(bodies.r, joint.body_1, minus(motion.point, position(bodies.x, joint.body_1)), levers.a)
        lever(bodies.r, joint.body_2, minus(motion.point, position(bodies.x, joint.body_2)), levers.b)


@kernel
def joint_jacobian(
    x: Array, w: Array, r: Array, joints: Array, geometry: Array, laws: Array, memory: Array, h: float,
    k_out: Array, r_out: Array,
) -> None:  # fmt: skip
    """Add K and R of all joints to dense matrices over all bodies; h is the time since the commit."""
    rotations(x, r)
    bodies = Bodies(x, w, r)
    heads = joints.view(JOINT)
    shapes = geometry.view(JOINT_GEOMETRY)
    acting = laws.view(JOINT_LAW)
    memories = memory.view(JOINT_MEMORY)
    levers = Levers(np.zeros((3, 6)), np.zeros((3, 6)))
    stiff = np.zeros((2, 2))
    damp = np.zeros((2, 2))
    matrix = np.zeros((3, 3))
    for e in range(heads.size):
        joint = heads[e]
        motion = joint_motion(bodies, joint, shapes[e], memories[e].position)
        joint_slopes(joint, acting[e], memories[e], motion, h, stiff, damp)
        set_levers(bodies, joint, motion, levers)
        in_world(stiff, motion, matrix)
        add_between(levers, joint.body_1, joint.body_2, matrix, k_out)
        in_world(damp, motion, matrix)
        add_between(levers, joint.body_1, joint.body_2, matrix, r_out)
