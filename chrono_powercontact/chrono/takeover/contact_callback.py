"""The script's AddContactCallback, asked about our contacts: friction by place, or by the bodies that touch.

Chrono asks it once a step for each contact that it has found, with the composed material, which the callback may
change. We ask it the same for our contacts between spheres, boxes and capsules, and design a material for what it says.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...laws.material_design import Surface
from ..api.bridge import pychrono
from ..contact.contact_table import Instant
from ..contact.records import REPORT, TOTALS, empty, flat
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
    """Asks a callback of the script about the contacts of a list."""

    def __init__(self, callback: Any, system: Any, materials: DesignedMaterials) -> None:
        chrono = pychrono()
        smooth = isinstance(system, chrono.ChSystemSMC)
        self._callback = callback
        self._names = SMC if smooth else NSC
        self._composed = chrono.ChContactMaterialCompositeSMC() if smooth else chrono.ChContactMaterialCompositeNSC()
        self._info = chrono.ChCollisionInfo()
        self._materials = materials
        self._rebuilds = -1
        self._designed = np.zeros(0, np.int64)

    def ask(self, near: NearList, bodies: list[Any], at: Instant) -> None:
        """Give each contact in range the material that the callback wants for it."""
        near.follow(at)
        if near.rebuilds != self._rebuilds:
            self._rebuilds = near.rebuilds
            self._designed = near.elements["material"].copy()
        lines = empty(REPORT, len(near.elements))
        near.report(replace(at, commit=False), np.zeros(at.w.size), flat(empty(TOTALS, 1)), lines)
        reach = near.records["reach"][near.elements["material"]]
        for e in np.flatnonzero(lines["gap"] <= reach).tolist():
            surface = self._materials.surface_at(int(self._designed[e]))
            if surface is not None:
                near.elements["material"][e] = self._answer(surface, lines[e], near.elements[e], bodies, e)
        near.flatten()

    def _answer(self, surface: Surface, line: Any, element: Any, bodies: list[Any], e: int) -> int:
        """Number of the material that the callback wants for a contact."""
        for name, theirs in self._names.items():
            setattr(self._composed, theirs, getattr(surface, name))
        self._describe(line, bodies[element["a"]], bodies[element["b"]])
        self._callback.OnAddContact(self._info, self._composed)
        wanted = {name: _meant(getattr(self._composed, theirs)) for name, theirs in self._names.items()}
        changed = {name: value for name, value in wanted.items() if value != _meant(getattr(surface, name))}
        if not changed:
            return int(self._designed[e])
        if "friction" in changed:
            changed["sliding"] = min(changed.get("sliding", changed["friction"]), changed["friction"])
        return self._materials.variant(int(self._designed[e]), replace(surface, **changed))

    def _describe(self, line: Any, a: Any, b: Any) -> None:
        """Describe a contact as Chrono does: the normal points from A to B."""
        vector = pychrono().ChVector3d
        half = 0.5 * line["gap"] * line["normal"]
        info = self._info
        info.vpA = vector(*(line["point"] + half))
        info.vpB = vector(*(line["point"] - half))
        info.vN = vector(*(-line["normal"]))
        info.distance = float(line["gap"])
        info.modelA = a.GetCollisionModel()
        info.modelB = b.GetCollisionModel()


def questions(callback: Any, system: Any, materials: Any) -> ContactQuestions | None:
    """Questions to a callback, if its answers can be used: with materials that were designed."""
    if callback is None or not isinstance(materials, DesignedMaterials):
        return None
    return ContactQuestions(callback, system, materials)
