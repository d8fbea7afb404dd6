"""The gear of the hip's drive with backlash: a motor between two contacts on the thigh."""

from __future__ import annotations

from dataclasses import dataclass

from ....laws.normal.restriction import Restriction

TOOTH = Restriction(s_0=4e-3, s_c=2e-3, r_f=25.0, r_d=0.5)
"""Contact of the teeth over the angle in rad that is left to it, in N m; our choice: two milliradians carry the leg."""


@dataclass(frozen=True)
class Gear:
    """A gear; the numbers are our choice.

    Attributes:
        slack: free angle in rad to either side of the middle. inertia: of the motor behind it, in kg m^2.
        tooth: law of both contacts; its distance is s_0 where the teeth just touch.
    """

    slack: float = 2e-3
    inertia: float = 0.05
    tooth: Restriction = TOOTH
