"""A long list is a crowd for the steps, and a plain list for everybody who looks at its tables."""

import numpy as np
import pytest
from sphere_lists import RADIUS, box_list, cube_of_spheres, jostled, sphere_list, standing

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.records import MEMORY, TOTALS, empty, flat

FRICTION = pc.Friction(0.25, 0.3, 1e-3, 2e-3, 0.1, 1e-6)
MATERIAL = pc.Material(pc.Restriction(0.002, 0.001, 400.0, 0.3), FRICTION, pc.Anchor(1e-4))
PLACES = cube_of_spheres(10)


@pytest.fixture
def crowd():
    part = sphere_list(np.full(len(PLACES), RADIUS), MATERIAL)
    jostled(part, PLACES, 3)
    return part


def committed(part, at):
    q = np.zeros(at.w.size)
    part.evaluate(at, q, flat(empty(TOTALS, 1)))
    return q


def test_who_asks_gets_records_and_the_next_step_is_the_same(crowd):
    other = sphere_list(np.full(len(PLACES), RADIUS), MATERIAL)
    jostled(other, PLACES, 3)
    assert crowd.kept.dtype == np.float64
    assert [len(table) for table in (crowd.geometry, crowd.memory)] == [len(crowd.elements)] * 2
    assert crowd.tables[3].size == len(crowd.elements) * MEMORY.itemsize // 8
    assert crowd.kept is crowd.memory
    at = standing(PLACES, commit=True)
    assert np.array_equal(committed(crowd, at), committed(other, at))
    assert crowd.kept.dtype == np.float64


def test_an_integrator_with_stages_has_a_plain_list(crowd):
    committed(crowd, standing(PLACES, commit=True, once=False))
    assert crowd.kept.dtype == MEMORY


def test_a_list_that_others_change_in_every_step_is_plain(crowd):
    crowd.crowds = False
    committed(crowd, standing(PLACES, commit=True))
    assert crowd.kept.dtype == MEMORY


def test_memory_that_is_put_back_is_used(crowd):
    """The ledger is read by a commit that is taken back."""
    at = standing(PLACES, commit=True)._replace(stepping=False)
    before = crowd.kept.copy()
    first = committed(crowd, at)
    assert not np.array_equal(crowd.kept, before)
    crowd.kept[:] = before
    assert np.array_equal(committed(crowd, at), first)


def test_a_crowd_that_becomes_small_is_plain():
    part = sphere_list(np.full(len(PLACES), RADIUS), MATERIAL)
    jostled(part, PLACES, 2)
    apart = PLACES * np.where(np.arange(len(PLACES)) < 900, 3.0, 1.0)[:, None]
    committed(part, standing(apart, commit=True))
    committed(part, standing(apart, commit=True))
    other = sphere_list(np.full(len(PLACES), RADIUS), MATERIAL, crowds=False)
    jostled(other, PLACES, 2)
    committed(other, standing(apart, commit=True))
    committed(other, standing(apart, commit=True))
    assert np.array_equal(part.memory["load"], other.memory["load"])


def test_boxes_are_the_same_as_a_crowd():
    """A pair of boxes has many elements, which come from several parts of the pairs, in the order of a plain list."""
    places = cube_of_spheres(9)
    lists = box_list(len(places), MATERIAL), box_list(len(places), MATERIAL, crowds=False)
    steps = [jostled(part, places, 2) for part in lists]
    assert lists[0].kept.dtype == np.float64
    assert np.array_equal(lists[0].keys, lists[1].keys)
    for (q, _), (expected, _) in zip(*steps, strict=True):
        assert np.array_equal(q, expected)
    assert len(lists[0].elements) > 4 * 2048
    assert np.array_equal(flat(lists[0].geometry), flat(lists[1].geometry))
