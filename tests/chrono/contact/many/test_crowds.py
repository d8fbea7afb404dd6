"""Equal geometry is kept once, and of the memory only what the laws use."""

import numpy as np
import pytest
from sphere_lists import RADIUS, cube_of_spheres, jostled, sphere_list

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.contact_table import material_record
from chrono_powercontact.chrono.contact.many.crowds import PLAIN, STICKING, TURNING, numbered, shared, words_for
from chrono_powercontact.chrono.contact.records import MATERIAL, flat

LAW = pc.Restriction(0.002, 0.001, 400.0, 0.3)
FRICTION = pc.Friction(0.25, 0.3, 1e-3, 2e-3, 0.1, 1e-6)
FILTERED = pc.Material(LAW, FRICTION, pc.LPVFilter(1e-3, 1e-3))
ANCHORED = pc.Material(LAW, FRICTION, pc.Anchor(1e-4))
ROLLING = pc.Material(LAW, FRICTION, pc.Anchor(1e-4), rolling=pc.SpinFriction(1e-3))
PATCHED = pc.Material(LAW, FRICTION, pc.Anchor(1e-4), patch=1e-3)
PLACES = cube_of_spheres(10)


@pytest.mark.parametrize(
    ("materials", "words"),
    [
        ([pc.Material(LAW)], PLAIN), ([FILTERED], PLAIN), ([ANCHORED], STICKING), ([ROLLING], TURNING),
        ([PATCHED], TURNING), ([FILTERED, ANCHORED], STICKING),
    ],
)  # fmt: skip
def test_the_memory_has_room_for_what_the_laws_use(materials, words):
    assert PLAIN < STICKING < TURNING
    assert words_for(np.array([material_record(material) for material in materials], MATERIAL)) == words


def test_equal_kinds_share_a_record():
    table = shared(np.array([7, 3, 7, 7, 3]), lambda numbers: numbers)
    assert table.geometry.tolist() == [1, 0]
    assert table.rows[:5].tolist() == [1, 0, 1, 1, 0]
    assert numbered(3)[:3].tolist() == [0, 1, 2]


def test_equal_spheres_share_their_geometry_and_others_have_their_own():
    plain = sphere_list(np.full(len(PLACES), RADIUS), FILTERED, crowds=False)
    jostled(plain, PLACES, 2)
    crowd = sphere_list(np.full(len(PLACES), RADIUS), FILTERED)
    jostled(crowd, PLACES, 2)
    small = crowd.nbytes
    assert np.array_equal(flat(crowd.geometry), flat(plain.geometry))
    assert small < 0.4 * plain.nbytes
    radii = RADIUS * np.random.default_rng(0).uniform(0.99, 1.0, len(PLACES))
    lists = sphere_list(radii, FILTERED), sphere_list(radii, FILTERED, crowds=False)
    for part in lists:
        jostled(part, PLACES, 1)
    assert np.array_equal(flat(lists[0].geometry), flat(lists[1].geometry))
