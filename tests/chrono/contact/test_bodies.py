import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.chrono.contact.bodies import outgrown, way_of, ways_ahead

UPRIGHT = np.array([0, 0, 0, 1.0, 0, 0, 0])


@given(st.floats(0.0, np.pi), st.floats(0.1, 3.0))
def test_turning_is_not_underestimated(angle, extent):
    """A point at the extent moves by 2 sin(angle/2) times the extent."""
    x = np.array([0, 0, 0, np.cos(0.5 * angle), 0, 0, np.sin(0.5 * angle)])
    extents = np.array([extent])
    assert way_of(x, UPRIGHT, extents, 0) >= 2.0 * np.sin(0.5 * angle) * extent - 1e-12
    assert way_of(-x, -UPRIGHT, extents, 0) == way_of(x, UPRIGHT, extents, 0)


def test_a_sphere_that_rolls_on_the_spot_needs_no_new_list():
    x = np.array([0, 0, 0, 0.0, 1.0, 0, 0])
    assert way_of(x, UPRIGHT, np.zeros(1), 0) == 0.0
    assert outgrown(x, np.zeros(6), 0.0, UPRIGHT, np.zeros(1), np.zeros(1)) == 0


def test_each_body_has_its_own_room_and_needs_it_for_the_step_ahead():
    start = np.tile(UPRIGHT, 2)
    x = start.copy()
    x[7] = 0.3
    w = np.zeros(12)
    w[1] = 1.0
    extents = np.zeros(2)
    assert outgrown(x, w, 0.0, start, extents, np.array([0.0, 0.3])) == 0
    assert outgrown(x, w, 0.0, start, extents, np.array([0.3, 0.2])) == 1
    assert outgrown(x, w, 0.1, start, extents, np.array([0.11, 0.3])) == 0
    assert outgrown(x, w, 0.1, start, extents, np.array([0.09, 0.3])) == 1


def test_a_state_that_is_not_finite_names_the_body():
    x = np.zeros(21)
    x[9] = np.nan
    assert outgrown(x, np.zeros(18), 0.0, np.zeros(21), np.zeros(3), np.full(3, np.inf)) == -2


def test_the_fastest_point_is_at_the_extent_of_a_body_that_turns():
    w = np.array([3.0, 4.0, 0, 0, 0, 0, 0, 0, 1.0, 0, 0, 2.0])
    assert ways_ahead(w, np.array([1.0, 4.0]), 0.1) == pytest.approx([0.5, 0.9])
