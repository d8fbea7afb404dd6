"""The yardstick of the filter's speed: it runs, and both filters estimate the same."""

import numpy as np
import pytest

from chrono_powercontact.bench import observer_speed as speed


def test_our_filter_carries_the_pendulum_with_contacts():
    observer = speed.our_filter()
    assert observer.model.states == ("phi1", "phi2", "phi1_dot", "phi2_dot", "Q_phi1", "Q_phi2")
    observer.update(speed.START[:2])
    assert np.isfinite(observer.x).all()


def test_the_step_handed_to_filterpy_is_the_step_of_our_filter():
    observer = speed.our_filter()
    step = speed.compiled_step(observer.model)
    np.testing.assert_allclose(step(speed.START, speed.SAMPLE_TIME), observer.predict(), atol=1e-4)
    assert np.abs(step(speed.START, speed.SAMPLE_TIME) - speed.START).max() > 1e-4


@pytest.mark.skipif(speed.missing() is not None, reason="filterpy is not installed")
def test_filterpy_estimates_the_same_and_both_are_timed():
    ours, other = speed.our_filter(), speed.filterpy_filter()
    for _ in range(5):
        ours.update(speed.START[:2])
        other.predict()
        other.update(speed.START[:2])
    np.testing.assert_allclose(ours.x[:4], other.x[:4], atol=1e-3)
    costs = speed.update_costs(3, 1)
    assert all(cost > 0.0 for cost in costs)


def test_what_is_missing_is_told_in_one_sentence(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "pip install filterpy" in speed.missing()
