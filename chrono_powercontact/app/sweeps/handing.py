"""Hands the runs of a sweep to an executor, and takes back what became of them.

A task of Dask costs some milliseconds of several processes, whatever it does. Short runs therefore travel together, as
many as take a second, and their worker writes each of them down when it ends; a run whose worker was lost travels alone
from then on.
"""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from typing import NamedTuple

from ...errors import PowerContactError
from .isolated import Limits
from .jobs import CRASHED, DONE, Answer, Job
from .plan import Point
from .store import Journal, Turn

RETRIES = 3
"""So often a run is handed over again whose worker was lost."""

TOGETHER = 1.0
"""Time in s that runs which travel together should take."""

MOST_TOGETHER = 100
"""Number of runs that travel together at most."""

FIRST = 32
"""Number of tasks that are handed over before it is known how long runs take."""

KNOWN = 16
"""Number of answers from which it is known; the last ones count, for the first of a process loads what it runs."""

HASTE = 5.0
"""Time in s without an answer after which more tasks are handed over: runs are long, and there may be many workers.

Processes should have started by then: what is handed over before the first answers travels one by one.
"""


class Crew(NamedTuple):
    """Who carries out runs.

    Attributes:
        executor: whose workers do them. work: what a worker calls with some of them.
        window: number of tasks that the executor is handed. together: whether short runs share a task.
    """

    executor: Executor
    work: Callable[[Sequence[Job], Limits, Journal | None], list[Answer]]
    window: int
    together: bool = False


class Pace:
    """How many runs travel together, and how many tasks the executor is handed."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._times: deque[float] = deque(maxlen=KNOWN)
        self.room = FIRST if crew.together else crew.window

    def note(self, answers: Iterable[Answer]) -> None:
        """Runs have ended."""
        self._times.extend(answer.wall_time for answer in answers if answer.status == DONE)
        if len(self._times) == KNOWN:
            self.room = self._crew.window

    def hasten(self) -> None:
        """No run has ended for a while."""
        self.room = min(2 * self.room, self._crew.window)

    def take(self, waiting: deque[Turn]) -> list[Turn]:
        """The runs of the next task."""
        some = [waiting.popleft()]
        while len(some) < self._size() and waiting and not some[0].lost and not waiting[0].lost:
            some.append(waiting.popleft())
        return some

    def _size(self) -> int:
        """Number of runs that travel together."""
        if not self._crew.together or len(self._times) < KNOWN:
            return 1
        usual = statistics.median(self._times)
        return max(1, int(min(TOGETHER / max(usual, TOGETHER / MOST_TOGETHER), MOST_TOGETHER)))


@dataclass(frozen=True)
class Handing:
    """What is handed over: the job of a point, the limits of a run, and those of the first one.

    Attributes:
        job: makes the job of some parameters. limits: of a run. first: limits of the first run, which then goes alone;
            None where it needs no others. folder: of the sweep, where workers write runs down; None without one.
    """

    job: Callable[[Point], Job]
    limits: Limits
    first: Limits | None
    folder: str | None = None

    def journal(self, turns: Sequence[Turn]) -> Journal | None:
        """Where the runs of a task are written down."""
        return None if self.folder is None else Journal(self.folder, tuple(turns))


def carry_out(turns: Iterable[Turn], what: Handing, crew: Crew, keep: Callable[[Turn, Answer], None]) -> None:
    """Hand runs to an executor, some at a time, and keep what comes back."""
    waiting = deque(turns)
    handed: dict[Future[list[Answer]], list[Turn]] = {}
    ended: SimpleQueue[Future[list[Answer]]] = SimpleQueue()
    pace = Pace(crew)

    def hand_over(limits: Limits) -> None:
        some = pace.take(waiting)
        future = _submit(crew, [what.job(turn.point) for turn in some], limits, what.journal(some))
        handed[future] = some
        future.add_done_callback(ended.put)

    def take_back(patience: float | None) -> None:
        future = ended.get(timeout=patience)
        waiting.extend(_settle(handed.pop(future), future, pace, keep))

    if what.first is not None:
        hand_over(what.first)
        take_back(None)
    while waiting or handed:
        while waiting and len(handed) < pace.room:
            hand_over(what.limits)
        try:
            take_back(HASTE if waiting else None)
        except Empty:
            pace.hasten()


def _settle(
    turns: list[Turn], future: Future[list[Answer]], pace: Pace, keep: Callable[[Turn, Answer], None]
) -> list[Turn]:
    """Keep what came back of some runs; returns what must be handed over again because its worker was lost."""
    error = PowerContactError("it was cancelled") if future.cancelled() else future.exception()
    if error is None:
        answers = future.result()
        pace.note(answers)
        for turn, answer in zip(turns, answers, strict=True):
            keep(turn, answer)
        return []
    again = [replace(turn, lost=turn.lost + 1) for turn in turns if turn.lost < RETRIES]
    for turn in turns:
        if turn.lost >= RETRIES:
            keep(turn, Answer(CRASHED, f"its worker was lost {RETRIES + 1} times: {error}"))
    return again


def _submit(crew: Crew, jobs: list[Job], limits: Limits, journal: Journal | None) -> Future[list[Answer]]:
    """Hand runs over; raises where the executor takes no more."""
    try:
        return crew.executor.submit(crew.work, jobs, limits, journal)
    except RuntimeError as error:
        raise PowerContactError(
            f"the executor takes no more runs ({error}); what is finished is kept in the folder of the sweep"
        ) from None
