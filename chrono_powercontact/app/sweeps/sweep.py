"""A sweep: many runs of a scenario or a function, over grids, samples and lists, isolated, resumable, as one table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ... import __version__
from ...errors import ParameterError, positive
from ...kernel import is_compiled
from ...progress import counting_bar
from ...scenarios.catalogue import find
from ..runner import KERNELS, choose_engine
from .executors import InProcess, checked_jobs, threads
from .handing import Crew, Handing, carry_out
from .isolated import Children, Limits, perform_isolated
from .jobs import STATUSES, Answer, Config, Job, Source, perform
from .plan import Plan, key_of, planned
from .scenario_jobs import ScenarioSource, source_of
from .store import Journal, Row, Store, Turn, row_of
from .sweep_table import SweepTable
from .swept_ranges import described, read_range
from .together import run_together

WINDOW = 1000
"""Number of tasks that are handed to an executor at a time."""

COMPILING = 600.0
"""Time in s that the first run may take at least, because it may compile."""

ENSEMBLE = "ensemble"
"""In place of an executor: one compiled parallel loop in this process, for scenarios that are one run of RK4."""

HERE = "here"
"""In place of an executor: this process, without isolation."""

MEGABYTE = 2**20


@dataclass(frozen=True)
class Study:
    """A sweep that is ready to run: what, over what, and within which limits."""

    source: Source
    plan: Plan
    limits: Limits
    quiet: bool

    def identity(self, seed: int) -> dict[str, Any]:
        """By which the folder of a sweep is known."""
        swept = {"over": described(self.plan.over), "samples": self.plan.samples, "seed": seed}
        return {**self.source.identity, **swept}


def perform_here(jobs: Sequence[Job], limits: Limits, journal: Journal | None = None) -> list[Answer]:
    """What became of jobs in this very process, whatever they take."""
    return [perform(job) for job in jobs]


def sweep(
    what: str | Config,
    over: Mapping[str, Any],
    *,
    given: Mapping[str, Any] | None = None,
    n: int | None = None,
    seed: int = 0,
    engine: str = "auto",
    executor: Executor | str | None = None,
    jobs: int | None = None,
    timeout: float | None = None,
    memory: float | None = None,
    out: str | Path | None = None,
    confirmed: bool = False,
    quiet: bool = True,
) -> SweepTable:
    """Run a scenario, or a function of a dictionary that returns one, for many values of its parameters.

    Args:
        what: name of a scenario, or a function config -> dict.
        over: for each swept parameter `pc.grid`, `pc.sobol`, `pc.lhs`, or a list of values. Lists and grids are
            crossed with each other, samples are drawn together.
        given: parameters that all runs share.
        n: number of samples of the intervals; 64 unless given. seed: of the samples.
        engine: of a scenario: "auto", "reference" or "chrono"; all runs take the same.
        executor: anything with the interface of `concurrent.futures.Executor`, such as a Dask client's
            `get_executor()`; "here" runs in this process without isolation; "ensemble" runs many at once in one
            compiled loop. Unless given, an ensemble where the scenario allows it on the reference engine and neither
            jobs nor limits are given, else isolated processes.
        jobs: number of such processes; as many as there are processors unless given.
        timeout: time in s that a run may take. memory: address space in MB that a run may use.
        out: folder of the sweep. If it holds a part of the same sweep, only the rest is run.
        confirmed: allows more than 100 000 runs.
        quiet: no progress bar.
    """
    plan = planned({name: read_range(swept) for name, swept in over.items()}, n, seed, confirmed)
    shared = dict(given or {})
    both = [name for name in plan.names if name in shared]
    if both:
        raise ParameterError(f"a parameter is either swept or set, got both for {', '.join(both)}")
    source = source_of(what, shared, _engine_of(what, shared, plan, engine), executor != HERE)
    for point in plan.points:
        source.check(point)
    study = Study(source, plan, _limits(timeout, memory), quiet)
    check_executor(executor)
    jobs = checked_jobs(jobs)
    begin = time.perf_counter()
    with _store(out, study, seed) as store:
        rows = _rows(study, executor, jobs, store)
        table = SweepTable(plan.names, rows, _summary(study, rows, seed, time.perf_counter() - begin))
        if store is not None:
            store.finish(plan.names, rows, table.summary)
    return table


def check_executor(executor: object) -> None:
    """Raise where something is no executor, nor a word in place of one."""
    is_word = isinstance(executor, str)
    if executor is None or (executor in (HERE, ENSEMBLE) if is_word else hasattr(executor, "submit")):
        return
    words = f"{HERE!r} or {ENSEMBLE!r}"
    raise ParameterError(f"executor must be a concurrent.futures.Executor, {words}, got {executor!r}")


def _engine_of(what: str | Config, given: Mapping[str, Any], plan: Plan, engine: str) -> str:
    """The engine of all runs of a scenario: that of the first."""
    if not isinstance(what, str):
        return engine
    return choose_engine(find(what), {**given, **plan.points[0]}, engine)[0]


def _limits(timeout: float | None, memory: float | None) -> Limits:
    """The limits of a run."""
    seconds = None if timeout is None else positive("timeout", timeout)
    size = None if memory is None else int(positive("memory", memory) * MEGABYTE)
    return Limits(seconds, size)


def _store(out: str | Path | None, study: Study, seed: int) -> AbstractContextManager[Store | None]:
    """The folder of the sweep, if there is one."""
    return nullcontext() if out is None else Store(out, study.identity(seed))


def _rows(study: Study, executor: Executor | str | None, jobs: int | None, store: Store | None) -> list[Row]:
    """The row of every run, in the order of the plan: those of the store, and the others by an executor."""
    identity = study.source.identity
    keys = [key_of(identity, point) for point in study.plan.points]
    known = dict(store.rows) if store is not None else {}
    turns = (Turn(key, point, number) for number, (key, point) in enumerate(zip(keys, study.plan.points, strict=True)))
    missing = {turn.key: turn for turn in turns if turn.key not in known}
    with counting_bar("sweep", len(keys), study.quiet) as count:
        count(len(keys) - len(missing))

        def keep(row: Row) -> None:
            known[row["key"]] = row
            if store is not None:
                store.add(row)
            count(1)

        if missing and _as_ensemble(study, executor, jobs):
            _carry_out_together(study, list(missing.values()), keep)
        elif missing:
            with _crew(executor, jobs) as crew:
                handing = _handing(study, store if crew.together else None)
                carry_out(missing.values(), handing, crew, lambda turn, answer: keep(row_of(turn, answer)))
    return [known[key] for key in keys]


def _as_ensemble(study: Study, executor: Executor | str | None, jobs: int | None) -> bool:
    """Whether the runs are done in one compiled loop; raises where they are to be and cannot."""
    if executor not in (None, ENSEMBLE):
        return False
    free = jobs is None and study.limits == Limits(None, None)
    source = study.source
    able = free and isinstance(source, ScenarioSource) and source.can_run_together(study.plan.points[0])
    if executor == ENSEMBLE and not able:
        raise ParameterError(
            "executor 'ensemble' is for scenarios that are one run of RK4 on the reference engine, such as cube, "
            "drop and pendulum, without jobs, timeout and memory"
        )
    return able


def _carry_out_together(study: Study, turns: list[Turn], keep: Callable[[Row], None]) -> None:
    """Do all runs in ensembles, and keep what comes back."""
    assert isinstance(study.source, ScenarioSource)
    waiting = iter(turns)
    points = [{**study.source.given, **turn.point} for turn in turns]
    for answers in run_together(study.source.name, points):
        for answer in answers:
            keep(row_of(next(waiting), answer))


@contextmanager
def _crew(executor: Executor | str | None, jobs: int | None) -> Iterator[Crew]:
    """Who carries out the runs of a sweep."""
    if executor == HERE:
        yield Crew(InProcess(), perform_here, 1)
    elif executor is None:
        children = Children()
        with threads(jobs) as pool:
            try:
                yield Crew(pool, children.perform_all, WINDOW)
            finally:
                children.end()
    else:
        assert not isinstance(executor, str)
        yield Crew(executor, perform_isolated, WINDOW, together=True)


def _handing(study: Study, store: Store | None) -> Handing:
    """What is handed to an executor, whose workers write runs down in the store, if there is one.

    Where an engine is not yet compiled, the first run goes alone and may take longer: the others then read its kernels
    from disk.
    """
    limits = study.limits
    folder = None if store is None else str(store.folder.resolve())
    if _is_compiled(study.source):
        return Handing(study.source.job, limits, None, folder)
    patient = limits if limits.time is None else replace(limits, time=max(limits.time, COMPILING))
    return Handing(study.source.job, limits, patient, folder)


def _is_compiled(source: Source) -> bool:
    """Whether the engines that runs may need are compiled here: that of a scenario, all for a function."""
    rooms = [KERNELS[source.engine]] if isinstance(source, ScenarioSource) else KERNELS.values()
    return all(map(is_compiled, rooms))


def _summary(study: Study, rows: Sequence[Row], seed: int, seconds: float) -> dict[str, Any]:
    """The contents of sweep.json."""
    counts = {status: sum(row["status"] == status for row in rows) for status in STATUSES}
    failing = [{"point": row["point"], "status": row["status"], "error": row["error"]} for row in rows if row["error"]]
    return {
        **study.identity(seed),
        "package_version": __version__,
        "runs": len(rows),
        "counts": counts,
        "claims_failed": sum(row["passed"] is False for row in rows),
        "wall_time": seconds,
        "failing": failing,
    }
