"""Runs of a scenario in a sweep."""

import pytest

from chrono_powercontact.app.sweeps.jobs import perform
from chrono_powercontact.app.sweeps.scenario_jobs import ScenarioSource, source_of
from chrono_powercontact.errors import ParameterError, UnknownNameError


def test_a_scenario_gives_its_metrics_and_its_verdict():
    answer = perform(source_of("wall", {}, "reference").job({"speed": 200.0}))
    assert (answer.status, answer.passed) == ("done", True)
    assert answer.metrics["broke_through"] == (answer.metrics["breakthrough_speed"] < 200.0)


@pytest.mark.parametrize("point", [{"speed": float("nan")}, {"speed": -5.0}])
def test_a_value_out_of_range_is_refused_before_anything_runs(point):
    with pytest.raises(ParameterError, match="speed"):
        ScenarioSource("wall", {}, "reference").check(point)


def test_an_unknown_parameter_is_refused():
    with pytest.raises(UnknownNameError, match="did you mean 'speed'"):
        ScenarioSource("wall", {}, "reference").check({"sped": 1.0})


def test_only_scenarios_and_functions_can_be_swept():
    with pytest.raises(ParameterError, match="a scenario by its name or a function, got int"):
        source_of(3, {}, "auto")
