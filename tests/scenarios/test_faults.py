"""A claim that cannot fail is worth nothing: under its fault every scenario's claim fails, and without it holds."""

from dataclasses import replace

import pytest
from faults import FAULTS

from chrono_powercontact.scenarios.catalogue import NAMES, find
from chrono_powercontact.scenarios.parameters import read_parameters
from chrono_powercontact.scenarios.scenario import verdict


def marked(fault):
    marks = [pytest.mark.chrono] if find(fault.scenario).engines == ("chrono",) else []
    return pytest.param(fault, id=str(fault), marks=marks)


def judged(fault, monkeypatch):
    """Checks of a run with the fault, as if it were the run that was asked for."""
    scenario = find(fault.scenario)
    p = read_parameters(scenario.parameters, fault.given)
    with monkeypatch.context() as patched:
        fault.patch(patched)
        run = scenario.simulate(replace(p, **fault.change), lambda share: None)
    return scenario.check(p, scenario.measure(p, run))


@pytest.mark.parametrize("fault", [marked(fault) for fault in FAULTS])
def test_claim_fails_under_its_fault(fault, monkeypatch):
    checks = judged(fault, monkeypatch)
    assert verdict(checks) is False, [check.text for check in checks]


@pytest.mark.parametrize("fault", [marked(fault) for fault in FAULTS])
def test_claim_holds_without_the_fault(fault, outcome):
    run = outcome(fault.scenario, **fault.given)
    assert run.passed is True, [check.text for check in run.checks if not check.passed]


def test_every_scenario_has_a_fault():
    assert {fault.scenario for fault in FAULTS} == set(NAMES)
