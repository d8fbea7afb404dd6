"""Runs in processes of their own."""

import os
import pickle
import signal
import threading
import time

import pytest
import swept

from chrono_powercontact.app.sweeps.isolated import TRIMMING, Child, Children, Limits, environment, perform_isolated
from chrono_powercontact.app.sweeps.jobs import FunctionJob, FunctionSource, pack
from chrono_powercontact.app.sweeps.store import Journal, Store, Turn

SOURCE = FunctionSource(swept.troubled, {}, pack(swept.troubled))


@pytest.fixture(scope="module")
def children():
    processes = Children()
    yield processes
    processes.end()


@pytest.fixture
def became(children):
    def answer(what, **limits):
        return children.perform(SOURCE.job({"what": what}), Limits(**limits))

    return answer


def test_a_process_does_one_job_after_another(children, became):
    first = became("number")
    assert (first.status, first.metrics) == ("done", {"gave": 1.0})
    child = children.take(None)
    children.give_back(child, None)
    became("number")
    assert children.take(None) is child
    children.give_back(child, None)


@pytest.mark.parametrize(
    ("what", "status", "words"),
    [
        ("raise", "failed", "ValueError: this one is not allowed"),
        ("list", "failed", "must return a dictionary, got list"),
        ("lock", "failed", "a result cannot be sent to another process"),
        ("abort", "crashed", "SIGABRT"),
        ("exit", "crashed", "exit code 7"),
    ],
)
def test_what_a_run_does_costs_that_run_alone(what, status, words, became):
    answer = became(what)
    assert answer.status == status
    assert words in answer.error
    assert "\n" not in answer.error
    assert became("number").status == "done"


def test_a_run_that_hangs_is_ended(became):
    answer = became("sleep", time=0.3)
    assert (answer.status, answer.error) == ("timed out", "the run took more than 0.3 s")


@pytest.mark.skipif(os.name != "posix", reason="memory is limited by POSIX calls")
def test_a_run_that_takes_too_much_memory_is_a_failure(became):
    answer = became("memory", memory=8 * 2**30)
    assert answer.status == "failed"
    assert "memory" in answer.error


def test_the_start_of_a_process_does_not_count_as_time_of_a_run():
    child = Child(None)
    try:
        assert child.perform(pickle.dumps(SOURCE.job({"what": "number"})), 1.0).status == "done"
    finally:
        child.end()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_the_cause_of_death_is_told_in_words():
    child = Child(None)
    child._process.send_signal(signal.SIGTERM)
    assert child.cause() == "its process was ended by SIGTERM"


def test_parameters_that_cannot_be_sent_are_a_failure(children):
    answer = children.perform(SOURCE.job({"what": threading.Lock()}), Limits())
    assert answer.status == "failed"
    assert "its parameters cannot be sent to another process" in answer.error


def test_a_job_that_cannot_be_unpacked_there_is_a_failure(children, became):
    child = children.take(None)
    answer = child.perform(b"no job", 5.0)
    assert answer.status == "failed"
    children.give_back(child, None)
    assert became("number").status == "done"


def test_processes_that_were_ended_do_not_come_back():
    processes = Children()
    answers = []
    run = threading.Thread(target=lambda: answers.append(processes.perform(SOURCE.job({"what": "sleep"}), Limits())))
    run.start()
    while not processes._all:
        time.sleep(0.01)
    time.sleep(0.5)
    processes.end()
    run.join(5.0)
    assert not run.is_alive()
    assert answers[0].error == "the sweep was stopped"
    assert processes.take(None) is None


def test_a_process_has_one_thread_and_keeps_its_memory_as_a_worker_of_dask_does_not(monkeypatch):
    monkeypatch.setenv(TRIMMING, "65536")
    monkeypatch.setenv("POWERCONTACT_KEPT", "yes")
    variables = environment()
    assert TRIMMING not in variables
    assert variables["OMP_NUM_THREADS"] == "1"
    assert variables["POWERCONTACT_KEPT"] == "yes"


def test_a_worker_of_any_executor_has_processes_of_its_own():
    (answer,) = perform_isolated([SOURCE.job({"what": "number"})], Limits())
    assert answer.status == "done"


def test_the_first_run_of_a_process_may_load_what_it_runs():
    processes = Children()
    source = FunctionSource(swept.slow, {}, pack(swept.slow))
    try:
        first, second = (processes.perform(source.job({"seconds": 0.6}), Limits(time=0.2)) for _ in range(2))
    finally:
        processes.end()
    assert (first.status, second.status) == ("done", "timed out")


def test_runs_of_a_task_are_written_down_one_by_one(tmp_path):
    Store(tmp_path, {}).__exit__(None, None, None)
    turns = tuple(Turn(f"key{x}", {"x": x}, x) for x in range(3))
    jobs = [FunctionJob(pack(swept.square), turn.point) for turn in turns]
    answers = perform_isolated(jobs, Limits(), Journal(str(tmp_path), turns))
    with Store(tmp_path, {}) as store:
        found = [store.rows[turn.key]["metrics"] for turn in turns]
    assert found == [one.metrics for one in answers] == [{"square": 0}, {"square": 1}, {"square": 4}]
