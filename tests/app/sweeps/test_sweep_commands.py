"""`powercontact sweep` and `powercontact inspect`."""

import csv
import json

import pytest

from chrono_powercontact.app.cli import main


def run(*words):
    return main(["sweep", "wall", "--engine", "reference", "--quiet", "--jobs", "1", *words])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("sweep") / "wall"
    assert run("--over", "speed=150:250:3", "--over", "mass=0.05,0.1", "--out", str(out)) == 0
    return out


def test_the_folder_has_table_summary_and_picture(folder):
    with (folder / "sweep.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["speed"] for row in rows] == ["150.0", "150.0", "200.0", "200.0", "250.0", "250.0"]
    assert {row["status"] for row in rows} == {"done"}
    assert {row["passed"] for row in rows} == {"True"}
    assert float(rows[0]["exit_velocity"])
    assert json.loads((folder / "sweep.json").read_text())["counts"]["done"] == 6
    assert (folder / "sweep.png").stat().st_size > 10_000


def test_the_same_command_again_runs_nothing(folder, capsys):
    before = (folder / "rows.jsonl").read_text()
    assert run("--over", "speed=150:250:3", "--over", "mass=0.05,0.1", "--out", str(folder)) == 0
    assert (folder / "rows.jsonl").read_text() == before
    assert "6 runs: 6 done" in capsys.readouterr().out


def test_a_finished_sweep_is_looked_at(folder, capsys):
    assert main(["inspect", str(folder), "--metric", "peak_force", "--largest"]) == 0
    out = capsys.readouterr().out
    assert "largest peak_force" in out
    assert "sweep.png" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--over", "sped=1:2:3"], "did you mean 'speed'"),
        (["--over", "speed=1:2"], "low:high:count"),
        (["--over", "speed=100:200:1000", "--over", "mass=1:2:1000"], "1000000 runs"),
        (["--over", "speed=100:200:3", "--jobs", "0"], "jobs must be"),
        (["--over", "speed=100:200:3", "--timeout", "-1"], "timeout must be"),
    ],
)
def test_bad_input_is_one_sentence_and_nothing_is_written(words, sentence, tmp_path, capsys):
    out = tmp_path / "out"
    assert run(*words, "--out", str(out)) == 2
    assert sentence in capsys.readouterr().err
    assert not (out / "sweep.csv").exists()


def test_no_sweep_to_look_at(tmp_path, capsys):
    assert main(["inspect", str(tmp_path)]) == 2
    assert "holds no sweep" in capsys.readouterr().err
