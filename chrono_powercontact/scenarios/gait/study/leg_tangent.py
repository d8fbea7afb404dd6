"""The leg over a sample with exact derivatives, for an EKF: the replay with dual numbers, sample by sample."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....numerics.dual.dual_arrays import rows_of
from ....numerics.dual.dual_type import WIDTH
from ....numerics.dual.sample_jacobian import SampleJacobian
from ..leg.stages import STAGE

Array = NDArray[np.float64]


class LegTangent:
    """A stage of the leg over a sample.

    Args:
        numbers: of the stage. moving: states that move. slots: places of the estimated numbers among those of the
            stage. step: of RK4 in s. steps: per sample.
    """

    def __init__(self, numbers: Array, moving: int, slots: Sequence[int], step: float, steps: int) -> None:
        from .replay_tangent import follow_tangent

        self._follow = follow_tangent
        self._step = step
        self._steps = steps
        self._jacobian = SampleJacobian([numbers.copy().view(STAGE)], slots, np.arange(moving), moving)
        self._ends = np.zeros((1, 2, WIDTH))

    def __call__(self, t: float, x: Array, u: Array) -> tuple[Array, Array]:
        """As `Tangent`."""
        return self._jacobian(x, partial(self._run, np.ascontiguousarray(u, float)[None]))

    def _run(self, held: Array, moved: Array, blocks: list[NDArray[Any]]) -> None:
        """Advance states of dual numbers by a sample with the input held, in place."""
        self._follow(moved, held, self._step, self._steps, rows_of(blocks[0]), self._ends)
