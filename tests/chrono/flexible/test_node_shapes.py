"""Shapes of nodes and links: each node has one sphere."""

import numpy as np

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.elements import elements_between
from chrono_powercontact.chrono.flexible.node_shapes import BeamLink, NodeSphere, StandIn


class Node:
    """A node that is fixed or not."""

    def __init__(self, fixed):
        self.fixed = fixed

    def IsFixed(self):
        return self.fixed


GROUND = StandIn([], "ground")


def test_stand_ins_have_numbers_of_their_own_that_no_body_has():
    first = StandIn([], "a")
    second = StandIn([], "b")
    assert first.GetIdentifier() != second.GetIdentifier()
    assert first.GetIdentifier() < 0 > second.GetIdentifier()
    assert first.GetName() == "a"


def test_a_stand_in_is_fixed_if_all_its_nodes_are():
    assert StandIn([Node(True), Node(True)], "").IsFixed()
    assert not StandIn([Node(True), Node(False)], "").IsFixed()


def test_a_node_is_a_sphere():
    shape = NodeSphere(StandIn([Node(False)], ""), 0.1)
    (sphere,) = shape.spheres
    assert sphere.radius == 0.1
    assert not sphere.centre.any()
    assert len(elements_between(shape, pc.Plane(GROUND))) == 1


def test_links_share_the_spheres_at_their_nodes():
    links = [BeamLink(StandIn([], ""), 0.1, 2.0, is_last) for is_last in (False, True)]
    assert [len(link.spheres) for link in links] == [1, 2]
    assert links[0].spheres[0].centre.tolist() == [-1.0, 0.0, 0.0]
    assert [len(elements_between(link, pc.Plane(GROUND))) for link in links] == [1, 2]


def test_a_link_touches_a_capsule_with_its_axis():
    link = BeamLink(StandIn([], ""), 0.1, 2.0, False)
    ((_, swapped, geometry),) = elements_between(link, pc.Capsule(GROUND, 0.2, 1.0))
    assert not swapped
    assert np.allclose(geometry["a0"], (-1.0, 0.0, 0.0))
    assert np.allclose(geometry["a1"], (1.0, 0.0, 0.0))
    assert len(link.targets) == 1
