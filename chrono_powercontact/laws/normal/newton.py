"""Newton's impact law: no force, but a jump of the normal speed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, finite


@dataclass(frozen=True)
class NewtonImpact:
    """Newton's impact law: no force, but the normal speed jumps.

    Attributes:
        e: restitution, 0 to 1.
    """

    e: float

    def __post_init__(self) -> None:
        if not 0.0 <= finite("restitution", self.e) <= 1.0:
            raise ParameterError(f"restitution must lie between 0 and 1, got {self.e:g}")

    def after(self, v: ArrayLike) -> NDArray[np.float64]:
        """Normal speed in m/s after the impact; a separating speed is unchanged."""
        v = np.asarray(v, float)
        return np.where(v < 0.0, -self.e * v, v)
