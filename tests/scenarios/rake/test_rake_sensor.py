import pytest


def test_two_cylinder_forces_tell_pressing_force_and_friction_coefficient(outcome):
    result = outcome("rake_sensor")
    metrics = result.metrics
    assert result.passed
    assert metrics["n_error"] < 0.02
    assert metrics["mu_mean"] == pytest.approx(0.50, abs=0.01)
    low, high = metrics["mu_interval"]
    assert 0.47 < low < high < 0.53
    assert metrics["mu_true"] == pytest.approx(0.5, abs=1e-3)


def test_a_filter_that_rides_along_agrees(outcome):
    metrics = outcome("rake_sensor").metrics
    assert metrics["cdkf_mu_mean"] == pytest.approx(0.50, abs=0.02)
    assert metrics["cdkf_n_error"] < 0.03
