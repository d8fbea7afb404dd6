import json

import numpy as np
import pytest

from chrono_powercontact import __version__
from chrono_powercontact.app import runner
from chrono_powercontact.chrono.api import bridge as api
from chrono_powercontact.errors import DivergedError, ParameterError, UnknownNameError
from chrono_powercontact.report.summary import Summary
from chrono_powercontact.scenarios.catalogue import NAMES, find

CONTRACT = set(Summary.__required_keys__)


def test_summary_keeps_the_contract(tmp_path):
    runner.run_into(find("wall"), {"speed": "200"}, tmp_path, "reference")
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert set(summary) == CONTRACT
    assert summary["package_version"] == __version__
    assert summary["engine"] == "reference"
    assert summary["params"]["speed"] == 200.0
    assert summary["passed"] is True
    assert summary["steps"] > 100
    assert {f.name for f in tmp_path.iterdir()} == {
        "summary.json", "params.json", "trajectory.csv", "plot.png", "animation.gif", "charts.json", "scene.npz",
    }  # fmt: skip


def test_step_beyond_stability_warns_with_the_limit():
    run = runner.execute(find("stick_slip"), {"step": 5e-4}, "reference")
    assert len(run.warnings) == 1
    assert "beyond the largest stable step 0.00029 s" in run.warnings[0]
    assert runner.execute(find("stick_slip"), {}, "reference").warnings == []


def test_diverged_run_leaves_its_records(tmp_path):
    with pytest.raises(DivergedError, match=r"the largest stable one is .* s\); the records until then are in"):
        runner.run_into(find("stick_slip"), {"step": 2e-3}, tmp_path, "reference")
    kept = np.genfromtxt(tmp_path / "trajectory.csv", delimiter=",", names=True)
    assert kept["t"].size > 10
    assert np.all(np.isfinite(kept["x"]))


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        (
            "drop",
            {"time": 3, "step": 1e-9},
            "step must be at least 1.5e-07 s for a run of 3 s, got 1e-09 s: "
            "it would take 3e+09 steps, at most 2e+07 are allowed",
        ),
        ("slope", {"step": 1e-320}, "step must be at least 2e-07 s for a run of 4 s"),
        ("gait_trainer", {"step": 1e-9}, "s, got 1e-09 s: it would take"),
        ("ball", {"step": 1e-12}, "step must be at least 1e-07 s in ball, got 1e-12 s"),
        ("stick_slip", {"step": 1e-9}, "step must be at least 1e-06 s in stick_slip, got 1e-09 s"),
    ],
)
def test_a_step_that_would_take_too_many_is_refused_before_the_run(name, given, message):
    with pytest.raises(ParameterError) as caught:
        runner.execute(find(name), given, "reference")
    assert message in str(caught.value)


@pytest.mark.parametrize("name", NAMES)
def test_defaults_take_no_more_steps_than_are_allowed(name):
    scenario = find(name)
    for engine in scenario.engines:
        runner.check_steps(scenario, runner.read_parameters(scenario.parameters_on(engine), {}))


def test_unknown_engine_is_refused():
    with pytest.raises(UnknownNameError, match="engine 'referenc': did you mean 'reference'"):
        runner.execute(find("ball"), {}, "referenc")


def test_progress_reaches_the_end():
    seen = []
    find("pendulum").run(runner.read_parameters(find("pendulum").parameters, {"time": 0.05}), seen.append)
    assert seen[-1] == 1.0
    assert seen == sorted(seen)


@pytest.fixture
def without_chrono(monkeypatch):
    monkeypatch.setattr(api, "missing", lambda: "PyChrono is not installed for python3")


def test_auto_takes_the_reference_engine_where_chrono_is_missing(without_chrono):
    assert runner.execute(find("wall"), {}).summary["engine"] == "reference"


def test_chrono_that_is_missing_is_told_in_one_sentence(without_chrono):
    with pytest.raises(ParameterError, match=r"^PyChrono is not installed for python3$"):
        runner.execute(find("wall"), {}, "chrono")


def test_scenario_without_a_chrono_scene_says_so():
    with pytest.raises(ParameterError, match="scenario 'hysteresis' has no Chrono scene"):
        runner.execute(find("hysteresis"), {}, "chrono")
    assert runner.choose_engine(find("hysteresis"), {}, "auto")[0] == "reference"


@pytest.mark.parametrize("engine", ["reference", "auto"])
def test_integrator_is_refused_on_the_reference_engine(without_chrono, engine):
    with pytest.raises(ParameterError, match="integrator chooses among Chrono's integrators, and this run is on the"):
        runner.execute(find("wall"), {"integrator": "hht"}, engine)


