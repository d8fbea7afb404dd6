import json
import math
import os

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.report.folder import (
    CSV_CELLS,
    next_folder,
    open_file,
    open_folder,
    plain,
    write_json,
    write_trajectory,
)
from chrono_powercontact.trajectory import Trajectory


def test_what_is_not_finite_becomes_null(tmp_path):
    write_json(
        tmp_path / "x.json", {"a": math.nan, "b": [np.float64(1.5), math.inf], "c": np.int64(3), "d": np.array([True])}
    )
    assert json.loads((tmp_path / "x.json").read_text()) == {"a": None, "b": [1.5, None], "c": 3, "d": [True]}


def test_plain_keeps_words_and_none():
    assert plain({"a": None, "b": "x", "c": True}) == {"a": None, "b": "x", "c": True}


def test_a_file_that_cannot_be_written_is_said(tmp_path):
    with pytest.raises(ParameterError, match=r"the output file '.*' cannot be written: No such file"):
        open_file(tmp_path / "missing" / "x.json")


def test_a_file_that_can_be_written_keeps_its_content(tmp_path):
    (tmp_path / "x.json").write_text("{}")
    assert open_file(tmp_path / "x.json").read_text() == "{}"


def test_a_file_in_the_way_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match="cannot be written"):
        open_folder(tmp_path / "file")


@pytest.mark.skipif(os.name == "nt", reason="needs the proc file system")
def test_a_folder_without_permission_is_said():
    with pytest.raises(ParameterError, match="cannot be written"):
        open_folder("/proc/nowhere")


def test_earlier_results_are_not_overwritten(tmp_path):
    assert next_folder("cube", str(tmp_path)).name == "cube"
    (tmp_path / "cube").mkdir()
    (tmp_path / "cube-2").mkdir()
    assert next_folder("cube", str(tmp_path)).name == "cube-3"


def test_csv_gives_the_numbers_back_exactly(tmp_path):
    data = np.random.default_rng(1).normal(size=(5, 2))
    path = write_trajectory(tmp_path, Trajectory(("a", "b"), data, 4))
    read = np.genfromtxt(path, delimiter=",", names=True)
    assert path.name == "trajectory.csv"
    assert np.array_equal(read["b"], data[:, 1])


def test_long_trajectories_become_an_archive(tmp_path):
    data = np.zeros((CSV_CELLS // 2 + 1, 2))
    path = write_trajectory(tmp_path, Trajectory(("t", "x"), data, 1))
    assert path.name == "trajectory.npz"
    assert np.load(path)["x"].size == len(data)
