"""The thesis' rule for the knee stop, from a stop that is pressed."""

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.normal.restriction import Restriction
from chrono_powercontact.scenarios.gait.study.knee_rule import NEARLY_NOTHING, knee_rule, pressed_angles

KNEE = Restriction.from_steepness(120.0, -8e-3, 60.0, 2.0)


def test_a_pressed_stop_carries_its_torque():
    torques = np.array([0.3, 5.0, 15.0, 25.0])
    angles = pressed_angles(KNEE, torques)
    assert [KNEE.force(angle, 0.0) for angle in angles] == pytest.approx(torques, rel=1e-12)


def test_the_rule_is_exact_for_a_quarter_of_the_force_limit():
    found = knee_rule(pressed_angles(KNEE, np.geomspace(0.5 * NEARLY_NOTHING * KNEE.r_f, 0.25 * KNEE.r_f, 5)))
    assert (found.r_t, found.r_c) == pytest.approx((120.0, -8e-3), rel=1e-12)


def test_a_weak_press_finds_a_stop_that_is_too_early_and_too_steep():
    found = knee_rule(pressed_angles(KNEE, np.geomspace(0.3, 5.0, 5)))
    assert found.r_c - KNEE.r_c == pytest.approx(np.log(5.0) / (2.0 * KNEE.r_t), rel=1e-9)
    assert found.r_t > 1.3 * KNEE.r_t


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pressed_angles(KNEE, np.array([1.0, 31.0])), "must lie between 0 and r_f/2 = 30 N, got 31"),
        (lambda: knee_rule(np.array([0.1, 0.1])), "the angles of a pressed stop must differ, got 0.1 rad alone"),
    ],
)
def test_presses_that_tell_nothing_are_told(call, message):
    with pytest.raises(ParameterError, match=message):
        call()
