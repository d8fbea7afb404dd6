"""The far side of an isolated run: a process that reads jobs from its standard input and writes what became of them.

Jobs and answers travel as bytes inside messages that can always be read, so that a job that cannot be unpacked here is
a failure of that job. What a job prints goes to standard error and cannot mix with the answers. The process ends with
its parent: a thread reads the jobs and ends everything when the pipe closes, even in the middle of a run.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping
from functools import partial
from queue import Queue
from threading import Thread
from typing import Any, BinaryIO

from .jobs import FAILED, Answer, Job, perform

READY = "ready"
"""Status of the first answer: the time limit of a job does not count the start of the process."""


def serve(memory: int | None) -> None:
    """Perform jobs until the pipe closes; `memory` is the address space in bytes that this process may use."""
    orders = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if memory is not None:
        limit_memory(memory)
    jobs: Queue[bytes] = Queue()
    Thread(target=_receive, args=(orders, jobs), daemon=True).start()
    _send(Answer(READY), answers)
    while True:
        _send(perform(partial(_run, jobs.get())), answers)


def _run(packed: bytes) -> tuple[bool | None, Mapping[str, Any]]:
    """Unpack a job and run it."""
    job: Job = pickle.loads(packed)
    return job()


def _send(answer: Answer, answers: BinaryIO) -> None:
    """Send an answer; metrics that cannot be sent make it a failure."""
    try:
        packed = pickle.dumps(answer)
    except Exception as error:
        reason = f"a result cannot be sent to another process: {error}".splitlines()[0]
        packed = pickle.dumps(Answer(FAILED, reason, answer.wall_time))
    pickle.dump(packed, answers)
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
