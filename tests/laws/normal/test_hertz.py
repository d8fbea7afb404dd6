import math

import numpy as np
import pytest
from free_impact import impact
from scipy.optimize import brentq

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.normal.hertz import Hertz, hertz_elastic, hertz_force, hertz_slopes

LAW = Hertz(s_0=0.01, k=1e6, chi=0.5)


def test_force_at_rest_is_the_slope_of_the_potential():
    law, s, h = Hertz(0.01, 1e6), np.linspace(0.0, 0.0099, 34), 1e-6
    slope = (law.potential(s + h) - law.potential(s - h)) / (2.0 * h)
    np.testing.assert_allclose(law.force(s, 0.0), -slope, rtol=1e-4)


def test_no_force_outside_the_contact():
    np.testing.assert_array_equal(LAW.force([0.01, 0.0101, 1.0], [-3.0, -3.0, 3.0]), 0.0)
    np.testing.assert_array_equal(LAW.potential([0.01, 0.0101, 1.0]), 0.0)


def test_force_by_hand():
    assert LAW.force(0.006, -0.4) == pytest.approx(1e6 * 0.004**1.5 * 1.2)


def test_the_kernels_take_the_law_itself_on_arrays():
    s = np.array([0.006, 0.0099, 0.012])
    np.testing.assert_array_equal(hertz_force.py_func(s, -0.4, LAW), LAW.force(s, -0.4))
    np.testing.assert_array_equal(hertz_elastic.py_func(s, LAW), LAW.force(s, 0.0))
    by_distance, by_speed = hertz_slopes.py_func(0.006, -0.4, LAW)
    assert by_distance == pytest.approx(-1.5e6 * math.sqrt(0.004) * 1.2)
    assert by_speed == pytest.approx(-0.5e6 * 0.004**1.5)
    assert hertz_slopes.py_func(0.010, -0.4, LAW) == (0.0, 0.0)


def test_impact_has_the_classical_depth_and_duration():
    mass, k, speed = 0.05, 1e6, 2.0
    run = impact(Hertz(0.01, k), mass, speed)
    depth = (1.25 * mass * speed**2 / k) ** 0.4
    assert 0.01 - run.y_events[1][0][0] == pytest.approx(depth, rel=1e-7)
    assert run.t[-1] == pytest.approx(2.943275 * depth / speed, rel=1e-6)
    assert run.y[1, -1] == pytest.approx(speed, rel=1e-7)


@pytest.mark.parametrize("e", [0.3, 0.7, 0.95])
@pytest.mark.parametrize("rule", [Hertz.hunt_crossley, Hertz.flores])
def test_damped_impact_has_the_exact_restitution_of_its_factor(rule, e):
    law = rule(s_0=0.01, k=1e6, restitution=e, speed=2.0)
    x = law.chi * 2.0
    exact = brentq(lambda y: (x - math.log1p(x)) - (-y - math.log1p(-y)), 1e-9, 1.0 - 1e-12) / x
    assert impact(law, 0.05, 2.0).y[1, -1] / 2.0 == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("rule", [Hertz.hunt_crossley, Hertz.flores])
@pytest.mark.parametrize("e", [0.95, 0.98])
def test_both_damped_laws_meet_a_high_restitution(rule, e):
    law = rule(s_0=0.01, k=1e6, restitution=e, speed=2.0)
    assert impact(law, 0.05, 2.0).y[1, -1] / 2.0 == pytest.approx(e, abs=4e-3)


def test_damping_factors_are_the_published_ones():
    assert Hertz.hunt_crossley(0.01, 1e6, 0.8, 2.0).chi == pytest.approx(3.0 * 0.2 / (2.0 * 2.0))
    assert Hertz.flores(0.01, 1e6, 0.8, 2.0).chi == pytest.approx(8.0 * 0.2 / (5.0 * 0.8 * 2.0))


def test_only_flores_meets_a_low_restitution():
    flores, hunt = Hertz.flores(0.01, 1e6, 0.3, 2.0), Hertz.hunt_crossley(0.01, 1e6, 0.3, 2.0)
    assert impact(flores, 0.05, 2.0).y[1, -1] / 2.0 == pytest.approx(0.3, abs=0.05)
    assert impact(hunt, 0.05, 2.0).y[1, -1] / 2.0 > 0.45


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Hertz(math.inf, 1.0), "s_0 must be a finite number, got inf"),
        (lambda: Hertz(0.0, -1.0), "k must be greater than 0, got -1"),
        (lambda: Hertz(0.0, 1.0, -0.1), "chi must not be negative, got -0.1"),
        (lambda: Hertz.hunt_crossley(0.0, 1.0, 1.2, 1.0), "restitution must lie between 0 and 1, got 1.2"),
        (lambda: Hertz.hunt_crossley(0.0, 1.0, 0.5, 0.0), "speed must be greater than 0, got 0"),
        (lambda: Hertz.flores(0.0, 1.0, 0.0, 1.0), "restitution must be greater than 0, got 0"),
        (lambda: Hertz.flores(0.0, 1.0, 0.5, -1.0), "speed must be greater than 0, got -1"),
    ],
)
def test_bad_numbers_are_refused_by_name_and_value(build, message):
    with pytest.raises(ParameterError) as caught:
        build()
    assert str(caught.value) == message
