import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.friction.friction_table import friction_record, static_friction
from chrono_powercontact.laws.friction.step_friction import StepFriction, step_slope

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


def test_compiled_law_is_the_one_on_arrays():
    for v in (-0.02, -4e-3, 0.0, 7e-3):
        compiled = static_friction(friction_record(FRICTION), 1.0, 1.0, v)
        assert compiled == pytest.approx(float(FRICTION.force(v, 1.0)), rel=1e-12)


@pytest.mark.parametrize("v", [-7e-3, 0.0, 2e-3, 7e-3, 0.03])
def test_slope_is_the_derivative_of_the_coefficient(v):
    rise = (FRICTION.force(v + 1e-9, 1.0) - FRICTION.force(v - 1e-9, 1.0)) / 2e-9
    assert step_slope.py_func(v, FRICTION) == pytest.approx(float(rise), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: StepFriction(0.4, 0.5, 1e-3, 2e-3), "mu_s must not be below mu_d, got mu_s=0.4 and mu_d=0.5"),
        (lambda: StepFriction(0.5, 0.4, 2e-3, 1e-3), "v_d must be greater than v_s"),
        (lambda: StepFriction(0.5, -0.1, 1e-3, 2e-3), "mu_d must not be negative"),
    ],
)
def test_impossible_numbers_are_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
