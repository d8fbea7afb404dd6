"""Contact points of a patch, thinned out."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.chrono.takeover.contact_patch import DIRECTIONS, FOUND, thinned

GRAIN = 1e-3


def patch(points, gaps, pair=(0, 1), normal=(0.0, 0.0, 1.0)):
    found = np.zeros(len(points), FOUND)
    found["point"] = points
    found["gap"] = gaps
    found["normal"] = normal
    found["a"], found["b"] = pair
    return found


def grid(count):
    side = np.linspace(-0.5, 0.5, count)
    x, y = np.meshgrid(side, side)
    return np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])


def test_the_corners_of_a_flat_patch_are_kept():
    kept = thinned(patch(grid(9), np.zeros(81)), GRAIN)
    assert len(kept) <= DIRECTIONS + 1
    corners = {tuple(point) for point in kept["point"][:, :2].tolist() if np.abs(point).max() == 0.5}
    assert {(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)} <= corners


def test_of_points_at_one_place_the_deepest_stays():
    points = np.tile([[0.1, 0.2, 0.3]], (12, 1))
    gaps = -1e-5 * np.arange(12)
    (kept,) = thinned(patch(points, gaps), GRAIN)
    assert kept["gap"] == gaps.min()


def test_few_points_and_points_without_a_grain_stay_as_they_are():
    few = patch(grid(2), np.zeros(4))
    assert thinned(few, GRAIN) is few
    many = patch(grid(5), np.zeros(25))
    assert thinned(many, 0.0) is many


def test_points_of_other_bodies_or_facing_elsewhere_are_patches_of_their_own():
    here = patch(grid(5), np.zeros(25))
    there = patch(grid(5), np.zeros(25), pair=(0, 2))
    wall = patch(grid(5), np.zeros(25), normal=(1.0, 0.0, 0.0))
    alone = sum(len(thinned(found, GRAIN)) for found in (here, there, wall))
    assert len(thinned(np.concatenate([here, there, wall]), GRAIN)) == alone


@given(st.integers(0, 10**6), st.integers(9, 60))
def test_the_deepest_point_is_never_lost(seed, count):
    rng = np.random.default_rng(seed)
    found = patch(rng.uniform(-1, 1, (count, 3)), rng.uniform(-1e-3, 1e-3, count))
    assert thinned(found, GRAIN)["gap"].min() == found["gap"].min()
