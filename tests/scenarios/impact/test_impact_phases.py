import numpy as np
import pytest

from chrono_powercontact.scenarios.impact.impact_phases import CASES, ImpactDetailParameters, ImpactPhases


@pytest.fixture(scope="module")
def outcomes():
    return {case: ImpactPhases().run(ImpactDetailParameters(case=case)) for case in CASES}


@pytest.mark.parametrize("case", CASES)
def test_the_claim_holds(outcomes, case):
    outcome = outcomes[case]
    assert outcome.passed, [check.text for check in outcome.checks if not check.passed]


def test_restitution_under_gravity_is_that_of_another_code(outcomes):
    """RK4 with 0.01 ms of another code, three digits: 0.03 to 1.5 m/s."""
    m = outcomes["gravity"].metrics
    elastic = (0.0, 0.319, 0.505, 0.525, 0.491, 0.438, 0.359, 0.247, 0.186)
    rigid = (0.886, 0.827, 0.757, 0.718, 0.572, 0.486, 0.383, 0.256, 0.192)
    np.testing.assert_allclose(m["elastic"], elastic, atol=2e-3)
    np.testing.assert_allclose(m["rigid"], rigid, atol=5e-3)


def test_the_wall_of_the_thesis_is_the_soft_one(outcomes):
    assert outcomes["sides"].metrics["soft, soft"]["at_270"] == pytest.approx(-83.069, abs=1e-3)


def test_backlash_is_as_wide_as_the_play():
    outcome = ImpactPhases().run(ImpactDetailParameters(case="backlash", play=4e-3))
    assert outcome.metrics["width"] == pytest.approx(4e-3, abs=2e-5)
    assert outcome.passed
