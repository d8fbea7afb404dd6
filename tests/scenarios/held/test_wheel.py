import math

import pytest


def braking(angle, arm=0.02, radius=0.3):
    return 9.81 * (arm / radius * math.cos(angle) - math.sin(angle)) / 1.5


def test_wheel_rolls_to_rest_and_stays(outcome):
    run = outcome("wheel", time=6.0)
    assert run.metrics["way"] == pytest.approx(0.5 / braking(math.radians(1.0)), rel=1e-3)
    assert run.metrics["closed_form_stop_time"] == pytest.approx(1.0 / braking(math.radians(1.0)))
    assert run.metrics["drift"] < 1e-5
    assert run.passed


def test_on_the_level_the_way_is_the_textbooks(outcome):
    run = outcome("wheel", time=4.0, angle=0.0)
    assert run.metrics["way"] == pytest.approx(1.5 * 0.3 / (2.0 * 9.81 * 0.02), rel=1e-3)


def test_it_rolls_without_slipping(outcome):
    assert outcome("wheel", time=6.0).metrics["slip"] < 1e-3


def test_a_steeper_slope_keeps_it_rolling(outcome):
    run = outcome("wheel", time=2.0, angle=6.0)
    assert run.metrics["closed_form_way"] is None
    assert run.metrics["end_speed"] == pytest.approx(1.0 - 2.0 * braking(math.radians(6.0)), rel=2e-3)
    assert run.passed


@pytest.mark.parametrize("share", [0.95, 1.05])
def test_from_rest_the_limit_is_arm_over_radius(outcome, share):
    angle = math.degrees(math.atan(share * 0.02 / 0.3))
    run = outcome("wheel", time=3.0, speed=0.0, angle=angle)
    assert (run.metrics["way"] > 1e-3) == (share > 1.0)
    assert run.passed


def test_ledger_closes(outcome):
    run = outcome("wheel", time=6.0).trajectory
    assert abs(run.ledger_error).max() < 1e-4 * run["kinetic"][0]
