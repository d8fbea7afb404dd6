import math
import warnings

import pytest
from matplotlib.figure import Figure

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.friction.dissipation import Friction
from chrono_powercontact.scenarios.boxes.slope import Slope, creep_speed


def coulomb_creep(v_c, mu=0.5, angle=20.0):
    return v_c * math.atanh(math.tan(math.radians(angle)) / mu)


@pytest.mark.parametrize("memory", ["static", "lti", "lpv"])
def test_every_memory_ends_at_the_creep_of_the_static_law(outcome, memory):
    run = outcome("slope", memory=memory, step=1e-5, time=1.0)
    assert run.metrics["creep"] == pytest.approx(coulomb_creep(5e-5), rel=1e-3)
    assert run.passed


def test_creep_is_proportional_to_the_transition_speed(outcome):
    slow, fast = (outcome("slope", v_c=v).metrics["creep"] for v in (5e-5, 1e-4))
    assert fast / slow == pytest.approx(2.0, rel=1e-3)


def test_normal_force_is_the_weight_across_the_slope(outcome):
    assert outcome("slope").metrics["rest_force"] == pytest.approx(9.81 * math.cos(math.radians(20.0)), rel=1e-9)


def test_downhill_corners_carry_more(outcome):
    run, lean = outcome("slope").trajectory, math.tan(math.radians(20.0)) * 0.1 / 0.098
    assert run["F_2"][-1] / run["F_1"][-1] == pytest.approx((1.0 + lean) / (1.0 - lean), rel=2e-3)


def test_beyond_the_friction_angle_it_slides_as_coulomb_says(outcome):
    run = outcome("slope", angle=35)
    angle = math.radians(35.0)
    assert run.metrics["closed_form_creep"] is None
    assert run.metrics["end_speed"] == pytest.approx(9.81 * (math.sin(angle) - 0.5 * math.cos(angle)) * 4.0, rel=5e-3)
    assert run.passed


def test_stiction_lowers_the_creep(outcome):
    assert outcome("slope", mu_s=0.6).metrics["creep"] < 0.8 * outcome("slope").metrics["creep"]


def test_a_level_ground_does_not_move_the_box(outcome):
    metrics = outcome("slope", angle=0).metrics
    assert abs(metrics["creep"]) < 1e-12
    assert abs(metrics["presliding"]) < 1e-12


def test_static_friction_needs_the_step_that_the_rule_says(outcome):
    assert not outcome("slope", memory="static", step=1e-4, time=1.0).passed


def test_cost_of_a_step_is_measured(outcome):
    assert outcome("slope").metrics["step_cost"] > 0.0


def test_closed_form_knows_the_rounding_of_the_norm():
    exact = creep_speed(Friction(0.5, 0.5, 5e-5, None, 0.0, 1e-6), 0.3)
    plain = creep_speed(Friction(0.5, 0.5, 5e-5), 0.3)
    assert plain == pytest.approx(5e-5 * math.atanh(0.6), rel=1e-9)
    assert exact == pytest.approx(plain, rel=1e-3)
    assert exact != plain
    assert creep_speed(Friction(0.5, 0.5, 5e-5), 0.51) is None


def test_a_cube_smaller_than_its_corners_is_refused(outcome):
    with pytest.raises(ParameterError, match=r"size must be greater than twice s_0 = 0.004 m, got 0.003"):
        outcome("slope", size=0.003)


def test_chronos_own_contact_is_refused_on_the_reference_engine(outcome):
    with pytest.raises(ParameterError, match="needs the engine chrono"):
        outcome("slope", law="smc-hooke")


def test_an_anchored_box_is_drawn_without_warning_and_has_no_end_speed(outcome):
    run = outcome("slope", memory="anchored", time=0.5)
    assert run.metrics["closed_form_creep"] == 0.0
    assert run.metrics["closed_form_end_speed"] is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Slope().plot(run, Figure())
