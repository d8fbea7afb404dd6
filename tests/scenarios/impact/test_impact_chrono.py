"""Impacts on Chrono at steps of milliseconds, against runs that resolve them."""

from functools import cache

import numpy as np
import pytest

from chrono_powercontact.app.runner import execute
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.parameters import read_parameters

pytestmark = pytest.mark.chrono

HARD = {"height": 0.12, "s_0": 0.02, "s_c": 0.0199, "r_f": 500.0, "r_d": 1.0}
"""A floor so hard that an impact lasts less than a millisecond."""


@cache
def heights(step, engine="chrono"):
    given = {**HARD, "step": step, "time": 0.8}
    return np.array(execute(find("drop"), given, engine).outcome.metrics["bounce_heights"])


@pytest.mark.parametrize(("step", "bounces", "allowed"), [(1e-3, 3, 0.03), (5e-3, 1, 0.05)])
def test_ball_bounces_as_high_as_in_a_fine_run(step, bounces, allowed):
    ratio = heights(step)[:bounces] / heights(5e-6, "reference")[:bounces]
    assert np.abs(ratio - 1.0).max() < allowed
    assert ratio.max() < 1.01


@pytest.mark.parametrize("step", [1e-3, 2e-3, 5e-3, 1e-2, 2e-2])
def test_dropped_ball_rests_where_it_carries_its_weight_at_any_step(step):
    run = execute(find("drop"), {**HARD, "step": step, "time": 3.0}, "chrono")
    assert run.outcome.passed, run.outcome.checks
    assert run.warnings == []


@pytest.mark.parametrize("step", [1e-3, 5e-3, 2e-2])
def test_ball_returns_with_the_speed_of_the_closed_form(step):
    outcome = execute(find("ball"), {"step": step}, "chrono").outcome
    assert outcome.passed, outcome.checks
    assert outcome.parameters.integrator == "euler_implicit_linearized"


@pytest.mark.parametrize("speed", [200.0, 270.0, 400.0])
@pytest.mark.parametrize("step", [1e-4, 1e-3, 5e-3, 2e-2])
def test_a_wall_holds_or_breaks_within_a_step_as_its_closed_form_says(step, speed):
    run = execute(find("wall"), {"step": step, "speed": speed}, "chrono")
    assert run.outcome.passed, run.outcome.checks
    assert run.warnings == []


def test_a_wall_within_a_step_of_another_integrator_is_told():
    run = execute(find("wall"), {"step": 1e-3, "integrator": "runge_kutta"}, "chrono")
    assert not run.outcome.passed
    assert run.warnings == [
        "step 0.001 s is beyond the longest step that feels the wall 7.41e-05 s: "
        "a wall that breaks within a step takes no energy"
    ]
    slow = read_parameters(find("wall").parameters, {"speed": 20.0})
    assert find("wall").step_limit("chrono", slow).step == pytest.approx(find("wall").stable_step(slow))
