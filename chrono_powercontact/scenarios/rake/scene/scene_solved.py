"""The machine at steps that are too long for forces at their start: the plugin solves for those at their end.

One attachment holds the contact of rake and rack, the springs of arms and cylinders, and the seals, so that all of them
are solved together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....chrono.attachment import attach, core_of
from ....chrono.contact.records import REPORT
from ....chrono.contact.shapes import Points
from ....laws.friction.dissipation import Dissipation
from ..machine.rack_contact import profile, rack_record
from ..motion.rake_motion import SEAL_SPEED
from ..motion.setup import Setup
from .rake_scene import Scene
from .scene_rack import plugin_shape, slabs
from .scene_touch import material_of


class SolvedTouch:
    """Contact by the plugin with all forces at the end of a step.

    Attributes:
        contacts: the attachment.
    """

    def __init__(self, scene: Scene, setup: Setup) -> None:
        self.recomputed = False
        self.solved = True
        self._rack = setup.rack
        self._record = rack_record(setup.rack)
        material = material_of(setup)
        scraper = Points(scene.bodies[-1], scene.ends_of_scraper)
        pieces = [plugin_shape(slab, scene.ground, material.normal.s_0) for slab in slabs(setup.rack)]
        self.contacts = attach(scene.system, stepping="implicit")
        self.contacts.add_all((scraper, piece, material) for piece in pieces)
        for link in (*scene.bends, *scene.lines):
            self.contacts.add_spring(link)
        for line, seal in zip(scene.lines, scene.parts.lines["seal"].tolist(), strict=True):
            if seal > 0.0:
                self.contacts.add_friction(line, Dissipation(seal, seal, SEAL_SPEED))
        self._lines = np.zeros(self.contacts.size, REPORT)

    def near(self, gap: float) -> None:
        """The contact is always there."""

    def push(self) -> tuple[float, float]:
        """Chrono's own contact does nothing."""
        return 0.0, 0.0

    def report(self, record: Any, seals: float = 0.0) -> None:
        """Forces and energies of both ends of the scraper; `seals` is their heat in J so far."""
        gauges = record["gauges"]
        core_of(self.contacts).observe(self._lines)
        up = self._rack.tangent + profile(self._record, gauges["s"])[1] * self._rack.normal
        friction = self._lines["friction"][:, (0, 2)].sum(axis=0)
        gauges["N"] = self._lines["force"].sum()
        gauges["F_t"] = friction @ up / np.linalg.norm(up)
        record["stored"] = self._lines["stored"].sum()
        energy = self.contacts.energy()
        record["ledger"]["contact_work"] = energy.stored + energy.contact_heat
        record["ledger"]["friction_work"] = energy.friction_heat - energy.handed_back - seals
        record["ledger"]["step_loss"] += energy.step
