"""The machine with arms of Chrono's beam elements, at rest before it presses."""

import numpy as np
import pytest

from chrono_powercontact.scenarios.rake.modes.machine_case import pressing
from chrono_powercontact.scenarios.rake.scene.beam_scene import (
    ELEMENT,
    LIGHT,
    build_beams,
    iterate_fully,
    node_at,
    settle,
)
from tests.support.flexible_scenes import need_fea

pytestmark = pytest.mark.chrono


@pytest.fixture(scope="module")
def settled():
    need_fea()
    setup = pressing(None, "modal", 1)
    scene = build_beams(setup, 100.0)
    settle(scene)
    return setup, scene


def test_the_cylinders_hold_the_settled_machine_as_those_of_modal_arms(settled):
    setup, scene = settled
    hold = setup.statics.settle(*setup.command.c[:, 0])
    held = [line.GetForce() for line in scene.lines]
    assert held == pytest.approx(hold.forces, rel=2e-4)
    assert scene.knuckle[-1].GetPosDt().Length() < 1e-6


def test_it_weighs_what_the_machine_weighs(settled):
    setup, scene = settled
    machine = setup.machine
    bodies = sum(body.GetMass() for body in scene.system.GetBodies() if not body.IsFixed())
    assert bodies == pytest.approx(machine.rake_mass + 2 * LIGHT)
    assert len(scene.main) == round(machine.main.length / ELEMENT) + 1
    assert len(scene.knuckle) == round(machine.knuckle.length / ELEMENT) + 1


def test_lugs_and_rake_are_at_nodes(settled):
    setup, scene = settled
    plate = node_at(scene.main, 2.4)
    along = (plate.GetPos() - scene.main[0].GetPos()).Length()
    assert along == pytest.approx(2.4, rel=1e-4)
    assert setup.machine.knuckle.length - setup.machine.rake_back == pytest.approx(19 * ELEMENT)


def test_it_moves_in_its_plane(settled):
    _, scene = settled
    assert np.abs([node.GetPos().y for node in (*scene.main, *scene.knuckle)]).max() < 1e-9


def test_hht_stays_at_rest(settled):
    _, scene = settled
    iterate_fully(scene.system)
    before = scene.knuckle[-1].GetPos().z
    for _ in range(20):
        scene.system.DoStepDynamics(5e-3)
    assert scene.knuckle[-1].GetPos().z == pytest.approx(before, abs=1e-6)
