import os
import subprocess
import sys
from pathlib import Path

import pytest

DEMOS = sorted((Path(__file__).resolve().parents[1] / "demos").glob("*.py"))


@pytest.mark.chrono
@pytest.mark.parametrize("demo", DEMOS, ids=lambda path: path.stem)
def test_demo_runs_and_passes_its_own_check(demo):
    headless = {**os.environ, "POWERCONTACT_WINDOW": "0"}
    done = subprocess.run([sys.executable, str(demo)], capture_output=True, text=True, env=headless)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("demo", DEMOS, ids=lambda path: path.stem)
def test_demo_is_short_and_checks_itself(demo):
    text = demo.read_text()
    assert len(text.splitlines()) <= 60
    assert "assert " in text
    assert f"python demos/{demo.name}" in text


@pytest.mark.parametrize("demo", DEMOS, ids=lambda path: path.stem)
def test_demo_with_the_namesake_of_pychrono_ends_in_one_sentence(demo, tmp_path):
    (tmp_path / "pychrono").mkdir()
    (tmp_path / "pychrono" / "__init__.py").write_text("class Timer:\n    pass\n")
    beside = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, str(demo)], capture_output=True, text=True, env=beside)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "is not Project Chrono but the unrelated timing library of" in done.stderr
