import numpy as np
import pytest

from chrono_powercontact.scenarios.solids.rattleback import averaged, reversal


def test_averages_and_reversal():
    t = np.linspace(0.0, 1.0, 1001)
    spin = -1.0 + 2.0 * t + np.sin(2.0 * np.pi * 50.0 * t)
    assert averaged(t, spin, 0.1) == pytest.approx(-1.0 + 2.0 * (t[: 1001 - 99] + 0.0495), abs=1e-3)
    assert reversal(t, -1.0 + 2.0 * t) == pytest.approx(0.501, abs=1e-9)
    assert reversal(t, -np.ones(1001)) is None
