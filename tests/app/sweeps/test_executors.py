"""Who carries out the runs of a sweep."""

import pytest

from chrono_powercontact.app.sweeps import executors
from chrono_powercontact.app.sweeps.executors import QUIET, InProcess, dask, threads, usual_jobs
from chrono_powercontact.errors import ParameterError, PowerContactError


def test_this_process_answers_at_once():
    executor = InProcess()
    assert executor.submit(max, 1, 2).result() == 2
    assert isinstance(executor.submit(int, "x").exception(), ValueError)


def test_threads_wait_for_the_processes():
    with threads(2) as pool:
        assert pool.submit(sum, [1, 2]).result() == 3
    assert usual_jobs() >= 1


@pytest.mark.parametrize("jobs", [0, -1, 1.5])
def test_a_number_of_jobs_that_cannot_be_is_refused(jobs):
    with pytest.raises(ParameterError, match="at least 1"), threads(jobs):
        pass


def test_a_scheduler_that_does_not_answer_is_one_sentence(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(executors, "PATIENCE", 1)
    with pytest.raises(PowerContactError, match="no Dask scheduler answers"), dask("tcp://127.0.0.1:9", 1):
        pass


def test_a_cluster_on_this_machine_is_told_to_be_quiet():
    config = pytest.importorskip("dask.config")
    pytest.importorskip("distributed")
    before = {name: config.get(name) for name in QUIET}
    with dask("local", 1) as executor:
        assert {name: executor.submit(config.get, name).result() for name in QUIET} == QUIET
    assert {name: config.get(name) for name in QUIET} == before
