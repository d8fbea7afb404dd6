"""What a loop asks of an observer that rides in it, in Python or in C."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .filter_model import FilterModel

Array = NDArray[np.float64]


class OnLine(Protocol):
    """A filter that is updated sample by sample."""

    model: FilterModel

    @property
    def x(self) -> Array:
        """The estimate."""

    @property
    def sigma(self) -> Array:
        """Standard deviation of each state."""

    @property
    def nis(self) -> float:
        """Square of the last innovation in units of its spread."""

    def update(self, y: ArrayLike, u: ArrayLike = ()) -> Array:
        """One sample on with the input held, then the measurement at its end."""

    def widen(self, state: str, sigma: float) -> None:
        """Add the square of a standard deviation to the variance of a state."""
