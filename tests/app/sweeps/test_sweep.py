"""Sweeps from the plan to the table."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import swept

import chrono_powercontact as pc
from chrono_powercontact.app.sweeps.store import ROWS, read_lines
from chrono_powercontact.app.sweeps.sweep import sweep

SUPPORT = Path(swept.__file__).parent


def wait_for_rows(path, count):
    """Wait until a sweep has finished so many runs, a minute at most."""
    begin = time.monotonic()
    while time.monotonic() - begin < 60 and not (path.exists() and len(path.read_text().splitlines()) > count):
        time.sleep(0.05)


def test_a_function_over_a_grid_here():
    table = sweep(swept.square, {"x": pc.grid(0, 4, 5)}, executor="here")
    assert list(table["square"]) == [0.0, 1.0, 4.0, 9.0, 16.0]
    assert table.values("passed") == [True, True, True, False, False]
    assert table.summary["counts"] == {"done": 5, "failed": 0, "timed out": 0, "crashed": 0}
    assert table.summary["claims_failed"] == 2


def test_one_that_crashes_one_that_hangs_and_one_that_raises_cost_a_row_each():
    whats = ["a", "abort", "b", "sleep", "c", "raise", "d"]
    table = sweep(swept.troubled, {"what": whats}, jobs=2, timeout=1.0)
    assert table.values("status") == ["done", "crashed", "done", "timed out", "done", "failed", "done"]
    assert [row["status"] for row in table.failures] == ["crashed", "timed out", "failed"]


def test_a_run_whose_process_was_killed_is_done_again(tmp_path):
    table = sweep(swept.killed_once, {"x": range(6)}, given={"folder": str(tmp_path), "bad": 3}, jobs=2)
    assert list(table["x"]) == list(range(6))
    assert set(table.values("status")) == {"done"}


def test_any_executor_will_do(tmp_path):
    with ThreadPoolExecutor(3) as pool:
        table = sweep(swept.square, {"x": [1, 2, 3]}, executor=pool)
    assert list(table["square"]) == [1.0, 4.0, 9.0]


def test_an_executor_that_has_ended_is_one_sentence(tmp_path):
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(pc.PowerContactError, match="the executor takes no more runs"):
        sweep(swept.square, {"x": [1]}, executor=pool, out=tmp_path / "s")
    with pytest.raises(pc.ParameterError, match="executor must be"):
        sweep(swept.square, {"x": [1]}, executor="threads", out=tmp_path / "refused")
    with pytest.raises(pc.ParameterError, match="jobs must be a whole number"):
        sweep(swept.square, {"x": [1]}, jobs=0, out=tmp_path / "refused")
    assert not (tmp_path / "refused").exists()


def test_a_scenario_with_samples_into_a_folder(tmp_path):
    table = sweep("wall", {"speed": pc.sobol(100, 300)}, n=4, engine="reference", out=tmp_path / "s", executor="here")
    assert table.values("status") == ["done"] * 4
    broke = table["speed"] > table["breakthrough_speed"]
    assert list(table["broke_through"].astype(bool)) == list(broke)
    written = json.loads((tmp_path / "s" / "sweep.json").read_text())
    assert (written["runs"], written["scenario"], written["engine"]) == (4, "wall", "reference")
    assert pc.read_sweep(tmp_path / "s").columns == table.columns


def test_a_sweep_goes_on_where_it_ended(tmp_path):
    log = tmp_path / "log"
    shared = {"log": str(log)}
    first = sweep(swept.counted, {"x": [1, 2, 3]}, given=shared, out=tmp_path / "s", executor="here")
    path = tmp_path / "s" / ROWS
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:3]))
    second = sweep(swept.counted, {"x": [1, 2, 3]}, given=shared, out=tmp_path / "s", executor="here")
    assert log.read_text().split() == ["1", "2", "3", "3"]
    assert list(second["double"]) == list(first["double"]) == [2.0, 4.0, 6.0]


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_a_sweep_that_was_killed_repeats_no_finished_run(tmp_path):
    log = tmp_path / "log"
    text = (
        f"import sys; sys.path[:0] = {[str(SUPPORT), *filter(None, sys.path)]!r}\n"
        "import time, swept\n"
        "import chrono_powercontact as pc\n"
        "def slow(config):\n    time.sleep(0.1)\n    return swept.counted(config)\n"
        f"pc.sweep(slow, {{'x': range(20)}}, given={{'log': {str(log)!r}}}, out={str(tmp_path / 's')!r}, jobs=1)\n"
    )
    script = tmp_path / "study.py"
    script.write_text(text)
    process = subprocess.Popen([sys.executable, str(script)])
    path = tmp_path / "s" / ROWS
    wait_for_rows(path, 5)
    process.send_signal(signal.SIGKILL)
    process.wait()
    time.sleep(0.3)
    finished = [str(line["point"]["x"]) for line in read_lines(path) if "point" in line]
    assert 5 <= len(finished) < 20
    subprocess.run([sys.executable, str(script)], check=True)
    ran = log.read_text().split()
    assert sorted(set(ran), key=int) == [str(x) for x in range(20)]
    assert all(ran.count(x) == 1 for x in finished)


def test_numbers_of_numpy_are_metrics_and_paths_may_be_given(tmp_path):
    def simulate(config):
        return {"whole": np.int64(3), "single": np.float32(0.5), "yes": np.bool_(True)}

    table = sweep(simulate, {"x": [1]}, given={"folder": tmp_path}, executor="here", out=tmp_path / "s")
    assert table.metrics == ["whole", "single", "yes"]
    again = sweep(simulate, {"x": [1]}, given={"folder": tmp_path}, executor="here", out=tmp_path / "s")
    assert again.rows == table.rows
    assert pc.read_sweep(tmp_path / "s").rows == table.rows


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_ends_a_sweep_and_its_runs_at_once(tmp_path):
    out = tmp_path / "s"
    script = tmp_path / "study.py"
    script.write_text(
        f"import sys; sys.path[:0] = {[str(SUPPORT), *filter(None, sys.path)]!r}\n"
        "import swept\nimport chrono_powercontact as pc\n"
        f"pc.sweep(swept.troubled, {{'what': ['a', 'sleep', 'sleep', 'b']}}, jobs=1, out={str(out)!r})\n"
    )
    process = subprocess.Popen([sys.executable, str(script)], stderr=subprocess.PIPE, text=True)
    wait_for_rows(out / ROWS, 1)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=40)
    assert "KeyboardInterrupt" in said


def test_what_cannot_be_swept_is_refused_before_anything_runs(tmp_path):
    with pytest.raises(pc.UnknownNameError, match="did you mean 'speed'"):
        sweep("wall", {"sped": [1.0]}, out=tmp_path / "s")
    with pytest.raises(pc.ParameterError, match="speed must be"):
        sweep("wall", {"speed": [100.0, -1.0]}, out=tmp_path / "s")
    with pytest.raises(pc.ParameterError, match="either swept or set"):
        sweep("wall", {"speed": [100.0]}, given={"speed": 5.0})
    with pytest.raises(pc.ParameterError, match="either swept or set"):
        sweep(swept.square, {"x": [1]}, given={"x": 2}, executor="here")
    with pytest.raises(pc.ParameterError, match="finite number or a word, got inf"):
        sweep(swept.square, {"x": [1.0, float("inf")]}, executor="here")
    with pytest.raises(pc.UnknownNameError, match="scenario"):
        sweep("wal", {"speed": [100.0]})
    with pytest.raises(pc.ParameterError, match="timeout must be greater than 0"):
        sweep(swept.square, {"x": [1]}, timeout=-1.0)
    assert not (tmp_path / "s").exists()


def test_a_dask_cluster_with_a_worker_that_is_killed():
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "host": "127.0.0.1"}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        table = sweep(swept.square, {"x": range(30)}, executor=client.get_executor(pure=False))
    assert list(table["square"]) == [x**2 for x in range(30)]
