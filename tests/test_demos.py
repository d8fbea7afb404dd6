import os
import subprocess
import sys
from pathlib import Path

import pytest

from chrono_powercontact.chrono.api.bridge import PyChronoError, pychrono_part

DEMOS = sorted((Path(__file__).resolve().parents[1] / "demos").glob("*.py"))


def possible():
    """The demos that this build of PyChrono can run: some need its finite elements or its robots."""
    demos = DEMOS
    for part in ("fea", "robot"):
        try:
            pychrono_part(part)
        except PyChronoError:
            demos = [demo for demo in demos if f'need_pychrono("{part}")' not in demo.read_text()]
    return demos


ALL_IN_TURN = """
import runpy, sys, traceback
for path in sys.argv[1:]:
    try:
        runpy.run_path(path, run_name="__main__")
        print("passed:", path)
    except BaseException:
        traceback.print_exc()
"""
"""Runs demos one after another, so that the plugin is loaded once."""


@pytest.mark.chrono
def test_demos_run_and_pass_their_own_checks():
    headless = {**os.environ, "POWERCONTACT_WINDOW": "0"}
    demos = possible()
    command = [sys.executable, "-c", ALL_IN_TURN, *map(str, demos)]
    done = subprocess.run(command, capture_output=True, text=True, env=headless)
    failed = [demo.name for demo in demos if f"passed: {demo}" not in done.stdout]
    assert failed == [], done.stderr


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
