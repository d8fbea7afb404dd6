"""Warns of steps of a linearised integrator that are too long for a law of small restitution.

A restriction that dissipates much lets go as soon as its surfaces separate at a few times 1/r_d. A linearised
integrator takes one Newton step: where gravity alone changes the speed by more than that in a step, a mass is thrown,
let go and caught again, and never rests.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ...laws.normal.normal_law import NormalLaw
from ..api.telling import Once

LETS_GO = 5.0
"""Change of the speed in a step, in units of 1/r_d, up to which a mass was found to rest: with restitutions of 0.1, 0.3
and 0.6 it rests at 1.2, 1.0 and 0.4 of this limit, and with the first two it hops at 1.7 and 2.1 of it."""


def longest_step(laws: Iterable[NormalLaw], gravity: float) -> float:
    """Longest step in s of a linearised integrator under gravity in m/s^2; infinite if no law sets a limit."""
    steepest = max((float(getattr(law, "r_d", 0.0)) for law in laws), default=0.0)
    return LETS_GO / (steepest * gravity) if steepest * gravity > 0.0 else math.inf


class StepCaution:
    """Warns once of a step that is too long for the laws of some contacts."""

    def __init__(self, laws: Iterable[NormalLaw]) -> None:
        self._laws = tuple(laws)
        self._once = Once()

    def look(self, system: Any) -> None:
        """Compare the last step of a system with the limit."""
        step = float(system.GetStep())
        limit = longest_step(self._laws, system.GetGravitationalAcceleration().Length())
        if step > limit and not self._once.has_told("step"):
            self._once.tell(
                "step",
                f"the step of {step:g} s is too long for the contacts of nodes under Chrono's linearised integrator, "
                f"and they may keep hopping: use a step of at most {limit:.2g} s, a law with a larger restitution, or "
                "HHT with a new Jacobian in every iteration",
            )
