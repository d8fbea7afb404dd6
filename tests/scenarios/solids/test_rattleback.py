"""The spin of a rattleback: its running mean, its reversal, and when Kane and Levinson's reverses."""

import numpy as np
import pytest

from chrono_powercontact.scenarios.solids.rattleback import RattlebackParameters, averaged, reversal


def test_averages_and_reversal():
    t = np.linspace(0.0, 1.0, 1001)
    spin = -1.0 + 2.0 * t + np.sin(2.0 * np.pi * 50.0 * t)
    middles, means = averaged(t, spin, 0.1)
    assert means == pytest.approx(-1.0 + 2.0 * middles, abs=1e-3)
    assert middles[0] == pytest.approx(0.0495)
    assert reversal(t, -1.0 + 2.0 * t) == pytest.approx(0.501, abs=1e-9)
    assert reversal(t, -np.ones(1001)) is None


def test_rolling_rattleback_reverses_when_kane_and_levinson_s_does():
    """4.17 s, with a tilt about the long axis alone; tilted about both it takes 2.5 s."""
    p = RattlebackParameters()
    times = np.linspace(0.0, 4.3, 4301)
    start = p.start()
    _, turning, _ = p.rigid().roll(start.turn, start.turning, times)
    assert reversal(times, turning[:, 2]) == pytest.approx(4.17, abs=0.01)
