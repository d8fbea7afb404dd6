"""ChCollisionInfo in memory, and the contacts that a callback is asked about."""

import numpy as np
import pytest

from chrono_powercontact.chrono.api.bridge import address, pychrono
from chrono_powercontact.chrono.contact.geometry import SPHERE_PLANE
from chrono_powercontact.chrono.contact.records import ELEMENT, GEOMETRY, MATERIAL, empty, flat
from chrono_powercontact.chrono.takeover.collision_info import (
    INFO,
    POINTS,
    contacts_within,
    laid_out_as_expected,
    records_at,
)

pytestmark = pytest.mark.chrono

HEIGHTS = (0.11, 0.3, 0.099)


def test_what_is_written_in_memory_is_read_by_pychrono():
    assert laid_out_as_expected()
    info = pychrono().ChCollisionInfo()
    model = pychrono().ChCollisionModel()
    record = records_at(int(info.this), INFO)[0]
    record["on_a"] = 1.0, 2.0, 3.0
    record["normal"] = 0.0, 0.6, 0.8
    record["gap"] = -0.25
    record["model_b"] = address(model)
    assert [info.vpA.x, info.vpA.y, info.vpA.z] == [1.0, 2.0, 3.0]
    assert [info.vN.x, info.vN.y, info.vN.z] == [0.0, 0.6, 0.8]
    assert info.distance == -0.25
    assert address(info.modelB) == address(model)


def test_contacts_within_reach_are_found_with_points_on_both_surfaces():
    elements = empty(ELEMENT, 3)
    geometry = empty(GEOMETRY, 3)
    materials = empty(MATERIAL, 1)
    elements["kind"] = SPHERE_PLANE
    elements["a"] = [1, 2, 3]
    geometry["a_radius"] = 0.1
    geometry["b1"] = 0.0, 0.0, 1.0
    states = [(0, 0, height, 1, 0, 0, 0) for height in (0.0, *HEIGHTS)]
    numbers = np.zeros(3, np.int64)
    points = np.zeros(3, POINTS)
    x = np.array(states, float).reshape(-1)
    count = contacts_within(x, flat(elements), flat(geometry), flat(materials), np.full(4, 0.01), numbers, points)
    assert numbers[:count].tolist() == [0, 2]
    assert points["gap"][:count] == pytest.approx([0.01, -0.001])
    assert points["on_a"][0] == pytest.approx([0, 0, 0.01])
    assert points["on_b"][0] == pytest.approx([0, 0, 0])
    assert points["normal"][0] == pytest.approx([0, 0, -1])
