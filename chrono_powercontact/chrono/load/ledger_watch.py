"""Looks at the energy ledger now and then: contacts that create energy are no contacts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..api.telling import tell_user
from ..contact.bodies import SPEED_WIDTH
from ..contact.last_step import last_step
from ..contact.readings import Energy

FRACTION = 0.1
"""Energy that contacts may create, relative to their heat and the largest kinetic energy that was seen."""
ROUND_OFF = 1e-13
"""Energy in J that is none: bodies that lie exactly at rest have no heat and no motion to compare with."""
FIRST_LOOK = 64
USUAL = 1024
"""Number of steps before the first look, doubled until there are so many between two looks."""


Floats = NDArray[np.float64]


def created(energy: Energy, linearized: bool, foreign: bool = False) -> float:
    """Energy in J that the contacts created.

    Under a linearised integrator that is what is unpaid, without energy that is stored now. Under the others it is the
    error of the ledger. Contacts that Chrono finds anew in every step store other energy each time: there it is what
    the bodies gained.
    """
    if foreign:
        return energy.exchanged - max(energy.stored, 0.0)
    return energy.unpaid - energy.step - max(energy.stored, 0.0) if linearized else abs(energy.error)


def kinetic(kept: Floats, w: Floats) -> float:
    """Kinetic energy of translation in J of the bodies on a load, from its last step and velocities."""
    mass = last_step.py_func(kept).mass
    speeds = w.reshape(-1, SPEED_WIDTH)[: mass.size, :3]
    return 0.5 * float(mass @ (speeds**2).sum(axis=1))


class LedgerWatch:
    """Warns once if the contacts of an attachment create energy.

    Attributes:
        next_look: number of the step of Chrono's at which to look next.
    """

    def __init__(self) -> None:
        self.next_look = FIRST_LOOK
        self._before = 0.0
        self._given = 0.0
        self._most = 0.0
        self._told = False

    def allow(self, energy: float) -> None:
        """Energy in J that was put into contacts from outside, which they may give back."""
        self._given += max(energy, 0.0)

    def look(self, stepper: Any, unsplit: tuple[str, ...], easing: bool, foreign: bool) -> None:
        """Compare what was created with what the contacts had to do with.

        Args:
            stepper: of the attachment. unsplit: laws whose ledger closes by construction and tells nothing.
            easing: whether bodies that overlap were being parted since the last look, which gives them energy.
            foreign: whether Chrono finds contacts. Some of these may begin loaded, so what was given before the first
                look does not count.
        """
        steps = stepper.clock.steps
        is_first = self.next_look == FIRST_LOOK
        self.next_look = steps + min(max(steps, FIRST_LOOK), USUAL)
        if self._told or unsplit or stepper.load is None:
            return
        energy = stepper.balance()
        gained = created(energy, stepper.clock.once, foreign) - self._given
        self._most = max(self._most, kinetic(stepper.book.kept, stepper.load.w.data))
        usual = self._most + self._given + max(energy.contact_heat, 0.0) + max(energy.friction_heat, 0.0)
        if easing or (foreign and is_first):
            self._before = gained
        elif gained - self._before > FRACTION * usual + ROUND_OFF:
            self._told = True
            step = stepper.system.GetStep()
            tell_user(
                f"the contacts have created {gained - self._before:.3g} J, more than {FRACTION:g} of the {usual:.3g} J "
                f"of their heat and the motion, at a step of {step:g} s: use a shorter one, a direct solver such as "
                "SPARSE_LU if there are joints, or attach(system) without stepping='explicit'"
            )
