"""Runs in processes of their own."""

import os
import signal

import pytest
import swept

from chrono_powercontact.app.sweeps.isolated import CHILDREN, Child, Limits, perform_isolated
from chrono_powercontact.app.sweeps.jobs import FunctionSource, pack

SOURCE = FunctionSource(swept.troubled, {}, pack(swept.troubled))


@pytest.fixture(scope="module", autouse=True)
def _no_child_is_left():
    yield
    CHILDREN.end()


def became(what, **limits):
    return perform_isolated(SOURCE.job({"what": what}), Limits(**limits))


def test_a_process_does_one_job_after_another():
    first = became("number")
    assert (first.status, first.metrics) == ("done", {"gave": 1.0})
    child = CHILDREN.take(None)
    CHILDREN.give_back(child, None)
    became("number")
    assert CHILDREN.take(None) is child
    CHILDREN.give_back(child, None)


@pytest.mark.parametrize(
    ("what", "status", "words"),
    [
        ("raise", "failed", "ValueError: this one is not allowed"),
        ("list", "failed", "must return a dictionary, got list"),
        ("abort", "crashed", "SIGABRT"),
        ("exit", "crashed", "exit code 7"),
    ],
)
def test_what_a_run_does_costs_that_run_alone(what, status, words):
    answer = became(what)
    assert answer.status == status
    assert words in answer.error
    assert "\n" not in answer.error
    assert became("number").status == "done"


def test_a_run_that_hangs_is_ended():
    answer = became("sleep", time=0.3)
    assert (answer.status, answer.error) == ("timed out", "the run took more than 0.3 s")


@pytest.mark.skipif(os.name != "posix", reason="memory is limited by POSIX calls")
def test_a_run_that_takes_too_much_memory_is_a_failure():
    answer = became("memory", memory=8 * 2**30)
    assert answer.status == "failed"
    assert "memory" in answer.error


def test_the_start_of_a_process_does_not_count_as_time_of_a_run():
    child = Child(None)
    try:
        assert child.perform(SOURCE.job({"what": "number"}), 1.0).status == "done"
    finally:
        child.end()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_the_cause_of_death_is_told_in_words():
    child = Child(None)
    child._process.send_signal(signal.SIGTERM)
    assert child.cause() == "its process was ended by SIGTERM"
