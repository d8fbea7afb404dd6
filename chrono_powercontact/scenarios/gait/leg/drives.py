"""What drives the leg: the exercises of the two experiments, and one of ours that reaches the other stops."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ....errors import not_negative, positive
from . import leg_rate as rate

SAMPLE = 0.01
"""Time between two samples of the device, in s."""


@dataclass(frozen=True)
class Drive:
    """Hip torque and slide force: zero until a begin, then an offset and a sine on each axis, in phase.

    Attributes:
        torque: offset and amplitude in N m. force: offset and amplitude in N. start: begin in s. period: in s.
        hold: time in s over which the input is held, as a digital controller does; 0 is not at all.
    """

    torque: tuple[float, float]
    force: tuple[float, float]
    period: float
    start: float = 1.0
    hold: float = 0.0

    def __post_init__(self) -> None:
        positive("period", self.period)
        not_negative("hold", self.hold)

    @property
    def numbers(self) -> NDArray[np.float64]:
        """The drive as the kernels read it."""
        return np.array((*self.torque, *self.force, self.start, 2.0 * math.pi / self.period, self.hold))

    def held(self, time: float = SAMPLE) -> Drive:
        """The same drive, held over each sample."""
        return replace(self, hold=time)

    def at(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Torque in N m and force in N at times in s, one row each."""
        out, d = np.zeros((len(times), 2)), self.numbers
        for row, t in zip(out, times, strict=True):
            rate.drive(float(t), d, row)
        return out


EXERCISES = {
    1: (Drive((8.0, 6.0), (45.0, 65.0), 4.5), 10.0),
    2: (Drive((-14.0, 0.0), (50.0, -50.0), 4.0), 12.0),
    3: (Drive((7.0, 9.0), (40.0, -130.0), 5.0), 10.0),
}
"""Drive and length in s of each exercise. 1 and 2 have the shape of the thesis' experiments with inferred numbers
(section 5.3.3); 3 is ours."""
