from pathlib import Path

import numpy as np
import pytest

from chrono_powercontact.errors import DivergedError, ParameterError
from chrono_powercontact.scenarios.rake.motion.gauges import contact_heat, ledger_error, moved_work
from chrono_powercontact.scenarios.rake.motion.setup import joined_steps

REFERENCE = np.genfromtxt(Path(__file__).parents[2] / "data" / "rake_reference.csv", delimiter=",", names=True)


def deviation(run, column, reference):
    """Largest difference to the reference run over its range, up to the end of the run."""
    early = REFERENCE["t"] <= run["t"][-1]
    own = np.interp(REFERENCE["t"][early], run["t"], run[column])
    return np.abs(own - REFERENCE[reference][early]).max() / np.ptp(REFERENCE[reference])


def test_cycle_with_the_regularised_law_is_the_reference_run(outcome):
    run = outcome("rake_cleaner").trajectory
    for column in ("F1", "F2", "N", "F_t"):
        assert deviation(run, column, column) < 2e-3


def test_cycle_without_friction_is_the_reference_run(outcome):
    run = outcome("rake_cleaner", case="lc2", time=75).trajectory
    for column in ("F1", "F2", "N"):
        assert deviation(run, column, f"{column}_frictionless") < 2e-3
    assert np.all(run["F_t"] == 0.0)


def test_figures_of_the_cycle(outcome):
    result = outcome("rake_cleaner")
    metrics = result.metrics
    assert result.passed
    assert metrics["first_contact"] == pytest.approx(59.8, abs=0.15)
    assert metrics["friction_peak"] == pytest.approx(5.19e3, rel=0.01)
    assert metrics["friction_press"] == pytest.approx(-3.62e3, rel=0.01)
    assert metrics["friction_work"] == pytest.approx(18.2e3, rel=0.01)
    assert metrics["n_min"] == pytest.approx(680.0, rel=0.02)
    assert metrics["f1_min"] == pytest.approx(15.0e3, rel=0.01)
    assert metrics["N"]["119"] == pytest.approx(9.82e3, rel=2e-3)
    assert metrics["main_pulls"] == []
    assert metrics["real_time_factor"] > 0.0


def test_held_friction_creeps_away_under_the_regularised_law_with_the_time_constant_of_the_contact(outcome):
    run = outcome("rake_cleaner").trajectory
    early, late = (float(np.interp(t, run["t"], run["F_t"])) for t in (65.0, 66.0))
    compliance = np.array([[8.55e-6, -2.15e-6], [-2.15e-6, 8.78e-7]])
    stiffness = 1.0 / (compliance[1, 1] - compliance[0, 1] ** 2 / compliance[0, 0])
    assert 1.0 / np.log(early / late) == pytest.approx(1.5 * 0.65 * 1e4 / (5e-3 * stiffness), rel=0.08)
    assert abs(outcome("rake_cleaner").metrics["friction_hold"]) < 20.0


def test_an_anchored_contact_holds_its_friction_and_its_place(outcome):
    result = outcome("rake_cleaner", law="anchored", time=71)
    run, metrics = result.trajectory, result.metrics
    place = run["s"][(run["t"] > 65.0) & (run["t"] < 69.5)]
    assert result.passed
    assert -5.7e3 < metrics["friction_hold"] < -4.6e3
    assert np.ptp(place) < 1e-6
    assert metrics["max_energy_gain"] < 1e-6


@pytest.mark.parametrize("given", [{}, {"law": "anchored", "time": 71}])
def test_ledger_closes_and_the_contact_makes_no_energy(outcome, given):
    run = outcome("rake_cleaner", **given).trajectory
    assert np.abs(ledger_error(run)).max() < 1e-8 * moved_work(run)
    assert np.diff(contact_heat(run)).min() > -1e-6


def test_half_the_step_gives_the_same_forces(outcome):
    coarse, fine = outcome("rake_cleaner").metrics, outcome("rake_cleaner", time=62.5, step=5e-4).metrics
    assert coarse["F1"]["62"] == pytest.approx(fine["F1"]["62"], rel=1e-5)
    assert coarse["F_t"]["62"] == pytest.approx(fine["F_t"]["62"], rel=1e-4)


def test_statics_and_modes_are_those_of_the_reference(outcome):
    result = outcome("rake_cleaner", case="lc0")
    assert result.passed
    assert len(result.checks) == 25
    assert result.metrics["f1_hz"] == pytest.approx(1.65, rel=0.01)


@pytest.mark.parametrize("case", ["lc5", "lc6"])
def test_water_changes_the_cylinder_forces_as_in_the_reference(outcome, case):
    result = outcome("rake_cleaner", case=case)
    assert result.passed
    assert result.checks


