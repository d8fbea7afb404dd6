"""Seal friction of the cylinders on Chrono: the plugin's friction along the lines."""

from types import SimpleNamespace

import numpy as np
import pytest
from rake_runs import on_chrono, part_of_the_command, quiet

from chrono_powercontact.scenarios.rake.machine.machine import SEALS, machine
from chrono_powercontact.scenarios.rake.motion.gauges import ledger_error, moved_work
from chrono_powercontact.scenarios.rake.motion.rake_motion import SEAL_SPEED
from chrono_powercontact.scenarios.rake.motion.setup import Setup

pytestmark = pytest.mark.chrono

TRAVEL = (9.0, 13.0)
"""Part of the packaged command in s in which both cylinders move far faster than the friction of their seals turns."""


def rigid(version, **more):
    return Setup(machine(version), "rigid", **more)


def travel(setup, time):
    """A run, and what the plugin says of its seals in the end."""
    from chrono_powercontact.chrono.api.bridge import set_integrator
    from chrono_powercontact.chrono.attachment import attachments
    from chrono_powercontact.scenarios.rake.scene.rake_scene import build
    from chrono_powercontact.scenarios.rake.scene.scene_run import run_scene
    from chrono_powercontact.scenarios.rake.scene.scene_seals import add_seals
    from chrono_powercontact.scenarios.rake.scene.scene_touch import PluginTouch, direct_solver
    from chrono_powercontact.scenarios.scenes.chrono_scenes import new_scene

    system, ground = new_scene()
    hold = setup.statics.settle(*setup.command.c[:, 0])
    scene = build(system, ground, setup, hold.lengths, hold.q.tolist())
    set_integrator(system, "euler_implicit_linearized")
    system.SetSolver(direct_solver())
    add_seals(scene)
    run = run_scene(setup, scene, PluginTouch(scene, setup, 1e-3), 1e-3, time, quiet)
    return SimpleNamespace(run=run, scene=scene, attached=attachments(system))


@pytest.fixture(scope="module")
def moved():
    return travel(rigid("v3", command=part_of_the_command(*TRAVEL)), TRAVEL[1] - TRAVEL[0])


@pytest.fixture(scope="module")
def plain():
    return on_chrono(rigid("v2", command=part_of_the_command(*TRAVEL)), "regularised", 1e-3, TRAVEL[1] - TRAVEL[0])


def test_lines_push_the_less_by_their_seals_while_the_load_drives_them_in(moved, plain):
    late = plain["t"] > 3.0
    for name, length, seal in (("F1", "l1", SEALS[0]), ("F2", "l2", SEALS[1])):
        speed = np.gradient(plain[length], plain["t"])[late]
        assert speed.max() < -5.0 * SEAL_SPEED
        assert (moved.run[name] - plain[name])[late].mean() == pytest.approx(-seal, rel=3e-3)


def test_plugin_tells_the_friction_of_the_seals(moved):
    (friction,) = moved.attached
    rows = friction.joint_forces()
    assert rows["place"] == pytest.approx([moved.run["l1"][-1], moved.run["l2"][-1]], abs=1e-12)
    assert rows["friction"][:, 0] == pytest.approx(
        np.multiply(SEALS, np.tanh(rows["speed"][:, 0] / SEAL_SPEED)), rel=1e-9
    )
    assert np.abs(rows["friction"][:, 0]) == pytest.approx(SEALS, rel=1e-3)


def test_heat_of_the_seals_is_in_the_ledger_and_it_closes(moved, plain):
    (friction,) = moved.attached
    heat = friction.energy().friction_heat
    rubbed = sum(seal * np.abs(np.diff(moved.run[name])).sum() for name, seal in zip(("l1", "l2"), SEALS, strict=True))
    assert heat == pytest.approx(rubbed, rel=5e-3)
    assert moved.run["damping_heat"][-1] - plain["damping_heat"][-1] == pytest.approx(heat, rel=5e-3)
    assert np.abs(ledger_error(moved.run)).max() < 5e-5 * moved_work(moved.run)
    assert heat > 0.01 * moved_work(moved.run)


def test_machine_at_rest_feels_no_seals():
    found = travel(rigid("v3"), 0.2)
    hold = rigid("v2").statics.settle(*rigid("v2").command.c[:, 0])
    (friction,) = found.attached
    assert [found.run[name][-1] for name in ("F1", "F2")] == pytest.approx(hold.forces, abs=1.0)
    assert np.abs(friction.joint_forces()["friction"]).max() < 1.0


def test_seals_take_the_vibration_that_the_bearings_leave():
    from chrono_powercontact.scenarios.rake.scene.scene_statics import kicked

    swings = {}
    for version in ("v2", "v3"):
        setup = Setup(machine(version))
        found = on_chrono(kicked(setup, setup.command.c[:, 0]), "regularised", 1e-3, 2.0)
        swings[version] = np.ptp(found["x_T"][found["t"] > 1.0])
    assert swings["v2"] > 1e-3
    assert swings["v3"] < 0.5 * swings["v2"]


def test_machine_without_seals_has_nothing_attached():
    assert travel(rigid("v2"), 0.02).attached == []


def test_seals_and_the_contact_with_the_rack_act_together():
    setup = Setup(machine("v3"), command=part_of_the_command(58.0, 63.0))
    found = on_chrono(setup, "regularised", 1e-3, 5.0)
    assert found["N"].max() > 5e3
    assert np.abs(ledger_error(found)).max() < 1e-4 * moved_work(found)
    assert np.diff(found["damping_heat"]).min() > -1e-6
