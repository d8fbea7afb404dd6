"""Sweeps over the contacts of a very large island in parallel.

The contacts form columns along the direction in which the other forces pull, so that a sweep still carries a load from
the top of a heap to its bottom. Columns that share a moving body have different colours. A sweep goes through the
colours, and the columns of a colour go at the same time; within a column the contacts follow each other. So each
contact finds the same velocities whatever the number of threads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange, types

from ....kernel import kernel
from ....numerics.vectors import ZERO, Triple, cross, dot, norm, plus, times, triple
from ...contact.addresses import doubles, integers
from ...contact.bodies import SPEED_WIDTH
from ...contact.records import MATERIAL
from ..island import Island, Problem
from ..islands import sorted_by
from ..local_forces import Laws
from .contact_sweeps import IMPULSE, SWEPT, Sweeps, nearness_after
from .contact_tangent import Nearness
from .contact_visit import Motion, visit

Array = Any

MANY = 16384
"""Number of contacts from which on an island is swept by colours: these converge a little more slowly."""
COLUMN = 2048
FEWEST_ACROSS = 4
MOST_ACROSS = 16
"""Number of contacts in a column, on average, and fewest and most columns side by side."""
COLOURS = 62
"""Most colours; an island that needs more of them is not swept by colours."""

SWEPT_WORDS = SWEPT.itemsize // 8
MATERIAL_WORDS = MATERIAL.itemsize // 8
"""Numbers in a record of each."""

CONTACTS, IMPULSES, SPEEDS, LIGHTNESS, MOBILITY, MATERIALS, FIRSTS, ORDER, ENERGIES = range(9)
"""Arrays in the directory of coloured sweeps."""


class Columns(NamedTuple):
    """Contacts sorted by column, and where each column begins, and the end."""

    order: Array
    firsts: Array


class Colours(NamedTuple):
    """Columns sorted by colour, where each colour begins, and the directory of their sweeps; empty if there are none.

    `energies` are those of the changes in each column, in J, twice; `firsts` is where each column begins.
    """

    order: Array
    starts: Array
    energies: Array
    firsts: Array
    directory: Array


@kernel
def pulled_along(problem: Problem) -> Triple:
    """Direction of the impulses of all other forces on an island; upright if there are none."""
    total = ZERO
    for body in problem.island.bodies:
        k = SPEED_WIDTH * body
        impulse = problem.bodies.impulse
        total = plus(total, (impulse[k], impulse[k + 1], impulse[k + 2]))
    length = norm(total)
    return times(1.0 / length, total) if length > 0.0 else (0.0, 0.0, 1.0)


@kernel
def across(problem: Problem, places: Array) -> None:
    """Write where each contact of an island lies across the direction of the other forces, in m from the lowest."""
    down = pulled_along(problem)
    side = cross(down, (1.0, 0.0, 0.0) if abs(down[0]) < 0.6 else (0.0, 1.0, 0.0))
    first = times(1.0 / norm(side), side)
    second = cross(down, first)
    lowest = [np.inf, np.inf]
    for m in range(places.shape[0]):
        point = triple(problem.blocks[problem.island.blocks[m]].point)
        places[m, 0] = dot(point, first)
        places[m, 1] = dot(point, second)
        for k in range(2):
            lowest[k] = min(lowest[k], places[m, k])
    for m in range(places.shape[0]):
        for k in range(2):
            places[m, k] -= lowest[k]


@kernel
def columns_of(problem: Problem) -> Columns:
    """The contacts of an island by column, in each in the order of their numbers; none if there are few, or links."""
    contacts = problem.island.blocks
    if contacts.size < MANY or problem.island.rows.size > 0:
        return Columns(contacts[:0], np.zeros(1, np.int64))
    places = np.empty((contacts.size, 2))
    across(problem, places)
    side_by_side = min(max(int(np.sqrt(contacts.size / COLUMN)), FEWEST_ACROSS), MOST_ACROSS)
    width = places.max() / side_by_side + 1e-300
    column = np.empty(contacts.size, np.int64)
    for m in range(contacts.size):
        row = min(int(places[m, 0] / width), side_by_side - 1)
        column[m] = side_by_side * row + min(int(places[m, 1] / width), side_by_side - 1)
    order, firsts = sorted_by(column, side_by_side * side_by_side)
    return Columns(contacts[order], firsts)


@kernel
def by_columns(problem: Problem, columns: Columns) -> Problem:
    """The problem with the contacts of its island in the order of their columns."""
    own = problem.island
    if columns.order.size == 0:
        return problem
    island = Island(own.bodies, columns.order, own.rows, own.place, own.layout, own.moved, own.base, own.reached)
    return Problem(problem.bodies, problem.laws, problem.links, problem.blocks, island)


@kernel
def colour_of(contacts: Array, first: int, last: int, used: Array) -> int:
    """The lowest colour that no body of the contacts of a column has yet; they get it. COLOURS if there is none."""
    taken = 0
    for m in range(first, last):
        for n in (contacts[m].a, contacts[m].b):
            if n >= 0:
                taken |= used[n]
    colour = 0
    while colour < COLOURS and (taken >> colour) & 1:
        colour += 1
    for m in range(first, last):
        for n in (contacts[m].a, contacts[m].b):
            if n >= 0 and colour < COLOURS:
                used[n] |= 1 << colour
    return colour


@kernel
def columns_by_colour(contacts: Array, firsts: Array, bodies: int) -> tuple[Array, Array]:
    """Numbers of the columns sorted by colour, and where each colour begins; empty if there are too many colours."""
    colours = np.empty(firsts.size - 1, np.int64)
    used = np.zeros(bodies, np.int64)
    for c in range(colours.size):
        colours[c] = colour_of(contacts, firsts[c], firsts[c + 1], used)
        if colours[c] == COLOURS:
            return colours[:0], firsts[:1]
    return sorted_by(colours, COLOURS)


@kernel
def coloured(sweeps: Sweeps, motion: Motion, laws: Laws, columns: Columns) -> Colours:
    """The colours of the columns of an island."""
    order, starts = columns_by_colour(sweeps.contacts, columns.firsts, motion.lightness.size)
    energies = np.zeros(order.size)
    directory = np.zeros(2 * (ENERGIES + 1), np.int64)
    enter(directory, CONTACTS, sweeps.contacts.ctypes.data, sweeps.contacts.size * SWEPT_WORDS)
    enter(directory, IMPULSES, sweeps.impulses.ctypes.data, sweeps.impulses.size)
    enter(directory, SPEEDS, motion.u.ctypes.data, motion.u.size)
    enter(directory, LIGHTNESS, motion.lightness.ctypes.data, motion.lightness.size)
    enter(directory, MOBILITY, motion.mobility.ctypes.data, motion.mobility.size)
    enter(directory, MATERIALS, laws.materials.ctypes.data, laws.materials.size * MATERIAL_WORDS)
    enter(directory, FIRSTS, columns.firsts.ctypes.data, columns.firsts.size)
    enter(directory, ORDER, order.ctypes.data, order.size)
    enter(directory, ENERGIES, energies.ctypes.data, energies.size)
    return Colours(order, starts, energies, columns.firsts, directory)


@kernel
def enter(directory: Array, place: int, address: int, length: int) -> None:
    """Enter an array into a directory."""
    directory[2 * place] = address
    directory[2 * place + 1] = length


@kernel
def sweep_column(directory: Array, place: int, h: float, follow: bool, backward: bool, near: Nearness) -> None:
    """Visit the contacts of a column once, and note the energy of the changes; see `visit`."""
    contacts = doubles(directory, CONTACTS).view(SWEPT)
    impulses = doubles(directory, IMPULSES).view(IMPULSE)
    materials = doubles(directory, MATERIALS).view(MATERIAL)
    lightness = doubles(directory, LIGHTNESS)
    mobility = doubles(directory, MOBILITY).reshape(lightness.size, 3, 3)
    motion = Motion(doubles(directory, SPEEDS), lightness, mobility, lightness[:0].reshape(0, 0))
    column = integers(directory, ORDER)[place]
    firsts = integers(directory, FIRSTS)
    first = firsts[column]
    last = firsts[column + 1]
    energy = 0.0
    for i in range(first, last):
        m = first + last - 1 - i if backward else i
        energy += visit(materials[contacts[m].material], motion, contacts[m], impulses[m], h, follow, near)
    doubles(directory, ENERGIES)[place] = energy


# With declared types it is compiled, or taken from disk, on import: kernels that call it need what numba loads with it.
@njit(
    types.void(
        types.int64[::1], types.int64, types.int64, types.float64, types.boolean, types.boolean, types.float64,
        types.float64,
    ),
    cache=True, parallel=True, error_model="numpy",
)  # fmt: skip
def sweep_colour(
    directory: Array, first: int, last: int, h: float, follow: bool, backward: bool, force: float, slip: float
) -> None:
    """Visit the contacts of columns, which share no body, at the same time."""
    for place in prange(first, last):
        sweep_column(directory, place, h, follow, backward, Nearness(force, slip))


@kernel
def sweep_by_colours(laws: Laws, sweeps: Sweeps, colours: Colours, backward: bool, follow: bool) -> float:
    """Visit all contacts of an island once; returns twice the kinetic energy in J of the changes. See `sweep`."""
    near = nearness_after(sweeps.changes, sweeps.contacts.size)
    many = colours.starts.size - 1
    for i in range(many):
        c = many - 1 - i if backward else i
        first = colours.starts[c]
        last = colours.starts[c + 1]
        if first < last:
            sweep_colour(colours.directory, first, last, laws.h, follow, backward, near.force, near.slip)
    energy = 0.0
    for place in range(colours.energies.size):
        energy += colours.energies[place]
    sweeps.changes[1] = energy
    if sweeps.changes[0] == 0.0:
        sweeps.changes[0] = energy
    return energy
