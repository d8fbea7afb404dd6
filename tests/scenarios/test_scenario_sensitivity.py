"""Derivatives of a scenario's columns and metrics by its parameters."""

import json

import numpy as np
import pytest

from chrono_powercontact.app.cli import main
from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.parameters import read_parameters
from chrono_powercontact.scenarios.scenario_sensitivity import NotExactError, differentiate

ENERGY_OF_A_DRIVE = {"kinetic": 1.0, "potential": 1.0, "drive_work": -1.0}


def run(name, names, engine="reference", **given):
    scenario = find(name)
    p = read_parameters(scenario.parameters_on(engine), given)
    return scenario.run(p, engine=engine, sensitivities=names)


def test_metrics_have_the_slopes_of_their_closed_forms():
    slopes = run("ball", ["speed", "r_d"], step=2e-6).sensitivities.metrics
    for metric, tolerance in (("restitution", 1e-8), ("min_distance", 1e-5), ("peak_force", 1e-3)):
        for name in ("speed", "r_d"):
            assert slopes[metric][name] == pytest.approx(slopes[f"closed_form_{metric}"][name], rel=tolerance)


def test_wall_breaks_with_the_slopes_of_its_closed_form():
    outcome = run("wall", ["speed", "r_f", "mass"], step=2e-6)
    slopes = outcome.sensitivities.metrics
    for name in ("speed", "r_f", "mass"):
        closed = slopes["closed_form_exit_velocity"][name]
        assert slopes["exit_velocity"][name] == pytest.approx(closed, rel=1e-8)
        assert outcome.trajectory.derivative("s_dot", name)[-1] == pytest.approx(closed, rel=1e-8)
        assert slopes["broke_through"][name] is None
    assert outcome.passed


def test_command_writes_columns_and_metrics(tmp_path, capsys):
    out = tmp_path / "ball"
    words = ["run", "ball", "--engine", "reference", "--sensitivities", "speed,r_d", "--out", str(out)]
    assert main(words) == 0
    assert "derivatives by speed, r_d (exact)" in capsys.readouterr().out
    kept = json.loads((out / "summary.json").read_text())["sensitivities"]
    assert kept["by"] == ["speed", "r_d"]
    assert kept["method"] == "exact"
    assert kept["metrics"]["restitution"]["r_d"] == pytest.approx(-0.20815, rel=1e-3)
    table = np.load(out / "trajectory.npz") if (out / "trajectory.npz").exists() else None
    header = table.files if table is not None else (out / "trajectory.csv").read_text().splitlines()[0]
    assert "d(s_dot)/d(r_d)" in header


@pytest.mark.parametrize(
    ("name", "by", "message"),
    [
        ("ball", ["law"], "there is no derivative by law: it is a word"),
        ("ball", ["step"], "there is no derivative by step: the motion does not depend on it"),
        ("ball", "speed", "sensitivities must be a list of names, got 'speed'"),
        ("pendulum", ["mu_c"], "no derivative by mu_c at 0: a value beside it is refused .mu_s must not be below"),
        ("slope", ["mu_s"], "no derivative by mu_s at 0.5: a value beside it is refused .mu_s must not be below"),
    ],
)
def test_what_has_no_derivative_is_told(name, by, message):
    with pytest.raises(ParameterError, match=message):
        run(name, by)


def test_unknown_parameters_are_told():
    with pytest.raises(UnknownNameError, match="unknown parameter to differentiate by 'spede': did you mean 'speed'"):
        run("ball", ["spede"])


def test_engines_without_dual_numbers_are_differentiated_by_differences():
    found = run("drop", ["height"], law="newton").sensitivities
    assert found.method == "differences"
    scenario = find("drop")
    with pytest.raises(NotExactError, match="'drop' runs on an engine of its own, which has no exact derivatives"):
        differentiate(scenario, read_parameters(scenario.parameters, {"law": "newton"}), ["height"])


@pytest.mark.parametrize(
    ("name", "follower"), [("four_bar", "theta3"), ("slider_crank", "theta2"), ("double_rocker", "theta3")]
)
def test_closed_loops_are_differentiated_by_differences(name, follower):
    outcome = run(name, ["theta1_0", "speed"], time=0.01)
    columns = outcome.trajectory
    assert outcome.sensitivities.method == "differences"
    ratio = columns[f"{follower}_dot"][0] / columns["theta1_dot"][0]
    assert columns.derivative("theta1", "theta1_0")[0] == pytest.approx(1.0, rel=1e-9)
    assert columns.derivative(follower, "theta1_0")[0] == pytest.approx(ratio, rel=1e-5)
    assert columns.derivative(f"{follower}_dot", "speed")[0] == pytest.approx(ratio, rel=1e-9)
    kinetic = columns["kinetic"][0]
    slope = outcome.sensitivities.metrics["energy_start"]["speed"]
    assert slope == pytest.approx(2.0 * kinetic / columns["theta1_dot"][0], rel=1e-6)


def test_a_driven_loop_follows_its_drive():
    outcome = run("leg", ["hip_mean"], time=0.05)
    assert outcome.sensitivities.method == "differences"
    run_with_slopes = outcome.trajectory
    assert np.allclose(run_with_slopes.derivative("theta", "hip_mean"), 1.0, rtol=1e-9)
    held = sum(sign * run_with_slopes.derivative(name, "hip_mean") for name, sign in ENERGY_OF_A_DRIVE.items())
    assert np.allclose(held, held[0], rtol=1e-7)


def test_lists_of_numbers_have_a_slope_each():
    found = run("slider_crank", ["speed"], time=0.01).sensitivities.metrics
    assert all(isinstance(slope, float) for slope in found["reaction_start"]["speed"])


@pytest.mark.chrono
def test_chrono_is_differentiated_by_differences():
    found = run("ball", ["speed"], "chrono").sensitivities
    assert found.method == "differences"
    closed = found.metrics["closed_form_restitution"]["speed"]
    assert found.metrics["restitution"]["speed"] == pytest.approx(closed, rel=1e-3)
