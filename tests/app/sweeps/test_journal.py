"""What workers write down by themselves."""

import json

from chrono_powercontact.app.sweeps.isolated import Limits, perform_isolated
from chrono_powercontact.app.sweeps.jobs import CRASHED, Answer, FunctionJob, pack
from chrono_powercontact.app.sweeps.journal import Journal, Turn, row_of
from chrono_powercontact.app.sweeps.store import ANSWERS, Store

IDENTITY = {"function": "square"}
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


def test_a_line_that_was_cut_off_is_dropped(tmp_path):
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


def test_runs_of_a_task_are_written_down_one_by_one(tmp_path):
    Store(tmp_path, IDENTITY).__exit__(None, None, None)
    jobs = [FunctionJob(pack(doubled), {"x": turn.point["x"]}) for turn in TURNS]
    answers = perform_isolated(jobs, Limits(), Journal(str(tmp_path), TURNS))
    with Store(tmp_path, IDENTITY) as store:
        found = [store.rows[turn.key]["metrics"] for turn in TURNS]
    assert found == [one.metrics for one in answers] == [{"twice": 0}, {"twice": 2}, {"twice": 4}]


def doubled(config):
    return {"twice": 2 * config["x"]}
