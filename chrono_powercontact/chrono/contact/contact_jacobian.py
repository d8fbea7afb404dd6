"""Analytical stiffness and damping of the contacts for Chrono's implicit integrators: K = -dQ/dx and R = -dQ/dv.

The normal force depends on the gap and on the normal speed. Friction depends on the sliding speed, on the stretch of an
anchor, and on what a filter lets through. The rotation of the normal and of the lever arms is neglected: its effect is
small as long as a body turns little in a step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...errors import ParameterError
from ...kernel import kernel
from ...laws.friction.anchor import grip_slope
from ...laws.friction.friction_table import ABSENT, ANCHORED, LUGRE, rounded_speed, static_slopes
from ...laws.friction.lugre import lugre_stiffness
from ...laws.friction.memory import opening
from ...laws.normal.normal_table import normal_force, normal_slopes
from ...numerics.vectors import Triple, dot, minus, norm, times
from .bodies import Bodies, lever, position, rotations, velocity_at
from .geometry import Gap
from .records import ELEMENT, GEOMETRY, MATERIAL, MEMORY
from .solids.locating import locate_any

MOST_BODIES = 60
"""The matrices are dense over all bodies on the load: with more bodies, a smaller step would be faster."""

Array = Any


def check_size(bodies: int) -> None:
    """Raise if dense matrices would be too large."""
    if bodies > MOST_BODIES:
        raise ParameterError(f"a Jacobian supports at most {MOST_BODIES} bodies, got {bodies}")


class Levers(NamedTuple):
    """Velocities of the contact point on A and on B as matrices times the bodies' (velocity, angular velocity)."""

    a: Array
    b: Array


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
def add_between(levers: Levers, a: int, b: int, matrix: Array, out: Array) -> None:
    """Add the 3 x 3 matrix of a force between bodies a and b to a dense matrix over all bodies."""
    add_block(levers.a, matrix, levers.a, 1.0, a, a, out)
    add_block(levers.a, matrix, levers.b, -1.0, a, b, out)
    add_block(levers.b, matrix, levers.a, -1.0, b, a, out)
    add_block(levers.b, matrix, levers.b, 1.0, b, b, out)


@kernel
def tangent_slopes(material: Any, s: float, speed: float, slip: Triple, held: float, h: float) -> Any:
    """Damping along and across the sliding direction in N s/m, and the stiffness of anchor or bristles in N/m.

    Both are springs in the tangent plane; `held` is their stretch, in m.
    """
    law = material.friction
    if law.kind == ABSENT:
        return 0.0, 0.0, 0.0
    force, _, activation = normal_force(material.normal, s, speed)
    if law.kind == ANCHORED:
        spring = force * grip_slope(law.anchor, held)
        return spring * law.anchor.tau, spring * law.anchor.tau, spring
    if law.kind == LUGRE:
        damping = force * law.lugre.d_k + activation * law.lugre.d
        return damping, damping, force * lugre_stiffness(law.lugre, held, norm(slip))
    along, across = static_slopes(law, force, activation, rounded_speed(law, slip))
    if law.t_f > 0.0:
        passed = -np.expm1(-opening(norm(slip), law.v_f) * h / law.t_f)
        return passed * along, passed * across, 0.0
    return along, across, 0.0


@kernel
def point_matrices(material: Any, gap: Gap, v: Triple, held: float, h: float, stiff: Array, damp: Array) -> None:
    """-df/dx and -df/dv of the force of one contact on A, as 3 x 3 matrices; v is the relative velocity."""
    n = gap.normal
    s = gap.gap + material.offset
    normal_speed = dot(v, n)
    by_gap, by_speed = normal_slopes(material.normal, s, normal_speed)
    slip = minus(v, times(normal_speed, n))
    speed = norm(slip)
    along, across, spring = tangent_slopes(material, s, normal_speed, slip, held, h)
    for i in range(3):
        for k in range(3):
            tangent = (1.0 if i == k else 0.0) - n[i] * n[k]
            line = slip[i] * slip[k] / (speed * speed) if speed > 1e-12 else 0.0
            stiff[i, k] = gap.weight * (spring * tangent - by_gap * n[i] * n[k])
            damp[i, k] = gap.weight * (-by_speed * n[i] * n[k] + along * line + across * (tangent - line))


@kernel
def contact_jacobian(
    x: Array, w: Array, r: Array, elements: Array, geometry: Array, materials: Array, memory: Array,
    h: float, k_out: Array, r_out: Array,
) -> None:  # fmt: skip
    """Add K and R of all contacts to dense matrices over all bodies; h is the time since the commit."""
    rotations(x, r)
    bodies = Bodies(x, w, r)
    heads = elements.view(ELEMENT)
    shapes = geometry.view(GEOMETRY)
    laws = materials.view(MATERIAL)
    memories = memory.view(MEMORY)
    levers = Levers(np.zeros((3, 6)), np.zeros((3, 6)))
    stiff = np.zeros((3, 3))
    damp = np.zeros((3, 3))
    for e in range(heads.size):
        element = heads[e]
        material = laws[element.material]
        gap = locate_any(x, r, element, shapes[e])
        if gap.gap > material.reach or gap.weight == 0.0:
            continue
        v = minus(velocity_at(bodies, element.a, gap.point), velocity_at(bodies, element.b, gap.point))
        point_matrices(material, gap, v, norm(memories[e].held), h, stiff, damp)
        lever(r, element.a, minus(gap.point, position(x, element.a)), levers.a)
        lever(r, element.b, minus(gap.point, position(x, element.b)), levers.b)
        add_between(levers, element.a, element.b, stiff, k_out)
        add_between(levers, element.a, element.b, damp, r_out)
