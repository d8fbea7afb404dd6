import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.scenarios.rake.machine.machine import GRAVITY, SEALS, Rack, machine
from chrono_powercontact.scenarios.rake.machine.two_link import TwoLink

TWO = TwoLink(machine())
ANGLES = st.tuples(st.floats(math.radians(-28), math.radians(58)), st.floats(math.radians(-115), math.radians(-85)))


@given(ANGLES)
def test_lengths_and_angles_are_inverse(angles):
    assert TWO.angles(*TWO.lengths(*angles)) == pytest.approx(angles, abs=1e-9)


@given(ANGLES)
def test_levers_are_the_slopes_of_the_lengths(angles):
    phi, alpha = angles
    h = 1e-6
    first = (TWO.lengths(phi + h, alpha)[0] - TWO.lengths(phi - h, alpha)[0]) / (2.0 * h)
    second = (TWO.lengths(phi, alpha + h)[1] - TWO.lengths(phi, alpha - h)[1]) / (2.0 * h)
    assert TWO.levers(phi, alpha) == pytest.approx((first, second), rel=1e-6)


@given(ANGLES)
def test_reach_brings_the_scraper_to_a_point(angles):
    assert TWO.reach(TWO.tip(*angles)) == pytest.approx(angles, abs=1e-9)


def test_loop_length_is_the_distance_of_the_pins():
    phi, m = 0.3, machine()
    b = m.b[0] * np.array([math.cos(phi), math.sin(phi)]) + m.b[1] * np.array([-math.sin(phi), math.cos(phi)])
    assert TWO.lengths(phi, -1.7)[0] == pytest.approx(math.dist(b, m.a), rel=1e-12)


def test_park_pose_has_the_lengths_of_the_reference():
    phi = math.radians(55.0)
    assert TWO.lengths(phi, phi - math.radians(110.0)) == pytest.approx((3.3214, 4.12234), abs=1e-4)


def test_forces_hold_the_weight():
    phi, alpha = TWO.reach(Rack().point(3.6))
    assert TWO.forces(phi, alpha, GRAVITY) == pytest.approx((111.7e3, 31.2e3), rel=2e-3)


def test_versions_differ_in_arm_mass_and_seals():
    first, second, third = (machine(v) for v in ("v1", "v2", "v3"))
    assert second.main.mass == pytest.approx(1.05 * first.main.mass)
    assert second.rake_mass == first.rake_mass
    assert [cylinder.seal for cylinder in third.cylinders] == pytest.approx(SEALS)
    assert pytest.approx((7.36e3, 3.68e3), rel=1e-3) == SEALS
    with pytest.raises(UnknownNameError, match="unknown model version 'v4'"):
        machine("v4")


@pytest.mark.parametrize("length", [0.5, 9.0])
def test_a_length_that_the_loop_cannot_reach_is_refused(length):
    with pytest.raises(ParameterError, match=rf"loop of the main cylinder closes for lengths .* got {length:g} m"):
        TWO.angles(length, 4.0)


def test_a_point_beyond_the_arms_is_refused():
    with pytest.raises(ParameterError, match="the rake reaches points 2 m to 14 m from the base pin, got 20 m"):
        TWO.reach(np.array([20.0, 0.0]))
