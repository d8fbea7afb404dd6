"""Forces of many contact elements in a step of a linearised integrator, in parallel.

There are three passes, over parts of a fixed size: the poses of the bodies; the elements, which leave their forces in
their memory; and the bodies again, each of which sums the forces of its elements in the order of their numbers. So the
result does not depend on the number of threads, and the forces are those of `contact_forces` to the last bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange

from ....kernel import inlined, kernel
from ....laws.friction.friction_table import ANCHORED
from ....laws.normal.normal_table import normal_potential
from ....numerics.copying import put
from ....numerics.vectors import ZERO, Triple, cross, minus, plus, times
from ..addresses import doubles, integers
from ..bodies import SPEED_WIDTH, STATE_WIDTH, Bodies, position, rotations, twist
from ..contact_kernel import (
    Books,
    Clock,
    book_forces,
    element_force,
    forget,
    is_passing,
    report_forces,
    report_gap,
    turns,
)
from ..geometry import Gap
from ..last_step import put_way
from ..records import ELEMENT, GEOMETRY, MATERIAL, MEMORY, REPORT, TOTALS
from ..solids.locating import locate_any
from .turns import end_part, next_part, wait_for

Array = Any

(
    STATE, SPEEDS, PAST, ROTATIONS, WAYS, FORCES, ELEMENTS, ROWS, SHAPES, MATERIALS, MEMORIES, STARTS, MEMBERS,
) = range(13)  # fmt: skip
"""Arrays in the directory of a crowd; for those that are not tables of the elements see `Crowd`."""

DIRECTORY_SIZE = MEMBERS + 1

PART = 128
"""Number of elements, or of bodies, that a thread takes at a time."""

PASSES = 3
"""Over the poses of the bodies, over the elements, and over the forces on the bodies."""

MEMORY_WORDS = MEMORY.itemsize // 8
_FIELDS: Any = MEMORY.fields
LOAD, PUSH, POINT, FRICTION, MOMENT = (
    _FIELDS[name][1] // 8 for name in ("load", "push", "point", "friction", "moment")
)
"""Numbers in the memory of an element, and the places of some of them."""

WAY = 9
"""Numbers that say how a body moved in the last step, see `put_way`."""


class Crowd(NamedTuple):
    """Many elements and their bodies.

    Attributes:
        bodies: packed states, velocities and rotations. past: states and velocities at the start of the last step.
        ways: how the bodies moved since. elements: records of ELEMENT. rows: number of the geometry of each.
        shapes, laws: records of GEOMETRY and MATERIAL. memory: a row for each element, the first numbers of MEMORY.
        starts, members: for each body where its elements begin, and these: twice their number, and one more if the
            body is B.
    """

    bodies: Bodies
    past: Array
    ways: Array
    elements: Array
    rows: Array
    shapes: Array
    laws: Array
    memory: Array
    starts: Array
    members: Array


@inlined
def crowd_at(directory: Array) -> Crowd:
    """The crowd of a directory."""
    x = doubles(directory, STATE)
    count = x.size // STATE_WIDTH
    heads = integers(directory, ELEMENTS).view(ELEMENT)
    memory = doubles(directory, MEMORIES)
    return Crowd(
        Bodies(x, doubles(directory, SPEEDS), doubles(directory, ROTATIONS).reshape(count, 3, 3)),
        doubles(directory, PAST), doubles(directory, WAYS).reshape(count, WAY), heads,
        integers(directory, ROWS).view(np.int32), doubles(directory, SHAPES).view(GEOMETRY),
        doubles(directory, MATERIALS).view(MATERIAL), memory.reshape(heads.size, memory.size // heads.size),
        integers(directory, STARTS).view(np.int32), integers(directory, MEMBERS).view(np.int32),
    )  # fmt: skip


@kernel
def part_poses(directory: Array, part: int) -> None:
    """Rotations of a part of the bodies, and how they moved in the last step."""
    crowd = crowd_at(directory)
    count = crowd.ways.shape[0]
    first = PART * part
    last = min(first + PART, count)
    rotations(crowd.bodies.x[STATE_WIDTH * first :], crowd.bodies.r[first:last])
    for body in range(first, last):
        put_way(crowd.past, crowd.bodies.w, body, crowd.ways[body])


@inlined
def recall(row: Array, words: Array, own: Any) -> None:
    """Read the memory of an element from its row; in a short one the normal is that of the last force."""
    for i in range(row.size):
        words[i] = row[i]
    if row.size < MEMORY_WORDS:
        for i in range(3):
            own.normal[i] = own.push[i]


@inlined
def gap_of(crowd: Crowd, e: int) -> Gap:
    """Relative position of the surfaces of an element."""
    return locate_any(crowd.bodies.x, crowd.bodies.r, crowd.elements[e], crowd.shapes[crowd.rows[e]])


@kernel
def part_forces(directory: Array, part: int, h: float, own_sums: Array, words: Array, sums: Array) -> None:
    """Evaluate and commit a part of the elements after a step h; their forces stay in their memory.

    Args:
        own_sums, words: room for a flat record of TOTALS and of MEMORY. sums: receives the record of TOTALS.
    """
    crowd = crowd_at(directory)
    clock = Clock(h, True, True)
    own_sums[:] = 0.0
    totals = own_sums.view(TOTALS)[0]
    books = Books(totals, crowd.ways)
    own = words.view(MEMORY)[0]
    nothing = words[:0]
    first = PART * part
    for e in range(first, min(first + PART, crowd.elements.size)):
        element = crowd.elements[e]
        material = crowd.laws[element.material]
        row = crowd.memory[e]
        gap = gap_of(crowd, e)
        apart = gap.gap > material.reach or gap.weight == 0.0
        if apart and row[LOAD] == 0.0:
            continue
        recall(row, words, own)
        passing = is_passing(crowd.bodies, element, own, gap)
        if passing:
            totals.stored += gap.weight * normal_potential(material.normal, own.behind + material.offset)
        if not (apart or passing):
            own.behind = 0.0
            element_force(crowd.bodies, element, material, own, gap, clock, nothing, books)
        elif own.load != 0.0:
            sticky = material.friction.kind == ANCHORED or turns(material)
            book_forces(element, own, -own.psi, sticky, crowd.ways, h, totals)
            forget(own)
        for i in range(row.size):
            row[i] = words[i]
    put(own_sums, sums)


@kernel
def crowd_trial(directory: Array, h: float, once: bool, totals: Array, report: Array) -> None:
    """Add the generalised forces of all elements at a trial state, a time h after the last commit; nothing is kept.

    Args:
        once: whether forces are evaluated once per step. totals: a flat record of TOTALS.
        report: flat REPORT, one record for each element, or empty.
    """
    crowd = crowd_at(directory)
    rotations(crowd.bodies.x, crowd.bodies.r)
    clock = Clock(h, False, once)
    books = Books(totals.view(TOTALS)[0], crowd.ways)
    lines = report.view(REPORT)
    q = doubles(directory, FORCES)
    words = np.zeros(MEMORY_WORDS)
    own = words.view(MEMORY)[0]
    for e in range(crowd.elements.size):
        element = crowd.elements[e]
        material = crowd.laws[element.material]
        gap = gap_of(crowd, e)
        if lines.size > 0:
            report_gap(lines[e], gap)
        if gap.gap > material.reach or gap.weight == 0.0:
            continue
        recall(crowd.memory[e], words, own)
        acting, powers = element_force(crowd.bodies, element, material, own, gap, clock, q, books)
        if lines.size > 0:
            report_forces(lines[e], acting, powers)


@inlined
def vector_in(row: Array, place: int) -> Triple:
    """A vector at a place of a row."""
    return row[place], row[place + 1], row[place + 2]


@inlined
def wrench_on(crowd: Crowd, body: int) -> tuple[Triple, Triple]:
    """World force on a body, and world torque about its centre, by all of its elements."""
    centre = position(crowd.bodies.x, body)
    force = ZERO
    torque = ZERO
    for k in range(crowd.starts[body], crowd.starts[body + 1]):
        e = crowd.members[k] // 2
        sign = 1.0 - 2.0 * (crowd.members[k] % 2)
        row = crowd.memory[e]
        f = times(sign, minus(times(row[LOAD], vector_in(row, PUSH)), vector_in(row, FRICTION)))
        force = plus(force, f)
        torque = plus(torque, cross(minus(vector_in(row, POINT), centre), f))
        if turns(crowd.laws[crowd.elements[e].material]):
            torque = minus(torque, times(sign, vector_in(row, MOMENT)))
    return force, torque


@kernel
def part_sums(directory: Array, part: int) -> None:
    """Add the forces of their elements to the generalised forces of a part of the bodies."""
    crowd = crowd_at(directory)
    q = doubles(directory, FORCES)
    first = PART * part
    for body in range(first, min(first + PART, crowd.ways.shape[0])):
        force, torque = wrench_on(crowd, body)
        for i in range(3):
            q[SPEED_WIDTH * body + i] += force[i]
        twist(crowd.bodies, body, torque, q)


@kernel
def take_poses(directory: Array, parts: int, turns: Array, thread: int) -> None:
    """Write poses of parts of the bodies in turn."""
    part = next_part(turns, thread, parts)
    while part >= 0:
        part_poses(directory, part)
        end_part(turns)
        part = next_part(turns, thread, parts)


@kernel
def take_forces(directory: Array, h: float, sums: Array, turns: Array, thread: int) -> None:
    """Evaluate parts of the elements in turn."""
    parts = sums.shape[0]
    own_sums = np.zeros(sums.shape[1])
    words = np.zeros(MEMORY_WORDS)
    part = next_part(turns, thread, parts)
    while part >= 0:
        part_forces(directory, part, h, own_sums, words, sums[part])
        end_part(turns)
        part = next_part(turns, thread, parts)


@kernel
def take_sums(directory: Array, parts: int, turns: Array, thread: int) -> None:
    """Sum the forces on parts of the bodies in turn."""
    part = next_part(turns, thread, parts)
    while part >= 0:
        part_sums(directory, part)
        part = next_part(turns, thread, parts)


@kernel
def take_all(directory: Array, h: float, body_parts: int, sums: Array, turns: Array, thread: int) -> None:
    """What a thread does of `crowd_forces`."""
    take_poses(directory, body_parts, turns[0], thread)
    wait_for(turns[0], body_parts)
    take_forces(directory, h, sums, turns[1], thread)
    wait_for(turns[1], sums.shape[0])
    take_sums(directory, body_parts, turns[2], thread)


@njit(cache=True, parallel=True, error_model="numpy")
def crowd_forces(directory: Array, h: float, body_parts: int, sums: Array, turns: Array) -> None:
    """Add the generalised forces of all elements of a directory after a step h to those of the bodies.

    Args:
        body_parts: number of parts of the bodies. sums: a flat record of TOTALS for each part of the elements.
        turns: of PASSES, see `new_turns`.
    """
    for thread in prange(turns.shape[1]):
        take_all(directory, h, body_parts, sums, turns, thread)


@kernel
def incidence(elements: Array, starts: Array, members: Array) -> None:
    """Write where the elements of each body begin, and these in the order of their numbers; see `Crowd`.

    `elements` is flat; `starts` has one entry more than there are bodies, and begins with zeros.
    """
    heads = elements.view(ELEMENT)
    for e in range(heads.size):
        starts[heads[e].a] += 1
        starts[heads[e].b] += 1
    total = 0
    for i in range(starts.size):
        own = starts[i]
        starts[i] = total
        total += own
    for e in range(heads.size):
        for side in range(2):
            body = heads[e].b if side else heads[e].a
            members[starts[body]] = 2 * e + side
            starts[body] += 1
    for i in range(starts.size - 1, 0, -1):
        starts[i] = starts[i - 1]
    starts[0] = 0


@kernel
def carry_over(old_keys: Array, old: Array, keys: Array, new: Array) -> Array:
    """Copy the memory of elements to those of equal keys; returns the numbers of the old ones that are missed.

    Args:
        old_keys, old: keys and memory of the old elements. keys, new: those of the new ones, sorted by key.
    """
    missed = np.empty(old_keys.size, np.int64)
    count = 0
    place = 0
    for e in range(old_keys.size):
        key = old_keys[e]
        if place > 0 and keys[place - 1] >= key:
            place = np.searchsorted(keys, key)
        while place < keys.size and keys[place] < key:
            place += 1
        if place < keys.size and keys[place] == key:
            for i in range(old.shape[1]):
                new[place, i] = old[e, i]
        elif np.any(old[e] != 0.0):
            missed[count] = e
            count += 1
    return missed[:count]
