"""How gaps bend as bodies turn."""

import numpy as np
import pytest
from numba import njit

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.bodies import rotations
from chrono_powercontact.chrono.contact.elements import elements_between
from chrono_powercontact.chrono.contact.records import ELEMENT
from chrono_powercontact.chrono.contact.solids.rolling import roll_bend


class _Body:
    IsFixed = GetIdentifier = None


A, B = _Body(), _Body()


@njit
def bend_of(x, r, w, element, geometry, h):
    return roll_bend(x, r, w, element, geometry, h)


@pytest.mark.parametrize(("axis", "bent"), [((0.0, 1.0, 0.0), 0.0), ((1.0, 0.0, 0.0), None)])
def test_a_torus_that_rolls_about_its_axis_stays_level(axis, bent):
    """About y, its axis, nothing changes; about x it leans, and its lowest point moves along the tube."""
    x = np.array([0.0, 0.0, 0.25, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0])
    w = np.zeros(12)
    w[3:6] = 10.0 * np.array(axis)
    r = np.zeros((2, 3, 3))
    rotations(x, r)
    kind, _, geometry = elements_between(pc.Torus(A, 0.2, 0.05, axis=(0, 1, 0)), pc.Plane(B))[0]
    found = bend_of(x, r, w, np.array([(kind, 0, 1, 0)], ELEMENT)[0], geometry, 1e-2)
    expected = 0.2 * (1.0 - np.cos(0.1)) if bent is None else bent
    assert found == pytest.approx(expected, abs=1e-12)
    assert r[0] == pytest.approx(np.eye(3), abs=0.0)
