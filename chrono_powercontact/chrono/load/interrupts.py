"""Ctrl-C in the middle of a step waits for its end.

An interrupt inside a callback of Chrono would come back as a RuntimeError of SWIG ("director method error"), as if the
run had failed, or stop a change of the system halfway.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any]

_exchange: Callable[[int, Any], Any] = getattr(signal.signal, "__wrapped__", signal.signal)
"""Sets a handler and returns the previous one; without the enumerations of `signal.signal`, ten times as fast."""

_main = threading.main_thread().ident


class HeldInterrupts:
    """A context in which SIGINT is noted; at its end the handler of the program is called, which usually raises.

    Other threads, which receive no signals, and programs that ignore the signal are left alone. Contexts may be nested.
    """

    __slots__ = ("_handler", "_noted")

    def __enter__(self) -> None:
        self._noted: list[tuple[int, FrameType | None]] = []
        self._handler: Handler | None = None
        if threading.get_ident() != _main:
            return
        handler = _exchange(signal.SIGINT, self._note)
        if callable(handler):
            self._handler = handler
        else:
            _exchange(signal.SIGINT, handler if handler is not None else signal.SIG_DFL)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._noted.append((number, frame))

    def __exit__(self, *error: object) -> None:
        if self._handler is None:
            return
        _exchange(signal.SIGINT, self._handler)
        if self._noted:
            self._handler(*self._noted[0])
