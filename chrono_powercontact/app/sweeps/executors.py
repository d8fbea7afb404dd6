"""Who carries out the runs of a sweep: this process, processes on this machine, Dask, or any executor of the user's."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from ...errors import ParameterError, PowerContactError

LOCAL = "local"
"""In place of an address: a Dask cluster on this machine, for the time of the sweep."""

PATIENCE = 10
"""Time in s in which a Dask scheduler must answer."""

QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.worker.memory.monitor-interval": "2s",
    "distributed.scheduler.active-memory-manager.start": False,
}
"""Settings of a Dask cluster on this machine, whose runs have no processor to spare for it.

Unless told so, its processes look at their stacks every 10 ms, at their loops every 20 ms and at their memory every
100 ms, and move results about.
"""


class InProcess(Executor):
    """Carries out everything at once in this process: for debugging, without any isolation."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function now."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def usual_jobs() -> int:
    """Number of runs at a time unless one is given: that of the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def checked_jobs(jobs: int | None) -> int | None:
    """A number of runs at a time as it is given; raises where it is none."""
    if jobs is None:
        return None
    if isinstance(jobs, bool) or int(jobs) != jobs or jobs < 1:
        raise ParameterError(f"jobs must be a whole number of at least 1, got {jobs!r}")
    return int(jobs)


@contextmanager
def threads(jobs: int | None) -> Iterator[Executor]:
    """So many threads, each of which waits for a process of its own."""
    pool = ThreadPoolExecutor(checked_jobs(jobs) or usual_jobs(), "sweep")
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def dask(address: str, jobs: int | None) -> Iterator[Executor]:
    """A Dask cluster by the address of its scheduler; "local" starts one of so many workers."""
    try:
        import distributed
    except ModuleNotFoundError:
        raise ParameterError("a sweep on Dask needs distributed: pip install distributed") from None
    if address == LOCAL:
        with local_cluster(checked_jobs(jobs) or usual_jobs()) as client:
            yield client.get_executor(pure=False)
        return
    try:
        client = distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError) as error:
        raise PowerContactError(f"no Dask scheduler answers at {address!r}: {error}".splitlines()[0]) from None
    with client:
        yield client.get_executor(pure=False)


@contextmanager
def local_cluster(workers: int) -> Iterator[Any]:
    """The client of a Dask cluster of so many processes on this machine, each of which does one thing at a time."""
    import dask.config
    import distributed

    options = {"n_workers": workers, "processes": True, "threads_per_worker": 1, "host": "127.0.0.1"}
    with dask.config.set(QUIET):
        cluster = distributed.LocalCluster(**options, dashboard_address=None)
        with cluster, distributed.Client(cluster) as client:
            yield client
