"""A recorded experiment, and the leg replayed with its inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import DivergedError, ParameterError, positive
from ....kernel import kernel
from ....numerics.dual.dual_arrays import zero_records
from ....numerics.rk4 import rk4_room_like
from ..leg.drives import SAMPLE
from ..leg.leg_rate import CONTACT_HEAT, PHI, WORK, S, advance_held
from ..leg.stages import Stage

Array = NDArray[np.float64]


@kernel
def follow(x: Any, us: Any, h: float, steps: int, stage: Any, out: Any) -> None:
    """RK4 of a state under inputs that are held over so many steps each; phi and s at the end of each input."""
    room = rk4_room_like(x)
    work = zero_records(x, 1, WORK)
    for r in range(us.shape[0]):
        for _ in range(steps):
            advance_held(x, us[r], h, stage, room, work)
        out[r, 0] = x[PHI]
        out[r, 1] = x[S]


@dataclass(frozen=True)
class Recording:
    """Inputs and measurements of an experiment, one row per sample.

    Attributes:
        us: hip torque in N m and slide force in N, held from each sample to the next.
        ys: measured hip angle in rad and slide position in m. sample: time in s between two rows.
    """

    us: Array
    ys: Array
    sample: float = SAMPLE

    def __post_init__(self) -> None:
        positive("sample", self.sample)
        shapes = np.shape(self.us), np.shape(self.ys)
        if shapes[0] != shapes[1] or len(shapes[0]) != 2 or shapes[0][1] != 2 or shapes[0][0] < 2:
            raise ParameterError(f"a recording needs as many rows of M and F as of phi and s, got the shapes {shapes}")
        if not (np.all(np.isfinite(self.us)) and np.all(np.isfinite(self.ys))):
            raise ParameterError("a recording must be finite")

    @property
    def start(self) -> Array:
        """Where the leg is at first: the mean of what is measured until an input comes."""
        driven = np.flatnonzero(np.any(self.us != 0.0, axis=1))
        return np.asarray(self.ys[: max(int(driven[0]) if driven.size else 1, 1)].mean(axis=0))


def steps_per_sample(recording: Recording, step: float) -> int:
    """Number of integration steps of a size in s between two samples, if it is a whole one."""
    steps = round(recording.sample / positive("step", step))
    if steps < 1 or abs(steps * step - recording.sample) > 1e-9:
        raise ParameterError(f"the sample time {recording.sample:g} s must be a whole multiple of the step {step:g} s")
    return steps


def replay(stage: Stage, recording: Recording, step: float) -> Array:
    """phi in rad and s in m of a stage under the inputs of a recording, at every sample after the first."""
    steps = steps_per_sample(recording, step)
    us = np.ascontiguousarray(recording.us[:-1], float)
    x = np.zeros(CONTACT_HEAT)
    x[PHI], x[S] = recording.start
    stage.check_start(float(x[PHI]), float(x[S]))
    out = np.zeros((len(us), 2))
    follow(x, us, step, steps, stage.record, out)
    if not np.all(np.isfinite(out)):
        raise DivergedError(f"the replay is no longer finite with a step of {step:g} s: take a smaller one")
    return out
