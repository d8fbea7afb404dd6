"""The result of a sweep."""

import numpy as np
import pytest
import swept

import chrono_powercontact as pc
from chrono_powercontact.app.sweeps.sweep import sweep
from chrono_powercontact.app.sweeps.sweep_table import read_sweep


@pytest.fixture(scope="module")
def table():
    return sweep(swept.square, {"x": [2, 1, 4], "y": [0.5, 1.5]}, executor="here")


def test_columns_by_name(table):
    assert len(table) == 6
    assert table.columns == ["x", "y", "status", "error", "wall_time", "passed", "square"]
    assert list(table["square"]) == [4.0, 4.0, 1.0, 1.0, 16.0, 16.0]
    assert list(table["status"]) == ["done"] * 6
    with pytest.raises(pc.UnknownNameError, match="did you mean 'square'"):
        table["sqare"]


def test_the_best_run(table):
    assert table.best("square")["point"]["x"] == 1
    assert table.best("square", largest=True)["point"]["x"] == 4
    with pytest.raises(pc.ParameterError, match="no run has a number as status"):
        table.best("status")


def test_a_run_without_a_metric_is_not_a_number():
    mixed = sweep(swept.troubled, {"what": ["number", "raise"]}, executor="here")
    assert np.isnan(mixed["gave"][1])
    assert mixed.values("gave") == [1.0, None]


def test_frames_data_sets_and_parquet(table, tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = table.to_pandas()
    assert list(frame.columns) == table.columns
    pytest.importorskip("xarray")
    data = table.to_xarray()
    assert float(data["square"].sel(x=4, y=0.5)) == 16.0
    pytest.importorskip("pyarrow")
    path = table.to_parquet(tmp_path / "sweep.parquet")
    assert list(pandas.read_parquet(path)["square"]) == list(table["square"])


def test_samples_form_a_data_set_over_the_runs():
    pytest.importorskip("xarray")
    sampled = sweep(swept.square, {"x": pc.lhs(0, 1)}, n=3, executor="here")
    assert sampled.to_xarray().sizes == {"run": 3}


def test_a_sweep_is_read_again_in_the_order_of_its_plan(tmp_path):
    sweep(swept.square, {"x": [3, 1, 2]}, executor="here", out=tmp_path)
    assert list(read_sweep(tmp_path)["x"]) == [3.0, 1.0, 2.0]
    with pytest.raises(pc.ParameterError, match="holds no sweep"):
        read_sweep(tmp_path / "nowhere")
