import pytest

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.scenarios.catalogue import NAMES, find
from chrono_powercontact.scenarios.parameters import read_parameters
from chrono_powercontact.scenarios.scenario import Check, verdict


@pytest.mark.parametrize("name", NAMES)
def test_every_scenario_introduces_itself(name):
    scenario = find(name)
    assert scenario.name == name
    assert scenario.claim.endswith(".")
    assert scenario.source
    assert all(p.help for p in scenario.parameters_on("chrono"))


def test_no_check_is_no_pass():
    good, bad = Check("good", True), Check("bad", False)
    assert verdict([]) is None
    assert verdict([good]) is True
    assert verdict([good, bad]) is False


@pytest.mark.parametrize("name", NAMES)
def test_models_choose_known_parameters(name):
    scenario = find(name)
    for given in scenario.models.values():
        read_parameters(scenario.parameters, given)


def test_unknown_scenario_suggests_the_nearest():
    with pytest.raises(UnknownNameError, match="did you mean 'pendulum'"):
        find("pendlum")


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("ball", {"s_c": 0.02}, "s_c must be less than s_0"),
        ("ball", {"mass": -1.0}, "mass must be greater than 0"),
        ("pendulum", {"mu_c": 0.3, "mu_s": 0.2}, "mu_s must not be below mu_c"),
        ("stick_slip", {"f_s": 0.5}, "f_s must not be below f_c"),
        ("cube", {"r_d": -0.1}, "r_d must be at least 0"),
        ("drop", {"gravity": "nan"}, "gravity must be a finite number"),
    ],
)
def test_impossible_values_are_refused_in_one_sentence(outcome, name, given, message):
    with pytest.raises(ParameterError, match=message):
        outcome(name, **given)


@pytest.mark.parametrize(
    ("name", "step", "time"),
    [("slope", 1e-4, 4.0), ("stick_slip", 1e-4, None), ("ball", 1e-5, None), ("gait_observer", None, None)],
)
def test_scenarios_know_the_step_and_the_length_of_a_run(name, step, time):
    scenario = find(name)
    p = read_parameters(scenario.parameters, {})
    assert (scenario.step(p), scenario.time(p)) == (step, time)
