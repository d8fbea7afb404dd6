"""The pendulum of the paper: switching at 45 degrees, and what a kept history saves."""

import pytest


def test_claim_holds_with_the_counts_of_the_digest(outcome):
    run = outcome("cartesian_pendulum")
    assert run.passed is True, [check.text for check in run.checks if not check.passed]
    assert run.metrics["switches"] == run.metrics["adams_switches"] == 34
    counts, errors = run.metrics["evaluations"], run.metrics["end_errors"]
    assert counts["convert"] == pytest.approx(1301, rel=0.05)
    assert counts["unwind"] == pytest.approx(1281, rel=0.05)
    assert max(errors.values()) < 2e-6
