"""The patient's torque on the hip: smooth, of several frequencies, drawn from a seed; and a spasm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .gait_motions import BEGIN, risen

Array = NDArray[np.float64]

FREQUENCIES = (0.17, 0.31, 0.47)
AMPLITUDES = (2.5, 2.0, 1.5)
"""Of the parts of the patient's torque, in Hz and N m; our choice: as large as hip friction."""


@dataclass(frozen=True)
class Patient:
    """Torque in N m of a patient on the hip.

    Attributes:
        phases: of its parts in rad. strength: factor on it. spasm: time in s at which a spasm begins; None is never.
        push: torque of the spasm in N m.
    """

    phases: tuple[float, ...]
    strength: float = 1.0
    spasm: float | None = None
    push: float = 12.0

    def torque(self, t: Array) -> Array:
        """At times in s; zero until the exercise begins."""
        since = t - BEGIN
        waves = zip(AMPLITUDES, FREQUENCIES, self.phases, strict=True)
        parts = sum(a * np.sin(2.0 * np.pi * f * since + phase) for a, f, phase in waves)
        kick = np.zeros_like(t)
        if self.spasm is not None:
            kick = self.push * risen((t - self.spasm) / 0.05) * (1.0 - risen((t - self.spasm - 0.3) / 0.1))
        return np.asarray(self.strength * risen(since / 1.0) * parts + kick)


def patient_of(seed: int, strength: float = 1.0) -> Patient:
    """A patient drawn from a seed."""
    phases = np.random.default_rng([seed, 1]).uniform(0.0, 2.0 * np.pi, len(FREQUENCIES))
    return Patient(tuple(float(phase) for phase in phases), strength)