def test_laws_side_by_side_part_while_the_rake_is_held(outcome):
    result = outcome("rake_cleaner", case="lc3b")
    held = result.metrics["hold_F_t"]
    assert result.passed
    assert abs(held["regularised"]) < 20.0 < abs(held["power"]) < 1e3 < 4.6e3 < abs(held["anchored"])
    assert result.metrics["hold_F1"]["anchored"] > 2.0 * result.metrics["hold_F1"]["regularised"]


def test_versions_in_free_travel(outcome):
    result = outcome("rake_cleaner", case="lc1", time=41)
    assert result.passed
    assert len(result.checks) == 9


def test_smoothing_makes_a_logged_drive_usable(outcome):
    ripple = outcome("rake_cleaner", case="lc4", time=16).metrics["ripple_F1"]
    assert ripple["logged"] > 1e5
    assert ripple["lowess"] < 0.02 * ripple["logged"]
    assert ripple["mean"] < 0.5 * ripple["lowess"]


@pytest.mark.parametrize("case", ["lc4", "lc7", "lc8", "lc9", "lc10"])
def test_claim_of_the_whole_run_holds(outcome, case):
    result = outcome("rake_cleaner", case=case)
    assert result.passed, [check.text for check in result.checks if not check.passed]
    assert len(result.checks) >= 4


def test_misplaced_rack_meets_the_reference_after_69_s(outcome):
    metrics = outcome("rake_cleaner", case="lc7").metrics
    assert metrics["N"]["100"] == pytest.approx(8.19e3, rel=1e-2)
    assert metrics["N"]["119"] == pytest.approx(11.60e3, rel=1e-2)
    assert metrics["F2"]["119"] == pytest.approx(225e3, rel=1e-2)


@pytest.mark.parametrize(
    "given", [{"version": "v1"}, {"version": "v3"}, {"arms": "rigid"}, {"rack_angle": 70.0}], ids=str
)
def test_statics_of_every_machine_are_judged(outcome, given):
    result = outcome("rake_cleaner", case="lc0", **given)
    assert result.passed
    assert len(result.checks) >= 10


def test_a_short_sweep_is_judged_by_the_reference_run(outcome):
    result = outcome("rake_cleaner", case="lc8", time=62)
    assert result.passed
    assert any("reference run" in check.text for check in result.checks)


def test_a_misplaced_rack_presses_more_and_asks_the_main_cylinders_to_pull(outcome):
    result = outcome("rake_cleaner", case="lc7", time=69)
    assert result.metrics["N"]["68"] == pytest.approx(12.3e3, rel=0.02)
    assert result.metrics["f1_min"] < 0.0
    (begin, end), *_ = result.metrics["main_pulls"]
    assert 62.0 < begin < end <= 69.0
    assert any("would have to pull" in check.text for check in result.checks)


def test_main_cylinders_that_would_pull_fail_the_claim_of_an_ordinary_run(outcome):
    result = outcome("rake_cleaner", rack_offset=0.02, time=69)
    assert not result.passed
    assert any("would have to pull" in check.text for check in result.checks if not check.passed)


def test_more_friction_presses_less(outcome):
    run = outcome("rake_cleaner", case="lc8", time=62).trajectory
    pressing = [run[f"N_{pair}"][-1] for pair in ("0.4/0.3", "0.5/0.4", "0.65/0.5")]
    assert pressing == sorted(pressing, reverse=True)


def test_the_rake_stays_on_the_concrete_above_the_rack(outcome):
    result = outcome("rake_cleaner", case="lc10")
    run = result.trajectory
    concrete = (run["t"] > 128.0) & (run["t"] < 137.0)
    assert run["s"][concrete].max() > 7.5
    assert run["N"][concrete].min() > 100.0
    assert run["N"].max() > 10e3
    assert result.metrics["ledger_error"] < 1e-8


def test_flow_buoyancy_and_debris_close_the_ledger(outcome):
    run = outcome("rake_cleaner", flow=0.73, buoyancy=True, debris=300, time=59).trajectory
    still = outcome("rake_cleaner").trajectory
    assert np.abs(ledger_error(run)).max() < 1e-5 * moved_work(run)
    forces = [float(np.interp(58.0, x["t"], x["F1"])) for x in (run, still)]
    assert forces[0] < forces[1] - 2e4
    assert run["F1"][0] == pytest.approx(still["F1"][0])


