import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.gait import gait_identification
from chrono_powercontact.scenarios.gait.leg.drives import EXERCISES
from chrono_powercontact.scenarios.gait.leg.simulate import run_stage
from chrono_powercontact.scenarios.gait.leg.stages import stage
from chrono_powercontact.scenarios.gait.study.beside import beside_of, with_beside
from chrono_powercontact.scenarios.gait.study.identify import NAMES, Identified, identify, values_of, with_values
from chrono_powercontact.scenarios.gait.study.replay import Recording, replay
from chrono_powercontact.scenarios.parameters import read_parameters

TRUTH = [getattr(read_parameters(find("gait_identification").parameters, {}), name) for name in NAMES]
"""Values of the leg that is recorded."""


def test_friction_and_knee_stop_are_found_with_their_intervals(outcome):
    result = outcome("gait_identification")
    metrics = result.metrics
    assert result.passed, result.checks
    assert metrics["friction_error"] < 0.005
    assert metrics["knee_error"] < 0.06
    assert metrics["inside"] >= 7
    for name, true in zip(NAMES, TRUTH, strict=True):
        value, half = metrics[name]
        assert value == pytest.approx(true, abs=2.0 * half), name
    assert np.abs(values_of(stage("s3")) / TRUTH - 1.0).min() > 0.05


def test_fit_follows_what_was_measured_and_the_first_guess_does_not(outcome):
    run = outcome("gait_identification").trajectory
    off = {kind: np.sqrt(np.mean((run[f"{kind}_phi"] - run["measured_phi"]) ** 2)) for kind in ("first", "fitted")}
    assert off["fitted"] == pytest.approx(5e-4, rel=0.1)
    assert off["first"] > 5.0 * off["fitted"]


def test_values_go_in_and_come_out():
    assert values_of(with_values(stage("s3"), TRUTH)) == pytest.approx(TRUTH, rel=1e-12)


def test_interval_holds_what_is_near():
    found = Identified(np.array([1.0, 2.0]), np.array([0.1, 0.1]), 1.0, 3)
    assert found.inside([1.05, 2.2]).tolist() == [True, False]


def recording():
    run = run_stage(stage("s3"), EXERCISES[1][0].held(), 2e-4, 2.0, every=50)
    return Recording(np.column_stack([run["M"], run["F"]]), np.column_stack([run["phi"], run["s"]]))


def test_replay_is_the_recorded_run():
    recorded = recording()
    assert replay(stage("s3"), recorded, 1e-3) == pytest.approx(recorded.ys[1:], abs=1e-6)


def test_start_is_the_mean_until_the_first_input():
    us, ys = np.zeros((4, 2)), np.array([[1.0, 0.0], [3.0, 2.0], [9.0, 9.0], [9.0, 9.0]])
    us[2:] = 1.0
    assert Recording(us, ys).start.tolist() == [2.0, 1.0]
    assert Recording(us + 1.0, ys).start.tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("us", "ys", "message"),
    [
        (np.zeros((4, 2)), np.zeros((5, 2)), "as many rows of M and F as of phi and s"),
        (np.zeros((4, 3)), np.zeros((4, 3)), "as many rows"),
        (np.zeros((4, 2)), np.full((4, 2), np.nan), "must be finite"),
    ],
)
def test_recordings_that_cannot_be_used_are_told(us, ys, message):
    with pytest.raises(ParameterError, match=message):
        Recording(us, ys)


def test_steps_stages_and_noises_that_cannot_be_used_are_told():
    recorded = recording()
    with pytest.raises(ParameterError, match=r"0.01 s must be a whole multiple of the step 0.003 s"):
        replay(stage("s3"), recorded, 3e-3)
    with pytest.raises(ParameterError, match="needs a stage with a knee stop"):
        identify(stage("s2"), [recorded], (1e-3, 1e-3))
    with pytest.raises(ParameterError, match="noise must be greater than 0"):
        identify(stage("s3"), [recorded], (0.0, 1e-3))


def test_impossible_truth_is_told(outcome):
    with pytest.raises(ParameterError, match="f_s must"):
        outcome("gait_identification", hip_f_s=1.0)


def test_numbers_beside_go_in_and_come_out():
    anchored = stage("s3", friction="sharp", memory="anchored")
    shape = [0.02, 0.03, 2e-3, 5e-3, 0.01, 0.015, 4e-4, 5e-3]
    assert beside_of(with_beside(anchored, shape)).tolist() == shape
    with pytest.raises(ParameterError, match="only anchored friction has a presliding"):
        beside_of(stage("s3"))


def test_the_rule_of_the_thesis_finds_the_pressed_stop(outcome):
    metrics = outcome("gait_identification").metrics
    assert metrics["rule_r_t"] == pytest.approx(120.0, rel=0.05)
    assert metrics["rule_r_c"] == pytest.approx(-8e-3, abs=5e-4)


def largest_friction(plant):
    scenario = find("gait_identification")
    run = scenario.run_plant(read_parameters(scenario.parameters, {"plant": plant}), 1)
    return np.abs(run["Q_hip"]).max(), np.abs(run["Q_slide"]).max()


def test_bristles_never_reach_their_stiction():
    hip, slide = largest_friction("lugre")
    assert 4.6 < hip < 0.9 * 5.6
    assert 31.0 < slide < 0.95 * 42.0


@pytest.mark.chrono
def test_a_leg_on_chrono_is_recorded_like_that_of_the_model(monkeypatch):
    monkeypatch.setitem(gait_identification.RECORDED, 1, 1.0)
    scenario = find("gait_identification")
    p = read_parameters(scenario.parameters, {"plant": "chrono"})
    on_chrono = scenario.record(p, 1)
    assert replay(scenario.truth(p), on_chrono, 1e-3) == pytest.approx(on_chrono.ys[1:], abs=3e-3)


def test_pictures_are_drawn(outcome, tmp_path):
    from matplotlib.figure import Figure

    from chrono_powercontact.report.figure import save_plot

    result, scenario = outcome("gait_identification"), find("gait_identification")
    save_plot(scenario, result, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 20_000
    axes = Figure().add_subplot()
    scenario.animate(result, axes)(250)
    assert "t = 2.51 s" in axes.get_title()
