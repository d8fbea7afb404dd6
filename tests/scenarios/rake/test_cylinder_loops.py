"""The cylinders as closed loops: reactions at their cuts against statics and against a run of the machine."""

import numpy as np
import pytest

from chrono_powercontact.scenarios.rake.machine.cylinder_loops import LoopedMachine
from chrono_powercontact.scenarios.rake.machine.machine import GRAVITY, Rack, machine
from chrono_powercontact.scenarios.rake.machine.two_link import TwoLink
from chrono_powercontact.scenarios.rake.sensing.cylinder_sensor import Sensor

STILL = np.zeros(2)


@pytest.mark.parametrize("s", [0.0, 3.6, 7.25])
def test_at_rest_the_reactions_at_the_cuts_carry_weight_and_contact(s):
    looped = LoopedMachine(machine("v2"))
    two = TwoLink(looped.machine)
    pose = two.reach(Rack().point(s))
    lengths = np.array(two.lengths(*pose))
    free = looped.forces(lengths, STILL, STILL, STILL)
    assert free.axial == pytest.approx(two.forces(*pose, GRAVITY), rel=1e-5)
    assert free.drives == pytest.approx(free.axial, rel=1e-5)
    assert np.abs(free.across).max() < 0.1
    contact = np.array([5e3, -2.5e3])
    pressed = looped.forces(lengths, STILL, STILL, contact[0] * Rack().normal + contact[1] * Rack().tangent)
    balance = Sensor(looped.machine, Rack()).balance(lengths)
    assert pressed.axial == pytest.approx(balance.cylinders(contact), rel=1e-5)


def test_along_a_cycle_they_are_the_forces_of_the_lines(outcome):
    result = outcome("rake_cleaner", case="lc11", time=62.0)
    assert result.passed, result.checks
    assert result.metrics["f1_difference"] < 1e-4
    assert result.metrics["f2_difference"] < 1e-4
