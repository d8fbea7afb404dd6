"""The machine at steps that are too long for forces at their start: the plugin solves for those at their end.

One attachment holds the contact of rake and rack, the springs of arms and cylinders, and the seals, so that all of them
are solved together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....chrono.attachment import attach, core_of
from ....chrono.contact.records import REPORT, TOTALS, flat
from ....chrono.contact.shapes import Points
from ....laws.friction.dissipation import Dissipation
from ..motion.rake_motion import SEAL_SPEED
from ..motion.setup import Setup
from .rake_scene import Scene
from .scene_rack import plugin_shape, slabs
from .scene_touch import material_of

Array = NDArray[np.float64]
DAMPED = 0.05
"""Numerical damping of the springs: it takes a fifth of what implicit Euler takes from slow vibrations, and fast ones
lose a third of their amplitude in a step."""


class SolvedTouch:
    """Contact by the plugin with all forces at the end of a step.

    Attributes:
        contacts: the attachment. ahead: how far in m the law acts before the rack.
    """

    def __init__(self, scene: Scene, setup: Setup) -> None:
        self.recomputed = False
        material = material_of(setup)
        self.ahead = float(material.normal.s_0)
        scraper = Points(scene.bodies[-1], scene.ends_of_scraper)
        pieces = [plugin_shape(slab, scene.ground, material.normal.s_0) for slab in slabs(setup.rack)]
        self.contacts = attach(scene.system, stepping="implicit")
        self.contacts.add_all((scraper, piece, material) for piece in pieces)
        for link in (*scene.bends, *scene.lines):
            self.contacts.add_spring(link, DAMPED)
        for line, seal in zip(scene.lines, scene.parts.lines["seal"].tolist(), strict=True):
            if seal > 0.0:
                self.contacts.add_friction(line, Dissipation(seal, seal, SEAL_SPEED))
        self._core = core_of(self.contacts)
        self._lines = np.zeros(self.contacts.size, REPORT)
        self._totals = np.zeros(1, TOTALS)
        self._solved = self._core.table.memory["solved"][:, ::2]

    def near(self, gap: float) -> None:
        """The contact is always there."""

    def push(self, out: Array) -> None:
        """Force in N on the rake along x and z in the last step."""
        np.add.reduce(self._solved, axis=0, out=out)

    def report(self, record: Any) -> None:
        """Everything is known from the force already."""

    def stored(self, push: Array) -> float:
        """Energy in J that the contact holds now."""
        if push[0] == 0.0 and push[1] == 0.0:
            return 0.0
        self._core.observe(self._lines, flat(self._totals))
        return float(self._lines["stored"].sum())
