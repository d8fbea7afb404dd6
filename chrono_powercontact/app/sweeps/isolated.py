"""Runs in processes of their own: what crashes, hangs or takes too much memory costs one run, not the sweep.

A process is started once and performs one job after another, so that a run costs no start of Python. Idle processes
wait for the next job of whatever thread comes first; a worker of any executor may use them.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from threading import Lock, Thread
from typing import Any

from .jobs import CRASHED, TIMED_OUT, Answer, Job

ATTEMPTS = 2
"""A run whose process has died is run once more: something else may have killed it."""

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
"""Runs are parallel by themselves."""

PACKAGE = str(Path(__file__).resolve().parents[3])


@dataclass(frozen=True)
class Limits:
    """What a run may take: time in s and memory in bytes; None for any."""

    time: float | None = None
    memory: int | None = None


class Child:
    """A process of its own that performs jobs."""

    def __init__(self, memory: int | None) -> None:
        paths = [PACKAGE, *(path for path in sys.path if path)]
        text = f"import sys; sys.path[:0] = {paths!r}; from {__package__}.child import serve; serve({memory!r})"
        self._process = subprocess.Popen(
            [sys.executable, "-c", text],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, **ONE_THREAD},
        )  # fmt: skip
        self._answers: Queue[Answer | None] = Queue()
        self._is_ready = False
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Pass answers on; None means that the process has died."""
        while True:
            try:
                self._answers.put(pickle.load(self._process.stdout))  # type: ignore[arg-type]
            except (EOFError, pickle.UnpicklingError, OSError, ValueError):
                self._answers.put(None)
                return

    def perform(self, job: Job, seconds: float | None) -> Answer | None:
        """The answer to a job; None where the process has died. Raises `queue.Empty` after so many seconds."""
        if not self._is_ready and self._answers.get() is None:
            return None
        self._is_ready = True
        try:
            pickle.dump(job, self._process.stdin)  # type: ignore[arg-type]
            self._process.stdin.flush()  # type: ignore[union-attr]
        except (BrokenPipeError, OSError):
            return None
        return self._answers.get(timeout=seconds)

    def end(self) -> int:
        """End the process, whatever it does; returns its exit code."""
        self._process.kill()
        return self._process.wait()

    def cause(self) -> str:
        """Why the process has died, in words."""
        code = self._process.wait()
        if code >= 0:
            return f"its process ended with exit code {code}"
        try:
            return f"its process was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"its process was ended by signal {-code}"


class Children:
    """Processes that wait for a job."""

    def __init__(self) -> None:
        self._idle: dict[Any, list[Child]] = {}
        self._all: set[Child] = set()
        self._lock = Lock()

    def take(self, memory: int | None) -> Child:
        """An idle process, or a new one."""
        with self._lock:
            waiting = self._idle.setdefault((os.getpid(), memory), [])
            if waiting:
                return waiting.pop()
        child = Child(memory)
        with self._lock:
            self._all.add(child)
        return child

    def give_back(self, child: Child, memory: int | None) -> None:
        """A process has done its job."""
        with self._lock:
            self._idle.setdefault((os.getpid(), memory), []).append(child)

    def discard(self, child: Child) -> None:
        """End a process that can no longer be used."""
        with self._lock:
            self._all.discard(child)
        child.end()

    def end(self) -> None:
        """End all processes."""
        with self._lock:
            children = list(self._all)
            self._all.clear()
            self._idle.clear()
        for child in children:
            child.end()


CHILDREN = Children()
atexit.register(CHILDREN.end)


def perform_isolated(job: Job, limits: Limits) -> Answer:
    """What became of a job in a process of its own."""
    cause = ""
    for _ in range(ATTEMPTS):
        child = CHILDREN.take(limits.memory)
        try:
            answer = child.perform(job, limits.time)
        except Empty:
            CHILDREN.discard(child)
            return Answer(TIMED_OUT, f"the run took more than {limits.time:g} s", limits.time or 0.0)
        except BaseException:
            CHILDREN.discard(child)
            raise
        if answer is not None:
            CHILDREN.give_back(child, limits.memory)
            return answer
        cause = child.cause()
        CHILDREN.discard(child)
    return Answer(CRASHED, f"the run crashed {ATTEMPTS} times: {cause}")
