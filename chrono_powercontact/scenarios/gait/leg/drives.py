"""What drives the leg: the exercises of the two experiments, and one of ours that reaches the other stops."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import not_negative, positive
from ....kernel import kernel

SAMPLE = 0.01
"""Time between two samples of the device, in s."""

DRIVE = np.dtype(
    [
        (name, np.float64)
        for name in ("torque", "torque_swing", "force", "force_swing", "start", "angular_frequency", "hold")
    ]
)
"""A drive as the kernels read it: offset and amplitude of hip torque in N m and of slide force in N, start in s,
angular frequency in rad/s, and time in s over which the input is held (0: not at all)."""

JUMP = 1e-7
"""Time in s to either side of a jump."""

Array = Any


@kernel
def drive_input(t: float, drive: Any, u: Array) -> None:
    """Hip torque and slide force at a time in s: zero before the start, then offset and sine on both axes."""
    if drive.hold > 0.0:
        t = np.floor(t / drive.hold + 1e-9) * drive.hold
    u[0] = 0.0
    u[1] = 0.0
    if t >= drive.start - 1e-9:
        wave = np.sin(drive.angular_frequency * (t - drive.start))
        u[0] = drive.torque + drive.torque_swing * wave
        u[1] = drive.force + drive.force_swing * wave


@kernel
def mean_drive_input(t: float, drive: Any, u: Array) -> None:
    """Input at a time in s, and at a jump the mean of both sides: so no integrator starts a jump half a step off."""
    before = np.zeros(2)
    drive_input(t - JUMP, drive, before)
    drive_input(t + JUMP, drive, u)
    u[0] = 0.5 * (u[0] + before[0])
    u[1] = 0.5 * (u[1] + before[1])


@dataclass(frozen=True)
class Drive:
    """Hip torque and slide force: zero until a start, then an offset and a sine on each axis, in phase.

    Attributes:
        torque: offset and amplitude in N m. force: offset and amplitude in N. start: in s. period: in s.
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
    def record(self) -> Any:
        """The drive as the kernels read it."""
        numbers = (*self.torque, *self.force, self.start, 2.0 * math.pi / self.period, self.hold)
        return np.array([numbers], DRIVE)[0]

    def held(self, time: float = SAMPLE) -> Drive:
        """The same drive, held over each sample."""
        return replace(self, hold=time)

    def at(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Torque in N m and force in N at times in s, one row each."""
        record = self.record
        inputs = np.zeros((len(times), 2))
        for u, t in zip(inputs, times, strict=True):
            drive_input(float(t), record, u)
        return inputs


EXERCISES = {
    1: (Drive((8.0, 6.0), (45.0, 65.0), 4.5), 10.0),
    2: (Drive((-14.0, 0.0), (50.0, -50.0), 4.0), 12.0),
    3: (Drive((7.0, 9.0), (40.0, -130.0), 5.0), 10.0),
}
"""Drive and length in s of each exercise. 1 and 2 have the shape of the thesis' experiments with inferred numbers
(section 5.3.3); 3 is ours."""
