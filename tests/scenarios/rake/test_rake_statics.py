import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.rake.cases.measure import first_frequency
from chrono_powercontact.scenarios.rake.machine.arms import TIP, straight
from chrono_powercontact.scenarios.rake.machine.machine import GRAVITY
from chrono_powercontact.scenarios.rake.machine.rack_contact import STIFFNESS
from chrono_powercontact.scenarios.rake.machine.two_link import TwoLink
from chrono_powercontact.scenarios.rake.motion.setup import Setup

SETUP = Setup()
STATICS = SETUP.statics


def pull_place(t):
    """Place in m of the pull of the reference at a time in s: a trapezoid in speed with ramps of 2 s."""
    v, x = 7.0 / 46.0, t - 72.0
    return 0.1 + v + v * (x - 2.0) if 2.0 <= x <= 46.0 else float("nan")


@pytest.mark.parametrize("t", [80.0, 100.0, 115.0])
def test_the_recipe_rebuilds_the_packaged_command(t):
    press = 800.0 + (t - 72.0) / 48.0 * 11200.0
    hold = STATICS.pressed(SETUP.rack, pull_place(t), press, STIFFNESS)
    assert hold.lengths == pytest.approx(SETUP.command.at(t), abs=2e-6)


def test_equilibrium_at_the_park_pose_has_the_forces_of_the_reference_run():
    hold = STATICS.settle(*SETUP.command.c[:, 0])
    assert hold.forces == pytest.approx([190532.0, -69423.4], rel=1e-5)


def test_a_pressed_pose_is_an_equilibrium_under_its_load():
    hold = STATICS.pressed(SETUP.rack, 2.0, 5e3, STIFFNESS)
    load = 5e3 * SETUP.rack.normal @ STATICS.position(hold.q, TIP)[1]
    again = STATICS.settle(*hold.lengths, load=load)
    assert again.q == pytest.approx(hold.q, abs=1e-8)


def test_tip_compliance_is_that_of_the_reference_and_that_of_small_loads():
    two = TwoLink(SETUP.machine)
    phi, alpha = two.reach(SETUP.rack.point(0.0))
    forces = np.array(two.forces(phi, alpha, GRAVITY))
    soft = STATICS.compliance(straight(SETUP.mech, SETUP.machine, phi, alpha), forces, SETUP.rack)
    assert soft == pytest.approx(np.array([[8.55e-6, -2.15e-6], [-2.15e-6, 8.78e-7]]), rel=6e-3)
    hold = STATICS.settle(*(np.array(two.lengths(phi, alpha)) + forces / STATICS.stiffness()))
    loaded = STATICS.settle(*hold.lengths, load=100.0 * SETUP.rack.normal @ STATICS.position(hold.q, TIP)[1])
    moved = STATICS.position(loaded.q, TIP)[0] - STATICS.position(hold.q, TIP)[0]
    assert moved @ SETUP.rack.normal / 100.0 == pytest.approx(8.55e-6, rel=1e-2)


def test_first_frequency_of_segments_and_of_rigid_arms():
    assert first_frequency(SETUP) == pytest.approx(1.654, rel=2e-3)
    assert first_frequency(Setup(arms="rigid")) > 1.5 * first_frequency(SETUP)


def test_a_place_beyond_the_arms_is_refused():
    with pytest.raises(ParameterError, match="the rake reaches points"):
        STATICS.pressed(SETUP.rack, -9.0, 0.0, STIFFNESS)
