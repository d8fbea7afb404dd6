"""How long a step may be for a body that rolls."""

import pytest

from chrono_powercontact.scenarios.catalogue import find


@pytest.mark.parametrize("name", ["rolling_disc", "euler_disc", "tyre", "rattleback", "tippe_top"])
def test_the_usual_step_is_within_the_longest_and_a_step_of_demos_is_told(name):
    scenario = find(name)
    p = scenario.parameters_on("chrono").read({})
    limit = scenario.step_limit("chrono", p)
    assert p.step <= limit.step < 5e-3
    assert "follows the rolling" in str(limit)


@pytest.mark.parametrize(("name", "longest"), [("pool_table", 1e-2), ("hopper", 2e-3)])
def test_balls_and_grains_say_up_to_which_step_they_are_followed(name, longest):
    scenario = find(name)
    p = scenario.parameters_on("chrono").read({})
    assert p.step <= scenario.step_limit("chrono", p).step == longest


@pytest.mark.chrono
def test_a_disc_rolls_in_its_circle_up_to_the_longest_step():
    scenario = find("rolling_disc")
    longest = scenario.step_limit("chrono", scenario.parameters_on("chrono").read({})).step
    run = scenario.run(scenario.parameters_on("chrono").read({"step": longest}), engine="chrono")
    assert run.passed, [check.text for check in run.checks if not check.passed]