def test_rigid_arms_press_harder(outcome):
    rigid = outcome("rake_cleaner", arms="rigid", time=65).metrics
    assert rigid["N"]["64"] > 1.2 * outcome("rake_cleaner").metrics["N"]["64"]
    assert rigid["f1_hz"] > 2.5


def test_a_segment_that_stands_forward_presses_more_below(outcome):
    forward = outcome("rake_cleaner", rack="segmented", time=65).metrics
    assert forward["N"]["64"] > outcome("rake_cleaner").metrics["N"]["64"] + 1e3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"mu_s": 0.4}, r"mu_s must not be below mu_d, got mu_s=0\.4 and mu_d=0\.5"),
        ({"v_d": 0.004}, "v_d must be greater than v_s"),
        ({"rack_offset": -1.0}, "the drive must bring the rake to the rack, got a smallest gap of"),
        ({"rack_offset": 6.0}, "the rake must begin in front of the rack"),
        ({"law": "smc"}, "law 'smc' needs the engine chrono"),
        ({"command": "nowhere.csv"}, "the command file 'nowhere.csv' cannot be read"),
    ],
)
def test_impossible_runs_are_refused_in_one_sentence(outcome, given, message):
    with pytest.raises(ParameterError, match=message):
        outcome("rake_cleaner", **given)


def test_a_command_file_of_the_user_is_followed(outcome, tmp_path):
    from chrono_powercontact.scenarios.rake.machine.drive import PACKAGED

    path = tmp_path / "Half as fast.csv"
    titles, *rows = PACKAGED.read_text().splitlines()
    slow = [f"{2.0 * float(t)},{rest}" for t, rest in (row.split(",", 1) for row in rows)]
    path.write_text("\n".join([titles, *slow]) + "\n")
    run, usual = outcome("rake_cleaner", command=str(path), time=40).trajectory, outcome("rake_cleaner").trajectory
    assert run["c1"][-1] == pytest.approx(float(np.interp(20.0, usual["t"], usual["c1"])), abs=1e-6)
    assert run["F1"][-1] == pytest.approx(float(np.interp(20.0, usual["t"], usual["F1"])), rel=5e-3)


def test_a_command_that_ends_early_is_refused(outcome, tmp_path):
    from chrono_powercontact.scenarios.rake.machine.drive import PACKAGED

    path = tmp_path / "short.csv"
    path.write_text("\n".join(PACKAGED.read_text().splitlines()[:150]) + "\n")
    with pytest.raises(ParameterError, match=r"the command ends at .* s, the run would take until 125 s"):
        outcome("rake_cleaner", command=str(path))


def test_largest_stable_step_falls_with_the_threshold_speed(outcome):
    from chrono_powercontact.scenarios.catalogue import find
    from chrono_powercontact.scenarios.parameters import read_parameters

    scenario = find("rake_cleaner")
    limits = [scenario.stable_step(read_parameters(scenario.parameters, {"v_s": v})) for v in (5e-3, 1e-3)]
    assert limits[0] / limits[1] == pytest.approx(5.0)
    assert 1e-3 < limits[0] < 2.5e-3


def test_steps_off_the_rack_are_joined_into_whole_records():
    assert [joined_steps(*x) for x in ((1e-3, 20), (5e-4, 40), (2e-3, 10), (5e-3, 4), (6.25e-4, 32))] == [2, 4, 1, 1, 2]


def test_too_large_a_step_is_said_to_diverge(outcome):
    with pytest.raises(DivergedError, match="is no longer finite"):
        outcome("rake_cleaner", step=2e-2, time=10)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rack_offset": 5.0}, r"may aim 0\.3 m behind the rack at most, got 5\.\d+ m \(offset 5 m"),
        ({"case": "lc9", "time": 3}, r"case lc9 always takes 241\.05 s: leave time out, got time=3"),
        ({"flow": 1000}, "flow"),
    ],
)
def test_impossible_wishes_are_refused_before_a_run(outcome, given, message):
    with pytest.raises(ParameterError, match=message):
        outcome("rake_cleaner", **given)


def test_a_short_run_with_a_closer_rack_is_not_judged_by_what_comes_later(outcome):
    result = outcome("rake_cleaner", case="lc7", time=3)
    assert [check.passed for check in result.checks] == [True]


def test_pictures_are_drawn(outcome):
    from matplotlib.figure import Figure

    from chrono_powercontact.scenarios.catalogue import find

    result, figure = outcome("rake_cleaner"), Figure()
    find("rake_cleaner").plot(result, figure)
    assert len(figure.axes) == 4
    redraw = find("rake_cleaner").animate(result, Figure().add_subplot())
    redraw(len(result.trajectory) - 1)
