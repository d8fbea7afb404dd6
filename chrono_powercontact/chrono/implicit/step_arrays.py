"""The arrays of a step in one directory: what compiled code needs to know of bodies, contacts, joints and springs."""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..contact.addresses import Directory
from ..contact.bodies import SPEED_WIDTH
from ..contact.contact_table import Elements
from ..joint.joints import Joints
from ..joint.springs import Springs
from . import step_kernel as step
from .blocks import BLOCK
from .island_step import OUTCOME

Floats = NDArray[np.float64]

NOTHING = np.zeros(0)
FEWEST = 64
"""Least room for blocks."""


class StepArrays:
    """The directory of a step; its places are those of `step_kernel`.

    Attributes:
        outcome: what the implicit solve did, a record of OUTCOME.
    """

    def __init__(self) -> None:
        self._directory = Directory(step.DIRECTORY_SIZE)
        self.outcome = np.zeros(1, OUTCOME)
        self.put = self._directory.put
        self.point = self._directory.point
        self.entries = self._directory.entries
        self._entered: list[Any] = []
        for i in range(step.DIRECTORY_SIZE):
            self.put(i, NOTHING)
        self.put(step.OUTCOMES, self.outcome)
        self.put(step.BLOCKS, np.zeros(FEWEST, BLOCK))

    def enter_state(self, x: Floats, w: Floats, q: Floats) -> None:
        """Enter packed states and velocities of the bodies, and the vector that takes the forces."""
        self.put(step.STATE, x)
        self.put(step.SPEEDS, w)
        self.put(step.LOAD, q)
        if self._directory.entries[2 * step.ROTATIONS + 1] * SPEED_WIDTH != 9 * w.size:
            self.put(step.ROTATIONS, np.zeros((w.size // SPEED_WIDTH, 3, 3)))

    def enter_book(self, totals: Floats, numbers: Floats, kept: Floats) -> None:
        """Enter the totals, the energy book, and the last step that it knows."""
        self.put(step.SUMS, totals)
        self.put(step.LEDGER, numbers)
        self.put(step.KEPT, kept)

    def enter_tables(self, tables: Sequence[Elements], joints: Joints, springs: Springs) -> bool:
        """Enter the tables of springs, contacts and joint forces; whether they are others than before."""
        flats = _flats(tables, joints, springs)
        if self._holds(flats):
            return False
        self._entered = flats
        firsts = [step.SPRINGS, step.JOINTS, *(step.FIRST_TABLE + step.PER_TABLE * i for i in range(len(tables)))]
        for first, arrays in zip(firsts, flats, strict=True):
            for i, array in enumerate(arrays):
                self.put(first + i, array)
        for i in range(step.FIRST_TABLE + step.PER_TABLE * len(tables), step.DIRECTORY_SIZE):
            self.put(i, NOTHING)
        self.put(step.MATERIALS, np.concatenate([table.tables[2] for table in tables]))
        return True

    def has_entered(self, tables: Sequence[Elements], joints: Joints, springs: Springs) -> bool:
        """Whether these tables are in the directory."""
        return self._holds(_flats(tables, joints, springs))

    def _holds(self, flats: list[Any]) -> bool:
        """Whether these flat tables are in the directory."""
        return len(flats) == len(self._entered) and all(map(is_, flats, self._entered))

    def room(self) -> int:
        """Number of blocks for which there is room."""
        return int(self.entries[2 * step.BLOCKS + 1]) // (BLOCK.itemsize // 8)

    def make_room(self, count: int) -> None:
        """Make room for twice so many blocks."""
        self.put(step.BLOCKS, np.zeros(2 * count, BLOCK))


def _flats(tables: Sequence[Elements], joints: Joints, springs: Springs) -> list[Any]:
    """Tables of springs, joint forces and contacts as flat arrays."""
    return [springs.tables, joints.tables, *[table.tables for table in tables]]
