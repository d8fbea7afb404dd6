import math

import pytest

LIMIT = math.degrees(math.atan((1.0 - 0.5 * 0.3) / (2.0 * 0.5)))


def test_limit_angle_is_the_textbooks(outcome):
    assert outcome("ladder", time=2.0).metrics["limit_angle"] == pytest.approx(LIMIT)
    assert outcome("ladder", time=2.0, mu_wall=0.0, angle=60.0).metrics["limit_angle"] == pytest.approx(45.0)


@pytest.mark.parametrize("given", [{}, {"angle": LIMIT + 0.5}, {"angle": 45.5, "mu_wall": 0.0}, {"angle": 75.0}])
def test_ladder_stands_above_the_limit(outcome, given):
    run = outcome("ladder", time=2.0, **given)
    assert run.metrics["drift"] < 1e-8
    assert run.passed


@pytest.mark.parametrize("given", [{"angle": LIMIT - 0.5}, {"angle": 44.5, "mu_wall": 0.0}])
def test_ladder_slips_below_the_limit(outcome, given):
    run = outcome("ladder", time=2.0, **given)
    assert run.metrics["end_angle"] < 10.0
    assert run.passed


def test_fallen_ladder_lies_on_the_floor(outcome):
    run = outcome("ladder", time=4.0, angle=30.0)
    assert abs(run.metrics["end_angle"]) < 1.0
    assert run.trajectory["F_top"][-1] + run.trajectory["F_floor"][-1] == pytest.approx(5.0 * 9.81, rel=0.02)


def test_forces_balance(outcome):
    metrics = outcome("ladder", time=2.0).metrics
    assert metrics["upward"] == pytest.approx(metrics["weight"], rel=1e-9)
    assert metrics["sideways"] == pytest.approx(0.0, abs=1e-6)
    assert metrics["turning"] == pytest.approx(0.0, abs=0.1)  # the radius of the ends is left out


def test_near_the_limit_floor_and_wall_are_nearly_exhausted(outcome):
    metrics = outcome("ladder", time=2.0, angle=LIMIT + 0.5).metrics
    assert 0.95 < metrics["used_floor"] <= 1.0
    assert 0.9 < metrics["used_wall"] <= 1.0


def test_without_an_anchor_it_creeps(outcome):
    run = outcome("ladder", time=2.0, memory="lpv")
    assert run.metrics["drift"] > 2e-5
    assert not run.passed
