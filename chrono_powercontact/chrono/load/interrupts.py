"""Ctrl-C in the middle of a step waits for its end.

An interrupt inside a callback of Chrono would come back as a RuntimeError of SWIG ("director method error"), as if the
run had failed, or stop a change of the system halfway. To set a handler costs calls of the operating system, so ours
stays between steps, where it calls the program's own at once.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from importlib import import_module
from threading import get_ident, main_thread
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any]

_present: Callable[[int], Any] = import_module("_signal").getsignal
"""The present handler; without the enumerations of `signal.getsignal`, which take longer than a small step."""

_main = main_thread().ident
_SIGINT = int(signal.SIGINT)


class Deferring:
    """A handler that calls the program's own handler, but not before the end of a step.

    Attributes:
        handler: of the program. depth: number of steps, one inside the other, that are running.
    """

    def __init__(self, handler: Handler) -> None:
        self.handler = handler
        self.depth = 0
        self._noted: list[tuple[int, FrameType | None]] = []

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """A signal has come."""
        if self.depth:
            self._noted.append((number, frame))
        else:
            self.handler(number, frame)

    def end_step(self) -> None:
        """A step has ended: call the program's handler if a signal has come, which usually raises."""
        self.depth -= 1
        if self._noted and not self.depth:
            number, frame = self._noted[0]
            self._noted.clear()
            self.handler(number, frame)


def programs_handler(handler: Any) -> Any:
    """The handler of the program, whether ours stands before it or not."""
    return handler.handler if isinstance(handler, Deferring) else handler


NOTHING = Deferring(lambda number, frame: None)
"""Stands for our handler in other threads, and where the program ignores the signal."""


def begin_step() -> Deferring:
    """Our handler, put in place if it is not: SIGINT waits until its `end_step`. Steps may be nested."""
    present = _present(_SIGINT)
    if type(present) is not Deferring:
        present = _put_before(present)
    if get_ident() != _main:
        present = NOTHING
    present.depth += 1
    return present


def _put_before(handler: Any) -> Deferring:
    """Put our handler before another one, if that is possible."""
    if get_ident() != _main or not callable(handler):
        return NOTHING
    ours = Deferring(handler)
    signal.signal(_SIGINT, ours)
    return ours
