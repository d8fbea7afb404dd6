"""The script's AddContactCallback, asked about our contacts: friction by place, or by the bodies that touch.

Chrono asks it once a step for each contact that it has found, with the composed material, which the callback may
change. We ask it the same for our contacts between spheres, boxes and capsules, and design a material for what it says.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..api.bridge import pychrono
from ..contact.bodies import fastest
from ..contact.contact_table import Instant
from .collision_info import POINTS, CollisionInfo, contacts_within
from .materials.designed_materials import DesignedMaterials
from .near_list import NearList

NSC = {
    "friction": "static_friction", "sliding": "sliding_friction", "rolling": "rolling_friction",
    "spinning": "spinning_friction", "restitution": "restitution",
}  # fmt: skip
SMC = {"friction": "mu_eff", "rolling": "muRoll_eff", "spinning": "muSpin_eff", "restitution": "cr_eff"}
"""Properties of a surface, by their names in Chrono's composed materials."""


def _meant(value: float) -> float:
    """The number that was meant: Chrono stores single precision."""
    return float(f"{value:.7g}")


class ContactQuestions:
    """Asks a callback of the script about the contacts of a list.

    A callback is asked about every contact in every step, as Chrono does. So everything that does not depend on the
    contact is kept: the models of the bodies, and the materials that belong to answers given before.
    """

    def __init__(self, callback: Any, system: Any, materials: DesignedMaterials) -> None:
        chrono = pychrono()
        smooth = isinstance(system, chrono.ChSystemSMC)
        self._callback = callback
        self._names = SMC if smooth else NSC
        kind = chrono.ChContactMaterialCompositeSMC if smooth else chrono.ChContactMaterialCompositeNSC
        self._composed = kind()
        self._reads = [getattr(kind, name).fget for name in self._names.values()]
        self._writes = [getattr(kind, name).fset for name in self._names.values()]
        self._present: tuple[float, ...] = ()
        self._info = CollisionInfo()
        self._numbers = np.zeros(0, np.int64)
        self._points = np.zeros(0, POINTS)
        self._materials = materials
        self._rebuilds = -1
        self._designed = np.zeros(0, np.int64)
        self._models: dict[int, Any] = {}
        self._surfaces: dict[int, tuple[float, ...] | None] = {}
        self._answers: dict[tuple[int, tuple[float, ...]], int] = {}

    def ask(self, near: NearList, bodies: list[Any], at: Instant) -> None:
        """Give each contact that may act in the step the material that the callback wants for it."""
        near.follow(at)
        if near.rebuilds != self._rebuilds:
            self._rebuilds = near.rebuilds
            self._designed = near.elements["material"].copy()
            self._numbers = np.zeros(len(near.elements), np.int64)
            self._points = np.zeros(len(near.elements), POINTS)
        way = 2.0 * at.ahead * fastest(at.w, near.shapes.extents)
        heads, rows, materials, _ = near.tables
        count = contacts_within(at.x, heads, rows, materials, way, self._numbers, self._points)
        if not count:
            return
        asked = self._numbers[:count]
        elements = near.elements[asked]
        first = self._points.ctypes.data
        places = range(first, first + count * POINTS.itemsize, POINTS.itemsize)
        columns = self._designed[asked].tolist(), elements["a"].tolist(), elements["b"].tolist()
        near.elements["material"][asked] = [
            self._answer(bodies, place, slot, a, b) for place, slot, a, b in zip(places, *columns, strict=True)
        ]
        near.flatten()

    def _answer(self, bodies: list[Any], place: int, slot: int, a: int, b: int) -> int:
        """Number of the material that the callback wants for a contact, whose record of POINTS is at an address."""
        if slot not in self._surfaces:
            surface = self._materials.surface_at(slot)
            self._surfaces[slot] = None if surface is None else tuple(getattr(surface, name) for name in self._names)
        known = self._surfaces[slot]
        if known is None:
            return slot
        composed = self._composed
        if known != self._present:
            for write, value in zip(self._writes, known, strict=True):
                write(composed, value)
        self._info.write(place, self._model(a, bodies), self._model(b, bodies))
        self._callback.OnAddContact(self._info.proxy, composed)
        answer = tuple([read(composed) for read in self._reads])
        self._present = answer
        if (slot, answer) not in self._answers:
            self._answers[slot, answer] = self._material(slot, answer)
        return self._answers[slot, answer]

    def _model(self, number: int, bodies: list[Any]) -> Any:
        """The collision model of a body by its number on the load."""
        if number not in self._models:
            self._models[number] = bodies[number].GetCollisionModel()
        return self._models[number]

    def _material(self, slot: int, answer: tuple[float, ...]) -> int:
        """Number of the material for an answer: what the callback did not change stays as designed."""
        surface = self._materials.surface_at(slot)
        assert surface is not None
        wanted = dict(zip(self._names, map(_meant, answer), strict=True))
        changed = {name: value for name, value in wanted.items() if value != _meant(getattr(surface, name))}
        if not changed:
            return slot
        if "friction" in changed:
            changed["sliding"] = min(changed.get("sliding", changed["friction"]), changed["friction"])
        return self._materials.variant(slot, replace(surface, **changed))


def questions(callback: Any, system: Any, materials: Any) -> ContactQuestions | None:
    """Questions to a callback, if its answers can be used: with materials that were designed."""
    if callback is None or not isinstance(materials, DesignedMaterials):
        return None
    return ContactQuestions(callback, system, materials)
