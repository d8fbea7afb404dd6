import numpy as np
import pytest


def test_map_meets_the_closed_form(outcome):
    run = outcome("restitution_map", n_speed=12, n_r_d=12)
    assert run.metrics["max_closed_form_error"] < 1e-5
    assert run.metrics["impacts"] == 144
    assert run.passed


def test_restitution_falls_with_speed_and_with_dissipation(outcome):
    e = outcome("restitution_map", n_speed=12, n_r_d=12).trajectory["restitution"].reshape(12, 12)
    assert np.all(np.diff(e, axis=0) < 0.0)
    assert np.all(np.diff(e, axis=1) < 0.0)


def test_map_agrees_with_single_balls(outcome):
    grid = {"speed_min": 1.0, "speed_max": 2.0, "r_d_min": 0.5, "r_d_max": 1.0}
    run = outcome("restitution_map", n_speed=2, n_r_d=2, **grid).trajectory
    single = outcome("ball", speed=2.0, r_d=0.5).metrics
    row = run.data[(run["speed"] == 2.0) & (run["r_d"] == 0.5)][0]
    assert abs(row[2] - single["restitution"]) < 1e-8
    assert row[4] == pytest.approx(single["peak_force"], rel=1e-4)  # the largest record, and a parabola through it
