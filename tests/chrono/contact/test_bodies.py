import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.chrono.contact.bodies import fastest, moved


@given(st.floats(0.0, np.pi), st.floats(0.1, 3.0))
def test_turning_is_not_underestimated(angle, extent):
    """A point at the extent moves by 2 sin(angle/2) times the extent."""
    x = np.array([0, 0, 0, np.cos(0.5 * angle), 0, 0, np.sin(0.5 * angle)])
    start = np.array([0, 0, 0, 1.0, 0, 0, 0])
    assert moved(x, start, np.array([extent])) >= 2.0 * np.sin(0.5 * angle) * extent - 1e-12
    assert moved(-x, -start, np.array([extent])) == moved(x, start, np.array([extent]))


def test_a_sphere_that_rolls_on_the_spot_needs_no_new_list():
    x = np.array([0, 0, 0, 0.0, 1.0, 0, 0])
    assert moved(x, np.array([0, 0, 0, 1.0, 0, 0, 0]), np.zeros(1)) == 0.0


def test_a_state_that_is_not_finite_names_the_body():
    x = np.zeros(21)
    x[9] = np.nan
    assert moved(x, np.zeros(21), np.zeros(3)) == -2.0


def test_the_fastest_point_is_at_the_extent_of_a_body_that_turns():
    w = np.array([3.0, 4.0, 0, 0, 0, 0, 0, 0, 1.0, 0, 0, 2.0])
    assert fastest(w, np.array([1.0, 4.0])) == pytest.approx(9.0)
