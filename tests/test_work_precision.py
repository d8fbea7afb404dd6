"""The work-precision benchmark's own logic, and our engine's part of it; the other engines are no part of the tests."""

import json
import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "benchmarks"))

import precision_cases as cases  # noqa: E402
import precision_report as report  # noqa: E402
import work_precision  # noqa: E402
from worlds import world as worlds  # noqa: E402


def row(engine, setting, step, error, cost=0.01, case="slide", **more):
    return {
        "case": case, "engine": engine, "setting": setting, "value": step, "error": error, "cost": cost, "machine": "a"
    } | more  # fmt: skip


@pytest.fixture
def result():
    kept = work_precision.load() | {"versions": {"chrono": "10"}, "missing": {}, "impossible": {}, "ours": None}
    return kept | {
        "rows": [
            row("chrono", "ours, implicit", 1e-3, 2e-3, 0.05),
            row("chrono", "ours, implicit", 1e-2, 2e-2, 0.005),
            row("chrono", "ours, explicit", 1e-2, 7.0),
            row("opensim", "variable step", 1e-3, 3e-3, 0.03),
            {k: v for k, v in row("mujoco", "noslip", 1e-3, 0.0).items() if k != "error"} | {"failed": "Error: why"},
            row("drake", "SAP", 1e-4, 1e-3, case="tumble", from_ours=4e-3),
        ],
        "impossible": {"slide: pybullet": "the reason."},
    }


def run_of(x, t=None):
    states = np.zeros((len(x), 1, 7))
    states[:, 0, 0] = states[:, 0, 2] = x
    return worlds.Run(np.linspace(0.0, 1.0, len(x)) if t is None else t, states, 0.01)


def test_tables_show_error_cost_and_what_went_wrong(result):
    lines = report.tables(result).splitlines()
    assert "| ours, implicit | 0.002; 50 | 0.02; 5 |" in lines
    assert "| ours, explicit |  | lost; 10 |" in lines
    assert "| MuJoCo noslip | fails |  |" in lines
    assert "OpenSim, over the accuracy of its integrator: 0.003; 30 at 0.001." in lines
    assert "PyBullet has no such case: the reason." in lines
    assert "| Drake SAP | 0.1 | 4 |" in lines
    assert lines[-1] == "Versions: Chrono 10. Measured on: a."


def test_summary_takes_the_cheapest_run_that_is_precise_enough(result):
    lines = report.summary(result)
    column = lines[0].split("|").index(" slide to 0.01 ")
    ours = next(line for line in lines if line.startswith("| ours, implicit"))
    assert ours.split("|")[column] == " 50 (1 ms) "
    assert next(line for line in lines if "NSC" in line).split("|")[column] == " - "
    assert len({line.count("|") for line in lines}) == 1


def test_tables_are_put_between_their_marks_and_picture_is_drawn(tmp_path, result):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n")
    report.write_tables(result, page)
    assert "old" not in page.read_text()
    assert page.read_text().endswith("after\n")
    report.save_picture(result, tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_new_rows_replace_old_ones_and_a_missing_engine_keeps_its_rows(result):
    fresh = row("chrono", "ours, implicit", 1e-3, 1e-3)
    new = work_precision.merged(result, {"engine": "chrono", "case": "slide", "version": "11", "rows": [fresh]})
    assert len(new["rows"]) == len(result["rows"])
    assert fresh in new["rows"]
    assert new["versions"]["chrono"] == "11"
    absent = work_precision.merged(new, {"engine": "opensim", "case": "slide", "missing": "no module", "rows": []})
    assert absent["rows"] == new["rows"]
    assert absent["missing"] == {"opensim": "no module"}


def test_every_engine_of_the_tables_has_a_module():
    modules = {path.stem for path in (ROOT / "benchmarks" / "worlds").glob("*.py")} - {"__init__", "world"}
    assert modules == {engine for engine, _ in report.STYLES} == set(work_precision.ENGINES)


def test_page_shows_the_kept_result():
    kept = json.loads((ROOT / "benchmarks" / "work_precision.json").read_text())
    assert report.tables(kept) in (ROOT / "docs" / "work_precision.md").read_text()


def test_exact_motions_have_no_error():
    t = np.linspace(0.0, 0.4, 401)
    fall = math.sqrt(2.0 * cases.DROP / cases.G)
    up = cases.RESTITUTION * cases.G * fall
    z = np.where(t < fall, cases.DROP - 0.5 * cases.G * t**2, up * (t - fall) - 0.5 * cases.G * (t - fall) ** 2)
    assert cases.bounce_error([run_of(z + cases.BALL.radius)]) < 1e-9
    assert cases.slide_error([run_of(np.array([0.0, 4.0 / cases.G]))]) < 1e-12
    times = np.arange(201) * cases.RECORD
    assert cases.stick_slip_error([run_of(cases.exact_stick_slip(times), times)]) == 0.0


def test_exact_stick_slip_is_coulombs():
    t = np.arange(0.0, 4.0, 1e-3)
    x = cases.exact_stick_slip(t)
    v = np.gradient(x, t)
    force = np.array([cases.PULL.force(*pair) for pair in zip(t, x, strict=True)])
    a = np.gradient(v, t)
    slips = np.abs(v) > 1e-2
    friction = force - cases.CUBE.mass * a
    inside = slips & np.roll(slips, 3) & np.roll(slips, -3)
    assert np.abs(np.abs(friction[inside]) - 0.5 * cases.G).max() < 1e-2
    assert np.abs(force[np.abs(v) < 1e-9]).max() <= 0.5 * cases.G + 1e-6
    assert 0.3 < slips.mean() < 0.7


def test_a_ball_that_does_not_bounce_has_lost_all_height():
    z = np.linspace(cases.DROP, 0.0, 50) + cases.BALL.radius
    assert cases.bounce_error([run_of(z)]) == pytest.approx(1.0)


@pytest.mark.parametrize("e", [0.3, 0.6, 0.9])
def test_parameters_of_other_laws_give_the_restitution_asked(e):
    d, ratio = worlds.hunt_crossley_dissipation(e, 1.4), worlds.damping_ratio(e)
    laws = (lambda x, v: 1e4 * x * (1.0 + d * v), lambda x, v: 1e4 * x + 200.0 * ratio * v)
    for law in laws:
        x, v, h = 0.0, 1.4, 1e-6
        while x >= 0.0 and (v > 0.0 or law(x, v) > 0.0):
            v -= h * law(x, v)
            x += h * v
        assert -v / 1.4 == pytest.approx(e, rel=2e-3)


@pytest.mark.chrono
@pytest.mark.parametrize("case", cases.CASES, ids=lambda case: case.name)
def test_our_engine_runs_every_case(case):
    from worlds import chrono

    for setting in chrono.SETTINGS:
        step = 2e-5 if setting == "ours, explicit" else 2e-3
        world = replace(case.worlds(step)[0], time=4e-3, record=2e-3)
        run = chrono.simulate(setting, world, step)
        assert run.states.shape == (3, len(world.bodies), 7)
        assert np.isfinite(run.states).all()
        assert run.cost > 0.0


@pytest.mark.chrono
def test_implicit_steps_meet_the_closed_forms():
    from worlds import chrono

    found = {
        case.name: case.error([chrono.simulate("ours, implicit", world, 5e-3) for world in case.worlds(5e-3)])
        for case in cases.CASES[:3]
    }
    assert found["bounce"] < 0.02
    assert found["slide"] < 0.02
    assert found["stick-slip"] < 0.05
