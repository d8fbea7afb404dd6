"""Contacts whose points come from Chrono's own narrow phase: paths, meshes without coal and other foreign shapes.

Chrono detects contacts once, at the start of a step. Each is kept over the step as a point fixed to one body against a
plane fixed to the other. Points that cannot be reached in the step are dropped, and many points of a pair are thinned
out, see `contact_patch`. Limits: Chrono computes these points in single precision
(about 1e-7 of the world coordinates); a mesh is detected only where it is almost touched; a pair of convex shapes has
at most four points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernel import kernel
from ...numerics.vectors import dot, minus, store, times
from ..contact.bodies import STATE_WIDTH, point_in, rotations, to_body
from ..contact.contact_table import Instant
from ..contact.geometry import SPHERE_PLANE
from ..contact.records import ELEMENT, GEOMETRY, MEMORY, empty, flat
from .contact_patch import FOUND, thinned
from .element_list import ElementList
from .found_contacts import BEGUN_IN, FEWEST, FoundContacts
from .materials.pair_materials import PairMaterials

Array = Any

HEAD = ELEMENT.itemsize // 8
ROW = GEOMETRY.itemsize // 8
REMEMBERED = MEMORY.itemsize // 8
"""Words of an element, its geometry and its memory."""

LISTED, BEFORE, FROZEN_IN, TABLE, STATUS_WORDS = range(5)
"""Status of the contacts: number of elements, and of those of the step before, the step in which they were set, and the
number of their table in the arrays of a step."""


@kernel
def square_distance(p: Array, q: Array) -> float:
    """Squared distance between two points."""
    apart = minus(p, q)
    return dot(apart, apart)


@kernel
def nearest_memory(
    elements: Array, shapes: Array, old_elements: Array, old_shapes: Array, old_memory: Array, memory: Array
) -> None:
    """Give each new contact the memory of the nearest old one of the same two bodies, each used at most once."""
    used = np.zeros(old_elements.size, np.bool_)
    for i in range(elements.size):
        best = -1
        least = np.inf
        for j in range(old_elements.size):
            if used[j] or elements[i].a != old_elements[j].a or elements[i].b != old_elements[j].b:
                continue
            square = square_distance(shapes[i].a0, old_shapes[j].a0)
            if square < least:
                best = j
                least = square
        if best >= 0:
            used[best] = True
            memory[i] = old_memory[best]


@kernel
def freeze(found: Array, x: Array, r: Array, elements: Array, shapes: Array) -> None:
    """Convert found contacts at a state to elements: a point on A against a plane on B."""
    for e in range(found.size):
        contact = found[e]
        elements[e].kind = SPHERE_PLANE
        elements[e].a = contact.a
        elements[e].b = contact.b
        on_a = point_in(x, r, contact.a, contact.point)
        store(on_a, shapes[e].a0)
        store(on_a, shapes[e].a1)
        store(point_in(x, r, contact.b, minus(contact.point, times(contact.gap, contact.normal))), shapes[e].b0)
        store(to_body(r, contact.b, contact.normal), shapes[e].b1)


@kernel
def freeze_found(
    words: Array, slots: Array, x: Array, r: Array, heads: Array, rows: Array, memories: Array, old_heads: Array,
    old_rows: Array, old_memories: Array, old: int,
) -> None:  # fmt: skip
    """Replace elements by contacts that were found at a state, with their materials and the memory of the nearest ones.

    Args:
        words: the contacts, flat records of FOUND. slots: numbers of their materials. r: space for rotation matrices.
        heads, rows, memories: flat elements, geometry and memory, with room for all contacts. old_heads, old_rows,
            old_memories: the same; receive the first `old` of the elements as they were.
    """
    found = words.view(FOUND)
    count = found.size
    most = max(count, old)
    for now, before, width in ((rows, old_rows, ROW), (memories, old_memories, REMEMBERED)):
        for i in range(width * most):
            before[i] = now[i]
            now[i] = 0.0
    for i in range(HEAD * most):
        old_heads[i] = heads[i]
    elements = heads.view(ELEMENT)[:count]
    geometry = rows.view(GEOMETRY)[:count]
    rotations(x, r)
    freeze(found, x, r, elements, geometry)
    for e in range(count):
        elements[e].material = slots[e]
    nearest_memory(
        elements, geometry, old_heads.view(ELEMENT)[:old], old_rows.view(GEOMETRY)[:old],
        old_memories.view(MEMORY)[:old], memories.view(MEMORY)[:count],
    )  # fmt: skip


def body_pairs(elements: NDArray[Any]) -> NDArray[np.int64]:
    """A number for the two bodies of each element, below zero: numbers of two shapes are positive."""
    pairs: NDArray[np.int64] = -1 - (
        (np.minimum(elements["a"], elements["b"]) << 32) | np.maximum(elements["a"], elements["b"])
    )
    return pairs


def pair_loads(elements: NDArray[Any], memory: NDArray[Any]) -> dict[int, float]:
    """Load in N of each pair of bodies that carries one, from the memory of their elements."""
    loaded = np.flatnonzero(memory["load"] > 0.0)
    pairs, back = np.unique(body_pairs(elements[loaded]), return_inverse=True)
    sums = np.bincount(back, memory["load"][loaded], pairs.size)
    return dict(zip(pairs.tolist(), sums.tolist(), strict=True))


def moving(found: NDArray[Any], bodies: Sequence[Any]) -> NDArray[Any]:
    """Those of the contacts that Chrono found of which a body moves."""
    if not len(found):
        return found
    numbers, back = np.unique(np.concatenate([found["a"], found["b"]]), return_inverse=True)
    free = np.array([not bodies[number].IsFixed() for number in numbers], bool)
    return found[free[back].reshape(2, -1).any(axis=0)]


class FrozenContacts(ElementList):
    """Contacts that Chrono found for foreign shapes at the start of the step; a part of the load.

    Attributes:
        found: what Chrono has found since the step began. within: gives the gap in m up to which a contact may act in
            the step that begins at a state. grain: distance in m between points that count as one.
        status: see LISTED; steps without Python set other elements, see `frozen_step`.
    """

    is_prepared = True

    def __init__(
        self, materials: PairMaterials, bodies: list[Any], count_steps: Callable[[], int], state: Callable[[], Instant]
    ) -> None:
        self.status = np.zeros(STATUS_WORDS, np.int64)
        self.status[FROZEN_IN] = -1
        super().__init__(materials)
        self._bodies = bodies
        self.found = FoundContacts()
        self.within: Callable[[Instant], float] = lambda at: np.inf
        self.grain = 0.0
        self._count_steps = count_steps
        self._state = state
        self._found_in = -1
        self._x = np.zeros(0)
        self._r = np.zeros((0, 3, 3))
        self._gaps = np.zeros(0)
        self._set_in = -1
        self._left_out = np.zeros(0, np.int64)
        self._make_room(FEWEST)

    @property
    def elements(self) -> NDArray[Any]:
        """A record of ELEMENT for each contact."""
        self._show()
        return self._elements

    @elements.setter
    def elements(self, records: NDArray[Any]) -> None:
        self._elements = records
        self.status[LISTED] = len(records)

    def _show(self) -> None:
        """Show the elements that a step without Python has set."""
        if self.status[LISTED] != len(self._elements):
            self._elements, self._geometry, self._memory = self._view(int(self.status[LISTED]))
            self.flatten()

    @property
    def gaps(self) -> NDArray[np.float64]:
        """Gaps of the elements at the start of the step in m; none if a step without Python has set them."""
        return self._gaps if self._set_in == self.status[FROZEN_IN] else np.zeros(0)

    @property
    def is_home(self) -> bool:
        """Whether its elements are in its own room, and none are left out."""
        return not self._left_out.size and self.elements is self._view(len(self.elements))[0]

    @property
    def room(self) -> list[NDArray[Any]]:
        """Room for elements, geometry and memory, flat, and for those of the step before."""
        return self._flat_room

    def _make_room(self, count: int) -> None:
        """Make room for so many elements, and for as many of the step before."""
        self._views: dict[int, tuple[NDArray[Any], ...]] = {}
        self._room = [empty(dtype, count) for dtype in (ELEMENT, GEOMETRY, MEMORY)]
        self._spare = [empty(dtype, count) for dtype in (ELEMENT, GEOMETRY, MEMORY)]
        self._flat_room = [flat(records) for records in (*self._room, *self._spare)]

    def _view(self, count: int) -> tuple[NDArray[Any], ...]:
        """The room for the first so many elements, each time the same arrays."""
        if count not in self._views:
            self._views[count] = tuple(records[:count] for records in self._room)
        return self._views[count]

    def leave_out(self, pairs: Sequence[int]) -> None:
        """Leave out the contacts of pairs of bodies from now on, see `body_pairs`."""
        if not pairs:
            return
        self._left_out = np.union1d(self._left_out, np.array(pairs, np.int64))
        stay = ~np.isin(body_pairs(self.elements), self._left_out)
        self._gaps = self.gaps[stay]
        self.elements, self.geometry, self.memory = (
            records[stay] for records in (self.elements, self.geometry, self.memory)
        )
        self.flatten()

    def begin(self) -> None:
        """Chrono finds the first contact of a step: its state is the one to which all contacts belong."""
        self._found_in = self._count_steps()
        at = self._state()
        self._x = at.x.copy()
        self.found.begin(self.within(at))

    @property
    def before(self) -> dict[int, float]:
        """Load in N of pairs of bodies in the last step, see `body_pairs`."""
        elements, _, memory = (records[: self.status[BEFORE]] for records in self._spare)
        return pair_loads(elements, memory)

    def rotation_space(self, bodies: int) -> NDArray[np.float64]:
        """Space for the rotation matrices of a number of bodies."""
        if len(self._r) != bodies:
            self._r = np.zeros((bodies, 3, 3))
        return self._r

    def follow(self, at: Instant) -> None:
        """In a new step, use the contacts that Chrono found at its start."""
        steps = self._count_steps()
        if steps == self.status[FROZEN_IN]:
            return
        self.status[FROZEN_IN] = steps
        found = self._taken(at, steps)
        if self._left_out.size:
            found = found[~np.isin(body_pairs(found), self._left_out)]
        if len(found) or len(self.elements):
            self._freeze(thinned(found, self.grain))
        else:
            self._gaps = np.zeros(0)
        self._set_in = steps

    def _taken(self, at: Instant, steps: int) -> NDArray[Any]:
        """The contacts that Chrono found in a step, by its number, which begins at a state."""
        begun = self.found.has_begun
        compiled = self.found.status[BEGUN_IN] == steps
        found = moving(self.found.take(), self._bodies)
        if not begun or not (compiled or self._found_in == steps):
            return found[:0]
        if compiled:
            self._x = at.x.copy()
            found = found[found["gap"] <= self.within(at)]
        return found

    def _freeze(self, found: NDArray[Any]) -> None:
        """Use the contacts that Chrono has found; friction memory passes to the nearest ones."""
        count = len(found)
        self.found_anew = True
        old = len(self.elements)
        self.status[BEFORE] = old
        self._bring_home(max(count, old))
        first, second = np.ascontiguousarray(found["a"]), np.ascontiguousarray(found["b"])
        slots = self.materials.slots(first, second, self._bodies, np.ascontiguousarray(found["surfaces"]))
        self._gaps = np.ascontiguousarray(found["gap"])
        words = np.ascontiguousarray(found).view(np.float64)
        r = self.rotation_space(len(self._x) // STATE_WIDTH)
        freeze_found(words, slots, self._x, r, *self._flat_room, old)
        self.elements, self.geometry, self.memory = self._view(count)
        self.flatten()

    def _bring_home(self, count: int) -> None:
        """Have the present elements in the room, with space for so many."""
        present = self.elements, self.geometry, self.memory
        old = len(self.elements)
        if count <= len(self._room[0]) and self.elements is self._view(old)[0]:
            return
        if count > len(self._room[0]):
            self._make_room(2 * count)
        for records, own in zip(self._room, present, strict=True):
            records[:old] = own
