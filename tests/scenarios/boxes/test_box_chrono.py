"""A box on Chrono at steps from 0.1 to 20 ms: it stays where it is, slides as it should, and stops where it should."""

import math
from functools import cache

import numpy as np
import pytest

from chrono_powercontact.app.runner import execute
from chrono_powercontact.scenarios.boxes.slope import foot_displacement
from chrono_powercontact.scenarios.catalogue import find

pytestmark = pytest.mark.chrono

STEPS = (1e-4, 1e-3, 2e-3, 5e-3, 1e-2)


@cache
def on_slope(angle, step, time):
    return execute(find("slope"), {"memory": "anchored", "angle": angle, "step": step, "time": time}, "chrono")


@pytest.mark.parametrize(("angle", "time"), [(20.0, 2.0), (26.4, 4.0)])
@pytest.mark.parametrize("step", STEPS)
def test_box_does_not_creep_at_any_step(angle, time, step):
    run = on_slope(angle, step, time)
    foot, t = foot_displacement(run.outcome.trajectory), run.outcome.trajectory["t"]
    settled = int(np.searchsorted(t, 0.75 * time))
    assert abs(foot[-1] - foot[settled]) / (t[-1] - t[settled]) < 1e-12
    assert run.outcome.passed
    assert run.warnings == []


def test_box_comes_to_rest_at_the_same_place_at_every_step():
    places = [foot_displacement(on_slope(20.0, step, 2.0).outcome.trajectory)[-1] for step in STEPS]
    assert np.ptp(places) < 1e-6
    assert 1e-7 < places[0] < 5e-6


@pytest.mark.parametrize("step", STEPS)
def test_box_beyond_the_friction_angle_slides_as_it_should(step):
    run = on_slope(28.0, step, 1.0).outcome.trajectory
    angle = math.radians(28.0)
    late = run["t"] >= 0.5
    slope = np.polyfit(run["t"][late], run["x_dot"][late], 1)[0]
    assert slope == pytest.approx(9.81 * (math.sin(angle) - 0.5 * math.cos(angle)), rel=5e-3)


@pytest.mark.parametrize("step", [1e-3, 5e-3, 2e-2])
def test_sliding_box_stops_as_far_short_as_its_steps_are_long(step):
    outcome = execute(find("slide"), {"memory": "anchored", "step": step}, "chrono").outcome
    assert outcome.passed, outcome.checks
    short = outcome.metrics["closed_form_distance"] - outcome.metrics["distance"]
    assert short == pytest.approx(0.5 * step * 5.0, abs=5e-4)
