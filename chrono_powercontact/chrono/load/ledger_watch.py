"""Looks at the energy ledger now and then: contacts that create energy are no contacts."""

from __future__ import annotations

from typing import Any

from ..api.telling import tell_user
from ..contact.readings import Energy

FRACTION = 0.1
"""Energy that contacts may create, relative to what they exchanged."""
FIRST_LOOK = 64
USUAL = 1024
"""Number of steps before the first look, doubled until there are so many between two looks."""


def created(energy: Energy, linearized: bool) -> float:
    """Energy in J that the contacts created.

    Under a linearised integrator that is what the steps gave, without energy that is stored now: geometry that changes
    within a step may store some, and it is returned. Under the others it is the error of the ledger.
    """
    return -energy.step - max(energy.stored, 0.0) if linearized else abs(energy.error)


def exchanged(energy: Energy) -> float:
    """Energy in J that went through the contacts."""
    return energy.contact_heat + energy.friction_heat + abs(energy.exchanged)


class LedgerWatch:
    """Warns once if the contacts of an attachment create energy.

    Attributes:
        next_look: number of the step of Chrono's at which to look next.
    """

    def __init__(self) -> None:
        self.next_look = FIRST_LOOK
        self._before = 0.0
        self._told = False

    def look(self, stepper: Any, unsplit: tuple[str, ...], easing: bool) -> None:
        """Compare what was created with what was exchanged.

        Args:
            stepper: of the attachment. unsplit: laws whose ledger closes by construction and tells nothing.
            easing: whether bodies that overlap are being parted, which gives them energy.
        """
        steps = stepper.clock.steps
        self.next_look = steps + min(max(steps, FIRST_LOOK), USUAL)
        if self._told or unsplit:
            return
        energy = stepper.balance()
        gained = created(energy, stepper.clock.once)
        if easing:
            self._before = gained
        elif gained - self._before > FRACTION * exchanged(energy):
            self._told = True
            step = stepper.system.GetStep()
            tell_user(
                f"the contacts have created {gained - self._before:.3g} J, more than {FRACTION:g} of the "
                f"{exchanged(energy):.3g} J that went through them: the step of {step:g} s is too long for "
                "forces at its start; use a shorter one, or attach(system) under Chrono's default integrator"
            )
