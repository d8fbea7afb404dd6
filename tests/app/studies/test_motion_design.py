import pytest

from chrono_powercontact.app.studies.motion_design import design_motion
from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.laws.impact import deepest_distance, dissipation_for
from chrono_powercontact.scenarios.catalogue import find


def test_restitution_and_depth_are_reached_as_the_closed_forms_say():
    found = design_motion("ball", {"restitution": 0.5, "min_distance": 9.2e-3}, ["r_d", "r_f"], {"step": 5e-6})
    assert found.reached
    assert found.values["r_d"] == pytest.approx(dissipation_for(0.5, 1.0), rel=1e-6)
    p = find("ball").parameters(r_d=found.values["r_d"], r_f=found.values["r_f"])
    assert deepest_distance(p.restriction(), p.mass, p.speed) == pytest.approx(9.2e-3, rel=1e-6)
    assert found.metrics["restitution"] == pytest.approx(0.5, rel=1e-8)


def test_a_target_out_of_reach_is_told_by_the_result():
    found = design_motion("ball", {"restitution": 0.5}, ["r_d"], bounds={"r_d": (0.5, 1.2)})
    assert not found.reached
    assert found.values["r_d"] == pytest.approx(1.2, rel=1e-6)


def test_targets_that_cannot_be_used_are_told():
    with pytest.raises(UnknownNameError, match="unknown metric 'bounce'"):
        design_motion("ball", {"bounce": 0.5}, ["r_d"])
    with pytest.raises(ParameterError, match="metric 'ledger_error' has no derivative by r_d: take another target"):
        design_motion("ball", {"ledger_error": 0.5}, ["r_d"])
    with pytest.raises(ParameterError, match="needs the target of a metric, got none"):
        design_motion("ball", {}, ["r_d"])
