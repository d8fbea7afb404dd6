"""How runs are handed to an executor: how many together, and what happens to those of a lost worker."""

from concurrent.futures import Executor, Future

import pytest

from chrono_powercontact.app.sweeps.executors import InProcess
from chrono_powercontact.app.sweeps.handing import FIRST, KNOWN, RETRIES, TOGETHER, Crew, Handing, carry_out
from chrono_powercontact.app.sweeps.isolated import Limits
from chrono_powercontact.app.sweeps.jobs import Answer
from chrono_powercontact.app.sweeps.store import Turn
from chrono_powercontact.errors import PowerContactError

PLAIN = Handing(lambda point: point["x"], Limits(), None)


def turns(count):
    return [Turn(f"key{x}", {"x": x}, x) for x in range(count)]


def handed(count, seconds, executor=None, what=PLAIN, together=True):
    """Numbers of the runs in each task, and what became of each run; a run takes so many seconds."""
    tasks, found = [], {}

    def work(jobs, limits, journal):
        tasks.append(jobs)
        return [Answer("done", wall_time=seconds) for _ in jobs]

    def keep(turn, answer):
        assert turn.number not in found
        found[turn.number] = answer

    carry_out(turns(count), what, Crew(executor or InProcess(), work, 1000, together), keep)
    assert sorted(found) == list(range(count))
    return tasks, found


def test_short_runs_travel_together_once_it_is_known_that_they_are_short():
    tasks, _ = handed(300, 0.01)
    sizes = [len(task) for task in tasks]
    assert sizes[:FIRST] == [1] * FIRST
    assert max(sizes) == round(TOGETHER / 0.01)
    assert len(sizes) <= FIRST + KNOWN + 11


@pytest.mark.parametrize(("seconds", "together"), [(0.8, True), (10.0, True), (0.001, False)])
def test_long_runs_and_those_of_own_processes_travel_alone(seconds, together):
    tasks, _ = handed(100, seconds, together=together)
    assert [len(task) for task in tasks] == [1] * 100


def test_the_first_run_goes_alone_where_it_needs_other_limits():
    seen = []

    class Watched(InProcess):
        def submit(self, work, jobs, limits, journal):
            seen.append((len(seen), limits.time))
            return super().submit(work, jobs, limits, journal)

    handed(5, 0.01, Watched(), Handing(PLAIN.job, Limits(1.0), Limits(600.0)))
    assert [limit for _, limit in seen] == [600.0, 1.0, 1.0, 1.0, 1.0]


class Losing(InProcess):
    """Loses the worker of every task for which a test holds."""

    def __init__(self, lost):
        self.lost = lost

    def submit(self, work, jobs, limits, journal):
        if not self.lost(jobs):
            return super().submit(work, jobs, limits, journal)
        future = Future()
        future.set_exception(OSError("the worker is gone"))
        return future


def test_runs_of_a_lost_worker_are_done_again_one_by_one():
    tasks, found = handed(100, 0.01, Losing(lambda jobs: len(jobs) > 1))
    assert all(len(task) == 1 for task in tasks)
    assert all(answer.status == "done" for answer in found.values())


def test_a_run_that_loses_every_worker_is_given_up():
    _, found = handed(60, 0.01, Losing(lambda jobs: 50 in jobs))
    assert [number for number, answer in found.items() if answer.status == "crashed"] == [50]
    assert found[50].error == f"its worker was lost {RETRIES + 1} times: the worker is gone"


def test_an_executor_that_takes_no_more_runs_is_told():
    class Closed(Executor):
        def submit(self, *arguments):
            raise RuntimeError("cannot schedule new futures after shutdown")

    with pytest.raises(
        PowerContactError, match=r"takes no more runs .cannot schedule new futures after shutdown.; what"
    ):
        handed(3, 0.01, Closed())


def test_more_tasks_are_handed_over_while_none_ends(monkeypatch):
    monkeypatch.setattr("chrono_powercontact.app.sweeps.handing.HASTE", 0.01)
    waiting = []

    class Slow(Executor):
        def submit(self, work, jobs, limits, journal):
            waiting.append((Future(), work, jobs, limits, journal))
            if len(waiting) == 3 * FIRST:
                for future, *call in waiting:
                    future.set_result(call[0](*call[1:]))
            return waiting[-1][0]

    tasks, _ = handed(3 * FIRST, 100.0, Slow())
    assert len(tasks) == 3 * FIRST


def test_a_task_knows_where_its_runs_are_written_down():
    journals = []

    def work(jobs, limits, journal):
        journals.append(journal)
        return [Answer("done", wall_time=0.1) for _ in jobs]

    what = Handing(PLAIN.job, Limits(), None, "folder")
    carry_out(turns(60), what, Crew(InProcess(), work, 1000, True), lambda turn, answer: None)
    assert {journal.folder for journal in journals} == {"folder"}
    assert [turn.number for journal in journals for turn in journal.turns] == list(range(60))
