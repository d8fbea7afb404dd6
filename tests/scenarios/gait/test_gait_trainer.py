import numpy as np
import pytest

from chrono_powercontact.app.runner import choose_engine
from chrono_powercontact.errors import DivergedError, ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.gait.leg.drives import EXERCISES
from chrono_powercontact.scenarios.gait.leg.simulate import run_stage
from chrono_powercontact.scenarios.gait.leg.stages import S_RANGE, stage
from chrono_powercontact.scenarios.gait.leg.trainer_leg import REST


@pytest.mark.parametrize(
    "given",
    [{}, {"friction": "sharp"}, {"friction": "lugre"}, {"scenario": 1}, {"scenario": 3, "stage": "s4"},
     {"scenario": 3, "stage": "s4", "foot": "point"}, {"memory": "lti"}, {"friction": "sharp", "memory": "anchored"}],
)  # fmt: skip
def test_claim_holds(outcome, given):
    result = outcome("gait_trainer", **given)
    assert result.passed, result.checks
    assert result.metrics["ledger_error"] < 1e-6


@pytest.mark.parametrize("friction", ["sharp", "lugre"])
def test_knee_stop_is_hit_at_1_1_s_and_the_slide_stands_until_3_s(outcome, friction):
    metrics = outcome("gait_trainer", friction=friction).metrics
    assert metrics["knee_contact"] == pytest.approx(1.10, abs=0.01)
    assert metrics["slide_moves"] == pytest.approx(3.17, abs=0.06)
    assert metrics["creep"] < 2e-3
    assert metrics["least_knee_angle"] == pytest.approx(-0.0223, abs=1e-3)


def test_friction_of_the_table_lets_the_slide_swing_where_sharper_friction_holds_it(outcome):
    soft, sharp = (outcome("gait_trainer", friction=name).metrics for name in ("table", "sharp"))
    assert soft["creep"] > 20.0 * sharp["creep"]
    assert soft["knee_contact"] == pytest.approx(1.081, abs=2e-3)


def test_anchored_friction_does_not_creep(outcome):
    anchored = outcome("gait_trainer", friction="sharp", memory="anchored").metrics
    assert anchored["creep"] < 0.6 * outcome("gait_trainer", friction="sharp").metrics["creep"]
    assert anchored["slide_moves"] == pytest.approx(3.17, abs=0.06)


def test_all_stops_and_the_foot_are_reached_in_the_third_exercise(outcome):
    metrics = outcome("gait_trainer", scenario=3, stage="s4").metrics
    assert metrics["peak_foot_force"] > 100.0
    assert 0.0 < metrics["least_foot_distance"] < 0.01
    stops = outcome("gait_trainer", scenario=3, stage="s3").metrics
    assert min(stops["peak_slide_stops"]) > 100.0
    assert S_RANGE[0] < stops["slide_range"][0] < stops["slide_range"][1] < S_RANGE[1]


def test_leg_at_rest_stays_at_rest(outcome):
    run = outcome("gait_trainer", stage="s0", time=1.0).trajectory
    assert np.ptp(run["phi"]) < 1e-9
    assert np.ptp(run["s"]) < 1e-9


def test_coriolis_terms_matter_for_the_ledger_and_little_for_the_motion(outcome):
    with_them, without = (outcome("gait_trainer", friction="sharp", coriolis=value) for value in (True, False))
    assert without.metrics["ledger_error"] > 1e3 * with_them.metrics["ledger_error"]
    assert np.abs(with_them.trajectory["phi"] - without.trajectory["phi"]).max() < 0.02
    assert without.metrics["knee_contact"] == pytest.approx(1.0998, abs=1e-3)


def test_run_converges_with_the_fourth_order_through_jump_and_impact():
    drive, _ = EXERCISES[2]
    ends = [run_stage(stage("s3", coriolis=True), drive, h, 1.3).data[-1, 1:5] for h in (2e-4, 1e-4, 2.5e-5)]
    coarse, fine = (np.abs(end - ends[-1]).max() for end in ends[:2])
    assert coarse < 1e-7
    assert 12.0 < coarse / fine < 24.0


def test_drives_that_pull_the_bare_leg_apart_are_told():
    with pytest.raises(DivergedError, match=r"stretched out of its reach after .* s: the drives pull it") as e:
        run_stage(stage("s0"), EXERCISES[3][0], 1e-3, 4.0)
    assert len(e.value.trajectory) > 1000


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"phi_0": 1.6, "s_0": 0.0}, "the leg cannot reach"),
        ({"l_us": 0.1}, "the leg cannot reach"),
        ({"phi_0": 0.7}, "the knee is over-stretched at the start"),
        ({"scenario": 4}, "scenario must be at least 1 and at most 3"),
        ({"scenario": 1.5}, "scenario must be a whole number"),
        ({"m_sl": 0.0}, "m_sl must be greater than 0"),
    ],
)
def test_bad_input_is_told_in_one_sentence(outcome, given, message):
    with pytest.raises(ParameterError, match=message):
        outcome("gait_trainer", **given)


def test_start_and_every_are_checked():
    with pytest.raises(ParameterError, match="every must be an integer"):
        run_stage(stage("s0"), EXERCISES[1][0], 1e-3, 1.0, REST, 0)
    with pytest.raises(ParameterError, match="step must be greater than 0"):
        run_stage(stage("s0"), EXERCISES[1][0], 0.0, 1.0)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"coriolis": "false"}, "without Coriolis terms"),
        ({"stage": "s4", "foot": "slide"}, "foot=slide"),
    ],
)
def test_what_chrono_cannot_do_goes_to_the_reference_engine(given, reason):
    assert choose_engine(find("gait_trainer"), given, "auto")[0] == "reference"
    with pytest.raises(ParameterError, match=reason):
        choose_engine(find("gait_trainer"), given, "chrono")


def test_pictures_are_drawn(outcome, tmp_path):
    from matplotlib.figure import Figure

    from chrono_powercontact.report.figure import save_plot

    result, scenario = outcome("gait_trainer"), find("gait_trainer")
    save_plot(scenario, result, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 20_000
    axes = Figure().add_subplot()
    scenario.animate(result, axes)(250)
    assert "t = 0.25 s" in axes.get_title()
