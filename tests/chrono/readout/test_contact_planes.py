"""Contacts in the components of the plane in which they are reported."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.chrono.contact.records import ELEMENT, empty
from chrono_powercontact.chrono.readout.acted import Acted
from chrono_powercontact.chrono.readout.contact_planes import seen_contacts


@given(st.integers(0, 10**6), st.sampled_from([None, (0, 1, 0), (0, -1, 0), (1e-17, 1, 0), (0, 0, 1)]))
def test_axes_are_at_right_angles_and_forces_keep_their_size(seed, given_normal):
    rng = np.random.default_rng(seed)
    normal = rng.normal(size=3) if given_normal is None else np.array(given_normal, float)
    normal /= np.linalg.norm(normal)
    point, force, moment = rng.normal(size=(3, 3))
    gap = rng.normal()
    rows = Acted(empty(ELEMENT, 1), normal[None], point[None], force[None], moment[None], np.array([gap]), np.zeros(1))
    (seen,) = seen_contacts(rows)
    assert seen["axis"] == pytest.approx(-normal)
    assert seen["force"][0] == pytest.approx(force @ normal)
    assert np.linalg.norm(seen["force"]) == pytest.approx(np.linalg.norm(force))
    assert np.linalg.norm(seen["torque"]) == pytest.approx(np.linalg.norm(moment))
    assert seen["on_a"] - seen["on_b"] == pytest.approx(gap * normal)
    assert 0.5 * (seen["on_a"] + seen["on_b"]) == pytest.approx(point)
