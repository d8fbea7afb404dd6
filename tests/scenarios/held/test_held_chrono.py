"""What friction holds, on Chrono, against the closed forms and the reference engine."""

from functools import cache

import numpy as np
import pytest

from chrono_powercontact.app.runner import execute
from chrono_powercontact.scenarios.catalogue import find

pytestmark = pytest.mark.chrono


@cache
def run(name, engine="chrono", **given):
    return execute(find(name), given, engine).outcome


def both(name, **given):
    return run(name, **given), run(name, "reference", **given)


def test_a_box_on_a_slope_that_a_motor_rocks_is_where_it_was():
    chrono, reference = both("rocking_slope", time=2.0, step=1e-4)
    assert chrono.metrics["drift"] < 1e-9
    assert chrono.passed
    for name in ("x", "z", "theta"):
        assert chrono.trajectory[name] == pytest.approx(reference.trajectory[name], abs=2e-6)


def test_three_boxes_stay_at_rest_as_on_the_reference_engine():
    chrono, reference = both("box_stack", boxes=3, time=1.0)
    assert chrono.passed
    for name in ("x1", "x3", "z3", "phi3"):
        assert chrono.trajectory[name] == pytest.approx(reference.trajectory[name], abs=1e-6)
    assert chrono.trajectory["F_front_1"][-1] == pytest.approx(reference.trajectory["F_front_1"][-1], rel=1e-3)


def test_ten_boxes_stay_at_rest():
    chrono = run("box_stack", time=0.6)
    assert chrono.metrics["drift"] < 1e-5
    assert chrono.metrics["force_error"] < 1e-3
    assert chrono.metrics["tilt"] == pytest.approx(chrono.metrics["closed_form_tilt"], rel=1e-2)


def test_ladder_stays_at_rest_and_slips_as_the_textbook_says():
    chrono, reference = both("ladder", time=0.8)
    assert chrono.passed
    assert chrono.metrics["drift"] < 1e-9
    assert chrono.metrics["used_floor"] == pytest.approx(reference.metrics["used_floor"], rel=1e-3)
    limit = chrono.metrics["limit_angle"]
    assert run("ladder", time=1.5, angle=limit + 0.5).passed
    assert run("ladder", time=1.5, angle=limit - 0.5).metrics["end_angle"] < limit - 2.0


def test_jaws_hold_the_cube_and_drop_it_as_the_closed_form_says():
    chrono, reference = both("gripper", time=0.8)
    assert chrono.passed
    assert chrono.metrics["drift"] < 1e-9
    assert chrono.metrics["way"] == pytest.approx(reference.metrics["way"], rel=1e-3)
    assert run("gripper", time=0.5, press=4.0).passed


def test_creep_without_an_anchor_is_the_same_on_both_engines():
    chrono, reference = both("gripper", time=0.8, memory="lpv")
    assert chrono.metrics["end_speed"] == pytest.approx(reference.metrics["end_speed"], rel=1e-2)
    assert not chrono.passed


def test_wheel_rolls_to_rest_and_stays():
    chrono, reference = both("wheel", time=2.2, speed=0.3)
    assert chrono.passed
    assert chrono.metrics["way"] == pytest.approx(reference.metrics["way"], rel=1e-3)
    assert np.abs(chrono.trajectory["phi"] - reference.trajectory["phi"]).max() < 1e-3


HELD = [
    ("rocking_slope", {"time": 2.0}),
    ("ladder", {"time": 2.0}),
    ("gripper", {"time": 1.0}),
    ("wheel", {"time": 2.5, "speed": 0.3}),
]


@pytest.mark.parametrize("step", [1e-3, 2e-3, 5e-3])
@pytest.mark.parametrize(("name", "given"), HELD, ids=[name for name, _ in HELD])
def test_claims_hold_at_steps_of_milliseconds(name, given, step):
    outcome = run(name, step=step, **given)
    assert outcome.passed, outcome.checks
    assert outcome.metrics["drift"] < 1e-5


@pytest.mark.parametrize(("name", "given"), [("ladder", {"angle": 39.9, "time": 1.5}), ("gripper", {"press": 4.0})])
def test_what_friction_cannot_hold_goes_at_a_step_of_5_ms(name, given):
    assert run(name, **{"step": 5e-3, "time": 0.5, **given}).passed


def test_ten_boxes_stay_at_rest_for_20_s_at_a_step_of_2_ms():
    outcome = run("box_stack", step=2e-3, time=20.0)
    assert outcome.passed, outcome.checks
    assert outcome.metrics["drift"] < 1e-5
