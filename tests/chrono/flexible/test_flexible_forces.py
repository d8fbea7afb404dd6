"""When forces of nodes are evaluated and committed, and what follows a change of the layout."""

import numpy as np
import pytest

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.errors import LawError, StateError
from tests.support.flexible_scenes import add_mass, need_fea, new_system, soft

pytestmark = pytest.mark.chrono
RUBBER = pc.Friction(0.5, 0.5, 1e-3)


@pytest.fixture(autouse=True)
def fea():
    return need_fea()


def take_steps(system, count):
    for _ in range(count):
        system.DoStepDynamics(1e-3)


def resting(anchor=5e-6):
    """A mass at rest on a slope, held by an anchor."""
    system, ground = new_system((2.0, 0.0, -9.6))
    node = add_mass(system, (0.0, 0.0, 0.049))
    material = pc.Material(soft(), RUBBER, pc.Anchor(anchor))
    contact = pc.attach(system).add_nodes([node], pc.Plane(ground), material, radius=0.05)
    take_steps(system, 1000)
    return system, node, contact


def test_a_reading_changes_nothing():
    system, _, contact = resting()
    first = contact.forces()
    energy = contact.energy()
    assert contact.forces().tobytes() == first.tobytes()
    assert contact.energy() == energy
    system.DoStepDynamics(1e-3)
    assert contact.forces()["friction"][0, 0] == pytest.approx(first["friction"][0, 0], abs=1e-9)


def test_the_anchor_holds_what_pulls():
    system, _, contact = resting()
    assert system.GetChTime() == pytest.approx(1.0)
    assert contact.node_forces()[0] == pytest.approx((-2.0, 0.0, 9.6), abs=1e-6)


def test_links_take_on_the_length_of_their_beam(fea):
    """A bar of rubber twice as long has a link twice as long: its end touches a plane beside it."""
    chrono = pychrono()
    system, ground = new_system((0.0, 0.0, 0.0))
    mesh = fea.ChMesh()
    nodes = [fea.ChNodeFEAxyz(chrono.ChVector3d(x, 0.0, 0.0)) for x in (0.0, 1.0)]
    for node in nodes:
        node.SetMass(1.0)
        mesh.AddNode(node)
    system.Add(mesh)
    nodes[1].SetPosDt(chrono.ChVector3d(1.0, 0.0, 0.0))
    wall = pc.Plane(ground, at=(5.0, 0.0, 0.0), normal=(-1.0, 0.0, 0.0))
    contact = pc.attach(system).add_beam(nodes, wall, pc.Material(soft()), radius=0.1)
    for _ in range(100):
        system.DoStepDynamics(1e-2)
    assert nodes[1].GetPos().x == pytest.approx(2.0)
    assert contact.forces()["gap"].tolist() == pytest.approx([4.9, 2.9], abs=1e-9)


def test_memory_stays_when_another_node_is_fixed():
    system, ground = new_system((2.0, 0.0, -9.6))
    nodes = [add_mass(system, (0.0, y, 0.049)) for y in (0.0, 1.0)]
    material = pc.Material(soft(), RUBBER, pc.Anchor(5e-6))
    contact = pc.attach(system).add_nodes(nodes, pc.Plane(ground), material, radius=0.05)
    take_steps(system, 1000)
    nodes[0].SetFixed(True)
    take_steps(system, 10)
    assert not contact.node_forces()[0].any()
    assert contact.node_forces()[1] == pytest.approx((-2.0, 0.0, 9.6), abs=1e-6)


@pc.normal_law
def brittle(s, v, p):
    return p.k * (p.s_0 - s) + 0.0 * np.sqrt(p.limit + s - p.s_0) if s < p.s_0 else 0.0


def test_a_law_that_is_not_finite_is_blamed():
    system, ground = new_system()
    node = add_mass(system, (0.0, 0.0, 0.05), velocity=(0.0, 0.0, -1.0))
    law = pc.Material(brittle(s_0=0.0, k=1e4, limit=2e-3))
    contacts = pc.attach(system)
    contacts.add_nodes([node], pc.Plane(ground), law, radius=0.05)
    with pytest.raises(LawError, match=r"law brittle\(.*\) gives a force of nan N at a gap of -0\.00"):
        take_steps(system, 100)
    contacts.detach()
    system.DoStepDynamics(1e-3)


def test_a_state_that_is_not_finite_is_told():
    chrono = pychrono()
    system, node, _ = resting()
    node.SetPos(chrono.ChVector3d(float("nan"), 0.0, 0.0))
    with pytest.raises(StateError, match=r"has left the scene at 1 s: use a shorter step"):
        system.DoStepDynamics(1e-3)
