"""Contacts that were taken over, prepared for a step without Python: the script is asked about them, and those that
Chrono has found are used.

See `regular_step`, which calls this by an address.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cfunc, types

from ....kernel import kernel
from ...contact.addresses import doubles, integers_at
from ...contact.bodies import ways_ahead
from ...implicit import step_context as on
from ...implicit import step_kernel as step
from .. import frozen_step as fs
from . import question_sheet as qs

Array = Any

CODE, SHEET, FROZEN, WORDS = range(4)
"""Words of a preparation: address of compiled code, and those of two directories, of the sheet of questions and of the
contacts that Chrono finds, 0 if there are none."""


@kernel
def ask(sheet: Array, context: Array, directory: Array, h: float) -> int:
    """Ask the script about the contacts of a step h; returns SAME, CHANGED or LEAVES."""
    ahead = h if context[on.MODE] == on.AT_END else 0.0
    ways = ways_ahead(doubles(directory, step.SPEEDS), doubles(directory, step.EXTENTS), ahead)
    return qs.ask_in_step(sheet, doubles(directory, step.STATE), ways, context[on.STEPS] + 1)


@cfunc(types.int64(types.int64, types.int64, types.float64), cache=True, error_model="numpy")
def prepare_step(place: int, context_place: int, h: float) -> int:
    """Prepare a step h by a preparation in a context, given by their addresses; returns SAME, CHANGED or LEAVES."""
    own = integers_at(place, WORDS)
    context = integers_at(context_place, on.WORDS)
    directory = integers_at(context[on.DIRECTORY], 2 * step.DIRECTORY_SIZE)
    outcome = on.SAME
    if own[SHEET] != 0:
        outcome = ask(integers_at(own[SHEET], 2 * qs.SIZE), context, directory, h)
    if own[FROZEN] != 0 and outcome != on.LEAVES:
        found = fs.freeze_in_step(integers_at(own[FROZEN], 2 * fs.SIZE), directory, context[on.STEPS] + 1, h)
        outcome = max(outcome, found)
    return outcome


class Preparation:
    """What compiled code prepares a step by.

    Attributes:
        place: address of its words.
    """

    def __init__(self) -> None:
        self._words = np.zeros(WORDS, np.int64)
        self._words[CODE] = prepare_step.address
        self.place = int(self._words.ctypes.data)
        self._sheet: qs.QuestionSheet | None = None
        self._frozen: fs.FrozenStep | None = None

    def ask_by(self, sheet: qs.QuestionSheet | None) -> None:
        """Ask by a sheet of questions from now on; None asks nothing."""
        self._sheet = sheet
        self._words[SHEET] = 0 if sheet is None else sheet.directory.entries.ctypes.data

    def freeze_by(self, frozen: fs.FrozenStep | None) -> None:
        """Use contacts that Chrono finds from now on; None uses none."""
        self._frozen = frozen
        self._words[FROZEN] = 0 if frozen is None else frozen.directory.entries.ctypes.data

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to prepare."""
        return not self._words[SHEET] and not self._words[FROZEN]
