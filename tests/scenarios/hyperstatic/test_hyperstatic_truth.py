"""Who takes how much of the load: shares of foot A."""

import pytest

from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.hyperstatic import truth_runs
from chrono_powercontact.scenarios.parameters import read_parameters


def test_shares(outcome):
    pytest.importorskip("skfem")
    run = outcome("hyperstatic_truth")
    assert run.passed, [check.text for check in run.checks if not check.passed]
    found = run.metrics
    assert found["share_thesis"] == pytest.approx(0.0025, abs=2e-3)
    assert found["share_beam"] == pytest.approx(0.75, abs=5e-3)
    assert 0.53 <= found["share_fe"] <= 0.58
    assert found["share_minimum_norm"] == pytest.approx(0.5, abs=1e-3)
    assert found["share_anchored"] == pytest.approx(found["share_arbiter"], rel=0.02)


def test_without_finite_elements_the_rest_is_judged(monkeypatch):
    monkeypatch.setattr(truth_runs, "missing_library", lambda: "pip install scikit-fem")
    scenario = find("hyperstatic_truth")
    run = scenario.run(read_parameters(scenario.parameters, {}))
    assert run.metrics["share_fe"] is None
    assert run.passed
    assert len(run.checks) == 3
