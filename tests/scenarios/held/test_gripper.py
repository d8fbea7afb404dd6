import pytest


def test_cube_is_held(outcome):
    run = outcome("gripper", time=2.0)
    assert run.metrics["drift"] < 1e-10
    assert abs(run.metrics["way"]) < 5e-6
    assert run.metrics["friction"] == pytest.approx(0.5 * 9.81, rel=1e-9)
    assert run.passed


def test_cube_is_held_near_the_limit(outcome):
    assert outcome("gripper", time=2.0, press=1.02 * 0.5 * 9.81).passed


def test_too_little_press_drops_it_as_coulomb_says(outcome):
    run = outcome("gripper", time=2.0, press=4.0)
    assert run.metrics["end_speed"] == pytest.approx((9.81 - 2 * 0.5 * 4.0 / 0.5) * 2.0, rel=2e-3)
    assert run.passed


def test_without_an_anchor_it_creeps_down_as_the_closed_form_says(outcome):
    run = outcome("gripper", time=2.0, memory="lpv")
    assert run.metrics["end_speed"] == pytest.approx(run.metrics["closed_form_creep"], rel=2e-3)
    assert not run.passed


def test_jaws_carry_half_of_the_weight_each(outcome):
    run = outcome("gripper", time=2.0).trajectory
    left, right = (-sum(run[f"Ft_{i}"][-1] for i in pair) for pair in ((1, 3), (2, 4)))
    assert left == pytest.approx(right, rel=1e-6)


def test_ledger_closes_and_the_cube_gains_nothing(outcome):
    run = outcome("gripper", time=2.0)
    assert abs(run.trajectory.ledger_error).max() < 1e-9
    assert run.metrics["energy_gain"] < 1e-12
