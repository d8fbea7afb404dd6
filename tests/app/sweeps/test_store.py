"""The folder of a sweep."""

import csv
import errno
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from chrono_powercontact.app.sweeps.jobs import CRASHED, Answer
from chrono_powercontact.app.sweeps.store import (
    ANSWERS,
    ROWS,
    Journal,
    Store,
    Turn,
    column_of,
    metric_names,
    read_lines,
    row_of,
    write_table,
)
from chrono_powercontact.errors import ParameterError, PowerContactError

IDENTITY = {"scenario": "wall", "given": {}, "over": {"x": [1, 2]}}


def row(key, at, status="done", **metrics):
    return {
        "key": key, "point": {"x": at}, "status": status, "error": "", "wall_time": 0.1, "passed": True,
        "metrics": metrics,
    }  # fmt: skip


def test_finished_runs_are_there_again_and_others_are_not(tmp_path):
    with Store(tmp_path, IDENTITY) as store:
        store.add(row("a", 1, y=2.0))
        store.add(row("b", 2, "failed"))
        store.add(row("c", 3, "timed out"))
        store.add(row("d", 4, "crashed"))
    with Store(tmp_path, IDENTITY) as again:
        assert list(again.rows) == ["a", "b"]
        assert again.rows["a"]["metrics"] == {"y": 2.0}


def test_a_line_that_was_cut_off_is_dropped(tmp_path):
    with Store(tmp_path, IDENTITY) as store:
        store.add(row("a", 1))
        store.add(row("b", 2))
    path = tmp_path / ROWS
    path.write_text(path.read_text()[:-20])
    with Store(tmp_path, IDENTITY) as again:
        assert list(again.rows) == ["a"]
        again.add(row("b", 2))
    assert [line.get("key") for line in read_lines(path)] == [None, "a", "b"]


def test_what_is_not_finite_is_kept_as_null(tmp_path):
    with Store(tmp_path, IDENTITY) as store:
        store.add(row("a", 1, y=float("nan")))
    assert next(iter(list(read_lines(tmp_path / ROWS))[1:]))["metrics"] == {"y": None}


def test_another_sweep_in_the_folder_is_refused(tmp_path):
    with Store(tmp_path, IDENTITY):
        pass
    with pytest.raises(ParameterError, match=r"another sweep .wall over x., which differs .* in its scenario"):
        Store(tmp_path, {**IDENTITY, "scenario": "ball"})


def test_two_sweeps_at_a_time_are_refused(tmp_path):
    pytest.importorskip("fcntl")
    with Store(tmp_path, IDENTITY), pytest.raises(ParameterError, match="another sweep is running"):
        Store(tmp_path, IDENTITY)


def test_a_full_disk_is_one_sentence_and_what_is_finished_is_kept(tmp_path, monkeypatch):
    def full(text):
        raise OSError(errno.ENOSPC, "No space left on device")

    with Store(tmp_path, IDENTITY) as store:
        store.add(row("a", 1))
        writing = SimpleNamespace(write=full, close=store._file.close)
        monkeypatch.setattr(store, "_file", writing)
        with pytest.raises(PowerContactError, match=r"No space left on device; 1 finished runs are kept"):
            store.add(row("b", 2))
    assert [line.get("key") for line in read_lines(tmp_path / ROWS)] == [None, "a"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_does_not_hide_its_sentence_when_the_store_is_closed(tmp_path):
    store = Store(tmp_path, IDENTITY)
    store._file.close()
    store._file = Path("/dev/full").open("a")  # noqa: SIM115 - the store closes it
    with pytest.raises(PowerContactError, match="No space left"), store:
        store.add(row("a", 1))


def test_a_refused_store_leaves_the_folder_free(tmp_path):
    with Store(tmp_path, IDENTITY):
        pass
    with pytest.raises(ParameterError) as refused:
        Store(tmp_path, {**IDENTITY, "scenario": "ball"})
    with Store(tmp_path, IDENTITY):
        assert refused


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match="cannot be written"):
        Store(tmp_path / "file", IDENTITY)


def test_the_table_has_parameters_then_what_became_of_a_run_then_metrics(tmp_path):
    rows = [row("a", 1, y=2.5, x=9.0, many=[1, 2], word="w"), row("b", 2, "failed")]
    write_table(tmp_path / "sweep.csv", ["x"], rows)
    with (tmp_path / "sweep.csv").open() as file:
        read = list(csv.DictReader(file))
    assert list(read[0]) == ["x", "status", "error", "wall_time", "passed", "y", "metric_x", "word"]
    assert read[0] == {
        "x": "1", "status": "done", "error": "", "wall_time": "0.1", "passed": "True", "y": "2.5", "metric_x": "9.0",
        "word": "w",
    }  # fmt: skip
    assert read[1]["y"] == ""


def test_names_of_metrics_and_their_columns():
    assert metric_names([row("a", 1, y=1, z=[1]), row("b", 1, w="q", y=2)]) == ["y", "w"]
    assert column_of("status", ["x"]) == "metric_status"
    assert column_of("depth", ["x"]) == "depth"


def test_the_summary_is_written(tmp_path):
    with Store(tmp_path, IDENTITY) as store:
        store.finish(["x"], [row("a", 1)], {"runs": 1})
    assert json.loads((tmp_path / "sweep.json").read_text()) == {"runs": 1}


TURNS = tuple(Turn(f"key{x}", {"x": x}, x) for x in range(3))


def answer(x):
    return Answer("done", wall_time=0.5, metrics={"square": x * x})


def test_what_was_written_down_is_known_to_the_next_start(tmp_path):
    Store(tmp_path, IDENTITY).__exit__(None, None, None)
    journal = Journal(str(tmp_path), TURNS)
    journal.note(0, answer(0))
    journal.note(1, Answer(CRASHED, "its process has died"))
    journal.note(2, answer(2))
    with Store(tmp_path, IDENTITY) as store:
        assert store.rows == {f"key{x}": row_of(TURNS[x], answer(x)) for x in (0, 2)}
        assert not (tmp_path / ANSWERS).exists()
    with Store(tmp_path, IDENTITY) as store:
        assert len(store.rows) == 2


def test_a_line_that_a_worker_could_not_end_is_dropped(tmp_path):
    Store(tmp_path, IDENTITY).__exit__(None, None, None)
    Journal(str(tmp_path), TURNS).note(0, answer(0))
    path = next((tmp_path / ANSWERS).iterdir())
    path.write_text(path.read_text() + json.dumps(row_of(TURNS[1], answer(1)))[:20])
    with Store(tmp_path, IDENTITY) as store:
        assert list(store.rows) == ["key0"]


def test_a_folder_that_is_not_seen_is_left_alone(tmp_path):
    Journal(str(tmp_path / "elsewhere"), TURNS).note(0, answer(0))
    assert not (tmp_path / "elsewhere").exists()


def test_a_finished_sweep_has_no_journals(tmp_path):
    with Store(tmp_path, IDENTITY) as store:
        Journal(str(tmp_path), TURNS).note(0, answer(0))
        store.finish(("x",), [row_of(TURNS[0], answer(0))], {})
    assert not (tmp_path / ANSWERS).exists()
