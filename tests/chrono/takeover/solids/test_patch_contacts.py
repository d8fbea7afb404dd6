"""Which patches a point touches, and how long their names last."""

import numpy as np
import pytest
from mesh_scenes import rolling_ground

from chrono_powercontact.chrono.contact.solids.faceted import FACET_WORDS, to_facets
from chrono_powercontact.chrono.contact.solids.polyhedra import plate_of, polyhedron
from chrono_powercontact.chrono.takeover.solids.large_surface import LargeSurface
from chrono_powercontact.chrono.takeover.solids.patch_contacts import (
    MOST_TRIANGLES,
    WHOLE,
    PatchNames,
    near_seeds,
    touched_patches,
)

pytest.importorskip("coal")

GROUND = polyhedron(*plate_of(*rolling_ground(20, 3.0, 0.2), 0.05))


LIMIT = 0.05


def touched(points, radius, limit=LIMIT, room=0.02):
    large = LargeSurface(GROUND, 0.0)
    names = PatchNames()
    names.begin()
    every = np.arange(len(GROUND.triangles))
    radii = np.full(len(points), radius)
    return touched_patches(large, every, points, radii, limit, room, names.of([(k,) for k in range(len(points))]))


def facets_of(found, number):
    """The triangles of a patch, from its address."""
    start = (int(found.places[number, 0]) - found.facets.ctypes.data) // (8 * FACET_WORDS)
    return found.facets[start : start + int(found.places[number, 1])]


@pytest.mark.parametrize("radius", [0.0, 0.15])
@pytest.mark.parametrize("seed", range(3))
def test_the_nearest_patch_is_as_near_as_the_whole_surface_wherever_the_point_goes(radius, seed):
    """Within the room to move, which is 0.02 m, and for gaps below the limit."""
    rng = np.random.default_rng(seed)
    points = np.column_stack([rng.uniform(-1.0, 1.0, (8, 2)), rng.uniform(0.1, 0.3, 8)])
    found = touched(points, radius)
    for moved in (0.0, 0.0199):
        way = rng.normal(size=3)
        for number, point in enumerate(points):
            there = tuple(point + moved * way / np.linalg.norm(way))
            own = np.flatnonzero(found.owners == number)
            least = min(to_facets(there, facets_of(found, k))[0] for k in own)
            expected = to_facets(there, GROUND.facets)[0]
            if radius == 0.0 or expected + moved < radius + LIMIT:
                assert least == pytest.approx(expected, abs=1e-12)


def test_a_point_without_a_radius_has_one_patch_also_behind_the_surface():
    found = touched(np.array([[0.3, 0.2, 0.1], [0.3, 0.2, 0.12]]), 0.0)
    assert found.patches.tolist() == [WHOLE, WHOLE]
    for number, z in enumerate((0.1, 0.12)):
        distance, _ = to_facets((0.3, 0.2, z), facets_of(found, number))
        assert distance == pytest.approx(to_facets((0.3, 0.2, z), GROUND.facets)[0], abs=1e-12)


def test_a_patch_that_the_point_is_behind_is_left_out_unless_it_is_the_nearest():
    patch = np.array([0, 0, 2, 3, 4])
    apart = np.array([0.10, 0.11, 0.12, -0.115, 0.4])
    assert near_seeds(apart, patch, 0.2) == [0, 2]
    assert near_seeds(-apart, patch, 0.2) == [0, 3]


def test_a_patch_keeps_its_name_as_long_as_its_nearest_triangle_belonged_to_it():
    names = PatchNames()
    first = names.name((0,), [7], [np.array([5, 6, 7, 8])])
    names.begin()
    assert names.name((0,), [8, 20], [np.array([7, 8, 9]), np.array([20])]) == [first[0], 20]
    names.begin()
    assert names.name((0,), [9], [np.array([9])]) == first
    names.begin()
    assert names.name((1,), [9], [np.array([9])]) == [9]


def test_two_patches_of_a_point_never_share_a_name():
    names = PatchNames()
    names.name((0,), [7], [np.array([7, 8])])
    names.begin()
    assert names.name((0,), [7, 8], [np.array([7]), np.array([8])]) == [7, 7 + MOST_TRIANGLES]
