"""Proximal points are nearest points (3.3)."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.setvalued.prox import clamp, prox_normal, prox_tangential

NUMBERS = st.floats(-1e3, 1e3, allow_subnormal=False).filter(lambda x: x == 0.0 or abs(x) > 1e-9)


@given(NUMBERS, NUMBERS, NUMBERS.map(abs), st.floats(0.0, 6.3), st.floats(0.0, 1.0))
def test_no_point_of_the_disc_is_nearer(x, y, limit, angle, part):
    found = np.array([x, y])
    prox_tangential.py_func(found, limit)
    other = part * limit * np.array([np.cos(angle), np.sin(angle)])
    assert np.hypot(*found) <= limit * (1.0 + 1e-12)
    assert np.hypot(x - found[0], y - found[1]) <= np.hypot(x - other[0], y - other[1]) + 1e-9


@given(NUMBERS, NUMBERS.map(abs))
def test_one_component_is_clamped(x, limit):
    found = np.array([x])
    prox_tangential.py_func(found, limit)
    assert np.isclose(found[0], clamp.py_func(x, limit), atol=1e-9)


@given(NUMBERS)
def test_normal_forces_push(x):
    assert prox_normal.py_func(x) == max(x, 0.0)
