import math

import numpy as np
import pytest
from free_impact import impact

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.normal.hooke import Hooke, hooke_elastic, hooke_force, hooke_slopes

LAW = Hooke(s_0=0.01, k=1e4, c=5.0)


def test_force_at_rest_is_the_slope_of_the_potential():
    law, s, h = Hooke(0.01, 1e4), np.linspace(0.0, 0.0099, 34), 1e-6
    slope = (law.potential(s + h) - law.potential(s - h)) / (2.0 * h)
    np.testing.assert_allclose(law.force(s, 0.0), -slope, rtol=1e-4)


def test_no_force_outside_the_contact():
    law = Hooke(0.01, 1e4, 50.0)
    np.testing.assert_array_equal(law.force([0.01, 0.0101, 1.0], [-3.0, -3.0, 3.0]), 0.0)
    np.testing.assert_array_equal(law.potential([0.01, 0.0101, 1.0]), 0.0)


def test_force_by_hand():
    assert LAW.force(0.008, -0.4) == pytest.approx(1e4 * 0.002 + 5.0 * 0.4)


def test_damped_contact_can_pull():
    assert Hooke(s_0=0.01, k=1e4, c=50.0).force(0.00999, 1.0) < 0.0


def test_the_kernels_take_the_law_itself_on_arrays():
    s = np.array([0.008, 0.0099, 0.012])
    np.testing.assert_array_equal(hooke_force.py_func(s, -0.4, LAW), LAW.force(s, -0.4))
    np.testing.assert_array_equal(hooke_elastic.py_func(s, LAW), LAW.force(s, 0.0))
    assert hooke_slopes.py_func(0.008, -0.4, LAW) == (-1e4, -5.0)
    assert hooke_slopes.py_func(0.010, -0.4, LAW) == (0.0, 0.0)


@pytest.mark.parametrize("ratio", [0.0, 0.1, 0.5])
def test_impact_is_half_a_damped_oscillation(ratio):
    mass, k = 0.05, 2e4
    run = impact(Hooke(0.01, k, 2.0 * ratio * math.sqrt(k * mass)), mass, 2.0)
    root = math.sqrt(1.0 - ratio**2)
    assert run.y[1, -1] / 2.0 == pytest.approx(math.exp(-math.pi * ratio / root), rel=1e-7)
    assert run.t[-1] == pytest.approx(math.pi / (root * math.sqrt(k / mass)), rel=1e-7)


def test_it_rests_where_the_spring_carries_the_load():
    assert LAW.rest_distance(20.0) == pytest.approx(0.008, rel=1e-9)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Hooke(math.nan, 1.0), "s_0 must be a finite number, got nan"),
        (lambda: Hooke(0.0, 0.0), "k must be greater than 0, got 0"),
        (lambda: Hooke(0.0, -5.0), "k must be greater than 0, got -5"),
        (lambda: Hooke(0.0, 1.0, -2.0), "c must not be negative, got -2"),
        (lambda: LAW.rest_distance(0.0), "load must be greater than 0, got 0"),
    ],
)
def test_bad_numbers_are_refused_by_name_and_value(build, message):
    with pytest.raises(ParameterError) as caught:
        build()
    assert str(caught.value) == message
