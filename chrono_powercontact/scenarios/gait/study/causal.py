"""A causal differentiating filter: speeds from measured positions without a model, the honest baseline."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....errors import not_negative, positive

Array = NDArray[np.float64]

SMOOTHING = 0.02
"""Time constant in s of the filter where none is given: at low noise it trades lag for noise best on this leg."""


class CausalDifference:
    """Backward differences, smoothed by a first-order low pass.

    Args:
        first: measurement at the start, at rest. sample: time in s between two.
        smoothing: time constant in s; 0 is the plain difference.
    """

    def __init__(self, first: Array, sample: float, smoothing: float = SMOOTHING) -> None:
        self._last = np.array(first, float)
        self._sample = positive("sample", sample)
        self._weight = sample / (sample + not_negative("smoothing", smoothing))
        self.speed = np.zeros_like(self._last)

    def update(self, y: Array) -> Array:
        """The speed with one more measurement; a missing one leaves it as it was."""
        if np.all(np.isfinite(y)):
            self.speed = self.speed + self._weight * ((y - self._last) / self._sample - self.speed)
            self._last = np.array(y, float)
        return self.speed


def causal_speeds(measured: Array, sample: float, smoothing: float = SMOOTHING) -> Array:
    """Speeds at every measurement, one row each, from the first one at rest."""
    difference = CausalDifference(measured[0], sample, smoothing)
    return np.array([np.zeros(measured.shape[1]), *(difference.update(y) for y in measured[1:])])
