"""List of the contact elements between near shapes, kept until a body has moved too far.

The list holds the elements whose gap is below the reach of their material plus a skin. As long as no two bodies
together have moved by more than the skin since, no other element can act, and the list stays valid (Verlet 1967). The
friction memory passes from list to list by the key of the element.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import StateError
from ...kernel import kernel
from ..contact.bodies import SPEED_WIDTH, rotations
from ..contact.contact_table import Instant
from ..contact.readings import body_name
from ..contact.records import ELEMENT, GEOMETRY, MEMORY, empty, flat
from .broadphase import near_pairs
from .collision_shapes import ShapeTable
from .element_list import ElementList
from .materials.pair_materials import PairMaterials
from .narrowphase import make_elements, world_centres

Array = Any

FEW_STEPS = 2.0
SOME_STEPS = 4.0
MANY_STEPS = 16.0
"""Number of steps of the present speed for which a list is built: in general, if it was short, and if it was empty."""
SHORT = 64
"""Number of elements up to which a list is short: it takes longer to build it than to evaluate them."""


@kernel
def moved(x: Array, reference: Array, extents: Array) -> float:
    """Largest possible approach in m of two bodies since a reference; -1 - number of a body that is not finite.

    Rotation of a body moves no point of its shapes' cores by more than twice the distance between the quaternions times
    the extent of the cores.
    """
    most = 0.0
    second = 0.0
    for i in range(extents.size):
        square = 0.0
        near = 0.0
        far = 0.0
        for k in range(7 * i, 7 * i + 3):
            square += (x[k] - reference[k]) ** 2
        for k in range(7 * i + 3, 7 * i + 7):
            near += (x[k] - reference[k]) ** 2
            far += (x[k] + reference[k]) ** 2
        distance = np.sqrt(square) + 2.0 * np.sqrt(min(near, far)) * extents[i]
        if not np.isfinite(distance):
            return -1.0 - i
        if distance > most:
            most, second = distance, most
        elif distance > second:
            second = distance
    return most + second


@kernel
def fastest(w: Array, extents: Array) -> float:
    """Largest speed in m/s of any point of the shapes' cores."""
    most = 0.0
    for i in range(extents.size):
        linear = 0.0
        angular = 0.0
        for k in range(SPEED_WIDTH * i, SPEED_WIDTH * i + 3):
            linear += w[k] * w[k]
            angular += w[k + 3] * w[k + 3]
        most = max(most, np.sqrt(linear) + np.sqrt(angular) * extents[i])
    return most


@kernel
def remembering(memory: Array) -> Array:
    """Numbers of the elements with a memory, of which a row of words is not all zero."""
    found = np.empty(memory.shape[0], np.int64)
    count = 0
    for e in range(memory.shape[0]):
        for k in range(memory.shape[1]):
            if memory[e, k] != 0.0:
                found[count] = e
                count += 1
                break
    return found[:count]


