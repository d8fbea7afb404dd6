"""The slider-crank as a scenario, with and without its wall."""

import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.parameters import read_parameters


def test_claim_holds_through_an_impact(outcome):
    run = outcome("slider_crank", time=0.25)
    assert run.passed is True, [check.text for check in run.checks if not check.passed]
    assert run.metrics["impacts"] == 1
    assert run.metrics["contact_heat"] > 1.0


def test_without_a_wall_it_reaches_as_far_as_crank_and_rod(outcome):
    run = outcome("slider_crank", wall=False, time=0.4)
    assert run.passed is True
    assert run.metrics["reach"] == pytest.approx(run.metrics["closed_form_reach"], abs=1e-6)
    assert run.metrics["impacts"] == 0


def test_a_rod_that_does_not_reach_is_refused():
    scenario = find("slider_crank")
    with pytest.raises(ParameterError, match=r"^the loop cannot be closed: a rod of 0\.03 m does not reach the line"):
        scenario.simulate(read_parameters(scenario.parameters, {"l2": 0.03}), lambda share: None)
