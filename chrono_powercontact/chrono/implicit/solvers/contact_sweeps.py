"""Sweeps over the contacts of an island: each contact in turn takes the impulse of its laws at the end of the step.

This is the method of Gauss and Seidel on the impulses p of the contacts. The velocities are always those that the
impulses give, w' = w_free + M^-1 J^T p: an iteration that stops early leaves a motion that is a little wrong, but never
a force that throws bodies. For what happens at a contact see `contact_visit`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....kernel import kernel
from ....numerics.vectors import Triple, cross, dot, minus, norm, store, times, triple
from ...contact.bodies import SPEED_WIDTH, to_body, to_world
from ..island import Problem
from ..local_forces import Laws
from .contact_tangent import TANGENT, Nearness
from .contact_visit import Motion, give, turned_by, visit
from .few_blocks import directions_of
from .island_matrix import turn_tensor, velocity_of
from .linked_response import responses_of

Array = Any

NEAR = Nearness(0.3, 0.7)
NARROWS = 1e-3
"""How far tangents are followed in the first sweeps, and the changes of a sweep, as an energy relative to that of the
first, below which it shrinks with their square root: the error of the tangents, which falls with the square, stays
behind the changes then."""
FEW = 8
"""Number of contacts up to which the laws are always asked."""

_VECTOR = (np.float64, (3,))

SWEPT = np.dtype(
    [
        ("a", np.int64), ("b", np.int64), ("material", np.int64), ("turns", np.int64), ("first", np.int64),
        ("gap", np.float64), ("bend", np.float64), ("weight", np.float64), ("psi", np.float64), ("target", np.float64),
        ("normal", *_VECTOR), ("arm_a", *_VECTOR), ("arm_b", *_VECTOR), ("held", *_VECTOR),
        ("along", np.float64), ("across", np.float64), ("against", np.float64), ("gate", np.float64),
        ("elastic", np.float64), *TANGENT, ("turn", *_VECTOR),
    ]
)  # fmt: skip
"""A contact in the sweeps: indices of its bodies in the island, -1 if one does not move; the first of its directions in
`Motion.reached`; what its block says, side by side in memory; compliances in 1/kg along the normal and, at most, across
it, and in 1/(kg m^2), at most, against relative rotation; opening of the filter; elastic part of the normal force in N;
what is known of its laws."""

IMPULSE = np.dtype([("push", np.float64), ("rub", *_VECTOR), ("twist", *_VECTOR)])
IMPULSE_SIZE = IMPULSE.itemsize // 8
"""Impulses of a contact: along the normal in N s; in world components that of friction against the motion of A in N s,
and that of its moment in N m s. And how many numbers these are."""


class Sweeps(NamedTuple):
    """The contacts of an island, records of SWEPT, and their impulses, flat records of IMPULSE.

    `changes` are those of the first and of the last sweep, twice their kinetic energies in J; zero before.
    """

    contacts: Array
    impulses: Array
    changes: Array


@kernel
def motion_of(problem: Problem, w: Array) -> Motion:
    """The bodies of an island at packed velocities."""
    bodies = problem.bodies
    many = problem.island.bodies.size
    motion = Motion(np.empty(SPEED_WIDTH * many), np.empty(many), np.empty((many, 3, 3)), responses_of(problem))
    for n in range(many):
        body = problem.island.bodies[n]
        k = SPEED_WIDTH * body
        motion.lightness[n] = 1.0 / bodies.mass[body]
        turn_tensor(bodies.r[body], bodies.mobility[body], motion.mobility[n])
        part = motion.u[SPEED_WIDTH * n : SPEED_WIDTH * (n + 1)]
        store((w[k], w[k + 1], w[k + 2]), part[:3])
        store(to_world(bodies.r, body, (w[k + 3], w[k + 4], w[k + 5])), part[3:])
    return motion


@kernel
def put_motion(problem: Problem, motion: Motion, w: Array) -> None:
    """Write the velocities of an island into packed velocities."""
    for n in range(problem.island.bodies.size):
        body = problem.island.bodies[n]
        k = SPEED_WIDTH * body
        part = motion.u[SPEED_WIDTH * n : SPEED_WIDTH * (n + 1)]
        store(part[:3], w[k : k + 3])
        store(to_body(problem.bodies.r, body, part[3:]), w[k + 3 : k + 6])


@kernel
def compliance(motion: Motion, swept: Any, first: Triple, second: Triple) -> float:
    """Velocity along a direction at a contact by a unit impulse along another."""
    total = 0.0
    if motion.reached.size > 0:
        for k in range(3):
            u = motion.reached[swept.first + k]
            reached = minus(velocity_of(u, swept.a, swept.arm_a), velocity_of(u, swept.b, swept.arm_b))
            total += second[k] * dot(first, reached)
        return total
    for n, arm in ((swept.a, swept.arm_a), (swept.b, swept.arm_b)):
        if n >= 0:
            total += motion.lightness[n] * dot(first, second)
            total += dot(cross(arm, first), turned_by(motion.mobility, n, cross(arm, second)))
    return total


@kernel
def put_compliances(motion: Motion, swept: Any) -> None:
    """Write the compliances of a contact."""
    n = triple(swept.normal)
    side = cross(n, (1.0, 0.0, 0.0) if abs(n[0]) < 0.6 else (0.0, 1.0, 0.0))
    first = times(1.0 / norm(side), side)
    second = cross(n, first)
    swept.along = compliance(motion, swept, n, n)
    one = compliance(motion, swept, first, first)
    two = compliance(motion, swept, second, second)
    mixed = compliance(motion, swept, first, second)
    swept.across = 0.5 * (one + two) + np.sqrt(0.25 * (one - two) ** 2 + mixed * mixed)
    swept.against = 0.0
    if swept.turns != 0:
        for body in (swept.a, swept.b):
            if body >= 0:
                mobility = motion.mobility[body]
                swept.against += mobility[0, 0] + mobility[1, 1] + mobility[2, 2]


@kernel
def copy_block(block: Any, place: Array, swept: Any) -> None:
    """Write what a block says to its contact in the sweeps; `place` are the indices of bodies in the island."""
    swept.a = place[block.a]
    swept.b = place[block.b]
    swept.material = block.material
    swept.turns = block.turns
    swept.gap = block.gap
    swept.bend = block.bend
    swept.weight = block.weight
    swept.psi = block.psi
    swept.target = block.target
    swept.elastic = block.elastic
    store(triple(block.normal), swept.normal)
    store(triple(block.arm_a), swept.arm_a)
    store(triple(block.arm_b), swept.arm_b)
    store(triple(block.held), swept.held)
    store(triple(block.turn), swept.turn)


@kernel
def begin_sweeps(problem: Problem, motion: Motion) -> Sweeps:
    """The contacts of an island with the impulses of the last step, which the bodies receive; impacts begin with none.

    A block begins with the force and the moment on A of the last step.
    """
    h = problem.laws.h
    many = problem.island.blocks.size
    sweeps = Sweeps(np.zeros(many, SWEPT), np.zeros(IMPULSE_SIZE * many), np.zeros(2))
    impulses = sweeps.impulses.view(IMPULSE)
    first = directions_of(problem)
    for m in range(many):
        block = problem.blocks[problem.island.blocks[m]]
        swept = sweeps.contacts[m]
        given = impulses[m]
        copy_block(block, problem.island.place, swept)
        swept.first = first[m]
        put_compliances(motion, swept)
        if block.target != block.target:
            n = triple(block.normal)
            impulse = times(h, triple(block.force))
            given.push = max(dot(impulse, n), 0.0)
            store(minus(times(dot(impulse, n), n), impulse), given.rub)
            store(times(-h, triple(block.moment)), given.twist)
            give(motion, swept, minus(times(given.push, n), triple(given.rub)), times(h, triple(block.moment)))
    return sweeps


@kernel
def nearness_after(changes: Array, contacts: int) -> Nearness:
    """How far tangents are followed after the changes of the first and of the last sweep over so many contacts."""
    if contacts <= FEW:
        return Nearness(0.0, 0.0)
    if changes[0] == 0.0:
        return NEAR
    part = min((changes[1] / (NARROWS * changes[0])) ** 0.25, 1.0)
    return Nearness(NEAR.force * part, NEAR.slip * part)


@kernel
def sweep(laws: Laws, motion: Motion, sweeps: Sweeps, backward: bool, follow: bool) -> float:
    """Visit all contacts of an island once; returns twice the kinetic energy in J of the changes. See `visit`."""
    contacts = sweeps.contacts
    impulses = sweeps.impulses.view(IMPULSE)
    near = nearness_after(sweeps.changes, contacts.size)
    materials = laws.materials
    h = laws.h
    energy = 0.0
    for i in range(contacts.size):
        m = contacts.size - 1 - i if backward else i
        energy += visit(materials[contacts[m].material], motion, contacts[m], impulses[m], h, follow, near)
    sweeps.changes[1] = energy
    if sweeps.changes[0] == 0.0:
        sweeps.changes[0] = energy
    return energy


@kernel
def end_sweeps(problem: Problem, sweeps: Sweeps) -> None:
    """Write the forces of the contacts to their blocks."""
    per_step = 1.0 / problem.laws.h
    impulses = sweeps.impulses.view(IMPULSE)
    for m in range(sweeps.contacts.size):
        block = problem.blocks[problem.island.blocks[m]]
        given = impulses[m]
        block.load = per_step * given.push
        block.elastic = sweeps.contacts[m].elastic
        impulse = minus(times(given.push, triple(block.normal)), triple(given.rub))
        store(times(per_step, impulse), block.force)
        store(times(-per_step, triple(given.twist)), block.moment)