def test_parameters_of_the_reference_engine_have_no_integrator():
    run = runner.execute(find("pendulum"), {"time": 0.01}, "reference")
    assert "integrator" not in run.summary["params"]
    assert run.summary["params"]["memory"] == "coordinate"


@pytest.mark.chrono
def test_auto_takes_chrono_where_it_can_run_the_scenario():
    engine, p = runner.choose_engine(find("pendulum"), {"mu_s": 0.2}, "auto")
    assert (engine, p.integrator, p.memory) == ("chrono", "runge_kutta", "point")


@pytest.mark.parametrize(
    ("name", "given", "reason"),
    [
        ("cube", {"rotation": "angles"}, "Chrono turns bodies by quaternion"),
        ("cube", {"memory": "coordinate"}, "not possible on Chrono"),
        ("pendulum", {"memory": "coordinate", "mu_s": 0.2}, "not possible on Chrono"),
        ("drop", {"law": "newton"}, "closed form of the reference engine"),
    ],
)
def test_parameters_that_chrono_cannot_take_go_to_the_reference_engine(name, given, reason):
    assert runner.choose_engine(find(name), given, "auto")[0] == "reference"
    with pytest.raises(ParameterError, match=reason):
        runner.choose_engine(find(name), given, "chrono")


@pytest.mark.chrono
def test_summary_of_a_chrono_run_names_engine_version_and_integrator(tmp_path):
    runner.run_into(find("wall"), {"integrator": "HHT"}, tmp_path, "chrono")
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert set(summary) == CONTRACT
    assert summary["engine"] == "chrono"
    assert summary["engine_version"] == api.version()
    assert summary["params"]["integrator"] == "hht"
    assert {f.name for f in tmp_path.iterdir()} >= {"summary.json", "trajectory.csv", "plot.png", "animation.gif"}


@pytest.mark.chrono
def test_unknown_integrator_is_refused_with_the_nearest():
    with pytest.raises(UnknownNameError, match="parameter integrator 'newmarck': did you mean 'newmark'"):
        runner.execute(find("wall"), {"integrator": "newmarck"}, "chrono")


@pytest.mark.chrono
def test_diverged_chrono_run_leaves_its_records(tmp_path):
    with pytest.raises(DivergedError, match=r"use a smaller step than 0.05 s .*; the records until then are in"):
        runner.run_into(
            find("drop"),
            {"law": "flores", "step": 0.05, "integrator": "runge_kutta", "height": 10.0, "time": 9.0},
            tmp_path,
            "chrono",
        )
    kept = np.genfromtxt(tmp_path / "trajectory.csv", delimiter=",", names=True)
    assert kept["t"].size > 10
    assert np.all(np.isfinite(kept["s"]))


def test_a_refused_run_leaves_no_folder_and_takes_none_away(tmp_path):
    for folder in (tmp_path / "new", tmp_path):
        with pytest.raises(ParameterError):
            runner.run_into(find("ball"), {"speed": -1.0}, folder, "reference")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("compiled", "quiet", "told"), [(False, False, True), (False, True, False), (True, False, False)]
)
def test_the_first_run_says_that_it_compiles(compiled, quiet, told, monkeypatch, capsys):
    monkeypatch.setattr("chrono_powercontact.app.runner.is_compiled", lambda subpackage: compiled)
    runner.execute(find("wall"), {}, "reference", quiet)
    assert ("compiling the reference engine" in capsys.readouterr().err) is told


@pytest.mark.chrono
@pytest.mark.parametrize(
    ("given", "integrator"),
    [
        ({}, "runge_kutta"),
        ({"step": 5e-3}, "euler_implicit_linearized"),
        ({"step": 5e-3, "integrator": "hht"}, "hht"),
    ],
)
def test_integrator_follows_the_step_unless_it_is_chosen(given, integrator):
    assert runner.choose_engine(find("drop"), given, "chrono")[1].integrator == integrator


@pytest.mark.chrono
@pytest.mark.parametrize(
    ("name", "given"), [("slope", {"memory": "anchored"}), ("drop", {}), ("ball", {}), ("cube", {})]
)
def test_a_long_step_on_chrono_is_no_reason_to_warn(name, given):
    scenario = find(name)
    engine, p = runner.choose_engine(scenario, {**given, "step": 2e-2}, "chrono")
    assert runner.exceeded_limit(scenario, engine, p) is None
    chosen = runner.choose_engine(scenario, {**given, "step": 2e-2, "integrator": "runge_kutta"}, "chrono")
    assert "the largest stable step" in str(runner.exceeded_limit(scenario, *chosen))
