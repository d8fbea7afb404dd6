"""Tumbling, rolling and falling bodies on Chrono at steps of milliseconds."""

import pytest

from chrono_powercontact.app.runner import execute
from chrono_powercontact.scenarios.catalogue import find

pytestmark = pytest.mark.chrono


@pytest.mark.parametrize("step", [2e-3, 1e-2, 2e-2])
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("cube", {}),
        ("cube", {"friction": False}),
        ("cube", {"memory": "anchored"}),
        ("stack", {"time": 6.0}),
        ("roll", {}),
    ],
)
def test_claims_hold_at_any_step(name, given, step):
    run = execute(find(name), {**given, "step": step}, "chrono")
    assert run.outcome.passed, run.outcome.checks
    assert run.warnings == []


def test_cube_without_friction_pays_for_its_height_at_a_step_in_which_it_sinks_in():
    metrics = execute(find("cube"), {"friction": False, "step": 1e-2}, "chrono").outcome.metrics
    assert metrics["unpaid_energy"] == 0.0
    assert metrics["energy_end"] < metrics["energy_start"]


def test_ledger_of_falling_rods_closes_to_what_their_joints_take():
    found = execute(find("pendulum"), {"step": 5e-3, "time": 0.3}, "chrono")
    assert found.outcome.passed, found.outcome.checks
    metrics = found.outcome.metrics
    assert 1e-3 < metrics["ledger_error"] < 5e-3 * metrics["turned_energy"]


def test_rods_that_turn_far_in_a_step_are_told():
    scenario = find("pendulum")
    run = execute(scenario, {"step": 2e-2, "time": 0.3}, "chrono")
    assert "the longest step for rods that fall" in run.warnings[0]
