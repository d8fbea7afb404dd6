import numpy as np
import pytest

from chrono_powercontact.scenarios.rake.machine.rack_contact import STIFFNESS
from chrono_powercontact.scenarios.rake.motion.setup import Setup
from chrono_powercontact.scenarios.rake.sensing.cylinder_sensor import Sensor, coefficient

SETUP = Setup()
SENSOR = Sensor(SETUP.machine, SETUP.rack)


def test_influence_coefficients_are_those_of_the_reference():
    rigid = Setup(arms="rigid")
    lengths = rigid.statics.pressed(rigid.rack, 3.6, 0.0, STIFFNESS)
    balance = SENSOR.balance(SENSOR.lengths(lengths.lengths, lengths.forces))
    none = balance.cylinders(np.zeros(2))
    assert balance.cylinders(np.array([1e3, 0.0])) - none == pytest.approx([-7.12e3, 8.61e3], rel=5e-3)
    assert balance.cylinders(np.array([0.0, 1e3])) - none == pytest.approx([-1.82e3, -4.89e3], rel=5e-3)


def test_contact_and_cylinder_forces_are_inverse():
    balance = SENSOR.balance(np.array([2.5, 4.1]))
    contact = np.array([5e3, -2.5e3])
    assert balance.contact(balance.cylinders(contact)) == pytest.approx(contact, rel=1e-10)


@pytest.mark.parametrize("s", [1.0, 4.0, 7.0])
def test_pressing_force_of_bending_arms_is_read_to_two_percent(s):
    hold = SETUP.statics.pressed(SETUP.rack, s, 8e3, STIFFNESS)
    n, friction = SENSOR.read(hold.lengths[:, None], hold.forces[:, None])[:, 0]
    assert n == pytest.approx(8e3, rel=0.02)
    assert abs(friction) < 0.03 * n


def test_without_the_compression_of_the_bearings_the_reading_is_worse():
    hold = SETUP.statics.pressed(SETUP.rack, 1.0, 8e3, STIFFNESS)
    right = SENSOR.read(hold.lengths[:, None], hold.forces[:, None])[0, 0]
    wrong = SENSOR.balance(hold.lengths).contact(hold.forces)[0]
    assert abs(wrong - 8e3) > abs(right - 8e3)


def test_coefficient_is_friction_over_pressing_force():
    assert coefficient(np.array([[10.0, 20.0], [-5.0, -8.0]])) == pytest.approx([0.5, 0.4])
