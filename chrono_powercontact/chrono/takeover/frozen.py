"""Contacts whose points come from Chrono's own narrow phase: convex hulls, meshes, cylinders and other foreign shapes.

Chrono looks for contacts once, at the start of a step. What it finds is kept over the step as a point fixed on one body
against a plane fixed on the other. Limits: Chrono computes these points in single precision (about 1e-7 of the world
coordinates); a mesh is seen only where it is nearly touched; at most four points are given for a pair of convex shapes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernel import kernel
from ..api.bridge import pychrono
from ..contact import contact_kernel as ck
from ..contact import geometry as g
from ..contact.contact_jacobian import contact_jacobian
from ..contact.contact_table import Instant, Reporting
from .pair_materials import PairMaterials

Array = Any
FOUND = 9
"""Numbers of a found contact: point on A, normal towards A, gap, and the numbers of bodies A and B."""


def address(proxy: Any) -> int:
    """Where the object behind a proxy of a shared pointer is. The proxy must be held while this is asked."""
    return int(ctypes.c_void_p.from_address(int(proxy.this)).value or 0)


@cache
def callback_class() -> type:
    """The class of the narrow-phase callback; made on demand, because it derives from PyChrono's."""
    base = pychrono().NarrowphaseCallback

    class Silencer(base):  # type: ignore[misc, valid-type]
        """Keeps Chrono's own force away from bodies that were taken over; hands foreign contacts on."""

        def __init__(self, own: frozenset[int], collect: Callable[[int, int, Any], None]) -> None:
            super().__init__()
            self.own, self.collect = own, collect
            self.models: Mapping[int, int] = {}
            self.failures: list[BaseException] = []

        def OnNarrowphase(self, found: Any) -> bool:
            try:
                model_a, model_b = found.modelA, found.modelB
                a, b = self.models.get(address(model_a)), self.models.get(address(model_b))
                if a is None or b is None:
                    return True
                if found.shapeA.GetType() not in self.own or found.shapeB.GetType() not in self.own:
                    self.collect(a, b, found)
            except BaseException as error:
                self.failures.append(error)
            return False

    return Silencer


@kernel
def nearest_memory(
    pairs: Array, points: Array, old_pairs: Array, old_points: Array, old_memory: Array, memory: Array
) -> None:
    """Hand the memory of old contacts to the nearest new one of the same two bodies, each at most once."""
    used = np.zeros(old_pairs.shape[0], np.bool_)
    for i in range(pairs.shape[0]):
        best, least = -1, np.inf
        for j in range(old_pairs.shape[0]):
            if used[j] or pairs[i, 0] != old_pairs[j, 0] or pairs[i, 1] != old_pairs[j, 1]:
                continue
            square = 0.0
            for k in range(3):
                square += (points[i, k] - old_points[j, k]) ** 2
            if square < least:
                best, least = j, square
        if best >= 0:
            used[best] = True
            memory[i] = old_memory[best]


@kernel
def freeze(found: Array, x: Array, r: Array, elements: Array, rows: Array) -> None:
    """Found contacts at a state as elements: a point on A against a plane on B."""
    for e in range(found.shape[0]):
        a, b = int(found[e, 7]), int(found[e, 8])
        elements[e, 0], elements[e, 1], elements[e, 2] = g.SPHERE_PLANE, a, b
        for i in range(3):
            on_a, on_b, normal = 0.0, 0.0, 0.0
            for k in range(3):
                point, direction = found[e, k], found[e, 3 + k]
                on_a += r[a, k, i] * (point - x[7 * a + k])
                on_b += r[b, k, i] * (point - found[e, 6] * direction - x[7 * b + k])
                normal += r[b, k, i] * direction
            rows[e, g.A0 + i], rows[e, g.A1 + i], rows[e, g.B0 + i], rows[e, g.B1 + i] = on_a, on_a, on_b, normal


class FrozenContacts(Reporting):
    """What Chrono found for foreign shapes at the start of the step: a part of the load."""

    def __init__(
        self, materials: PairMaterials, bodies: list[Any], count_steps: Callable[[], int], state: Callable[[], Instant]
    ) -> None:
        self.materials, self._bodies = materials, bodies
        self._count_steps, self._state = count_steps, state
        self._found: list[tuple[float, ...]] = []
        self._found_in, self._frozen_in, self._fresh = -1, -1, False
        self._x = np.zeros(0)
        self.elements, self.geometry = np.zeros((0, 4), np.int64), np.zeros((0, g.WIDTH))
        self.memory = np.zeros((0, ck.MEMORY_WIDTH))

    def collect(self, a: int, b: int, found: Any) -> None:
        """Keep a contact that Chrono has found; its normal points from A to B."""
        steps = self._count_steps()
        if steps != self._found_in or not self._fresh:
            self._found.clear()
            self._found_in, self._fresh, self._x = steps, True, self._state().x.copy()
        sign, point = (-1.0, found.vpA) if a < b else (1.0, found.vpB)
        normal = found.vN
        place = (point.x, point.y, point.z, sign * normal.x, sign * normal.y, sign * normal.z)
        self._found.append((*place, found.distance, float(min(a, b)), float(max(a, b))))

    def report(
        self, at: Instant, q: NDArray[np.float64], totals: NDArray[np.float64], rows: NDArray[np.float64]
    ) -> None:
        """Like `evaluate`, and what each element does into rows of REPORT_WIDTH."""
        self.follow(at)
        if len(self.elements):
            r = np.empty((at.w.size // 6, 3, 3))
            ck.contact_forces(
                at.x, at.w, r, self.elements, self.geometry, self.materials.rows, self.memory, at.since, at.commit,
                at.once, q, totals, rows,
            )  # fmt: skip

    @property
    def rows(self) -> NDArray[np.float64]:
        """Materials as the kernel reads them."""
        return self.materials.rows

    def differentiate(self, x: Array, w: Array, since: float, stiffness: Array, damping: Array) -> None:
        """Add K = -dQ/dx and R = -dQ/dv of all elements."""
        arguments = np.empty((w.size // 6, 3, 3)), self.elements, self.geometry, self.materials.rows, self.memory
        contact_jacobian(x, w, *arguments, since, stiffness, damping)

    def follow(self, at: Instant) -> None:
        """In a new step, use what Chrono has found at its start."""
        steps = self._count_steps()
        if steps == self._frozen_in:
            return
        self._frozen_in = steps
        fresh, self._fresh = self._fresh and self._found_in == steps, False
        found = np.array(self._found if fresh else []).reshape(-1, FOUND)
        if len(found) or len(self.elements):
            self._freeze(found)

    def _freeze(self, found: NDArray[np.float64]) -> None:
        old_pairs, old_points, old_memory = self.elements[:, 1:3], self.geometry[:, g.A0 : g.A0 + 3], self.memory
        self.elements = np.zeros((len(found), 4), np.int64)
        self.geometry, self.memory = np.zeros((len(found), g.WIDTH)), np.zeros((len(found), ck.MEMORY_WIDTH))
        if not len(found):
            return
        r = np.empty((len(self._x) // 7, 3, 3))
        g.rotations(self._x, r)
        freeze(found, self._x, r, self.elements, self.geometry)
        first, second = self.elements[:, ck.BODY_A], self.elements[:, ck.BODY_B]
        self.elements[:, ck.MATERIAL] = self.materials.slots(first, second, self._bodies)
        points = self.geometry[:, g.A0 : g.A0 + 3]
        nearest_memory(self.elements[:, 1:3], points, old_pairs, old_points, old_memory, self.memory)
