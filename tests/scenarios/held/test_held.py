import math

import numpy as np
import pytest

from chrono_powercontact.laws.friction.anchor import Anchor
from chrono_powercontact.laws.friction.memory import LPVFilter
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.held.held import HeldFriction, creep_under, drift, held_material, with_columns
from chrono_powercontact.scenarios.parameters import read_parameters
from chrono_powercontact.scenarios.scenario import Outcome
from chrono_powercontact.trajectory import Trajectory

NAMES = ["rocking_slope", "box_stack", "ladder", "gripper", "wheel"]


def test_an_anchor_does_not_creep_and_a_filter_creeps_as_its_static_law():
    assert creep_under(HeldFriction(memory="anchored"), 0.9) == 0.0
    filtered = HeldFriction(memory="lpv", v_c=2e-5)
    assert creep_under(filtered, 0.5) == pytest.approx(2e-5 * math.atanh(0.5))
    assert creep_under(filtered, 1.0) == math.inf


def test_drift_is_the_largest_change_from_a_time_on():
    t = np.linspace(0.0, 10.0, 101)
    place = np.column_stack([np.where(t < 1.0, 5.0, 0.0), -0.1 * t])
    assert drift(t, place, 1.0) == pytest.approx(0.9)
    assert drift(t, place, 1.0, 4.0) == pytest.approx(0.3)
    assert drift(t, place, 0.0, 1.0) == pytest.approx(5.0)


def test_points_that_represent_two_carry_twice_the_force():
    p = read_parameters(find("gripper").parameters, {})
    assert held_material(p, 2).normal.r_f == 2.0 * held_material(p).normal.r_f
    assert isinstance(held_material(p).memory, Anchor)
    assert isinstance(held_material(read_parameters(find("gripper").parameters, {"memory": "lpv"})).memory, LPVFilter)
    assert held_material(p, 1, 0.0).friction is None
    assert held_material(p, 1, 0.2).friction.mu_c == 0.2


def test_further_columns_come_after_the_others():
    run = with_columns(Trajectory(("t",), np.arange(3.0)[:, None], 2, 4.0), {"double": 2.0 * np.arange(3.0)})
    assert run.names == ("t", "double")
    assert run["double"].tolist() == [0.0, 2.0, 4.0]
    assert (run.steps, run.step_cost) == (2, 4.0)


@pytest.mark.parametrize("name", NAMES)
def test_every_scene_is_drawn(outcome, name):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    run: Outcome = outcome(name, time=0.2, **({"boxes": 3} if name == "box_stack" else {}))
    figure = Figure()
    find(name).plot(run, figure)
    assert len(figure.axes) == 4
    axes = Figure().subplots()
    redraw = find(name).animate(run, axes)
    redraw(0)
    first = axes.get_title()
    redraw(len(run.trajectory) - 1)
    assert axes.get_title() != first
    assert name in first


@pytest.mark.parametrize("name", NAMES)
def test_default_step_is_below_the_limit(name):
    for engine in ("reference", "chrono"):
        p = read_parameters(find(name).parameters_on(engine), {})
        assert p.step < find(name).stable_step(p)
