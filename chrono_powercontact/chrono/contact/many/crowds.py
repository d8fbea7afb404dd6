"""Many elements in little memory: equal geometry is kept once, and of the memory only what the laws use.

A heap of equal spheres has a handful of different geometries. In a step of a linearised integrator with forces at its
start, the memory of an element is a few forces and a point; marks, rotations, filters between stages and impulses are
there for other laws and integrators.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....laws.friction.friction_table import ABSENT, ANCHORED, LUGRE
from ..addresses import Directory
from ..bodies import SPEED_WIDTH
from ..contact_table import Instant
from ..records import MEMORY, TOTALS, empty, flat
from . import crowd_kernel as ck
from .turns import new_turns

Floats = NDArray[np.float64]

MANY = 2048
"""Number of elements from which on a list is a crowd."""

TOTALS_WORDS = TOTALS.itemsize // 8


def end_of(field: str) -> int:
    """Numbers of MEMORY up to the end of a field."""
    dtype, offset = MEMORY.fields[field][:2]  # type: ignore[index]
    return int(offset + dtype.itemsize) // 8


PLAIN = end_of("rubbing")
STICKING = end_of("apart")
TURNING = end_of("turning")
"""Numbers that are kept for each element: in general, with anchors, and with rolling or spinning friction."""


def words_for(materials: NDArray[Any]) -> int:
    """How many numbers of MEMORY the elements of some materials use, records of MATERIAL."""
    patches = materials["patch"] > 0.0
    rolls = (materials["rolling"]["kind"] != ABSENT) | (materials["spinning"]["kind"] != ABSENT)
    if (patches | rolls).any():
        return TURNING
    return STICKING if np.isin(materials["friction"]["kind"], (ANCHORED, LUGRE)).any() else PLAIN


def words(records: NDArray[Any]) -> Floats:
    """Records as rows of numbers, without a copy: NumPy copies rows much faster than records with many fields."""
    rows: Floats = flat(records).reshape(-1, records.dtype.itemsize // 8)
    return rows


def taken(records: NDArray[Any], numbers: NDArray[np.int64]) -> NDArray[Any]:
    """A copy of the records of some numbers."""
    return words(records)[numbers].reshape(-1).view(records.dtype)


class Shared(NamedTuple):
    """Different records of GEOMETRY, and which of them each element has."""

    geometry: NDArray[Any]
    rows: NDArray[np.int32]


def _integers(count: int) -> NDArray[np.int32]:
    """Zeros in whole words of eight bytes."""
    return np.zeros(count + count % 2, np.int32)


def numbered(count: int) -> NDArray[np.int32]:
    """Numbers of the geometry of elements each of which has its own."""
    rows = _integers(count)
    rows[:count] = np.arange(count)
    return rows


def shared(kinds: NDArray[np.int64], geometry_of: Callable[[NDArray[np.int64]], NDArray[Any]]) -> Shared:
    """Geometry of elements that is kept once for each kind.

    Args:
        kinds: equal for elements of equal geometry. geometry_of: gives the records of elements by their numbers.
    """
    _, first, same = np.unique(kinds, return_index=True, return_inverse=True)
    rows = _integers(kinds.size)
    rows[: kinds.size] = same
    return Shared(geometry_of(first), rows)


class Crowd:
    """The elements of a list with shared geometry and short memory.

    Attributes:
        memory: a row for each element. geometry: different records of GEOMETRY. rows: which of them each element has.
    """

    def __init__(
        self, elements: NDArray[Any], shared: Shared, memory: Floats, materials: NDArray[Any], r: Floats
    ) -> None:
        """`memory` has as many numbers for each element as `words_for`; r is room for the rotations of the bodies."""
        self.geometry = shared.geometry
        self.rows = shared.rows
        self.memory = memory
        self._materials = materials
        self._starts = _integers(len(r) + 1)
        self._members = _integers(2 * len(elements))
        ck.incidence(flat(elements), self._starts, self._members)
        self._sums = np.zeros((-(-len(elements) // ck.PART), TOTALS_WORDS))
        self._directory = Directory(ck.DIRECTORY_SIZE)
        for place, array in (
            (ck.ROTATIONS, r), (ck.WAYS, np.zeros((len(r), ck.WAY))), (ck.ELEMENTS, flat(elements)),
            (ck.ROWS, self.rows), (ck.SHAPES, flat(self.geometry)), (ck.MATERIALS, flat(materials)),
            (ck.MEMORIES, self.memory), (ck.STARTS, self._starts), (ck.MEMBERS, self._members),
        ):  # fmt: skip
            self._directory.put(place, array)

    def fits(self, materials: NDArray[Any]) -> bool:
        """Whether the memory has room for the laws of these materials."""
        return materials is self._materials or words_for(materials) <= self.memory.shape[1]

    def add_forces(self, at: Instant, materials: NDArray[Any], q: Floats, totals: Floats) -> None:
        """Add generalised forces to q, and powers and energies to totals; the memory is committed."""
        self._enter(at, materials, q)
        self._sums.fill(0.0)
        body_parts = -(-at.w.size // (SPEED_WIDTH * ck.PART))
        ck.crowd_forces(self._directory.entries, at.since, body_parts, self._sums, new_turns(ck.PASSES))
        totals += self._sums.sum(axis=0)

    def try_forces(self, at: Instant, materials: NDArray[Any], q: Floats, totals: Floats, lines: NDArray[Any]) -> None:
        """The same at a trial state, where nothing is committed; `lines` receive what each element does, if any."""
        self._enter(at, materials, q)
        ck.crowd_trial(self._directory.entries, at.since, at.once, totals, flat(lines))

    def _enter(self, at: Instant, materials: NDArray[Any], q: Floats) -> None:
        """Enter a state, the materials and the forces into the directory."""
        directory = self._directory
        if materials is not self._materials:
            self._materials = materials
            directory.put(ck.MATERIALS, flat(materials))
        for place, array in ((ck.STATE, at.x), (ck.SPEEDS, at.w), (ck.PAST, at.before), (ck.FORCES, q)):
            directory.put(place, array)

    def full_geometry(self) -> NDArray[Any]:
        """A record of GEOMETRY for each element."""
        return taken(self.geometry, self.rows[: len(self.memory)].astype(np.int64))

    def full_memory(self) -> NDArray[Any]:
        """A record of MEMORY for each element."""
        memory = empty(MEMORY, len(self.memory))
        words(memory)[:, : self.memory.shape[1]] = self.memory
        memory["normal"] = memory["push"]
        return memory

    @property
    def nbytes(self) -> int:
        """Memory in bytes that it holds, with the elements."""
        own = (ck.ROTATIONS, ck.WAYS, ck.ELEMENTS, ck.ROWS, ck.SHAPES, ck.MEMORIES, ck.STARTS, ck.MEMBERS)
        return int(self._sums.nbytes + sum(self._directory.arrays[place].nbytes for place in own))
