"""Runs in processes apart: what crashes, hangs or takes too much memory costs one run, not the sweep.

A process is started once and performs one job after another, so that a run costs no start of Python. Idle processes
wait for the next job of whatever thread comes first; one that has died or hangs is replaced.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from threading import Lock, Thread

from .jobs import CRASHED, FAILED, TIMED_OUT, Answer, Job
from .store import Journal

ATTEMPTS = 2
"""A run whose process has died is run once more: something else may have killed it."""

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
"""Runs are parallel by themselves."""

TRIMMING = "MALLOC_TRIM_THRESHOLD_"
"""Dask sets it for its workers: freed memory goes back to the system at once. Runs need as much again and again."""

PACKAGE = str(Path(__file__).resolve().parents[3])

LOADING = 30.0
"""Time in s that the first run of a process may take beyond its limit: it loads what it runs, and may compile it."""

LAST_WORDS = 200
"""Number of characters of what a process wrote before it died that are kept."""


@dataclass(frozen=True)
class Limits:
    """What a run may take: time in s and memory in bytes; None for any."""

    time: float | None = None
    memory: int | None = None


class Child:
    """A process of its own that performs jobs."""

    def __init__(self, memory: int | None) -> None:
        paths = [path for path in (*sys.path, PACKAGE) if path]
        text = f"import sys; sys.path[:] = {paths!r}; from {__package__}.child import serve; serve({memory!r})"
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        self._process = subprocess.Popen(
            [sys.executable, "-c", text],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, env=environment(),
        )  # fmt: skip
        self._answers: Queue[Answer | None] = Queue()
        self._is_ready = False
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Pass answers on; None means that the process has died."""
        while True:
            try:
                packed = pickle.load(self._process.stdout)  # type: ignore[arg-type]
            except Exception:
                self._answers.put(None)
                return
            self._answers.put(_unpacked(packed))

    def perform(self, packed: bytes, seconds: float | None) -> Answer | None:
        """The answer to a job; None where the process has died. Raises `queue.Empty` after so many seconds."""
        if not self._is_ready:
            if self._answers.get() is None:
                return None
            seconds = None if seconds is None else seconds + LOADING
        self._is_ready = True
        try:
            pickle.dump(packed, self._process.stdin)  # type: ignore[arg-type]
            self._process.stdin.flush()  # type: ignore[union-attr]
        except OSError:
            return None
        return self._answers.get(timeout=seconds)

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        self._errors.close()

    def cause(self) -> str:
        """Why the process has died, in words."""
        code = self._process.wait()
        how = f"its process ended with exit code {code}"
        if code < 0:
            names = {number.value: number.name for number in signal.Signals}
            how = f"its process was ended by {names.get(-code, f'signal {-code}')}"
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return f"{how} ({lines[-1][-LAST_WORDS:]})" if lines else how


def environment() -> dict[str, str]:
    """Variables of the environment of a process: one thread, and memory that it keeps for the next run."""
    return {**{name: value for name, value in os.environ.items() if name != TRIMMING}, **ONE_THREAD}


def _unpacked(packed: bytes) -> Answer:
    """An answer; metrics of a kind that is unknown here make it a failure."""
    try:
        answer: Answer = pickle.loads(packed)
    except Exception as error:
        return Answer(FAILED, f"a result cannot be read in this process: {error}".splitlines()[0])
    return answer


class Children:
    """Processes that perform jobs for the threads of this process."""

    def __init__(self) -> None:
        self._idle: dict[tuple[int, int | None], list[Child]] = {}
        self._all: set[Child] = set()
        self._lock = Lock()
        self._closed = False

    def take(self, memory: int | None) -> Child | None:
        """An idle process, or a new one; None when all have been ended."""
        with self._lock:
            if self._closed:
                return None
            waiting = self._idle.setdefault((os.getpid(), memory), [])
            if waiting:
                return waiting.pop()
            child = Child(memory)
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
        """End all processes, and start no more."""
        with self._lock:
            self._closed = True
            children = list(self._all)
            self._all.clear()
            self._idle.clear()
        for child in children:
            child.end()

    def perform(self, job: Job, limits: Limits) -> Answer:
        """What became of a job in a process of its own."""
        try:
            packed = pickle.dumps(job)
        except Exception as error:
            return Answer(FAILED, f"its parameters cannot be sent to another process: {error}".splitlines()[0])
        cause = "the sweep was stopped"
        for _ in range(ATTEMPTS):
            child = self.take(limits.memory)
            if child is None:
                return Answer(CRASHED, cause)
            answer, cause = self._attempt(child, packed, limits)
            if answer is not None:
                return answer
        return Answer(CRASHED, f"the run crashed {ATTEMPTS} times: {cause}")

    def perform_all(self, jobs: Sequence[Job], limits: Limits, journal: Journal | None = None) -> list[Answer]:
        """What became of some jobs, one after the other, each of them written down at once."""
        answers = []
        for place, job in enumerate(jobs):
            answers.append(self.perform(job, limits))
            if journal is not None:
                journal.note(place, answers[-1])
        return answers

    def _attempt(self, child: Child, packed: bytes, limits: Limits) -> tuple[Answer | None, str]:
        """The answer of a process, or None and why it has died."""
        try:
            answer = child.perform(packed, limits.time)
        except Empty:
            self.discard(child)
            return Answer(TIMED_OUT, f"the run took more than {limits.time:g} s", limits.time or 0.0), ""
        if answer is None:
            cause = "the sweep was stopped" if self._closed else child.cause()
            self.discard(child)
            return None, cause
        self.give_back(child, limits.memory)
        return answer, ""


_SHARED = Children()
"""The processes of a worker of somebody else's executor; they end with the worker."""
atexit.register(_SHARED.end)


def perform_isolated(jobs: Sequence[Job], limits: Limits, journal: Journal | None = None) -> list[Answer]:
    """What became of some jobs in a process of its own, written down at once; for workers of any executor."""
    return _SHARED.perform_all(jobs, limits, journal)
