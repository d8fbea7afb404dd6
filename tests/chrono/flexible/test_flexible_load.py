"""Loads over bodies and nodes with their own numbers of coordinates."""

import numpy as np
import pytest

from chrono_powercontact.chrono.flexible.flexible_load import (
    SILENT,
    StepAbandoned,
    flexible_load_class,
    slope_block_class,
)
from tests.support.flexible_scenes import Steel, add_cable, add_mass, need_fea, new_system

pytestmark = pytest.mark.chrono


@pytest.fixture(autouse=True)
def fea():
    return need_fea()


def test_a_load_gathers_the_states_of_bodies_and_nodes_side_by_side():
    system, ground = new_system()
    mass = add_mass(system, (1.0, 2.0, 3.0), velocity=(4.0, 5.0, 6.0))
    turning, _ = Steel().add(system, 1)
    sloped, _, _ = add_cable(system, 1, (0.0, 0.0, 9.0), (1.0, 0.0, 9.0))
    system.Setup()
    load = flexible_load_class()([ground, mass, turning[1], sloped[0]], SILENT)
    assert load.sizes == (7 + 3 + 7 + 6, 6 + 3 + 6 + 6)
    load.gather()
    assert load.x.data[7:10].tolist() == [1.0, 2.0, 3.0]
    assert load.w.data[6:9].tolist() == [4.0, 5.0, 6.0]
    assert load.x.data[17:].tolist() == [0.0, 0.0, 9.0, 1.0, 0.0, 0.0]


def test_a_load_without_forces_ends_the_step():
    system, _ = new_system()
    load = flexible_load_class()([add_mass(system)], SILENT)
    with pytest.raises(StepAbandoned):
        load.LoadIntLoadResidual_F(None, 1.0)


def test_a_block_has_room_for_the_slopes_of_its_nodes_and_body():
    system, ground = new_system()
    block = slope_block_class()([add_mass(system), ground])
    assert block.width == 9
    block.stiffness.data[:] = np.eye(9)
    block.stiffness.write()
    assert block.GetJacobians().K.GetItem(4, 4) == 1.0
    assert block.GetJacobians().R.GetItem(4, 4) == 0.0
    assert not block.IsStiff()
