"""A sample of a model and its derivatives, as many directions at a time as a dual number has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .dual_type import DIRECTIONS, WIDTH
from .seeded import Seeded

Array = NDArray[np.float64]
Advance = Callable[[Array, list[NDArray[Any]]], None]
"""Advances a full state of dual numbers by a sample, in place, with blocks of numbers."""


class SampleJacobian:
    """Derivatives of a sample by the states that move and by numbers that do not.

    Args:
        blocks: numbers of the model. entries: places of those by which it is differentiated, see `Seeded`.
        states: places of the moving states in the full state. size: length of the full state.
    """

    def __init__(
        self, blocks: Sequence[NDArray[Any]], entries: Sequence[int], states: NDArray[np.int64], size: int
    ) -> None:
        self._states = states
        self._size = size
        self._moving = len(states)
        self._count = len(states) + len(entries)
        places = range(self._moving, self._count)
        self._passes = [
            Seeded(blocks, entries, [place - begin for place in places]) for begin in range(0, self._count, DIRECTIONS)
        ]

    def __call__(self, x: Array, advance: Advance) -> tuple[Array, Array]:
        """State a sample after x, which holds the moving states and the numbers, and its derivatives by x."""
        after = x.copy()
        jacobian = np.eye(self._count)
        for number, seeded in enumerate(self._passes):
            begin = number * DIRECTIONS
            full = np.zeros((self._size, WIDTH))
            full[self._states, 0] = x[: self._moving]
            for direction in range(begin, min(begin + DIRECTIONS, self._moving)):
                full[self._states[direction], 1 + direction - begin] = 1.0
            seeded.set_values(x[self._moving :])
            advance(full, seeded.blocks)
            after[: self._moving] = full[self._states, 0]
            count = min(DIRECTIONS, self._count - begin)
            jacobian[: self._moving, begin : begin + count] = full[self._states, 1 : 1 + count]
        return after, jacobian
