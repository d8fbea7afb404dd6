import math

import numpy as np
import pytest


def test_box_is_where_it_was_after_every_swing(outcome):
    run = outcome("rocking_slope", time=3.0)
    assert run.metrics["drift"] < 1e-9
    assert run.metrics["swings"] == 3
    assert run.passed


def test_without_an_anchor_every_swing_loses_what_the_creep_speed_says(outcome):
    run = outcome("rocking_slope", memory="lpv", time=3.0)
    assert run.metrics["drift"] == pytest.approx(run.metrics["closed_form_drift"], rel=0.15)
    assert not run.passed


def test_beyond_the_friction_angle_it_slides(outcome):
    run = outcome("rocking_slope", angle=32, time=3.0)
    assert run.metrics["drift"] > 0.01
    assert run.passed


def test_friction_balances_the_slope_at_its_steepest(outcome):
    """The slope turns back there: its acceleration is omega^2 angle/2 at the height of the box's middle."""
    run = outcome("rocking_slope", time=3.0).trajectory
    i = int(np.searchsorted(run["t"], 2.5))
    pull = sum(run[f"Ft_{k}"][i] for k in range(1, 5))
    angle = math.radians(20.0)
    turning = 0.5 * angle * (2.0 * math.pi) ** 2 * run["z"][i]
    assert pull == pytest.approx(9.81 * math.sin(angle) + turning, rel=2e-3)


def test_slope_swings_between_level_and_its_angle(outcome):
    theta = np.degrees(outcome("rocking_slope", time=3.0).trajectory["theta"])
    assert theta.min() == pytest.approx(0.0, abs=1e-12)
    assert theta.max() == pytest.approx(20.0, abs=1e-6)
