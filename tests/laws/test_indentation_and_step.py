import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.friction.step_friction import StepFriction, step_coefficient
from chrono_powercontact.laws.normal.indentation import Indentation, indentation_force

FRICTION = StepFriction(mu_s=0.65, mu_d=0.5, v_s=5e-3, v_d=1e-2)


def test_friction_peaks_at_the_static_threshold_and_slides_beyond_the_dynamic_one():
    force = FRICTION.force([0.0, 5e-3, 1e-2, 0.15], 1e4)
    np.testing.assert_allclose(force, [0.0, 6.5e3, 5e3, 5e3], rtol=1e-12)


def test_halfway_between_the_thresholds_the_coefficient_is_the_mean():
    assert FRICTION.force(7.5e-3, 1.0) == pytest.approx(0.575, rel=1e-12)


@given(st.floats(-0.05, 0.05))
def test_friction_is_odd_and_never_above_stiction(v):
    force = float(FRICTION.force(v, 1.0))
    assert float(FRICTION.force(-v, 1.0)) == -force
    assert abs(force) <= 0.65 + 1e-12
    assert force * v >= 0.0


def test_friction_has_no_kink_at_the_thresholds():
    for v in (5e-3, 1e-2):
        left, right = ((FRICTION.force(v + h, 1.0) - FRICTION.force(v, 1.0)) / h for h in (-1e-8, 1e-8))
        assert abs(right - left) < 1e-2


def test_near_rest_it_is_the_dashpot_through_which_a_load_creeps():
    slope = float(FRICTION.force(1e-8, 1e4)) / 1e-8
    assert slope == pytest.approx(FRICTION.creep_damping(1e4), rel=1e-6)
    assert slope == pytest.approx(1.95e6, rel=1e-6)


def test_indentation_by_hand():
    law = Indentation(s_0=0.0, k=1e7, c=2e7)
    assert law.force(-1e-3, -0.1) == pytest.approx(1e4 + 2e7 * 0.1 * 1e-3)
    cubic = Indentation(0.01, 2.0, 3.0, 1.5, 2.0, 2.0)
    assert cubic.force(0.0, -0.5) == pytest.approx(2.0 * 0.01**1.5 + 3.0 * 0.25 * 1e-4)


def test_indentation_does_not_pull_nor_act_at_a_distance():
    law = Indentation(s_0=0.0, k=1e7, c=2e7)
    np.testing.assert_array_equal(law.force([-1e-3, 0.0, 1e-3], [5.0, -1.0, -1.0]), 0.0)


def test_force_at_rest_is_the_slope_of_the_potential():
    law, s, h = Indentation(0.0, 1e7, 2e7, 1.3), np.linspace(-2e-3, -1e-4, 20), 1e-8
    slope = (law.potential(s + h) - law.potential(s - h)) / (2.0 * h)
    np.testing.assert_allclose(law.force(s, 0.0), -slope, rtol=1e-5)


def test_compiled_laws_are_the_ones_on_arrays():
    law = Indentation(0.0, 1e7, 2e7, 1.5, 1.0, 2.0)
    for s, v in ((-1e-3, -0.2), (-1e-3, 0.2), (1e-3, 0.0)):
        assert indentation_force(s, v, *law.numbers) == pytest.approx(float(law.force(s, v)), rel=1e-12)
    for v in (-0.02, -4e-3, 0.0, 7e-3):
        assert step_coefficient(v, *FRICTION.numbers) == pytest.approx(float(FRICTION.force(v, 1.0)), rel=1e-12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: StepFriction(0.4, 0.5, 1e-3, 2e-3), "mu_s must not be below mu_d, got mu_s=0.4 and mu_d=0.5"),
        (lambda: StepFriction(0.5, 0.4, 2e-3, 1e-3), "v_d must be greater than v_s"),
        (lambda: StepFriction(0.5, -0.1, 1e-3, 2e-3), "mu_d must not be negative"),
        (lambda: Indentation(0.0, 0.0), "k must be greater than 0"),
        (lambda: Indentation(0.0, 1.0, 1.0, 0.0), "m_1 must be greater than 0"),
    ],
)
def test_impossible_numbers_are_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
