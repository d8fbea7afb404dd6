"""One run of a sweep."""

import pickle

import swept

from chrono_powercontact.app.sweeps.jobs import FunctionSource, name_of, pack, perform, text_of
from chrono_powercontact.app.sweeps.scenario_jobs import source_of


def test_a_function_gives_metrics_and_a_verdict():
    source = source_of(swept.square, {"x": 2}, "auto")
    answer = perform(source.job({"x": 4}))
    assert (answer.status, answer.passed, answer.metrics) == ("done", False, {"square": 16})


def test_a_job_travels():
    job = pickle.loads(pickle.dumps(source_of(swept.square, {}, "auto").job({"x": 3})))
    assert perform(job).metrics == {"square": 9}


def test_a_function_without_a_module_is_packed_by_value():
    offset = 5

    def local(config):
        return {"sum": config["x"] + offset}

    source = FunctionSource(local, {}, pack(local))
    assert perform(source.job({"x": 1})).metrics == {"sum": 6}


def test_a_run_is_known_by_the_text_of_its_function():
    identity = source_of(swept.square, {"y": 1}, "auto").identity
    assert identity["function"] == name_of(swept.square) == "swept.square"
    assert identity["text"] == text_of(swept.square) != text_of(swept.troubled)
    assert identity["given"] == {"y": 1}
    assert text_of(len) == ""
