"""Two cones side by side: the plane between them is tangent to both."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from chrono_powercontact.chrono.contact.solids import cone_sides as c

PLACE = st.tuples(*[st.floats(-1.0, 1.0)] * 3)


def side(apex, base, radius):
    assume(np.linalg.norm(np.subtract(apex, base)) > 0.1)
    return c.ConeSide(apex, base, radius)


def lowest(cone, direction):
    """Least component of all points of a cone along a direction."""
    axis = np.subtract(cone.apex, cone.base)
    axis = axis / np.linalg.norm(axis)
    flat = np.linalg.norm(direction - (direction @ axis) * axis)
    return min(direction @ np.array(cone.apex), direction @ np.array(cone.base) - cone.radius * flat)


@given(PLACE, PLACE, st.floats(0.05, 0.8), PLACE, PLACE, st.floats(0.05, 0.8))
def test_plane_is_tangent_to_both(apex, base, radius, other_apex, other_base, other_radius):
    one, other = side(apex, base, radius), side(other_apex, other_base, other_radius)
    crossing, normal = c.tangent_normal(one, other)
    assume(crossing)
    n = np.array(normal)
    assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-10)
    assert lowest(one, n) == pytest.approx(n @ np.array(apex), abs=1e-10)
    assert -lowest(other, -n) == pytest.approx(n @ np.array(other_apex), abs=1e-10)


def test_two_cones_that_cross_like_a_saltire():
    """Axes at right angles, half angles of 45 degrees: the plane is known by symmetry."""
    one = c.ConeSide((0.0, 0.0, 1.0), (1.0, 0.0, 1.0), 1.0)
    other = c.ConeSide((0.3, 0.0, 0.0), (0.3, 1.0, 0.0), 1.0)
    d, n, point, weight = c.between_sides(one, other)
    half = np.sqrt(0.5)
    assert abs(n[0]) == pytest.approx(half)
    assert abs(n[1]) == pytest.approx(half)
    assert d == pytest.approx(n @ np.array([-0.3, 0.0, 1.0]))
    assert 0.0 <= weight <= 1.0
    assert np.all(np.isfinite(point))


def test_cones_with_one_axis_touch_by_their_ends():
    one = c.ConeSide((0.0, 0.0, 0.1), (0.0, 0.0, 1.0), 0.3)
    other = c.ConeSide((0.0, 0.0, 0.0), (0.0, 0.0, -1.0), 0.3)
    assert c.between_sides(one, other)[3] == 0.0


def test_no_plane_touches_the_sides_of_a_sharp_and_a_blunt_cone_that_point_at_each_other():
    one = c.ConeSide((0.0, 0.0, 0.1), (0.1, 0.0, 1.0), 0.1)
    other = c.ConeSide((0.0, 0.0, 0.0), (0.0, 0.0, -1.0), 2.0)
    crossing, _ = c.tangent_normal(one, other)
    assert not crossing
    assert c.between_sides(one, other)[3] == 0.0
