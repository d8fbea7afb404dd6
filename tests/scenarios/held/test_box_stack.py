import math

import pytest

from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.parameters import read_parameters

FEW = {"boxes": 3, "time": 1.0}


def test_stack_stays_at_rest(outcome):
    run = outcome("box_stack", **FEW)
    assert run.metrics["drift"] < 1e-6
    assert run.metrics["way"] < 1e-4
    assert run.passed


def test_each_interface_carries_what_is_above(outcome):
    run, along = outcome("box_stack", **FEW).trajectory, math.radians(10.0)
    for i, above in ((1, 3), (2, 2), (3, 1)):
        normal = run[f"F_rear_{i}"][-1] + run[f"F_front_{i}"][-1]
        friction = run[f"Ft_rear_{i}"][-1] + run[f"Ft_front_{i}"][-1]
        assert normal == pytest.approx(above * 9.81 * math.cos(along), rel=1e-3)
        assert friction == pytest.approx(above * 9.81 * math.sin(along), rel=1e-2)


def test_boxes_tilt_as_their_feet_are_pressed(outcome):
    metrics = outcome("box_stack", **FEW).metrics
    assert metrics["tilt"] == pytest.approx(metrics["closed_form_tilt"], rel=1e-2)


def test_beyond_the_friction_angle_it_slides(outcome):
    run = outcome("box_stack", boxes=3, time=1.0, angle=20.0, mu=0.3)
    assert run.metrics["drift"] > 0.1
    assert run.passed


def test_without_an_anchor_the_top_creeps_with_the_sum_of_all_interfaces(outcome):
    run = outcome("box_stack", **FEW, memory="lpv")
    expected = 0.5 * run.metrics["closed_form_creep"]
    assert run.metrics["drift"] == pytest.approx(expected, rel=0.1)
    assert not run.passed


def test_closed_form_rest_of_ten_boxes():
    stack = find("box_stack")
    p = read_parameters(stack.parameters, {})
    rows = stack.rest(p)
    assert rows.shape == (10, 3)
    assert (rows[1:, 2] > rows[:-1, 2]).all()  # each box leans more than the one below
    level = stack.rest(read_parameters(stack.parameters, {"angle": 0}))
    assert level[:, [0, 2]] == pytest.approx(0.0, abs=1e-12)
    foot = float(stack.forces(p)[0]) / 4.0
    assert foot == pytest.approx(10 * 9.81 * math.cos(math.radians(10.0)) / 4.0)
