"""Distances to solids, against points that are built at a known distance along a known normal, and against polygons."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.chrono.contact.solids import solid_distances as s

ANGLE = st.floats(-np.pi, np.pi)
PLACE = st.tuples(*[st.floats(-0.4, 0.4)] * 3)
SIZE = (0.1, 0.1, 0.2)
PROFILES = {
    s.to_cylinder: [(0.0, -0.2), (0.1, -0.2), (0.1, 0.2), (0.0, 0.2)],
    s.to_cone: [(0.0, -0.2), (0.1, -0.2), (0.0, 0.2)],
}


def to_profile(point, profile):
    """Distance in m to the surface that a polygon in the plane of radius and height sweeps."""
    p = np.array([np.hypot(point[0], point[1]), point[2]])
    least = np.inf
    for a, b in zip(map(np.array, profile[:-1]), map(np.array, profile[1:]), strict=True):
        along = np.clip((p - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0)
        least = min(least, np.linalg.norm(p - a - along * (b - a)))
    return least


@pytest.mark.parametrize("distance", PROFILES, ids=["cylinder", "cone"])
@given(PLACE)
def test_distance_is_that_to_the_nearest_point_of_the_profile(distance, point):
    d, normal = distance.py_func(point, SIZE)
    assert abs(d) == pytest.approx(to_profile(point, PROFILES[distance]), abs=1e-14)
    assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-14)
    foot = np.subtract(point, d * np.array(normal))
    assert to_profile(foot, PROFILES[distance]) == pytest.approx(0.0, abs=1e-14)


@given(ANGLE, st.floats(-1.5, 1.5), st.floats(-0.04, 0.5))
def test_point_at_a_known_distance_from_an_ellipsoid(longitude, latitude, distance):
    half = np.array([0.3, 0.2, 0.11])
    out = (np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude))
    on = half * out
    normal = on / half**2
    normal /= np.linalg.norm(normal)
    d, found = s.to_ellipsoid.py_func(tuple(on + distance * normal), half)
    assert d == pytest.approx(distance, abs=1e-12)
    assert found == pytest.approx(normal, abs=1e-10)


@given(ANGLE, ANGLE, st.floats(1e-3, 0.15))
def test_point_at_a_known_distance_from_a_ring(longitude, around, distance):
    out = np.array([np.cos(longitude), np.sin(longitude), 0.0])
    normal = np.cos(around) * out + np.array([0.0, 0.0, np.sin(around)])
    d, found = s.to_ring.py_func(tuple(0.2 * out + distance * normal), (0.2, 0.2, 0.0))
    assert d == pytest.approx(distance, abs=1e-14)
    assert found == pytest.approx(normal, abs=1e-12)


def test_middle_of_an_ellipsoid_is_inside():
    d, normal = s.to_ellipsoid.py_func((0.0, 0.0, 0.0), (0.3, 0.2, 0.1))
    assert d == pytest.approx(-0.1)
    assert np.linalg.norm(normal) == pytest.approx(1.0)
