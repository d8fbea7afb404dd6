"""A soft real-time loop on one core: plant, observer and controller of the leg at 1 kHz, with its jitter."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..scenarios.gait.control.control_observers import riding_observer
from ..scenarios.gait.control.controllers import leg_controller
from ..scenarios.gait.control.gait_motions import gait_motion
from ..scenarios.gait.control.leg_plants import ReferencePlant, controlled_stage
from ..scenarios.gait.control.patients import patient_of
from ..scenarios.gait.leg.trainer_leg import REST

PERIOD = 1e-3
NOISE = (5e-4, 2e-4)
LIMITS = np.array([60.0, 300.0])
SPUN = 3e-4
"""Time in s before a start from which on the loop no longer sleeps but waits."""


@dataclass(frozen=True)
class RealTime:
    """What came of a loop.

    Attributes:
        late: how late each start was, in s. busy: time in s that each period's work took. error: rms in rad of the hip.
    """

    late: NDArray[np.float64]
    busy: NDArray[np.float64]
    error: float

    @property
    def overruns(self) -> int:
        """Periods whose work took longer than the period."""
        return int(np.sum(self.busy > PERIOD))

    @property
    def sentence(self) -> str:
        """In words."""
        late = 1e6 * np.quantile(self.late, (0.5, 0.99, 1.0))
        busy = 1e6 * np.quantile(self.busy, (0.5, 0.99, 1.0))
        return (
            f"{len(self.late)} periods of {1e3 * PERIOD:g} ms: starts late by {late[0]:.3g} us (median), "
            f"{late[1]:.3g} us (99 %), {late[2]:.3g} us (most); "
            f"work {busy[0]:.3g} us, {busy[1]:.3g} us, {busy[2]:.3g} us; "
            f"{self.overruns} overruns"
        )


def real_time_loop(seconds: float = 4.0) -> RealTime:
    """Run exercise 1 in real time; a period that was missed is not made up for, the next one starts at once."""
    motion = gait_motion(1, seconds, PERIOD)
    plant = ReferencePlant(controlled_stage("lugre"))
    observer = riding_observer("s4", np.array(REST), NOISE, sample=PERIOD)
    controller = leg_controller("computed_torque", motion, "s4")
    torque = patient_of(1).torque(motion.t)
    noise = np.array(NOISE) * np.random.default_rng(1).standard_normal((len(motion.t), 2))
    late = np.zeros(len(motion.t))
    busy = np.zeros(len(motion.t))
    error = 0.0
    u = np.zeros(2)
    begin = time.perf_counter() + PERIOD
    for k in range(len(motion.t)):
        wait_until(begin + k * PERIOD)
        start = time.perf_counter()
        late[k] = start - begin - k * PERIOD
        y = plant.motion()[:2] + noise[k]
        if k > 0:
            observer.update(y, u)
        u = np.clip(controller.drive(k, y, observer), -LIMITS, LIMITS)
        plant.hold(u, torque[k : k + 1])
        error += float((plant.motion()[0] - motion.position[k, 0]) ** 2)
        busy[k] = time.perf_counter() - start
    return RealTime(late, busy, float(np.sqrt(error / len(motion.t))))


def wait_until(moment: float) -> None:
    """Sleep, and for the last part wait, until a moment of the performance counter."""
    left = moment - time.perf_counter()
    if left > SPUN:
        time.sleep(left - SPUN)
    while time.perf_counter() < moment:
        pass
