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

present_handler: Callable[[int], Any] = import_module("_signal").getsignal
"""The present handler; without the enumerations of `signal.getsignal`, which take longer than a small step."""

MAIN = main_thread().ident
SIGINT = int(signal.SIGINT)


class Deferring:
    """A handler that calls the program's own handler, but not before the end of a step.

    Attributes:
        handler: of the program. depth: number of steps, one inside the other, that are running.
        noted: signals that have come in the meantime.
    """

    def __init__(self, handler: Handler) -> None:
        self.handler = handler
        self.depth = 0
        self.noted: list[tuple[int, FrameType | None]] = []

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """A signal has come."""
        if self.depth:
            self.noted.append((number, frame))
        else:
            self.handler(number, frame)

    def end_step(self) -> None:
        """A step has ended: call the program's handler if a signal has come, which usually raises."""
        self.depth -= 1
        if self.noted:
            self.release()

    def release(self) -> None:
        """Call the program's handler for what was noted, unless a step is still running."""
        if not self.depth:
            number, frame = self.noted[0]
            self.noted.clear()
            self.handler(number, frame)


def programs_handler(handler: Any) -> Any:
    """The handler of the program, whether ours stands before it or not."""
    return handler.handler if isinstance(handler, Deferring) else handler


NOTHING = Deferring(lambda number, frame: None)
"""Stands for our handler in other threads, and where the program ignores the signal."""


def begin_step() -> Deferring:
    """Our handler, put in place if it is not: SIGINT waits until its `end_step`. Steps may be nested."""
    handler = handler_for_steps(present_handler(SIGINT))
    handler.depth += 1
    return handler


def handler_for_steps(present: Any) -> Deferring:
    """Our handler: the present one, or a new one before it if the program handles the signal in this thread."""
    if get_ident() != MAIN or not callable(present):
        return NOTHING
    if type(present) is Deferring:
        return present
    ours = Deferring(present)
    signal.signal(SIGINT, ours)
    return ours
