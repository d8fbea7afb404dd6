import numpy as np
import pytest

from chrono_powercontact.scenarios.events import episodes, settled_since

T = np.linspace(0.0, 4.0, 401)


def test_crossings_are_interpolated():
    found = episodes(T, np.sin(np.pi * T + 0.1))
    assert found[:, 0] == pytest.approx([0.0, 2.0 - 0.1 / np.pi, 4.0 - 0.1 / np.pi], abs=1e-5)
    assert found[:, 1] == pytest.approx([1.0 - 0.1 / np.pi, 3.0 - 0.1 / np.pi, 4.0], abs=1e-5)


def test_short_pauses_are_bridged():
    x = np.sin(np.pi * T + 0.1)
    assert len(episodes(T, x, 0.5)) == 3
    assert episodes(T, x, 1.1) == pytest.approx(np.array([[0.0, 4.0]]))


def test_nothing_above_zero_is_no_episode():
    assert episodes(T, -np.ones_like(T)).shape == (0, 2)


def test_settling_is_the_last_time_it_was_loud():
    x = np.where(T < 2.5, 1.0, 1e-6)
    assert settled_since(T, x, 1e-3) == pytest.approx(2.5)
    assert settled_since(T, np.ones_like(T), 1e-3) is None
    assert settled_since(T, np.zeros_like(T), 1e-3) == 0.0
