import math

import numpy as np
import pytest

from chrono_powercontact.scenarios.rake.cases.static_cases import wet_length
from chrono_powercontact.scenarios.rake.machine.arm_terms import pose
from chrono_powercontact.scenarios.rake.machine.arms import TRIG_ROWS, Place, chain
from chrono_powercontact.scenarios.rake.machine.machine import (
    ARM_DRAG,
    ARM_SECTION,
    ARM_WIDTH,
    GRAVITY,
    RAKE_AREA,
    RAKE_DRAG,
    WATER_DENSITY,
    WATER_LEVEL,
    Water,
    machine,
)
from chrono_powercontact.scenarios.rake.machine.water import water_record, wet

MACHINE = machine()
RIGID = chain(MACHINE, flexible=False)
BELOW = (-0.3, -0.5 * math.pi)
"""Elbow 1.77 m below O, knuckle arm straight down: all but its upper 1.2 m is under water."""


def moments(water, angles=BELOW, v=(0.0, 0.0), t=0.0):
    """Generalised forces of the water in N m, and its power in W."""
    q, force, trig = np.array(angles), np.zeros(2), np.zeros((TRIG_ROWS, 2))
    pose(RIGID, q, trig)
    power = wet(
        RIGID, water_record(water, MACHINE), t, q, np.array(v), trig, Place(np.zeros(2), np.zeros((2, 2))), force
    )
    return force, power


def test_lift_acts_at_the_middle_of_the_wet_arm():
    length = wet_length(MACHINE, BELOW)
    lift = WATER_DENSITY * GRAVITY * ARM_SECTION * length
    dry = 6.0 * math.sin(-0.3) - WATER_LEVEL
    assert length == pytest.approx(7.2 - dry, rel=1e-9)
    force, _ = moments(Water(sealed=True))
    assert force[0] == pytest.approx(lift * 6.0 * math.cos(-0.3), rel=0.01)
    assert force[1] == pytest.approx(0.0, abs=1e-6)


def test_drag_of_a_vertical_arm_is_the_integral_over_its_wet_length():
    v, dry = 0.7, 6.0 * math.sin(-0.3) - WATER_LEVEL
    pressure = 0.5 * WATER_DENSITY * v * v
    arm = pressure * ARM_DRAG * ARM_WIDTH * 0.5 * (7.2**2 - dry**2)
    rake = pressure * RAKE_DRAG * RAKE_AREA * 7.6
    force, _ = moments(Water(speed=v))
    assert force[1] == pytest.approx(-(arm + rake), rel=0.01)


def test_drag_turns_with_the_relative_speed():
    with_flow, against = (moments(Water(speed=0.5), v=(0.0, turn))[0][1] for turn in (-0.2, 0.2))
    assert with_flow > 0.0 > against


def test_power_is_force_times_speed():
    v = (0.02, -0.03)
    force, power = moments(Water(speed=0.5, sealed=True), v=v)
    assert power == pytest.approx(float(force @ v), rel=1e-12)


def test_debris_weighs_out_of_the_water_between_pull_and_dump():
    above = (0.8, -0.3)
    force, _ = moments(Water(debris=300.0), above, t=100.0)
    assert force == pytest.approx(
        [-300.0 * GRAVITY * 6.0 * math.cos(0.8), -300.0 * GRAVITY * 7.6 * math.cos(-0.3)], rel=1e-9
    )
    assert moments(Water(debris=300.0), BELOW, t=100.0)[0] == pytest.approx([0.0, 0.0])
    assert moments(Water(debris=300.0), above, t=10.0)[0] == pytest.approx([0.0, 0.0])
    assert moments(Water(debris=300.0), above, t=200.0)[0] == pytest.approx([0.0, 0.0])


def test_still_water_does_nothing():
    assert Water().still
    assert not Water(debris=1.0).still
    assert water_record(Water(), MACHINE)["acts"] == 0
