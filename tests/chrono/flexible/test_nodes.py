"""Nodes that a user gives, and the meshes that hold them."""

import pytest

import chrono_powercontact as pc
from chrono_powercontact.chrono.flexible.nodes import find_nodes, turns, typed
from tests.support.flexible_scenes import Steel, add_cable, add_mass, need_fea, new_system

pytestmark = pytest.mark.chrono


@pytest.fixture(autouse=True)
def fea():
    return need_fea()


def test_a_mesh_stands_for_all_its_nodes(fea):
    system, _ = new_system()
    nodes, mesh = Steel().add(system, 3)
    found = find_nodes(system, mesh)
    assert len(found.nodes) == len(nodes) == 4
    assert all(isinstance(node, fea.ChNodeFEAxyzrot) for node in found.nodes)
    assert found.counts == [4]


def test_nodes_of_a_mesh_are_given_the_class_that_loads_need(fea):
    system, _ = new_system()
    _, mesh, _ = add_cable(system, 2, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    plain = mesh.GetNodes()[0]
    assert type(plain) is fea.ChNodeFEAbase
    assert isinstance(typed(plain), fea.ChNodeFEAxyz)
    assert not turns(typed(plain))


def test_only_nodes_with_a_rotation_turn():
    system, _ = new_system()
    nodes, _ = Steel().add(system, 1)
    assert turns(nodes[0])
    assert not turns(add_mass(system))


def test_meshes_that_stay_pass_the_check_and_others_do_not():
    system, _ = new_system()
    node = add_mass(system)
    found = find_nodes(system, [node])
    found.check(system)
    system.Remove(found.meshes[0])
    with pytest.raises(pc.PowerContactError, match="has left the system or has changed its nodes"):
        found.check(system)
