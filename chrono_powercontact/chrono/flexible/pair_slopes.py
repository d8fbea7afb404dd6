"""Stiffness and damping of the contacts of carriers, compiled: a small block for each pair of a carrier and a body.

Chrono takes a block over the coordinates of the nodes of a carrier and of the body. Blocks of single pairs keep the
matrices of a mesh sparse, where one block over all nodes would make them dense.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ...laws.friction.anchor import grip, grip_slope
from ...laws.friction.friction_table import ANCHORED
from ...laws.normal.normal_table import normal_force
from ...numerics.vectors import Triple, cross, dot, minus, norm, times
from ..contact.bodies import SPEED_WIDTH, STATE_WIDTH, Bodies, lever, position, rotations, velocity_at
from ..contact.contact_jacobian import Levers, add_between, point_matrices
from ..contact.geometry import Gap
from ..contact.records import ELEMENT, GEOMETRY, MATERIAL, MEMORY
from ..contact.solids.locating import locate_any
from .carriers import CARRIER, LINK, POINT, TURNING_LINK, axis_of, turned_back

Array = Any

PAIR = np.dtype(
    [
        ("carrier", np.int64), ("partner", np.int64), ("first", np.int64), ("last", np.int64),
        ("width0", np.int64), ("width1", np.int64),
    ]
)  # fmt: skip
"""A carrier and the body that it may touch, by their numbers among the carriers; its first contact element, and the one
after its last; and the numbers of coordinates of its first and second node, 0 for one that is fixed."""

BOTH = 2 * SPEED_WIDTH
"""Velocities of a carrier and of a body."""

WIDEST = 30
"""Most coordinates of a pair: two nodes with three slopes each, and a body."""


@kernel
def bound_anchor(material: Any, gap: Gap, v: Triple, held: Any, h: float, stiff: Array, damp: Array) -> None:
    """Take from the slopes of an anchor what would stretch it beyond its limit in a step of h in s.

    The stiffness of an anchor is that of sticking. In a step in which the surfaces slide far, friction grows to its
    limit and no further: the stiffness is then what is left to the limit over the way.

    Args:
        v: relative velocity. held: the anchor at the last commit in m. stiff, damp: as `point_matrices` wrote them.
    """
    law = material.friction
    n = gap.normal
    slip = minus(v, times(dot(v, n), n))
    way = h * norm(slip)
    if law.kind != ANCHORED or way == 0.0:
        return
    p = law.anchor
    stretch = norm(held)
    force, _, _ = normal_force(material.normal, gap.gap + material.offset, dot(v, n))
    along = dot(held, slip) / (stretch * norm(slip)) if stretch > 0.0 else 0.0
    left = grip(p, p.limit) - along * grip(p, stretch)
    excess = gap.weight * force * max(grip_slope(p, stretch) - left / way, 0.0)
    for i in range(3):
        for k in range(3):
            tangent = (1.0 if i == k else 0.0) - n[i] * n[k]
            stiff[i, k] -= excess * tangent
            damp[i, k] -= excess * p.tau * tangent


@kernel
def pair_slopes(
    x: Array, w: Array, r: Array, elements: Array, geometry: Array, materials: Array, memory: Array,
    h: float, pairs: Array, stiffness: Array, damping: Array, active: Array,
) -> None:  # fmt: skip
    """Write K = -dQ/dx and R = -dQ/dv of each pair, over the velocities of its carrier and its body.

    Args:
        x, w: packed states and velocities of the carriers. r, elements, geometry, materials, memory: as in
            `contact_forces`. h: length of the step, in s. pairs: flat PAIR.
        stiffness, damping: receive a matrix for each pair. active: receives whether the pair is in contact.
    """
    rotations(x, r)
    bodies = Bodies(x, w, r)
    heads = elements.view(ELEMENT)
    shapes = geometry.view(GEOMETRY)
    laws = materials.view(MATERIAL)
    memories = memory.view(MEMORY)
    levers = Levers(np.zeros((3, 6)), np.zeros((3, 6)))
    stiff = np.zeros((3, 3))
    damp = np.zeros((3, 3))
    table = pairs.view(PAIR)
    for p in range(table.size):
        pair = table[p]
        stiffness[p] = 0.0
        damping[p] = 0.0
        active[p] = False
        for e in range(pair.first, pair.last):
            element = heads[e]
            material = laws[element.material]
            gap = locate_any(x, r, element, shapes[e])
            if gap.gap > material.reach or gap.weight == 0.0:
                continue
            active[p] = True
            v = minus(velocity_at(bodies, element.a, gap.point), velocity_at(bodies, element.b, gap.point))
            point_matrices(material, gap, v, norm(memories[e].held), h, stiff, damp)
            bound_anchor(material, gap, v, memories[e].held, h, stiff, damp)
            lever(r, element.a, minus(gap.point, position(x, element.a)), levers.a)
            lever(r, element.b, minus(gap.point, position(x, element.b)), levers.b)
            a = 0 if element.a == pair.carrier else 1
            add_between(levers, a, 1 - a, stiff, stiffness[p])
            add_between(levers, a, 1 - a, damp, damping[p])


@kernel
def put_end(x: Array, carrier: Any, c: int, states: Array, side: float, j: int, out: Array) -> None:
    """Write what the velocities of one end of a link, at side -1 or 1, add to those of the link; j: their column."""
    axis, length = axis_of(x, carrier)
    own = STATE_WIDTH * c + 3
    for k in range(3):
        out[k, j + k] = 0.5
        unit = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        local = turned_back(states, own, times(side / length, cross(axis, unit)))
        for i in range(3):
            out[3 + i, j + k] = local[i]
    if carrier.kind == TURNING_LINK:
        along = turned_back(states, own, axis)
        of_node = turned_back(x, (carrier.x0 if side < 0.0 else carrier.x1) + 3, axis)
        for k in range(3):
            for n in range(3):
                out[3 + k, j + 3 + n] = 0.5 * along[k] * of_node[n]


@kernel
def put_motion(x: Array, carrier: Any, c: int, states: Array, pair: Any, out: Array) -> int:
    """Write the velocities of a carrier and of its body as a matrix times those of the nodes and of the body.

    Returns the number of its columns.
    """
    body = pair.width0 + pair.width1
    out[:] = 0.0
    for k in range(SPEED_WIDTH):
        out[SPEED_WIDTH + k, body + k] = 1.0
    if carrier.kind >= LINK:
        if carrier.free0:
            put_end(x, carrier, c, states, -1.0, 0, out)
        if carrier.free1:
            put_end(x, carrier, c, states, 1.0, pair.width0, out)
    elif carrier.free0:
        for k in range(3 if carrier.kind == POINT else SPEED_WIDTH):
            out[k, k] = 1.0
    return body + SPEED_WIDTH


@kernel
def node_blocks(
    x: Array, heads: Array, states: Array, pairs: Array, active: Array, slopes: Array, blocks: Array
) -> None:
    """Write the matrices of active pairs over the coordinates of their nodes and bodies: B^T K B.

    Args:
        x: states of the load. heads: flat CARRIER. states: those of the carriers. pairs: flat PAIR.
        slopes: a matrix for each pair, see `pair_slopes`. blocks: receives the matrices, in their upper left corners.
    """
    carriers = heads.view(CARRIER)
    table = pairs.view(PAIR)
    motion = np.zeros((BOTH, WIDEST))
    for p in range(table.size):
        if not active[p]:
            continue
        pair = table[p]
        n = put_motion(x, carriers[pair.carrier], pair.carrier, states, pair, motion)
        part = np.ascontiguousarray(motion[:, :n])
        blocks[p, :n, :n] = part.T @ (slopes[p] @ part)


@kernel
def add_old_damping(pairs: Array, active: Array, damping: Array, speeds: Array, forces: Array) -> None:
    """Add R times the present velocity: a linearised integrator multiplies R by the new velocity, not by its change."""
    table = pairs.view(PAIR)
    for p in range(table.size):
        if not active[p]:
            continue
        places = (SPEED_WIDTH * table[p].carrier, SPEED_WIDTH * table[p].partner)
        for i in range(BOTH):
            row = places[i // SPEED_WIDTH] + i % SPEED_WIDTH
            for j in range(BOTH):
                column = places[j // SPEED_WIDTH] + j % SPEED_WIDTH
                forces[row] += damping[p, i, j] * speeds[column]
