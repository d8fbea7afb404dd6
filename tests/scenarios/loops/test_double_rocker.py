"""The double rocker as a scenario."""

import pytest


def test_claim_holds_in_the_configuration_of_the_digest(outcome):
    run = outcome("double_rocker")
    assert run.passed is True, [check.text for check in run.checks if not check.passed]
    assert run.metrics["energy_start"] == pytest.approx(15.5, abs=0.05)
    assert run.metrics["adams_switches"] == 25
    assert 0.8 < run.metrics["evaluations"]["convert"] / run.metrics["evaluations"]["restart"] < 0.95


def test_a_run_without_a_switch_has_nothing_to_save(outcome):
    run = outcome("double_rocker", time=0.01)
    assert run.metrics["switches"] == 0
    assert not any("saves" in check.text for check in run.checks)
