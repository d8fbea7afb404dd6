"""Chrono's own demos with the one line, at their own step, beside the demo as it is."""

import numpy as np
import pytest

from chrono_powercontact.app.runner import choose_engine
from chrono_powercontact.chrono.api import bridge
from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.parameters import read_parameters

QUICK = {
    "buildsystem": {}, "callback_nsc": {}, "callback_smc": {}, "friction": {}, "associated": {"time": 0.3},
    "custom_contact": {"time": 0.3}, "collision_2d": {"time": 1.0}, "collision_trimesh": {},
}  # fmt: skip
"""Demos that pass and take a few seconds, with the parameters of a run."""


@pytest.mark.chrono
@pytest.mark.parametrize("demo", QUICK)
def test_the_demo_passes_with_one_line_at_its_own_step(demo, outcome):
    run = outcome("adoption", demo=demo, **QUICK[demo])
    assert run.passed is True, [check.text for check in run.checks if not check.passed]


@pytest.mark.chrono
def test_beside_the_demo_stands_the_demo_as_it_is(outcome):
    """Boxes slide, which hardly depends on settings that all systems of a process share, as bounces do."""
    run, alone = (outcome("adoption", demo="callback_nsc", **law).trajectory for law in ({}, {"law": "own"}))
    for name in ("t", "x_0", "y_0"):
        assert run[f"own_{name}"] == pytest.approx(alone[name], abs=1e-3)
    assert np.abs(run["x_0"] - alone["x_0"]).max() > 1e-2


@pytest.mark.chrono
def test_spinning_balls_slow_down_as_they_do_under_nsc():
    from chrono_powercontact.scenarios.adoption.demo_run import Setting, prepared

    spins = []
    for taken in (False, True):
        demo, _ = prepared(Setting("friction", taken))
        for _ in range(400):
            demo.advance(demo.step)
        spins.append([body.GetAngVelParent().y for body in list(demo.system.GetBodies())[10:20]])
    assert spins[1] == pytest.approx(spins[0], rel=0.05)


@pytest.mark.chrono
def test_boxes_under_a_callback_stop_within_a_twentieth_of_the_way(outcome):
    run = outcome("adoption", demo="callback_nsc").trajectory
    for i in range(2):
        way = run[f"own_x_{i}"][-1] - run[f"x_{i}"][0]
        assert run[f"x_{i}"][-1] - run[f"x_{i}"][0] == pytest.approx(way, rel=0.05)
    assert run["fastest"][-1] < 1e-6


@pytest.mark.chrono
def test_strewn_bodies_that_overlap_part_calmly():
    """87 bodies with 338 overlapping pairs; without contact the first of them would fall at 7.8 m/s by then."""
    from chrono_powercontact.scenarios.adoption.demo_run import Setting, prepared

    demo, contacts = prepared(Setting("collision_nsc", True))
    with pytest.warns(UserWarning, match="they are parted gently"):
        demo.advance(demo.step)
    for _ in range(39):
        demo.advance(demo.step)
    assert max(body.GetPosDt().Length() for body in demo.bodies) < 12.0
    assert contacts.solver().unconverged == 0


def test_it_runs_on_chrono_only():
    with pytest.raises(ParameterError, match="'adoption' runs on Chrono only"):
        choose_engine(find("adoption"), {}, "reference")


def test_without_chrono_it_says_so(monkeypatch):
    monkeypatch.setattr(bridge, "missing", lambda: "PyChrono is not installed for python3")
    with pytest.raises(ParameterError, match=r"^PyChrono is not installed for python3$"):
        choose_engine(find("adoption"), {}, "auto")


def test_an_unknown_demo_is_named():
    with pytest.raises((ParameterError, UnknownNameError), match="demo"):
        read_parameters(find("adoption").parameters, {"demo": "colision_nsc"})


def test_a_claim_on_made_up_metrics_fails_part_by_part():
    """Each part of the claim can fail by itself."""
    scenario = find("adoption")
    p = read_parameters(scenario.parameters, {"demo": "buildsystem"})
    good = {
        "contact_gain": 0.0, "stored": 0.0, "exchanged": 10.0, "farthest": 2.0, "mean_load": 1.001, "astray": 0.5,
        "turn": 0.0, "own_turn": 0.0,
    }  # fmt: skip
    assert all(check.passed for check in scenario.check(p, good))
    for name, bad in (("contact_gain", 0.1), ("farthest", 30.0), ("mean_load", 0.98), ("astray", 1.1)):
        assert [check.passed for check in scenario.check(p, good | {name: bad})].count(False) == 1


def test_energy_is_judged_in_every_demo():
    scenario = find("adoption")
    for demo in next(p for p in scenario.parameters_on("chrono") if p.name == "demo").choices:
        p = read_parameters(scenario.parameters, {"demo": demo})
        spoiled = {"contact_gain": 1.0, "stored": 0.0, "exchanged": 1.0, "farthest": np.inf, "mean_load": None}
        checks = scenario.check(p, spoiled | {"astray": None, "turn": 0.0, "own_turn": None})
        assert [check.passed for check in checks] == [False, False]


@pytest.mark.chrono
def test_joints_with_limits_and_motors_beside_them_create_no_energy():
    """The ant falls on its feet: hinges with limits, each with a motor that constrains the same motion again."""
    from chrono_powercontact.scenarios.adoption.demo_run import Setting, prepared

    demo, contacts = prepared(Setting("ant", True))
    for _ in range(120):
        demo.advance(demo.step)
    assert contacts.solver().unconverged == 0
    assert contacts.energy().exchanged < 0.0
    weight = 9.81 * sum(body.GetMass() for body in demo.system.GetBodies() if not body.IsFixed())
    carried = sum(body.GetContactForce().y for body in demo.bodies)
    assert carried == pytest.approx(weight, rel=0.01)
