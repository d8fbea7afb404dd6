"""Distances of points from triangles, and patches that are nowhere hollow."""

import numpy as np
import pytest
from mesh_scenes import fine_box, rolling_ground

from chrono_powercontact.chrono.contact.solids.polyhedra import plate_of, polyhedron
from chrono_powercontact.chrono.takeover.solids.large_surface import neighbours_of
from chrono_powercontact.chrono.takeover.solids.surface_patches import distances, find_patches, height_over

BOX = polyhedron(*fine_box(3, np.array([0.5, 0.5, 0.5])))


@pytest.mark.parametrize(("point", "distance"), [((0, 0, 0.7), 0.2), ((0, 0.1, 0.4), -0.1), ((0.8, 0.9, 0.5), 0.5)])
def test_the_least_distance_is_that_of_the_box(point, distance):
    apart = np.zeros((1, len(BOX.facets)))
    distances(np.array([point], float), BOX.facets, apart)
    assert apart[0, np.argmin(np.abs(apart[0]))] == pytest.approx(distance)


def test_behind_a_pseudo_normal_of_zero_no_point_lies():
    cut = BOX.facets.copy()
    for field in ("at_corners", "at_edges"):
        cut[field] = 0.0
    points = np.random.default_rng(0).uniform(-0.4, 0.4, (20, 3))
    apart = np.zeros((20, len(cut)))
    distances(points, cut, apart)
    whole = np.zeros_like(apart)
    distances(points, BOX.facets, whole)
    assert np.abs(apart) == pytest.approx(np.abs(whole))
    assert (apart > 0.0).any()
    assert (whole < 0.0).all()


def patches_of(surface, point):
    apart = np.zeros((1, len(surface.facets)))
    distances(np.array([point], float), surface.facets, apart)
    neighbours = neighbours_of(surface)
    patch = np.zeros(len(surface.facets), np.int64)
    find_patches(np.abs(apart[0]), surface.facets, neighbours.across, neighbours.hollow, 1e-9, patch)
    return patch, neighbours


def test_a_convex_surface_is_one_patch():
    patch, _ = patches_of(BOX, (0.1, 0.2, 0.8))
    assert len(set(patch)) == 1


@pytest.mark.parametrize("point", [(0.1, 0.2, 0.4), (-0.7, 0.3, 0.3)])
def test_patches_of_a_ground_are_not_hollow(point):
    """No triangle rises over the plane of the first one of its patch, and none has a hollow side in common with it."""
    ground = polyhedron(*plate_of(*rolling_ground(10, 3.0, 0.2), 0.05))
    patch, neighbours = patches_of(ground, point)
    for number, seed in enumerate(patch):
        assert height_over(ground.facets[number], ground.facets[seed]) <= 1e-9
    assert not (neighbours.hollow[patch] & (patch[neighbours.across[patch]] == patch[:, None])).any()
    assert len(set(patch)) > 5
