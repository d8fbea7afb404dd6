"""Assembling a loop by hand, and loops that cannot be closed."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.loops.dyad import angle_of, pin_between, pin_on_line

NAMES = ("a coupler", "a rocker")


@given(st.floats(0.1, 2.0), st.floats(0.1, 2.0), st.floats(0.1, 3.0), st.sampled_from([1.0, -1.0]))
def test_pin_has_both_lengths_and_lies_on_its_side(first, second, reach, side):
    assume(abs(first - second) + 1e-6 < reach < first + second - 1e-6)
    start, end = np.array([0.3, -0.2]), np.array([0.3 + reach, -0.2])
    pin = pin_between(start, end, (first, second), side, NAMES)
    assert np.hypot(*(pin - start)) == pytest.approx(first)
    assert np.hypot(*(pin - end)) == pytest.approx(second, abs=1e-9)
    assert side * (pin[1] - start[1]) >= 0.0


@pytest.mark.parametrize("reach", [0.0, 0.5, 4.0])
def test_bars_that_cannot_meet_are_named(reach):
    message = r"the loop cannot be closed: a coupler of 2 m and a rocker of 1 m join ends that are 1 to 3 m apart"
    with pytest.raises(ParameterError, match=message):
        pin_between(np.zeros(2), np.array([reach, 0.0]), (2.0, 1.0), 1.0, NAMES)


def test_pin_on_a_line():
    pin = pin_on_line(np.array([0.1, 0.3]), 0.5, 0.0)
    assert pin == pytest.approx([0.5, 0.0])
    with pytest.raises(ParameterError, match=r"a rod of 0.2 m does not reach the line at 0 m from a pin at 0.3 m"):
        pin_on_line(np.array([0.1, 0.3]), 0.2, 0.0)


def test_angle_of_a_line():
    assert angle_of(np.array([1.0, 1.0]), np.array([0.0, 1.0])) == pytest.approx(math.pi)
