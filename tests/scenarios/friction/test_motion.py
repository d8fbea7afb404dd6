import numpy as np
import pytest

from chrono_powercontact.scenarios.friction.motion import Motion

WITH_RESTS = Motion((1.0, 0.5), 0.25, rests_first=True)


def test_stretches_begin_after_the_rests():
    assert WITH_RESTS.begins.tolist() == [0.25, 1.5]
    assert WITH_RESTS.end == 2.25
    assert Motion((3.0,), 0.5).begins.tolist() == [0.0]


def test_each_stretch_begins_at_zero_and_rests_are_still():
    t = np.linspace(0.0, WITH_RESTS.end, 2251)
    v = WITH_RESTS.speed(t, 0.1, 1.0)
    assert v.max() == pytest.approx(0.1)
    assert v.min() == pytest.approx(-0.1)
    resting = (t < 0.25) | ((t > 1.25) & (t < 1.5)) | (t > 2.0)
    assert not v[resting].any()
    assert np.abs(np.diff(v)).max() < 1e-3


def test_rests_know_the_sign_of_the_motion_before():
    assert WITH_RESTS.rests(1.0) == [(0.25, 0), (1.5, -1), (2.25, 1)]
    assert Motion((3.0,), 0.5).rests(1.0) == [(3.5, -1)]
