"""The leg moved by motors, and let go."""

import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.loops.leg import DIGEST, LegParameters
from chrono_powercontact.scenarios.parameters import read_parameters


def test_motors_need_the_loads_of_the_digest(outcome):
    run = outcome("leg", time=0.4)
    assert run.passed is True, [check.text for check in run.checks if not check.passed]
    for name, figure in DIGEST.items():
        assert run.metrics[f"{name}_at_digest_time"] == pytest.approx(figure, abs=1e-5)


def test_a_leg_that_is_let_go_keeps_its_energy(outcome):
    run = outcome("leg", drive="free", time=0.3)
    assert run.passed is True, [check.text for check in run.checks if not check.passed]
    assert run.trajectory["kinetic"].max() > 0.5


def test_other_motions_are_not_judged_by_the_digest():
    assert LegParameters().is_digest()
    assert not LegParameters(time=0.2).is_digest()
    assert not LegParameters(hip_swing=0.1).is_digest()


def test_a_slide_out_of_reach_is_refused():
    scenario = find("leg")
    with pytest.raises(
        ParameterError, match=r"^the loop cannot be closed: a shank of 0\.43 m and a foot link of 0\.12 m"
    ):
        scenario.simulate(read_parameters(scenario.parameters, {"slide_mean": 0.9}), lambda share: None)
