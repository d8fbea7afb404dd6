"""The pool table on Chrono."""

import pytest

from chrono_powercontact.app.runner import execute
from chrono_powercontact.scenarios.catalogue import find

pytestmark = pytest.mark.chrono


@pytest.mark.parametrize("step", [1e-3, 5e-3])
def test_claim_holds_at_steps_that_users_have(step):
    outcome = execute(find("pool_table"), {"step": step}, "chrono").outcome
    assert outcome.passed, [check.text for check in outcome.checks if not check.passed]


def test_a_shorter_step_comes_nearer_to_the_closed_forms():
    errors = []
    for step in (2e-3, 5e-4):
        metrics = execute(find("pool_table"), {"step": step, "time": 0.4}, "chrono").outcome.metrics
        errors.append(max(value for name, value in metrics.items() if name.endswith("_error")))
    assert errors[1] < 0.5 * errors[0]
