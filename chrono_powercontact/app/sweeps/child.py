"""The far side of an isolated run: a process that reads jobs from its standard input and writes what became of them.

What a job prints goes to standard error, so that it cannot mix with the answers. The process ends with its parent: a
thread reads the jobs and ends everything when the pipe closes, even in the middle of a run.
"""

from __future__ import annotations

import os
import pickle
from queue import Queue
from threading import Thread
from typing import Any, BinaryIO

from .jobs import Answer, Job, perform

READY = "ready"
"""Status of the first answer: the time limit of a job does not count the start of the process."""


def serve(memory: int | None) -> None:
    """Perform jobs until the pipe closes; `memory` is the address space in bytes that this process may use."""
    orders = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if memory is not None:
        limit_memory(memory)
    jobs: Queue[Job] = Queue()
    Thread(target=_receive, args=(orders, jobs), daemon=True).start()
    _send(Answer(READY), answers)
    while True:
        _send(perform(jobs.get()), answers)


def _send(answer: Answer, answers: BinaryIO) -> None:
    pickle.dump(answer, answers)
    answers.flush()


def _receive(orders: BinaryIO, jobs: Queue[Any]) -> None:
    """Pass jobs on; end the process when there will be no more."""
    while True:
        try:
            jobs.put(pickle.load(orders))
        except EOFError:
            os._exit(0)


def limit_memory(size: int) -> None:
    """Limit the address space of this process in bytes, where the operating system can."""
    try:
        import resource
    except ModuleNotFoundError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
