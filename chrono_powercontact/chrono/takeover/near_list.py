"""List of the contact elements between near shapes, kept until a body has moved too far.

Every body has a room in which it may move. The list holds the elements whose gap is below the reach of their material
plus the rooms of both bodies. As long as no body has left its room since, no other element can act, and the list stays
valid (Verlet 1967). Fast bodies have more room than slow ones. The friction memory passes from list to list by the key
of the element.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import StateError
from ..contact.bodies import rotations, ways_ahead
from ..contact.contact_table import Floats, Instant
from ..contact.many.crowd_kernel import carry_over
from ..contact.many.crowds import MANY, Crowd, shared, taken, words
from ..contact.many.step_passes import any_outgrown
from ..contact.readings import body_name
from ..contact.records import ELEMENT, GEOMETRY, MEMORY
from .broadphase import near_pairs
from .collision_shapes import ShapeTable
from .element_list import ElementList, LongList
from .materials.pair_materials import PairMaterials
from .narrowphase import NAMES, PART, PLACES, make_elements, make_parts, world_centres
from .solids.solid_pairs import KINDS
from .solids.surface_pairs import Looking, SurfacePairs

Array = Any

FEW_STEPS = 4.0
MANY_STEPS = 32.0
SHORT_STEPS = 64.0
"""Number of steps of the present speeds for which a list is built: in general, and if it is short; the last one if it
is short and forces are those at the start of the step, which are short steps."""
SHORT = 64
"""Number of elements up to which a list is short: it takes longer to build it than to evaluate them."""


def alike(shapes: ShapeTable) -> NDArray[np.int64]:
    """For each name of a shape a number that only equal shapes share."""
    records = np.ascontiguousarray(shapes.records)
    rows = records.view(np.dtype((np.void, records.dtype.itemsize)))
    _, same = np.unique(rows, return_inverse=True)
    traits = shapes.traits
    numbers = np.zeros(traits["name"].max(initial=-1) + 1, np.int64)
    numbers[traits["name"]] = same * KINDS + traits["kind"]
    return numbers


class NearList(LongList):
    """Contact elements between the shapes of a table: a part of the load.

    Attributes:
        reference: packed states of the bodies for which the list was built, None if it must be. rooms: distance in m
            by which each body may move from there.
    """

    def __init__(self, materials: PairMaterials, bodies: list[Any]) -> None:
        super().__init__(materials)
        self._bodies = bodies
        self.rebuilds = 0
        self.skin = 0.0
        self.keys = np.zeros(0, np.int64)
        self.reference: NDArray[np.float64] | None = None
        self._pairs = 0
        self._left_out = np.zeros(0, np.int64)
        self._surfaces = SurfacePairs()
        self.rooms = np.zeros(0)

    def set_shapes(self, shapes: ShapeTable, skin: float) -> None:
        """Set other shapes, and the skin in m; elements that stay keep their memory."""
        self.shapes = shapes
        self.skin = skin
        self._rotations = np.zeros((len(shapes.extents), 3, 3))
        self.rooms = np.zeros(len(shapes.extents))
        self._movable = np.zeros(len(shapes.extents), bool)
        self._movable[shapes.traits["body"][shapes.traits["free"] != 0]] = True
        self._alike = alike(shapes)
        self._numbers = np.zeros(self._alike.size, np.int64)
        self._numbers[shapes.traits["name"]] = np.arange(len(shapes.traits))
        self._surfaces.surfaces = shapes.surfaces
        self.reference = None
        self.materials.forget()

    def leave_out(self, pairs: Sequence[int]) -> None:
        """Leave out the elements of pairs of shapes from now on; a pair is given by its two names, see NAMES."""
        if not pairs:
            return
        self._left_out = np.union1d(self._left_out, np.array(pairs, np.int64))
        stay = ~np.isin(self.keys // PLACES, self._left_out)
        geometry = self.geometry[stay]
        self._set(self.elements[stay], geometry, self.keys[stay], self.memory[stay])
        self.rebuilds += 1

    def rotation_space(self, bodies: int) -> NDArray[np.float64]:
        """Space for the rotation matrices of a number of bodies."""
        return self._rotations

    def may_crowd(self, at: Instant) -> bool:
        """Whether it may be a crowd; with large surfaces not: names of elements do not tell their geometry."""
        return not self.shapes.surfaces and super().may_crowd(at)

    def _add_forces(self, at: Instant, q: Floats, totals: Floats, lines: NDArray[Any]) -> None:
        """Evaluate the elements, which have followed to the state; with large surfaces never as a crowd."""
        if self.shapes.surfaces:
            ElementList._add_forces(self, at, q, totals, lines)
        else:
            super()._add_forces(at, q, totals, lines)

    @property
    def nbytes(self) -> int:
        """Bytes of all that it keeps: elements, shapes, and where the bodies were when it was built."""
        shapes = self.shapes.records, self.shapes.traits, self.shapes.extents
        own = *shapes, self.keys, self._alike, self._numbers
        reference = 0 if self.reference is None else self.reference.nbytes
        return super().nbytes + reference + sum(array.nbytes for array in own)

    def kinds(self) -> NDArray[np.int64]:
        """A number for each element that only elements of equal geometry share."""
        return self._kinds(self.keys)

    def _kinds(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """The same for keys: the geometry follows from both shapes and the index of the element."""
        pairs = keys // PLACES
        first, second = self._alike[pairs // NAMES], self._alike[pairs % NAMES]
        kinds: NDArray[np.int64] = (first * (self._alike.max(initial=0) + 1) + second) * PLACES + keys % PLACES
        return kinds

    def follow(self, at: Instant) -> None:
        """Bring the list up to date with the states of the bodies."""
        reference = self.reference if self.reference is not None else at.x
        left = any_outgrown(at.x, at.w, at.ahead, reference, self.shapes.extents, self.rooms)
        if left < 0:
            raise StateError(f"the state of {body_name(self._bodies[-1 - left])!r} is not finite at {at.time:.6g} s")
        if left or self.reference is None:
            self._look_around(at, self.may_crowd(at))

    def _look_around(self, at: Instant, crowd: bool) -> None:
        """Build the list anew, for as many steps as it stays short; if it is long, it becomes a crowd if it may."""
        if at.ahead == 0.0:
            self._rebuild(at, SHORT_STEPS if len(self.keys) <= SHORT else 0.0, crowd)
            return
        if len(self.keys) <= SHORT:
            self._rebuild(at, MANY_STEPS, crowd)
            if len(self.keys) <= SHORT:
                return
        self._rebuild(at, FEW_STEPS, crowd)

    def _reaches(self) -> NDArray[np.float64]:
        """Reach in m of each material."""
        return np.ascontiguousarray(self.records["reach"])

    def _make_room(self, at: Instant, steps: float) -> None:
        """Give each body room for the skin, and for a number of steps with its present speed.

        If it is slower than most, it has room for their median speed: it may be hit.
        """
        ways = ways_ahead(at.w, self.shapes.extents, at.ahead or at.since)
        moving = ways[self._movable]
        if steps and moving.size:
            ways[self._movable] = np.maximum(moving, np.median(moving))
        self.rooms = 0.5 * self.skin + steps * ways

    def _rebuild(self, at: Instant, steps: float, crowd: bool) -> None:
        """Build the list for a number of steps."""
        x = at.x
        rotations(x, self._rotations)
        self._make_room(at, steps)
        pairs, slots = self._near_pairs(x)
        self._pairs = len(pairs) + len(pairs) // 8
        if crowd and len(pairs) >= MANY:
            self._take_crowd(*self._heads(pairs, slots, x), x)
        else:
            self.spread()
            self._take(*self._elements(pairs, slots, self._reaches(), x))
        self.reference = x.copy()
        self.rebuilds += 1

    def _near_pairs(self, x: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Pairs of shapes that are near, and the number of the material of each."""
        shapes = self.shapes
        centres = np.empty((len(shapes.records), 3))
        world_centres(shapes.records, shapes.traits, x, self._rotations, centres)
        reach = -np.inf
        while reach < self.materials.reach:
            reach = self.materials.reach
            radii = shapes.records["bound"] + 0.5 * max(reach, 0.0) + self.rooms[shapes.traits["body"]]
            pairs = near_pairs(centres, radii, shapes.traits, self._pairs)
            first, second = shapes.traits["body"][pairs].T
            slots = self.materials.slots(first, second, self._bodies, shapes.traits["surface"][pairs])
        return pairs, slots

    def _elements(self, pairs: Array, slots: Array, reaches: Array, x: Floats) -> tuple[Array, Array, Array]:
        """Heads, geometry and keys of the elements of pairs, in the order of their keys; reaches in m by material."""
        if not self.shapes.surfaces:
            return self._in_order(*self._plain_elements(pairs, slots, reaches, x))
        large = self._surfaces.among(pairs)
        plain = self._plain_elements(pairs[~large], slots[~large], reaches, x)
        looking = Looking(x, self._rotations, self.rooms)
        others = self._surfaces.elements(pairs[large], slots[large], reaches, self.shapes, looking, self.keys)
        return self._in_order(*(np.append(one, other) for one, other in zip(plain, others, strict=True)))

    def _plain_elements(self, pairs: Array, slots: Array, reaches: Array, x: Floats) -> tuple[Array, Array, Array]:
        """Heads, geometry and keys of the elements of pairs without large surfaces, in no order."""
        shapes = self.shapes
        room = max(2 * len(self.keys), 4 * len(pairs))
        while True:
            heads = np.empty(room, ELEMENT)
            rows = np.empty(room, GEOMETRY)
            keys = np.empty(room, np.int64)
            count = make_elements(
                pairs, slots, reaches, self.rooms, shapes.records, shapes.traits, x, self._rotations, heads, rows, keys
            )
            if count <= room:
                return heads[:count], rows[:count], keys[:count]
            room = count

    def _in_order(self, heads: Array, rows: Array, keys: Array) -> tuple[Array, Array, Array]:
        """Elements in the order of their keys, without those of pairs that are left out."""
        order = self._without_left_out(keys, np.argsort(keys))
        return taken(heads, order), taken(rows, order), keys[order]

    def _heads(self, pairs: Array, slots: Array, x: Floats) -> tuple[Array, Array]:
        """Heads and keys of the elements of many pairs, in the order of their keys."""
        shapes = self.shapes
        counts = np.zeros(-(-len(pairs) // PART), np.int64)
        room = 4 * PART
        while True:
            heads = np.empty(room * len(counts), ELEMENT)
            keys = np.empty(len(heads), np.int64)
            make_parts(
                pairs, slots, self._reaches(), self.rooms, shapes.records, shapes.traits, x, self._rotations,
                heads, keys, counts,
            )  # fmt: skip
            if counts.max() <= room:
                there = np.concatenate([np.arange(i * room, i * room + count) for i, count in enumerate(counts)])
                order = self._without_left_out(keys, there[np.argsort(keys[there])])
                return taken(heads, order), keys[order]
            room = int(counts.max())

    def _without_left_out(self, keys: Array, order: Array) -> Array:
        """Numbers of elements, given by their keys, without those of pairs that are left out."""
        return order[~np.isin(keys[order] // PLACES, self._left_out)] if self._left_out.size else order

    def _carry(self, heads: Array, keys: Array, old: Array) -> tuple[Array, Array, Array, Array]:
        """Heads, keys and memory of new elements, and the numbers of old ones that stay behind them.

        Those with a memory stay, because a trial state may be far from the last one; with large surfaces only those
        that bore load, the first word of a memory: a wheel of many corners would leave them all behind.
        """
        memory = np.zeros((len(keys), old.shape[1]))
        late = carry_over(self.keys, old, keys, memory)
        if self.shapes.surfaces:
            late = late[old[late, 0] > 0.0]
        if late.size and self.reference is not None:
            heads = np.append(heads, self.elements[late])
            keys = np.append(keys, self.keys[late])
            return heads, keys, np.append(memory, old[late], axis=0), late
        return heads, keys, memory, late[:0]

    def _take(self, heads: Array, rows: Array, keys: Array) -> None:
        """Use these elements, with their geometry."""
        heads, keys, memory, late = self._carry(heads, keys, words(self._memory))
        stayed = self._geometry[late]
        if late.size and self.shapes.surfaces:
            self._surfaces.retire(stayed, self.elements[late], self.shapes)
        geometry = np.append(rows, stayed) if late.size else rows
        self._set(heads, geometry, keys, memory.reshape(-1).view(MEMORY))

    def _set(self, heads: Array, rows: Array, keys: Array, memory: Array) -> None:
        """Use elements with their geometry, keys and memory."""
        self.elements = heads
        self._geometry = rows
        self.keys = keys
        self._memory = memory
        self.flatten()

    def _take_crowd(self, heads: Array, keys: Array, x: Floats) -> None:
        """Use these elements as a crowd."""
        if self._crowd is None or not self._crowd.fits(self.records):
            self.spread()
            self.gather()
        self.elements, self.keys, memory, _ = self._carry(heads, keys, self.kept)
        geometry = shared(self._kinds(self.keys), lambda numbers: self._geometry_of(self.keys[numbers], x))
        self.be_crowd(Crowd(self.elements, geometry, memory, self.records, self._rotations))

    def _geometry_of(self, keys: NDArray[np.int64], x: Floats) -> NDArray[Any]:
        """Geometry of the elements of some keys."""
        names = np.unique(keys // PLACES)
        pairs = np.column_stack([self._numbers[names // NAMES], self._numbers[names % NAMES]])
        none = np.zeros(len(pairs), np.int64)
        _, rows, found = self._elements(pairs, none, np.full(1, np.inf), x)
        return taken(rows, np.searchsorted(found, keys))
