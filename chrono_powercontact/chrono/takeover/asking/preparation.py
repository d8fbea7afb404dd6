"""Contacts that were taken over, prepared for a step without Python: the script is asked about them.

See `regular_step`, which calls this by an address.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cfunc, types

from ...contact.addresses import doubles, integers_at
from ...contact.bodies import fastest
from ...implicit import step_context as on
from ...implicit import step_kernel as step
from . import question_sheet as qs

Array = Any

CODE, SHEET, WORDS = range(3)
"""Words of a preparation: address of compiled code, and that of the sheet of questions, 0 if there is none."""


@cfunc(types.int64(types.int64, types.int64, types.float64), cache=True, error_model="numpy")
def prepare_step(place: int, context_place: int, ahead: float) -> int:
    """Prepare a step; the arguments are the addresses of a preparation and of the context, and its length if needed.

    For `ahead`, in s, see `Instant`. Returns SAME, CHANGED or LEAVES.
    """
    own = integers_at(place, WORDS)
    if own[SHEET] == 0:
        return on.SAME
    context = integers_at(context_place, on.WORDS)
    directory = integers_at(context[on.DIRECTORY], 2 * step.DIRECTORY_SIZE)
    way = 2.0 * ahead * fastest(doubles(directory, step.SPEEDS), doubles(directory, step.EXTENTS))
    sheet = integers_at(own[SHEET], 2 * qs.SIZE)
    return qs.ask_in_step(sheet, doubles(directory, step.STATE), way, context[on.STEPS] + 1)


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

    def ask_by(self, sheet: qs.QuestionSheet | None) -> None:
        """Ask by a sheet of questions from now on; None asks nothing."""
        self._sheet = sheet
        self._words[SHEET] = 0 if sheet is None else sheet.directory.entries.ctypes.data
