"""The crank-rocker as a scenario."""

import numpy as np
import pytest

from chrono_powercontact.errors import DivergedError, ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.loops.four_bar import FourBarParameters, dead_angles, values_at
from chrono_powercontact.scenarios.parameters import read_parameters

SHORT = {"time": 0.3}


def test_claim_holds_and_coordinates_switch(outcome):
    run = outcome("four_bar", **SHORT)
    assert run.passed is True, [check.text for check in run.checks if not check.passed]
    assert run.metrics["switches"] >= 2
    assert run.metrics["passages"] == 2


def test_dead_points_are_those_of_the_digest():
    assert dead_angles(FourBarParameters()) == pytest.approx([0.6676677019, 4.1898208809], abs=1e-9)


def test_without_switching_it_ends_in_the_dead_point_of_its_rocker():
    scenario = find("four_bar")
    p = read_parameters(scenario.parameters, {"hold": 0, "time": 0.3})
    with pytest.raises(
        DivergedError, match=r"dead point of its independent coordinates after 0\.15\d* s near theta1=4\.18"
    ):
        scenario.simulate(p, lambda share: None)


def test_values_at_a_passage_count_whole_turns_as_equal():
    angle = np.linspace(0.0, 14.0, 2000)
    assert values_at(angle, 1.0, angle) == pytest.approx([1.0, 1.0 + 2 * np.pi, 1.0 + 4 * np.pi])
    assert values_at(-angle, -1.0, angle) == pytest.approx([1.0, 1.0 + 2 * np.pi, 1.0 + 4 * np.pi])


@pytest.mark.parametrize("given", [{"l4": 2.0}, {"l3": 0.01}, {"theta1_0": 3.1, "l4": 0.5}])
def test_bars_that_cannot_close_are_refused_in_one_sentence(given):
    scenario = find("four_bar")
    with pytest.raises(ParameterError, match=r"^the loop cannot be closed: a coupler of [\d.]+ m and a rocker of"):
        scenario.simulate(read_parameters(scenario.parameters, given), lambda share: None)
