import pytest


def test_slips_meet_the_table(outcome):
    metrics = outcome("stick_slip_2d").metrics
    assert metrics["slip_starts"] == pytest.approx([1.1962, 2.3758, 3.3097, 4.5802], abs=2e-4)
    assert metrics["slip_ends"] == pytest.approx([1.5504, 2.7520, 3.6747, 4.9449], abs=2e-4)
    assert metrics["peaks_q_d1"] == pytest.approx([1.281, 1.398, 1.267, 1.407], abs=1e-3)
    assert metrics["peaks_norm"] == pytest.approx([1.407, 1.406, 1.407, 1.412], abs=1e-3)
    assert metrics["peak_q_d2"] == pytest.approx(0.612, abs=1e-3)
    assert metrics["final_position"] == pytest.approx([0.42732, -0.02888], abs=5e-5)
    assert metrics["max_speed"] == pytest.approx(0.499, abs=1e-3)


def test_sideways_force_stays_below_coulomb(outcome):
    assert outcome("stick_slip_2d").metrics["peak_q_d2"] < 1.0


def test_straight_pull_is_the_one_dimensional_case(outcome):
    plane = outcome("stick_slip_2d", amplitude=0.0, memory="point").metrics["slip_starts"]
    line = outcome("stick_slip").metrics["slip_starts"]
    assert plane == pytest.approx(line, abs=1e-3)


@pytest.mark.parametrize("given", [{"step": 9.8e-5}, {"step": 5e-5}, {"memory": "point"}], ids=str)
def test_friction_settles_once_the_pull_stops(outcome, given):
    assert outcome("stick_slip_2d", **given).metrics["rest_chatter"] < 1e-2


def test_chatter_at_the_thesis_step_depends_on_round_off_and_stays_bounded(outcome):
    assert outcome("stick_slip_2d").metrics["rest_chatter"] < 0.3


@pytest.mark.parametrize("memory", ["coordinate", "point", "anchored"])
def test_both_directions_slip_in_every_slip(outcome, memory):
    run = outcome("stick_slip_2d", memory=memory)
    assert run.passed, run.checks
    assert any("slower direction" in check.text for check in run.checks)


def test_only_filters_per_coordinate_hold_more_than_the_law(outcome):
    most = 1.40759
    assert outcome("stick_slip_2d").metrics["largest_norm"] == pytest.approx(1.412, abs=1e-3)
    assert outcome("stick_slip_2d", memory="point").metrics["largest_norm"] < most
    assert outcome("stick_slip_2d", memory="anchored").metrics["largest_norm"] < 1.4 * (1.0 + 1e-3)
