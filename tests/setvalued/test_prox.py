"""Proximal points are nearest points (3.3)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.scenarios.hyperstatic.block.block_models import rigid_block
from chrono_powercontact.scenarios.hyperstatic.block.block_statics import REST, load_of
from chrono_powercontact.setvalued.delassus import r_factor
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


@pytest.mark.parametrize(
    ("start", "published"),
    [(0.0, (0.0, -0.61257, -0.62475, -0.62499, -0.625)), (0.05, (500.0, 7.898, 7.236, 6.899, 6.727))],
)
def test_published_inner_iterates(start, published):
    """R8, Fig. 5.4: Lambda_TB in 1e-4 N s over the sweeps of the first outer iteration, under 2 N."""
    block = rigid_block(load_of("constant", 2.0))
    g = block.delassus_at(REST)
    r = r_factor(g)
    out = block.terms_at(REST)
    free = 1e-4 * block.rows_of(out) @ np.linalg.solve(out.mass, -out.bias)
    impulses = np.array([-start, 0.0, start, 0.0])
    for _ in range(300):
        rates = free + g @ impulses
        impulses[1::2] = [prox_normal(impulses[k] - r * rates[k]) for k in (1, 3)]
    found = [impulses[2]]
    for _ in published[1:]:
        rates = free + g @ impulses
        for k in (0, 2):
            part = impulses[k : k + 1]
            part -= r * rates[k]
            prox_tangential(part, 0.1 * impulses[k + 1])
        found.append(impulses[2])
    assert np.multiply(found, 1e4) == pytest.approx(published, abs=1e-3)
    if start:
        assert 1e4 * impulses[0] == pytest.approx(-7.798, abs=1e-3)
