"""The state of springs read by compiled code is the one that their methods tell."""

import numpy as np
import pytest
from numba import njit
from spring_scenes import sprung

from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.joint import spring_program as sp
from chrono_powercontact.chrono.joint.joint_records import LINE, TURN
from chrono_powercontact.chrono.joint.spring_records import SPRING_STATE
from chrono_powercontact.chrono.joint.springs import Springs, spring_of

pytestmark = pytest.mark.chrono

MOTIONS = {"line": LINE, "turn": TURN}


@njit
def read_by_program(place, state):
    return sp.read_springs(place, state)


def states_by_both(system, link, motion):
    """The state of a spring by its methods and by compiled code, and whether that could read it."""
    springs = Springs()
    springs.add(spring_of(link, system), (1, 0))
    springs.read()
    found = np.zeros(1, SPRING_STATE)
    words = sp.spring_program([(link, motion)])
    could = read_by_program(words.ctypes.data, found.view(np.float64))
    return springs.tables[2].view(SPRING_STATE), found, could


@pytest.mark.parametrize("kind", MOTIONS)
def test_it_is_the_same_while_the_spring_swings_and_after_changes(kind):
    system, _, link = sprung(kind)
    for i in range(20):
        system.DoStepDynamics(1e-3)
        if i == 10:
            link.SetSpringCoefficient(2e4)
        if i == 15:
            getattr(link, "SetActuatorForce" if kind == "line" else "SetActuatorTorque")(3.0)
        expected, found, could = states_by_both(system, link, MOTIONS[kind])
        assert could
        for name in SPRING_STATE.names:
            assert found[name] == pytest.approx(expected[name], rel=1e-12)


def test_a_spring_that_is_switched_off_is_left_to_python():
    _, _, link = sprung("line")
    link.SetDisabled(True)
    assert sp.spring_program([(link, LINE)]) is None


def test_a_spring_that_turns_far_is_left_to_python():
    system, body, link = sprung("turn")
    system.DoStepDynamics(1e-3)
    words = sp.spring_program([(link, TURN)])
    body.SetRot(pychrono().QuatFromAngleZ(2.0))
    system.ForceUpdate()
    system.DoStepDynamics(1e-6)
    assert not read_by_program(words.ctypes.data, np.zeros(1, SPRING_STATE).view(np.float64))
    assert sp.spring_program([(link, TURN)]) is None


def test_no_springs_need_no_words():
    assert sp.spring_program([]).size == 0
