import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chrono_powercontact as pc
from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.normal.normal_table import normal_force, normal_record, normal_slopes


def law(e=0.4, r_d=200.0):
    return pc.SteadyRestriction(0.0, -1e-3, 2000.0, r_d, e)


def bounced(made, mass, speed):
    """Exit speed over impact speed, integrated with fine steps of Runge and Kutta's method."""
    from chrono_powercontact.laws.impact_step import exit_speeds

    return exit_speeds(made, mass, speed, 1e-6 / speed, "rk4")[0] / speed


@pytest.mark.parametrize("e", [0.0, 0.2, 0.4, 0.8, 1.0])
def test_the_restitution_is_the_same_at_all_speeds(e):
    for speed in (0.3, 1.0, 3.0):
        assert bounced(law(e, r_d=1000.0), 0.5, speed) == pytest.approx(e, abs=0.02)


def test_slow_impacts_become_elastic():
    assert bounced(law(0.4, r_d=2.0), 0.5, 0.01) > 0.95


def test_without_restitution_it_is_the_restriction_of_the_thesis():
    plain = pc.Restriction(0.0, -1e-3, 2000.0, 200.0)
    s = np.linspace(-2e-3, 1e-3, 31)
    for v in (-1.0, 0.0, 1e-3, 0.5):
        assert np.array_equal(law(0.0).force(s, v), plain.force(s, v))


@given(st.floats(-2e-3, 1e-3), st.floats(-3.0, 3.0), st.floats(0.0, 1.0))
def test_it_pushes_and_never_gives_energy(s, v, e):
    made = law(e)
    assert float(made.force(s, v)) >= 0.0
    assert float(made.dissipated_power(s, v)) >= 0.0
    elastic = float(made.force(s, 0.0))
    assert float(made.dissipated_power(s, v)) == pytest.approx((elastic - float(made.force(s, v))) * v, abs=1e-9)


def test_its_slopes_are_those_of_its_force():
    made = law(0.3, r_d=3.0)
    record = normal_record(made)
    for s, v in ((-5e-4, -0.1), (-2e-4, 0.2), (1e-4, 0.0)):
        d = 1e-7
        by_s = (normal_force(record, s + d * 1e-3, v)[0] - normal_force(record, s - d * 1e-3, v)[0]) / (2e-3 * d)
        by_v = (normal_force(record, s, v + d)[0] - normal_force(record, s, v - d)[0]) / (2 * d)
        assert normal_slopes(record, s, v) == pytest.approx((by_s, by_v), rel=1e-5)
        assert normal_force(record, s, v)[0] == pytest.approx(float(made.force(s, v)), rel=1e-12)


def test_the_force_is_the_derivative_of_its_power():
    made = law(0.3, r_d=3.0)
    d = 1e-6
    slope = (float(made.power(-4e-4, 0.2 + d)) - float(made.power(-4e-4, 0.2 - d))) / (2 * d)
    assert slope == pytest.approx(float(made.force(-4e-4, 0.2)), rel=1e-7)


@pytest.mark.parametrize("e", [-0.1, 1.1, math.nan])
def test_a_restitution_that_does_not_exist_is_refused(e):
    with pytest.raises(ParameterError, match="restitution must"):
        law(e)
