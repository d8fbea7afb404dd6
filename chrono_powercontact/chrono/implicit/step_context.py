"""Numbers of the present step that Python and compiled code share."""

from __future__ import annotations

from typing import Any

import numpy as np

from .step_arrays import StepArrays

(
    IDLE, UPDATE, RESIDUAL, MODE, LEFT, STEPS, COMPUTED_IN, LENGTH, CONSTRAINTS, MOVING, UNCONVERGED, LEFT_OPEN, SYSTEM,
    X, W, GATHER_X, GATHER_W, COUNT_CONSTRAINTS, DIRECTORY, TIMES, LINKS, SPRINGS, NEAR, LOOKS,
    BODY, PREPARATION, WORDS,
) = range(27)  # fmt: skip
"""Words of a context. IDLE: whether there is nothing to do when Chrono has distributed a state. UPDATE, RESIDUAL:
addresses of the methods of the load that lead to Python. MODE: see IN_PYTHON. LEFT: number of steps after which
Python is to look at the system again. STEPS, COMPUTED_IN: number of the present step, and of that in which forces
were last computed. LENGTH, CONSTRAINTS: of Chrono's vectors. MOVING: number of bodies that move. UNCONVERGED: steps
that did not converge. LEFT_OPEN: what Python has to do to end a step, see NOT_FINITE. SYSTEM, X, W: addresses of the
system and of the vectors of the load. GATHER_X, GATHER_W, COUNT_CONSTRAINTS: of C++ methods. DIRECTORY, TIMES: of
the arrays of the step and of the times. LINKS, SPRINGS: of what reads them, 0 if there are none. NEAR: whether
contacts are listed by the positions of the bodies. LOOKS: whether Python is to look at a step in which contacts are
loaded. BODY: number of a body whose force is not finite. PREPARATION: address of what prepares contacts in each step,
of which the first word is the address of compiled code; 0 if nothing does."""

COMMITTED, LAST, LONGEST, RESTED, HANDED_OVER, NUMBERS = range(6)
"""Times of a context in s: the last commit, the length of the last step, the longest step that needs no look, the last
step if all bodies were at rest at its end, and the present step if impulses of links are handed over in it (otherwise
0)."""

IN_PYTHON, AT_START, AT_END = range(3)
"""Modes of a step: Python computes the forces, or compiled code does, those at its start or those at its end."""


NOTHING, NOT_FINITE, NO_ROOM, TO_LOOK_AT = range(4)
"""What compiled code leaves open in a step: nothing, a force that is not finite, the solve because there is no room for
all blocks, or a look whether the step is too long."""

SAME, CHANGED, LEAVES = range(3)
"""What it comes to when contacts are prepared for a step: they are as before, or not, or Python must do it."""


class StepContext:
    """Words and times of a step, and the arrays that belong to it.

    Attributes:
        words, times: views, because Python reads a number of a view in half the time that it takes with an array.
        place: address of the words.
    """

    def __init__(self, arrays: StepArrays | None = None) -> None:
        words = np.zeros(WORDS, np.int64)
        times = np.zeros(NUMBERS)
        self.words: Any = words.data
        self.times: Any = times.data
        self.place = int(words.ctypes.data)
        self.words[STEPS] = -1
        self.words[COMPUTED_IN] = -1
        self.words[DIRECTORY] = arrays.entries.ctypes.data if arrays is not None else 0
        self.words[TIMES] = times.ctypes.data


def word(which: int) -> Any:
    """A property of an object with a `context`: one of its words."""

    def read(owner: Any) -> int:
        number: int = owner.context.words[which]
        return number

    def write(owner: Any, value: int) -> None:
        owner.context.words[which] = value

    return property(read, write)


def time(which: int) -> Any:
    """A property of an object with a `context`: one of its times."""

    def read(owner: Any) -> float:
        number: float = owner.context.times[which]
        return number

    def write(owner: Any, value: float) -> None:
        owner.context.times[which] = value

    return property(read, write)
