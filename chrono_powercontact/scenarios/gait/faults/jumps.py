"""A torque that jumps: the innovations betray it, and the observer is made to doubt what it knew of the patient.

The filter lets the patient's torque walk by 0.3 N m a sample. A kick of 30 N m is a hundred such steps: until it has
caught up, the filter explains the kick by friction, stop and speeds, and estimates all of them wrongly.
"""

from __future__ import annotations

from dataclasses import dataclass

from ....observer.on_line import OnLine

SURPRISE = 30.0
"""NIS of two outputs that a right filter exceeds by chance once in 3 million samples: exp(-15)."""

DOUBT = 15.0
"""Standard deviation in N m that the patient's torque gets then."""


@dataclass
class JumpGuard:
    """Widens the patient's torque after a surprise.

    Attributes:
        surprises: how often that was.
    """

    surprises: int = 0

    def __call__(self, observer: OnLine) -> None:
        if observer.nis > SURPRISE:
            observer.widen("M_pat", DOUBT)
            self.surprises += 1
