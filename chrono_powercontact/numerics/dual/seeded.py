"""Numbers and records as dual numbers, of which some have a derivative of one: what a run is differentiated by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .dual_arrays import VALUES, lift, put_direction
from .dual_type import DIRECTIONS

Array = NDArray[np.float64]


class Seeded:
    """Blocks of numbers or records as dual numbers.

    Args:
        blocks: arrays of floats, or of records whose fields are 8 bytes each.
        entries: chosen numbers, each by its place in the blocks taken as one plain vector.
        lanes: direction of each; outside the directions of a dual number it gets no derivative.

    Attributes:
        blocks: as dual numbers.
    """

    def __init__(self, blocks: Sequence[NDArray[Any]], entries: Sequence[int], lanes: Sequence[int]) -> None:
        self.blocks = [lift(block) for block in blocks]
        self._places: list[tuple[int, int]] = []
        for entry, lane in zip(entries, lanes, strict=True):
            number, ones = _marked(blocks, entry)
            if 0 <= lane < DIRECTIONS:
                put_direction(self.blocks[number], lane, ones)
            marks = lift(np.zeros_like(ones))
            put_direction(marks, VALUES, ones)
            self._places.append((number, int(np.flatnonzero(_flat(marks))[0])))

    def set_values(self, values: Array) -> None:
        """Give the chosen numbers other values."""
        for (number, place), value in zip(self._places, values, strict=True):
            _flat(self.blocks[number])[place] = value


def _flat(block: NDArray[Any]) -> Array:
    """The same memory as one vector of floats."""
    return block.view(np.float64).reshape(-1)


def _marked(blocks: Sequence[NDArray[Any]], entry: int) -> tuple[int, NDArray[Any]]:
    """The block in which an entry of all of them is, by its number, and that block with a one there and zeros else."""
    left = entry
    for number, block in enumerate(blocks):
        size = block.nbytes // 8
        if left < size:
            ones = np.zeros_like(block)
            _flat(ones)[left] = 1.0
            return number, ones
        left -= size
    raise IndexError(f"there is no number {entry} in these blocks")
