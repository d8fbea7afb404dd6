"""Ctrl-C during a run on Chrono."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from ..load.interrupts import programs_handler


@contextmanager
def stopped_between_steps() -> Iterator[Callable[[], None]]:
    """Let Ctrl-C wait until the function that is given raises it as KeyboardInterrupt; call that between steps.

    An interrupt inside a callback of Chrono would come back as a RuntimeError of SWIG, as if the run had failed. Other
    threads, and programs that handle the signal themselves, are left alone.
    """
    pressed = threading.Event()

    def note(number: int, frame: FrameType | None) -> None:
        pressed.set()

    def check() -> None:
        if pressed.is_set():
            raise KeyboardInterrupt

    ours = threading.current_thread() is threading.main_thread()
    if not ours or programs_handler(signal.getsignal(signal.SIGINT)) is not signal.default_int_handler:
        yield check
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    check()
