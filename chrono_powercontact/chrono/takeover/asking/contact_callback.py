"""The script's AddContactCallback, asked about our contacts: friction by place, or by the bodies that touch.

Chrono asks it once a step for each contact that it has found, with the composed material, which the callback may
change. We ask it the same for our contacts between spheres, boxes and capsules, and design a material for what it says.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...api.bridge import pychrono
from ...contact.bodies import ways_ahead
from ...contact.contact_table import Instant
from ...implicit.step_context import LEAVES, SAME
from ..materials.designed_materials import DesignedMaterials
from ..near_list import NearList
from .question_sheet import ASKED_IN, COUNT, QuestionSheet

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
    contact is kept: what it is shown, see `question_sheet`, and the materials that belong to answers given before.

    Attributes:
        sheet: questions and answers. is_compiled: whether a step without Python can ask.
    """

    def __init__(self, callback: Any, system: Any, materials: DesignedMaterials, failures: list[BaseException]) -> None:
        chrono = pychrono()
        smooth = isinstance(system, chrono.ChSystemSMC)
        self._callback = callback
        self._names = SMC if smooth else NSC
        kind = chrono.ChContactMaterialCompositeSMC if smooth else chrono.ChContactMaterialCompositeNSC
        self.sheet = QuestionSheet(kind, tuple(self._names.values()), self._ask_without_raising)
        self._failures = failures
        self._materials = materials
        self._rebuilds = -1
        self._designed: list[int] = []
        self._answers: dict[tuple[int, tuple[float, ...]], int] = {}

    @property
    def is_compiled(self) -> bool:
        """Whether a step without Python can ask."""
        return self.sheet.is_direct

    def ask(self, near: NearList, bodies: list[Any], at: Instant, step: int) -> bool:
        """Give each contact that may act in a step, given by its number, the material that the callback wants for it.

        Returns whether that changes any. What was asked already in this step is not asked again.
        """
        if self.sheet.status[ASKED_IN] != step:
            near.follow(at)
            self._follow(near, bodies)
            if not self.sheet.put(at.x, ways_ahead(at.w, near.shapes.extents, at.ahead)):
                return False
            self.sheet.status[ASKED_IN] = step
            self._ask(self.sheet.status[COUNT])
        outcome = self.sheet.take()
        if outcome == LEAVES:
            self._learn(near)
            outcome = self.sheet.take()
        return outcome != SAME

    def _follow(self, near: NearList, bodies: list[Any]) -> None:
        """Ask about the elements that are listed now."""
        if near.rebuilds == self._rebuilds:
            self.sheet.follow_laws(near.tables[2])
            return
        self._rebuilds = near.rebuilds
        self._designed = near.elements["material"].tolist()
        unasked = (np.nan,) * len(self._names)
        given = {}
        for slot in set(self._designed):
            surface = self._materials.surface_at(slot)
            given[slot] = unasked if surface is None else tuple(getattr(surface, name) for name in self._names)
        rows = np.array([given[slot] for slot in self._designed]).reshape(-1, len(self._names))
        self.sheet.follow(near.tables[:3], [body.GetCollisionModel() for body in bodies], rows)

    def _ask(self, count: int) -> None:
        """Ask about the first contacts on the sheet."""
        ask = self._callback.OnAddContact
        for info, composed in self.sheet.pairs[:count]:
            ask(info, composed)

    def _ask_without_raising(self, count: int) -> int:
        """The same for compiled code; returns 1 after an exception, which is kept until the step has ended."""
        try:
            self._ask(count)
        except BaseException as error:
            self._failures.append(error)
            return 1
        return 0

    def _learn(self, near: NearList) -> None:
        """Learn which materials belong to answers that are new."""
        sheet = self.sheet
        for element, answer in sheet.unknown():
            slot = self._designed[element]
            if (slot, answer) not in self._answers:
                self._answers[slot, answer] = self._material(slot, answer)
            sheet.known[element] = answer
            sheet.chosen[element] = self._answers[slot, answer]
        near.flatten()
        sheet.follow_laws(near.tables[2])

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


def questions(callback: Any, system: Any, materials: Any, failures: list[BaseException]) -> ContactQuestions | None:
    """Questions to a callback, if its answers can be used: with materials that were designed.

    `failures` receives what the callback raises in steps without Python.
    """
    if callback is None or not isinstance(materials, DesignedMaterials):
        return None
    return ContactQuestions(callback, system, materials, failures)
