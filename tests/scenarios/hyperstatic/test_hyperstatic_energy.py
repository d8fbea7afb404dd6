"""Results R1 to R3 of the thesis."""

import pytest


def test_published_results(outcome):
    run = outcome("hyperstatic_energy")
    assert run.passed, [check.text for check in run.checks if not check.passed]
    found = run.metrics
    assert found["sag"] == pytest.approx(-1.962e-6)
    assert found["settled_sag"] == pytest.approx(-1.968e-6, abs=1e-9)
    assert found["kinetic_from_rigid"] == pytest.approx(7.9e-6, abs=5e-8)
    assert found["kinetic_from_sag"] == pytest.approx(4.8e-11, abs=5e-13)
    assert found["implicit_deviation"] == pytest.approx(9.9e-8, abs=1e-9)
    assert found["implicit_fall"] == pytest.approx(-7.699e-5, abs=1e-8)
