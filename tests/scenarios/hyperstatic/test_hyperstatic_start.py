"""Starts select the split; an impossible one is refused."""

import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.parameters import read_parameters


def test_claim_holds(outcome):
    run = outcome("hyperstatic_start")
    assert run.passed, [check.text for check in run.checks if not check.passed]
    assert run.metrics["anchored"] == pytest.approx([-0.987, -7.606, 5.929], abs=1e-3)
    assert run.metrics["reordering"] < 1e-9


@pytest.mark.chrono
def test_the_same_prestress_on_chrono():
    scenario = find("hyperstatic_start")
    run = scenario.run(read_parameters(scenario.parameters_on("chrono"), {}), engine="chrono")
    assert run.passed, [check.text for check in run.checks if not check.passed]
    assert run.metrics["anchored"] == pytest.approx([-0.987, -7.606, 5.929], abs=1e-3)
    assert run.metrics["sum_error"] < 1e-6


@pytest.mark.chrono
@pytest.mark.parametrize("step", [1e-3, 5e-3])
def test_at_long_steps_the_load_swings_less_and_so_does_a_prestressed_foot_slip(step):
    """Between a load that is put on at once (5.929 N) and one that grows slowly (5.945 N)."""
    scenario = find("hyperstatic_start")
    p = read_parameters(scenario.parameters_on("chrono"), {"step": step})
    run = scenario.run(p, engine="chrono")
    *two, third = run.metrics["anchored"]
    assert two == pytest.approx([-0.987, -7.606], abs=1e-3)
    assert 5.929 - 1e-3 < third < 5.945 + 1e-3
    assert run.metrics["sum_error"] < 1e-3
    assert run.metrics["outside"] < 0.0
    assert scenario.step_limit("chrono", p).step < step


def test_an_infeasible_start_is_refused():
    scenario = find("hyperstatic_start")
    with pytest.raises(ParameterError, match=r"feasible interval of -7.748 to 5.948 N, got 6 N"):
        scenario.run(read_parameters(scenario.parameters, {"prestress": 6.0}))
