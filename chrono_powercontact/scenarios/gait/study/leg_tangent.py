"""The leg over a sample with exact derivatives, for an EKF: the replay with dual numbers, sample by sample."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ....numerics.dual.dual_arrays import rows_of
from ....numerics.dual.dual_type import DIRECTIONS, WIDTH
from ....numerics.dual.seeded import Seeded
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
        self._moving = moving
        self._size = moving + len(slots)
        self._step = step
        self._steps = steps
        block = [numbers.copy().view(STAGE)]
        places = range(moving, self._size)
        self._passes = [
            Seeded(block, slots, [place - begin for place in places]) for begin in range(0, self._size, DIRECTIONS)
        ]
        self._ends = np.zeros((1, 2, WIDTH))

    def __call__(self, t: float, x: Array, u: Array) -> tuple[Array, Array]:
        """As `Tangent`."""
        after = x.copy()
        jacobian = np.eye(self._size)
        for number, seeded in enumerate(self._passes):
            begin = number * DIRECTIONS
            moved = np.zeros((self._moving, WIDTH))
            moved[:, 0] = x[: self._moving]
            for direction in range(begin, min(begin + DIRECTIONS, self._moving)):
                moved[direction, 1 + direction - begin] = 1.0
            seeded.set_values(x[self._moving :])
            held = np.ascontiguousarray(u, float)[None]
            self._follow(moved, held, self._step, self._steps, rows_of(seeded.blocks[0]), self._ends)
            after[: self._moving] = moved[:, 0]
            count = min(DIRECTIONS, self._size - begin)
            jacobian[: self._moving, begin : begin + count] = moved[:, 1 : 1 + count]
        return after, jacobian