def words(records: Array) -> Array:
    """Records as rows of words, without a copy: NumPy copies rows much faster than records with many fields."""
    return flat(records).reshape(-1, records.dtype.itemsize // 8)


def taken(records: Array, numbers: Array) -> Array:
    """A copy of the records of some numbers."""
    return words(records)[numbers].reshape(-1).view(records.dtype)


class NearList(ElementList):
    """Contact elements between the shapes of a table: a part of the load."""

    def __init__(self, materials: PairMaterials, bodies: list[Any]) -> None:
        super().__init__(materials)
        self._bodies = bodies
        self.rebuilds = 0
        self.skin = 0.0
        self.keys = np.zeros(0, np.int64)
        self._reference: NDArray[np.float64] | None = None
        self._pairs = 0
        self._room = 0.0

    def set_shapes(self, shapes: ShapeTable, skin: float) -> None:
        """Set other shapes, and the skin in m; elements that stay keep their memory."""
        self.shapes = shapes
        self.skin = skin
        self._rotations = np.zeros((len(shapes.extents), 3, 3))
        self._centres = np.zeros((len(shapes.records), 3))
        self._reference = None
        self.materials.forget()

    def rotation_space(self, bodies: int) -> NDArray[np.float64]:
        """Space for the rotation matrices of a number of bodies."""
        return self._rotations

    def follow(self, at: Instant) -> None:
        """Bring the list up to date with the states of the bodies."""
        x = at.x
        reference = self._reference if self._reference is not None else x
        distance = moved(x, reference, self.shapes.extents)
        if distance < 0.0:
            name = body_name(self._bodies[int(-1.0 - distance)])
            raise StateError(f"the state of {name!r} is not finite at {at.time:.6g} s")
        ahead = 2.0 * at.ahead * fastest(at.w, self.shapes.extents) if at.ahead > 0.0 else 0.0
        if self._reference is None or distance + ahead > self._room:
            self._look_around(x, ahead)

    def _look_around(self, x: NDArray[np.float64], ahead: float) -> None:
        """Build the list anew, for as many steps as it stays short; bodies approach by at most `ahead` in m in one."""
        if ahead > 0.0 and not len(self.keys):
            self._room = self.skin + MANY_STEPS * ahead
            self._rebuild(x)
            if len(self.keys) <= SHORT:
                return
        self._room = self.skin + (SOME_STEPS if len(self.keys) <= SHORT else FEW_STEPS) * ahead
        self._rebuild(x)

    def _rebuild(self, x: NDArray[np.float64]) -> None:
        shapes = self.shapes
        rotations(x, self._rotations)
        world_centres(shapes.records, shapes.traits, x, self._rotations, self._centres)
        reach = -np.inf
        while reach < self.materials.reach:
            reach = self.materials.reach
            radii = shapes.records["bound"] + 0.5 * (max(reach, 0.0) + self._room)
            pairs = near_pairs(self._centres, radii, shapes.traits, self._pairs)
            first, second = shapes.traits["body"][pairs].T
            slots = self.materials.slots(first, second, self._bodies, shapes.traits["surface"][pairs])
        self._pairs = len(pairs) + len(pairs) // 8
        self._take(*self._elements(pairs, slots, x))
        self._reference = x.copy()
        self.rebuilds += 1

    def _elements(self, pairs: Array, slots: Array, x: Array) -> tuple[Array, Array, Array]:
        """Heads, geometry and keys of the elements of near pairs, in the order of their keys."""
        shapes = self.shapes
        limits = self.records["reach"] + self._room
        room = max(2 * len(self.keys), 4 * len(pairs))
        while True:
            heads = np.empty(room, ELEMENT)
            rows = np.empty(room, GEOMETRY)
            keys = np.empty(room, np.int64)
            count = make_elements(
                pairs, slots, limits, shapes.records, shapes.traits, x, self._rotations, heads, rows, keys
            )
            if count <= room:
                order = np.argsort(keys[:count])
                return taken(heads, order), taken(rows, order), keys[order]
            room = count

    def _take(self, heads: Array, rows: Array, keys: Array) -> None:
        """Use these elements; those with a memory stay too, because a trial state may be far from the last one."""
        memory = empty(MEMORY, len(keys))
        held = remembering(words(self.memory))
        if held.size:
            places = np.searchsorted(keys, self.keys[held])
            found = places < len(keys)
            found[found] = keys[places[found]] == self.keys[held[found]]
            words(memory)[places[found]] = words(self.memory)[held[found]]
            late = held[~found]
            if late.size and self._reference is not None:
                heads = np.append(heads, self.elements[late])
                rows = np.append(rows, self.geometry[late])
                keys = np.append(keys, self.keys[late])
                memory = np.append(memory, self.memory[late])
        self.elements = heads
        self.geometry = rows
        self.keys = keys
        self.memory = memory
        self.flatten()
