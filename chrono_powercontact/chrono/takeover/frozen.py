"""Contacts whose points come from Chrono's own narrow phase: large or open meshes, paths and other foreign shapes.

Chrono detects contacts once, at the start of a step. Each is kept over the step as a point fixed to one body against a
plane fixed to the other. Points that cannot be reached in the step are dropped, and many points of a pair are thinned
out, see `contact_patch`. Limits: Chrono computes these points in single precision
(about 1e-7 of the world coordinates); a mesh is detected only where it is almost touched; a pair of convex shapes has
at most four points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernel import kernel
from ...laws.material import Material
from ...numerics.vectors import dot, minus, store, times
from ..api.bridge import address, pychrono
from ..contact.bodies import SPEED_WIDTH, STATE_WIDTH, point_in, rotations, to_body
from ..contact.contact_jacobian import contact_jacobian
from ..contact.contact_table import FlatTables, Floats, Instant, Reporting
from ..contact.geometry import SPHERE_PLANE
from ..contact.records import ELEMENT, GEOMETRY, MEMORY, empty, flat
from .contact_patch import FOUND, thinned
from .materials.pair_materials import PairMaterials

Array = Any


def is_own_shape(callback: Any, shape: Any) -> bool:
    """Whether a shape that a callback is asked about is not foreign; the triangles of a mesh are parts of it."""
    if shape.GetType() in callback.own:
        return True
    if not callback.owned:
        return False
    parent = shape.GetParentShape() if hasattr(shape, "GetParentShape") else None
    return address(shape) in callback.owned or (parent is not None and address(parent) in callback.owned)


@cache
def callback_class() -> type:
    """The class of the narrow-phase callback; made on demand, because it derives from PyChrono's."""
    base = pychrono().NarrowphaseCallback
    info = pychrono().ChCollisionInfo
    model_a_of = info.modelA.fget
    model_b_of = info.modelB.fget
    gap_of = info.distance.fget

    class Silencer(base):  # type: ignore[misc, valid-type]
        """Suppresses Chrono's own force on bodies that were taken over; passes foreign contacts on."""

        def __init__(self, own: frozenset[int], collect: Callable[[int, int, Any], None]) -> None:
            super().__init__()
            self.own = own
            self.collect = collect
            self.models: Mapping[int, int] = {}
            self.owned: frozenset[int] = frozenset()
            self.is_far: Callable[[float], bool] = lambda distance: False
            self.failures: list[BaseException] = []

        def OnNarrowphase(self, found: Any) -> bool:
            try:
                a = self.models.get(address(model_a_of(found)))
                b = self.models.get(address(model_b_of(found)))
                if a is None or b is None:
                    return True
                if self.is_far(gap_of(found)):
                    return False
                if not (self.is_own(found.shapeA) and self.is_own(found.shapeB)):
                    self.collect(a, b, found)
            except BaseException as error:
                self.failures.append(error)
            return False

        is_own = is_own_shape

    return Silencer


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


class FrozenContacts(Reporting):
    """Contacts that Chrono found for foreign shapes at the start of the step; a part of the load.

    Attributes:
        surface_of: gives the number of a shape's surface. within: gives the gap in m up to which a contact may act in
            the step that begins at a state. grain: distance in m between points that count as one.
        gaps: of the elements at the start of the step, in m.
        before: load in N of pairs of bodies in the last step, see `body_pairs`.
    """

    def __init__(
        self, materials: PairMaterials, bodies: list[Any], count_steps: Callable[[], int], state: Callable[[], Instant]
    ) -> None:
        self.materials = materials
        self._bodies = bodies
        self.surface_of: Callable[[Any], int] = lambda shape: 0
        self.within: Callable[[Instant], float] = lambda at: np.inf
        self.grain = 0.0
        self._count_steps = count_steps
        self._state = state
        self._found: list[tuple[Any, ...]] = []
        self._found_in = -1
        self._frozen_in = -1
        self._fresh = False
        self._x = np.zeros(0)
        self._limit = np.inf
        self.before: dict[int, float] = {}
        self.gaps = np.zeros(0)
        self.elements = empty(ELEMENT, 0)
        self.geometry = empty(GEOMETRY, 0)
        self.memory = empty(MEMORY, 0)
        self.flatten()

    def collect(self, a: int, b: int, found: Any) -> None:
        """Store a contact that Chrono has found; its normal points from A to B."""
        sign, point = (-1.0, found.vpA) if a < b else (1.0, found.vpB)
        normal = found.vN
        towards_a = (sign * normal.x, sign * normal.y, sign * normal.z)
        surfaces = self.surface_of(found.shapeA), self.surface_of(found.shapeB)
        ordered = surfaces if a < b else surfaces[::-1]
        self._found.append(((point.x, point.y, point.z), towards_a, found.distance, min(a, b), max(a, b), ordered))

    def is_far(self, distance: float) -> bool:
        """Whether a contact that Chrono has just found at a gap in m cannot act in the step."""
        if not self._fresh:
            self._found.clear()
            self._found_in = self._count_steps()
            self._fresh = True
            at = self._state()
            self._x = at.x.copy()
            self._limit = self.within(at)
        return distance > self._limit

    def _tables(self, bodies: int) -> tuple[NDArray[Any], ...]:
        """Arguments of the kernels after the state, for a number of bodies."""
        return np.empty((bodies, 3, 3)), *self.tables

    def flatten(self) -> None:
        """Set the flat tables for the kernels."""
        tables = flat(self.elements), flat(self.geometry), self.materials.numbers, flat(self.memory)
        self.tables: FlatTables = tables

    @property
    def records(self) -> NDArray[Any]:
        """Materials as the kernel reads them."""
        return self.materials.records

    @property
    def laws(self) -> list[Material]:
        """The same materials as laws."""
        return self.materials.laws

    def differentiate(self, x: Floats, w: Floats, since: float, stiffness: Floats, damping: Floats) -> None:
        """Add K = -dQ/dx and R = -dQ/dv of all elements."""
        contact_jacobian(x, w, *self._tables(w.size // SPEED_WIDTH), since, stiffness, damping)

    def follow(self, at: Instant) -> None:
        """In a new step, use the contacts that Chrono found at its start."""
        steps = self._count_steps()
        if steps == self._frozen_in:
            return
        self._frozen_in = steps
        fresh = self._fresh and self._found_in == steps
        self._fresh = False
        found = self._found if fresh else []
        if len(found) or len(self.elements):
            self._freeze(thinned(np.array(found, FOUND), self.grain))

    def _freeze(self, found: NDArray[Any]) -> None:
        """Use the contacts that Chrono has found; friction memory passes to the nearest ones."""
        old = self.elements, self.geometry, self.memory
        self.before = pair_loads(self.elements, self.memory)
        self.gaps = found["gap"]
        self.elements = empty(ELEMENT, len(found))
        self.geometry = empty(GEOMETRY, len(found))
        self.memory = empty(MEMORY, len(found))
        if not len(found):
            self.flatten()
            return
        r = np.empty((len(self._x) // STATE_WIDTH, 3, 3))
        rotations(self._x, r)
        freeze(found, self._x, r, self.elements, self.geometry)
        pairs = self.elements["a"], self.elements["b"]
        self.elements["material"] = self.materials.slots(*pairs, self._bodies, found["surfaces"])
        nearest_memory(self.elements, self.geometry, *old, self.memory)
        self.flatten()
