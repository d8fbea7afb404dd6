"""What a step does with very many bodies besides their contacts, in parallel.

The passes go over parts of a fixed number of bodies, and sums are formed in the order of the parts: the result does not
depend on the number of threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from ....kernel import kernel
from ....numerics.copying import put
from ..addresses import doubles_at
from ..bodies import SPEED_WIDTH, STATE_WIDTH, outgrown, outgrown_among
from ..contact_kernel import book_step, close_books
from ..last_step import keep_step, last_step, work_on
from ..records import BOOK, TOTALS

Array = Any
Floats = NDArray[np.float64]

MANY = 2048
"""Number of bodies from which the passes are worth their threads."""
PART = 512
"""Number of bodies that a thread takes at a time."""


def parts_of(bodies: int) -> int:
    """Number of parts of a number of bodies."""
    return -(-bodies // PART)


@njit(cache=True, parallel=True, error_model="numpy")
def _outgrown_by_part(
    x: Array, w: Array, ahead: float, reference: Array, extents: Array, rooms: Array, found: Array
) -> None:
    """Write what `outgrown` finds in each part."""
    for part in prange(found.size):
        first = PART * part
        last = min(first + PART, extents.size)
        found[part] = outgrown_among(first, last, x, w, ahead, reference, extents, rooms)


def any_outgrown(x: Floats, w: Floats, ahead: float, reference: Floats, extents: Floats, rooms: Floats) -> int:
    """What `outgrown` finds, in parallel if there are many bodies."""
    if extents.size < MANY:
        return int(outgrown(x, w, ahead, reference, extents, rooms))
    found = np.empty(parts_of(extents.size), np.int64)
    _outgrown_by_part(x, w, ahead, reference, extents, rooms, found)
    lost = found[found < 0]
    return int(lost[0] if lost.size else found.max())


@kernel
def first_not_finite(values: Array, first: int, last: int) -> int:
    """Number of the first value from the first one to the one before the last that is not finite, or -1."""
    for i in range(first, last):
        if not np.isfinite(values[i]):
            return i
    return -1


@njit(cache=True, parallel=True, error_model="numpy")
def _work_by_part(kept: Array, q: Array, w: Array, h: float, wrong: Array, done: Array) -> None:
    """Write the first force of each part that is not finite, or -1, and what `work_of_step` gives for its bodies."""
    bodies = w.size // SPEED_WIDTH
    for part in prange(wrong.size):
        first = PART * part
        last = min(first + PART, bodies)
        wrong[part] = first_not_finite(q, SPEED_WIDTH * first, SPEED_WIDTH * last)
        work, of_springs, taken = work_on(first, last, kept, w, h)
        done[part, 0] = work
        done[part, 1] = of_springs
        done[part, 2] = taken


@kernel
def _book(totals: Array, work: float, of_springs: float, taken: float, since: float, book: Array) -> None:
    """Add the work of a step to the book, see `book_step`; `totals` and `book` are flat."""
    book_step(totals.view(TOTALS)[0], (work, of_springs, taken), since, book.view(BOOK)[0])


@kernel
def _keep_part(kept: Array, x: Array, w: Array, q: Array, first: int, last: int) -> None:
    """Do what `keep_step` does for some bodies."""
    then = last_step(kept)
    states = slice(STATE_WIDTH * first, STATE_WIDTH * last)
    speeds = slice(SPEED_WIDTH * first, SPEED_WIDTH * last)
    put(x[states], then.x[states])
    put(w[speeds], then.w[speeds])
    put(q[speeds], then.q[speeds])
    for i in range(SPEED_WIDTH * first, SPEED_WIDTH * last):
        then.springs[i] = 0.0


@njit(cache=True, parallel=True, error_model="numpy")
def _keep_by_part(kept: Array, x: Array, w: Array, q: Array, parts: int) -> None:
    """Do what `keep_step` does."""
    bodies = w.size // SPEED_WIDTH
    for part in prange(parts):
        first = PART * part
        _keep_part(kept, x, w, q, first, min(first + PART, bodies))


@kernel
def _close_step(kept: Array, x: Array, w: Array, q: Array, totals: Array, since: float, book: Array) -> int:
    """The same as `close_step` for few bodies."""
    lost = close_books(q, w, totals, since, True, True, kept, book)
    if lost < 0:
        keep_step(kept, x, w, q)
    return lost


def close_step(kept: Floats, x: Floats, w: Floats, q: Floats, totals: Floats, since: float, book: Floats) -> int:
    """Add what the last step did to the book and keep the present one, as `close_books` and `keep_step` do.

    Returns the number of the first body whose force q is not finite, or -1.
    """
    if w.size < SPEED_WIDTH * MANY:
        return int(_close_step(kept, x, w, q, totals, since, book))
    parts = parts_of(w.size // SPEED_WIDTH)
    wrong = np.empty(parts, np.int64)
    done = np.empty((parts, 3))
    _work_by_part(kept, q, w, since, wrong, done)
    lost = wrong[wrong >= 0]
    if lost.size:
        return int(lost[0]) // SPEED_WIDTH
    _book(totals, *done.sum(axis=0), since, book)
    _keep_by_part(kept, x, w, q, parts)
    return -1


@kernel
def _add_some(forces: Array, places: Array, factor: float, first: int, last: int, address: int, length: int) -> None:
    """Do what `add_at_places` does for some of the forces."""
    vector = doubles_at(address, length)
    for i in range(first, min(last, forces.size)):
        if places[i] >= 0:
            vector[places[i]] += factor * forces[i]


@njit(cache=True, parallel=True, error_model="numpy")
def _add_by_part(forces: Array, places: Array, factor: float, address: int, length: int) -> None:
    """Do what `add_at_places` does."""
    width = SPEED_WIDTH * PART
    for part in prange(-(-forces.size // width)):
        _add_some(forces, places, factor, width * part, width * (part + 1), address, length)


def add_at_places(forces: Floats, places: NDArray[np.int32], factor: float, address: int, length: int) -> None:
    """Add forces, times a factor, to a vector of a length at an address, each at its place; -1 has none."""
    if forces.size < SPEED_WIDTH * MANY:
        _add_some(forces, places, factor, 0, forces.size, address, length)
    else:
        _add_by_part(forces, places, factor, address, length)
