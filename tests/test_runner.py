import json

import numpy as np
import pytest

from chrono_powercontact import __version__, runner
from chrono_powercontact.errors import DivergedError, UnknownNameError
from chrono_powercontact.scenarios import find

CONTRACT = {"scenario", "engine", "engine_version", "package_version", "claim", "passed", "params", "metrics"}
CONTRACT |= {"wall_time", "steps"}


def test_summary_keeps_the_contract(tmp_path):
    runner.run_into(find("wall"), {"speed": "200"}, tmp_path)
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert set(summary) >= CONTRACT
    assert summary["package_version"] == __version__
    assert summary["engine"] == "reference"
    assert summary["params"]["speed"] == 200.0
    assert summary["passed"] is True
    assert summary["steps"] > 100
    assert {f.name for f in tmp_path.iterdir()} == {
        "summary.json", "params.json", "trajectory.csv", "plot.png", "animation.gif",
    }  # fmt: skip


def test_step_beyond_stability_warns_with_the_limit():
    run = runner.execute(find("stick_slip"), {"step": 5e-4})
    assert len(run.warnings) == 1
    assert "beyond the largest stable step 0.00029 s" in run.warnings[0]
    assert runner.execute(find("stick_slip"), {}).warnings == []


def test_diverged_run_leaves_its_records(tmp_path):
    with pytest.raises(DivergedError, match="take a smaller step; the records until then are in"):
        runner.run_into(find("stick_slip"), {"step": 2e-3}, tmp_path)
    kept = np.genfromtxt(tmp_path / "trajectory.csv", delimiter=",", names=True)
    assert kept["t"].size > 10
    assert np.all(np.isfinite(kept["x"]))


def test_unknown_engine_is_refused():
    with pytest.raises(UnknownNameError, match="engine 'referenc': did you mean 'reference'"):
        runner.execute(find("ball"), {}, "referenc")


def test_progress_reaches_the_end():
    seen = []
    find("pendulum").run(runner.read_parameters(find("pendulum").parameters, {"time": 0.05}), seen.append)
    assert seen[-1] == 1.0
    assert seen == sorted(seen)
