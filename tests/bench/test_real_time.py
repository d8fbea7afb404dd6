"""The soft real-time loop, for a moment: every period is worked on, and its jitter is told."""

import numpy as np

from chrono_powercontact.bench.real_time import RealTime, real_time_loop


def test_a_short_loop_runs_and_tells_its_jitter():
    loop = real_time_loop(0.2)
    assert len(loop.late) == len(loop.busy) == 201
    assert loop.late.min() >= 0.0
    assert loop.error < 0.02
    assert "201 periods of 1 ms: starts late by" in loop.sentence


def test_overruns_are_counted():
    assert RealTime(np.zeros(3), np.array([5e-4, 2e-3, 1e-3]), 0.0).overruns == 1
