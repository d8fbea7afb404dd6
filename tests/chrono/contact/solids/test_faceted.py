"""Distances to triangles and to a height field."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.chrono.contact.solids import faceted as f
from chrono_powercontact.chrono.contact.solids.polyhedra import hull_of

HALF = np.array([0.1, 0.2, 0.3])
CUBOID = hull_of(HALF * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float))
GRID = 0.05 * np.sin(np.arange(20)[:, None] / 3.0) * np.cos(np.arange(30) / 4.0)
PLACE = st.tuples(*[st.floats(-0.5, 0.5)] * 3)


@given(PLACE)
def test_triangles_of_a_cuboid_are_a_cuboid(point):
    d, normal = f.to_facets(point, CUBOID.facets)
    beyond = np.abs(point) - HALF
    outside = np.linalg.norm(np.maximum(beyond, 0.0))
    assert d == pytest.approx(outside if outside > 0.0 else beyond.max(), abs=1e-14)
    assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-12)


def test_notch_of_a_concave_mesh_is_outside():
    """An L-shaped prism: the notch between its arms is outside, though within its hull."""
    outline = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], float)
    floor, roof = (np.column_stack([outline, np.full(6, z)]) for z in (0.0, 1.0))
    caps = [(0, 1, 2), (0, 2, 3), (0, 3, 5), (3, 4, 5)]
    lower = [(a, c, b) for a, b, c in caps]
    upper = [(a + 6, b + 6, c + 6) for a, b, c in caps]
    walls = [t for k in range(6) for t in ((k, (k + 1) % 6, k + 6), ((k + 1) % 6, (k + 1) % 6 + 6, k + 6))]
    facets = f.facet_table(np.vstack([floor, roof]), np.array(lower + upper + walls))
    assert f.to_facets((1.5, 1.2, 0.5), facets)[0] == pytest.approx(0.2)
    assert f.to_facets((0.5, 0.5, 0.4), facets)[0] == pytest.approx(-0.4)


def test_every_side_of_a_closed_surface_has_one_that_runs_back():
    triangles = CUBOID.triangles
    sides = [(row[k], row[(k + 1) % 3]) for row in triangles.tolist() for k in range(3)]
    back = f.returning_sides(triangles).ravel()
    assert [sides[k] for k in back] == [(b, a) for a, b in sides]


def test_a_side_without_a_neighbour_is_its_own():
    assert f.returning_sides(np.array([(0, 1, 2), (2, 1, 3)])).tolist() == [[0, 3, 2], [1, 4, 5]]


def test_height_field_passes_through_its_heights():
    for i, j in ((0, 0), (3, 7), (19, 29), (10, 15)):
        assert f.height_at(GRID, float(i), float(j))[0] == pytest.approx(GRID[i, j], abs=1e-15)


@given(st.floats(0.5, 18.5), st.floats(0.5, 28.5))
def test_slopes_of_a_height_field_are_continuous_derivatives(u, v):
    ground = f.height_at(GRID, u, v)
    small = 1e-6
    assert ground.by_x == pytest.approx(
        (f.height_at(GRID, u + small, v)[0] - f.height_at(GRID, u - small, v)[0]) / 2e-6, abs=1e-6
    )
    assert ground.by_y == pytest.approx(
        (f.height_at(GRID, u, v + small)[0] - f.height_at(GRID, u, v - small)[0]) / 2e-6, abs=1e-6
    )


@given(st.floats(2.0, 16.0), st.floats(2.0, 20.0), st.sampled_from([-0.02, 0.02, 0.1, 0.3]))
def test_foot_on_a_rough_height_field_is_that_of_a_perpendicular(u, v, above):
    """On bumps that are more curved than a wheel, too: the foot lies on the ground, and its normal is the ground's."""
    rough = 0.15 * np.random.default_rng(3).normal(size=(19, 23))
    ground = f.ground_at(rough, 0.4 * u, 0.5 * v, 0.4, 0.5)
    out = np.array([-ground.by_x, -ground.by_y, 1.0])
    point = np.array([0.4 * u, 0.5 * v, ground.height]) + above * out / np.linalg.norm(out)
    d, normal = f.to_heights(tuple(point), rough, 0.4, 0.5)
    foot = point - d * np.array(normal)
    there = f.ground_at(rough, foot[0], foot[1], 0.4, 0.5)
    slope = np.array([-there.by_x, -there.by_y, 1.0])
    assert there.height == pytest.approx(foot[2], abs=1e-10)
    assert normal == pytest.approx(slope / np.linalg.norm(slope), abs=1e-10)
    assert abs(d) <= abs(above) + 1e-10 or abs(above) > 0.1


@given(st.floats(0.3, 1.5), st.floats(0.3, 2.5), st.floats(0.02, 0.12))
def test_distance_to_a_gentle_height_field_is_the_least(x, y, above):
    """Where curvature leaves one foot only, the known distance and the known normal of a point come back."""
    ground = f.ground_at(GRID, x, y, 0.1, 0.1)
    out = np.array([-ground.by_x, -ground.by_y, 1.0])
    out /= np.linalg.norm(out)
    d, normal = f.to_heights(tuple(np.array([x, y, ground.height]) + above * out), GRID, 0.1, 0.1)
    assert d == pytest.approx(above, abs=1e-10)
    assert normal == pytest.approx(out, abs=1e-10)


def test_ground_goes_on_level_beyond_the_rim():
    assert f.to_heights((-1.0, 0.5, 1.0), GRID, 0.1, 0.1)[1][0] == 0.0
