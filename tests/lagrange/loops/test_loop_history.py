"""A history that was unwound from divided differences is the one that was stored."""

import math

import numpy as np
import pytest

from chrono_powercontact.lagrange.loops.loop_history import unwound_rates
from chrono_powercontact.lagrange.loops.loops import LoopSystem
from chrono_powercontact.lagrange.loops.mechanisms import PENDULUM, cartesian_pendulum
from chrono_powercontact.lagrange.system import System
from chrono_powercontact.numerics.adams import Adams


def swung() -> tuple[LoopSystem, Adams, np.ndarray]:
    """A pendulum after some steps of Adams' method in y1, and its position."""
    system = LoopSystem(cartesian_pendulum(), System(cartesian_pendulum().tree, PENDULUM))
    x = system.state([math.sin(0.1), -math.cos(0.1)], [1.0], ["y1"])
    choice = system.choice(x[:2], ["y1"])

    def rate(t, z, accepted):
        return system.evaluate(t, np.ascontiguousarray(z), choice, x, -1.0, np.zeros(len(system.columns)))[1]

    rows = np.concatenate([[0, 2], np.arange(4, x.size)])
    adams = Adams(rate, rows, 0.0, system.reduce(x, choice), 1e-9, 1e-11)
    while adams.t < 0.2:
        adams.step(0.2)
    return system, adams, x[:2].copy()


def test_unwound_rates_are_the_stored_ones():
    system, adams, position = swung()
    found = unwound_rates(system, adams, position)
    assert len(found) == adams.order + 1 >= 4
    for unwound, stored in zip(found, adams.rates, strict=False):
        assert unwound[:4] == pytest.approx(stored[:4], abs=1e-7)


def test_adopted_rates_become_the_history_in_the_new_rows():
    system, adams, position = swung()
    found = unwound_rates(system, adams, position)
    rows = np.concatenate([[1, 3], adams.rows[2:]])
    adams.adopt(rows, np.zeros(rows.size), found)
    assert len(adams.times) == len(adams.rates) == len(found)
    assert list(adams.rows[:2]) == [1, 3]
