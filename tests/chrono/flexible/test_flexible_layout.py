"""Where bodies and nodes are on the load."""

import numpy as np
import pytest

from chrono_powercontact.chrono.flexible.carriers import FRAME, LINK, POINT, TURNING_LINK
from chrono_powercontact.chrono.flexible.flexible_layout import Layout, coordinates, kind_of, speed_width
from chrono_powercontact.chrono.flexible.node_shapes import StandIn
from tests.support.flexible_scenes import Steel, add_cable, add_mass, need_fea, new_system

pytestmark = pytest.mark.chrono


@pytest.fixture(autouse=True)
def fea():
    return need_fea()


def test_kinds_follow_from_the_nodes():
    system, _ = new_system()
    first = add_mass(system)
    second = add_mass(system)
    turning, _ = Steel().add(system, 1)
    assert kind_of(StandIn([first], "")) == POINT
    assert kind_of(StandIn([turning[0]], "")) == FRAME
    assert kind_of(StandIn([first, second], "")) == LINK
    assert kind_of(StandIn(turning, "")) == TURNING_LINK


def test_bodies_come_first_then_free_nodes_and_fixed_ones_behind_the_states():
    system, ground = new_system()
    nodes, _ = Steel().add(system, 2)
    system.Setup()
    layout = Layout([ground], nodes, [StandIn([node], "") for node in nodes])
    assert (layout.x, layout.w) == (7 + 14, 6 + 12)
    assert layout.carriers["x0"].tolist() == [0, 21, 7, 14]
    assert layout.carriers["w0"].tolist() == [0, 18, 6, 12]
    assert layout.carriers["free0"].tolist() == [1, 0, 1, 1]
    assert layout.held_coordinates() == pytest.approx(coordinates(nodes[0]))
    assert [speed_width(node) for node in nodes] == [0, 6, 6]


def test_forces_go_to_the_nodes_in_their_order():
    system, ground = new_system()
    nodes, _ = Steel().add(system, 2)
    system.Setup()
    layout = Layout([ground], nodes, [StandIn([node], "") for node in nodes])
    forces = layout.of_nodes(np.arange(18.0))
    assert forces.tolist() == [[0.0, 0.0, 0.0], [6.0, 7.0, 8.0], [12.0, 13.0, 14.0]]


def test_a_layout_is_current_until_a_node_is_fixed_or_released():
    system, ground = new_system()
    nodes, _ = Steel().add(system, 2)
    system.Setup()
    layout = Layout([ground], nodes, [])
    assert layout.is_current
    nodes[0].SetFixed(False)
    assert not layout.is_current
    nodes[0].SetFixed(True)
    nodes[1].SetFixed(True)
    assert not layout.is_current


def test_a_node_with_slopes_that_chrono_does_not_move_is_told():
    system, _ = new_system()
    nodes, _, _ = add_cable(system, 2, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    nodes[0].SetFixed(True)
    system.DoStepDynamics(1e-3)
    nodes[0].SetFixed(False)
    with pytest.raises(ValueError, match="fixed in the first step and released later"):
        Layout([], nodes, [])
