"""The drift benchmark's own logic; the engines themselves are no part of the tests."""

import json
import math
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "benchmarks"))

import drift  # noqa: E402
import drift_report as report  # noqa: E402
from engines import scene  # noqa: E402


def setting(name="best", default=False, step=1e-3):
    return scene.Setting(name, "grip=1", "https://example.org/grip", default, step)


def creeping(speed, cost=0.01):
    t = np.linspace(0.0, scene.TIME, 401)
    return scene.Track(t, 3e-5 * (1.0 - np.exp(-8.0 * t)) + speed * t, cost)


def result_of(*rows, engine="mujoco"):
    here = {"engine": engine, "version": "4.0", "rows": list(rows)}
    return {"engines": [here, {"engine": "drake", "missing": "No module named 'pydrake'", "rows": []}]}


@pytest.fixture
def result():
    run = {"best": 0.0, "default": 2e-3}
    rows = [
        drift.measured(SimpleNamespace(run=lambda which: creeping(run[which.name])), setting(name, name == "default"))
        for name in run
    ]
    return result_of(*rows)


def test_creep_and_presliding_of_a_run_that_settles():
    assert scene.creep(creeping(2e-6)) == pytest.approx(2e-6, rel=1e-9)
    assert scene.presliding(creeping(2e-6)) == pytest.approx(3e-5, rel=1e-9)


def test_a_run_is_followed_to_its_end_with_its_own_step():
    taken = []

    def advance(count):
        taken.append(count)
        return 1e-3 * sum(taken)

    track = scene.follow(advance, 1.0 / 240.0)
    assert sum(taken) == round(240 * scene.TIME)
    assert track.t[-1] == scene.TIME
    assert track.x[0] == 0.0
    assert track.x[-1] == pytest.approx(0.24 * scene.TIME)


def test_a_cube_that_only_leans_has_not_slid():
    lean = 4e-4
    middle = 0.5 * scene.EDGE * math.sin(lean)
    quaternion = (math.cos(0.5 * lean), 0.0, math.sin(0.5 * lean), 0.0)
    assert scene.foot(middle, quaternion) == pytest.approx(0.0, abs=1e-15)


def test_corner_spheres_fill_the_cube():
    places = np.array(scene.corner_places(scene.CORNER_RADIUS))
    assert len(np.unique(places, axis=0)) == 8
    assert np.abs(places).max() + scene.CORNER_RADIUS == pytest.approx(0.5 * scene.EDGE)


def test_load_is_below_the_friction_angle():
    assert math.hypot(*scene.GRAVITY) == pytest.approx(9.81)
    assert scene.GRAVITY[0] / -scene.GRAVITY[2] == pytest.approx(0.73 * scene.MU, rel=0.01)


def test_the_cheapest_of_the_repeats_counts():
    costs = iter((0.03, 0.02, 0.05))
    row = drift.measured(SimpleNamespace(run=lambda _: creeping(1e-6, next(costs))), setting(step=1e-3))
    assert row["cost_per_second"] == 0.02
    assert row["step_cost_us"] == pytest.approx(20.0)


def test_an_engine_that_is_not_installed_is_named(monkeypatch):
    def absent(name):
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(drift, "import_module", absent)
    found = drift.run_engine("exudyn")
    assert found["rows"] == []
    assert "Exudyn is missing: No module named 'engines.exudyn'" in report.table({"engines": [found]})


def test_new_rows_replace_kept_ones_in_the_order_of_the_settings():
    kept = {"engine": "mujoco", "version": "3", "rows": [{"name": "b", "creep": 1.0}, {"name": "gone", "creep": 1.0}]}
    new = {"engine": "mujoco", "version": "4", "settings": ["a", "b"], "rows": [{"name": "a", "creep": 2.0}]}
    found = drift.merged(kept, new)
    assert [row["name"] for row in found["rows"]] == ["a", "b"]
    assert found["version"] == "4"


def test_a_missing_engine_keeps_its_rows_and_the_table_says_so(result):
    absent = {"engine": "mujoco", "missing": "No module named 'mujoco'", "rows": []}
    found = drift.merged(result["engines"][0], absent)
    text = report.table({"engines": [found]})
    assert "MuJoCo is missing (its rows are from an earlier run): No module named 'mujoco'" in text
    assert "| MuJoCo 4.0 | best |" in text


def test_a_long_step_is_followed_to_the_end_too():
    track = scene.follow(lambda count: 1e-3 * count, 0.02)
    assert track.t[-1] == pytest.approx(scene.TIME)
    assert len(track.t) == len(track.x)


def test_a_run_that_fails_says_why_and_is_not_drawn():
    def broken(_):
        raise RuntimeError("Newton's method did not converge")

    failed = result_of(drift.measured(SimpleNamespace(run=broken), setting()))
    assert "failed: RuntimeError: Newton's method did not converge" in report.table(failed)
    assert list(report.finished(failed)) == []


def test_table_tells_creep_version_option_and_missing_engines(result):
    lines = report.table(result).splitlines()
    assert lines[2].startswith("| MuJoCo 4.0 | best | [grip=1](https://example.org/grip) | stands | 30 | 1 | 10 | 10 |")
    assert lines[3].startswith("| MuJoCo 4.0 | default * |")
    assert "| 2e+03 |" in lines[3]
    assert lines[-2] == "Drake is missing: No module named 'pydrake'"
    assert lines[-1].startswith("Measured on: ")
    assert len({line.count("|") for line in lines[:4]}) == 1


def test_variable_steps_have_no_cost_of_a_step():
    row = drift.measured(SimpleNamespace(run=lambda _: creeping(1e-6)), setting(step=None))
    assert "| 1 | 30 | variable | - | 10 |" in report.table(result_of(row))


def test_table_is_put_between_its_marks_and_replaced(tmp_path, result):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n")
    report.write_table(result, page)
    report.write_table(result, page)
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    assert text.count("| best |") == 1


def test_picture_shows_what_stands_at_its_floor(tmp_path, result):
    report.save_picture(result, tmp_path / "drift.png")
    assert (tmp_path / "drift.png").read_bytes().startswith(b"\x89PNG")
    rows = {row["name"]: report.place(row) for _, row in report.finished(result)}
    assert rows["best"] == pytest.approx((10.0, report.FLOOR))
    assert rows["default"] == pytest.approx((10.0, 2e-3))


def test_every_engine_has_a_module_a_name_and_a_colour():
    modules = {path.stem for path in (ROOT / "benchmarks" / "engines").glob("*.py")} - {"__init__", "scene"}
    assert modules == set(drift.ENGINES) == set(report.NAMES) == set(report.COLOURS)


def test_page_shows_the_kept_result():
    kept = json.loads((ROOT / "benchmarks" / "drift.json").read_text())
    assert report.table(kept) in (ROOT / "docs" / "drift.md").read_text()
