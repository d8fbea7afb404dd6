"""The leg in Chrono: its coordinates come back, and its motors follow their motion."""

import math

import numpy as np
import pytest

from chrono_powercontact.chrono.run.chrono_leg import LegState, Swing, chrono_leg, leg_state, motor_loads
from chrono_powercontact.lagrange.loops.loops import LoopSystem
from chrono_powercontact.lagrange.loops.mechanisms import LEG, leg_on_slide
from chrono_powercontact.lagrange.system import System

pytestmark = pytest.mark.chrono


def start():
    system = LoopSystem(leg_on_slide(), System(leg_on_slide().tree, LEG))
    x = system.state([0.35, 0.67, 0.87, 0.1], [0.3, -0.1], ["theta", "s"])
    return LegState(x[:4], x[4:8], system.project(x).acceleration)


def test_coordinates_come_back():
    state = start()
    q, u = leg_state(chrono_leg(LEG, state, "hht", None))
    assert q == pytest.approx(state.q, abs=1e-12)
    assert u == pytest.approx(state.u, abs=1e-12)


def test_motors_follow_their_swing():
    swings = (Swing(0.1, 2.0, 0.0), Swing(0.02, 1.0, 0.5 * math.pi))
    loop = chrono_leg(LEG, start(), "hht", swings)
    begin, _ = leg_state(loop)
    for _ in range(200):
        loop.system.DoStepDynamics(5e-4)
    q, _ = leg_state(loop)
    assert q[0] - begin[0] == pytest.approx(0.1 * math.sin(4 * math.pi * 0.1), abs=1e-6)
    assert q[3] - begin[3] == pytest.approx(0.02 * (math.cos(2 * math.pi * 0.1) - 1.0), abs=1e-6)
    assert np.all(np.abs(motor_loads(loop)) > 0.1)
