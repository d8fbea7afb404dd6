"""Closed forms of the block against each other and against published samples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.scenarios.hyperstatic.block.block_statics import (
    LOW,
    WEIGHT,
    Springs,
    exact_sag,
    load_of,
    resting_normals,
    rigid_motion,
    sagging,
    sliding_forces,
    slip_load,
    spring_share,
    spring_split,
    stick_interval,
)


def test_published_samples():
    assert sliding_forces(2.0) == pytest.approx((-7.4056, 74.056, -8.2904, 82.904))
    assert sagging(LOW)[2] == pytest.approx(-1.962e-6)
    assert exact_sag(LOW) == pytest.approx(-1.9571e-6, abs=1e-10)
    assert spring_split(LOW, 0.0) == pytest.approx(0.1957, abs=1e-4)
    assert spring_share(LOW) == pytest.approx(0.00249, abs=1e-5)
    assert spring_share(Springs(1.0, 0.01 / 12.0)) == pytest.approx(0.75)
    motion = rigid_motion(load_of("ramp", 27.0), 0.1, 0.1, 0.1)
    assert motion == pytest.approx((0.06232, 1.67179e-4, 0.0133104), rel=1e-5)


@given(st.floats(0.01, 0.5), st.floats(0.01, 0.5))
def test_the_interval_closes_where_it_slips(mu_a, mu_b):
    low, high = stick_interval(slip_load(mu_a, mu_b), mu_a, mu_b)
    assert high - low == pytest.approx(0.0, abs=1e-9)


@given(st.floats(0.0, 50.0), st.floats(0.0, 0.5), st.floats(0.0, 0.5))
def test_normals_carry_the_weight(force, mu_a, mu_b):
    assert sum(resting_normals(force)) == pytest.approx(WEIGHT)
    t_a, n_a, t_b, n_b = sliding_forces(force, mu_a, mu_b)
    assert n_a + n_b == pytest.approx(WEIGHT)
    assert n_b - n_a == pytest.approx(0.5 * (force - t_a - t_b))


def test_a_load_that_is_too_small_moves_nothing():
    assert rigid_motion(load_of("step", 5.0), 0.1, 0.1, 1.0).displacement == 0.0
    assert rigid_motion(load_of("ramp", 27.0), 0.1, 0.1, 0.01).displacement == 0.0
