"""The thesis' quadric and case tables: published test vectors, contraction factors, and a box program."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.setvalued.choices import least_by_library
from chrono_powercontact.setvalued.pair_tables import APPROACHES, Block, contraction_of, least_pair, quadric

SHOWN = Block(0.2, 0.1, 1.0, 1.0)
PUSHED = (0.5, -7.0, 0.0)
BLOCK = Block(0.2, 0.1, 16.0, 1.0 / 15.0)


def test_published_vectors():
    """Section 4.2: parameters (4.11), cases F2, F3 and F4."""
    f2 = quadric("min1", SHOWN, PUSHED, (0.0, 5.0))
    assert f2 == pytest.approx((1.0025, 0.525, 4.5))
    assert -f2.w / f2.k / 5.0 == pytest.approx(-0.104738, abs=1e-6)
    assert f2.least == pytest.approx(4.225062, abs=1e-6)
    f3 = quadric("min1", SHOWN, PUSHED, (5.0, 0.0))
    assert (f3.w, -f3.w / f3.k / 5.0, f3.least) == pytest.approx((0.475, -0.094763, 4.274938), abs=1e-6)
    f4 = quadric("min1", SHOWN, PUSHED, (5.0, 5.0))
    assert (f4.w, f4.c, f4.least) == pytest.approx((0.5, 9.25, 9.000623), abs=1e-6)
    assert -f4.w / f4.k / 5.0 == pytest.approx(-0.0997506, abs=1e-7)


def test_contraction_of_the_outer_loop():
    factors = [contraction_of(approach, BLOCK) for approach in APPROACHES]
    assert factors == pytest.approx([0.993103, 0.002494, 0.0, 0.375], abs=1e-6)


@given(
    st.sampled_from(APPROACHES), st.floats(-30.0, 30.0), st.floats(-3.0, 3.0), st.floats(1.0, 90.0),
    st.floats(1.0, 90.0), st.floats(0.01, 0.5), st.floats(0.01, 0.5),
)  # fmt: skip
def test_tables_are_the_box_program_in_stick(approach, push, turning, n_a, n_b, mu_a, mu_b):
    found = quadric(approach, BLOCK, (push, -150.0, turning), (n_a, n_b))
    chosen = np.multiply(least_pair(found, (n_a, n_b), (mu_a, mu_b), (0.0, 0.0)), (n_a, n_b))
    row = np.sqrt(found.k) * np.ones((1, 2))
    target = np.array([-found.w / np.sqrt(found.k)])
    known = least_by_library(row, target, np.array([mu_a * n_a, mu_b * n_b]))
    assert np.allclose(chosen, known, atol=1e-4 * (1.0 + np.abs(known).max()))


def test_cases_with_slip_and_without_load():
    found = quadric("min3", BLOCK, (10.0, -150.0, 0.0), (70.0, 80.0))
    both = (0.1, 0.1)
    assert least_pair(found, (70.0, 80.0), both, (1.0, -1.0)) == (-0.1, 0.1)
    assert least_pair(found, (70.0, 80.0), both, (1.0, 0.0))[0] == -0.1
    assert least_pair(found, (70.0, 80.0), both, (1.0, 0.0))[1] == pytest.approx(-(10.0 - 7.0) / 80.0)
    assert least_pair(found, (0.0, 80.0), both, (0.0, 0.0)) == (0.0, -0.1)
    assert least_pair(found, (0.0, 0.0), both, (0.0, 0.0)) == (0.0, 0.0)
    assert least_pair(found, (0.0, 80.0), both, (0.0, 1.0)) == (0.0, -0.1)


def test_bad_input():
    with pytest.raises(UnknownNameError, match="min3"):
        quadric("min4", BLOCK, PUSHED, (1.0, 1.0))
    found = quadric("min3", BLOCK, PUSHED, (1.0, 1.0))
    with pytest.raises(ParameterError, match="mu_A"):
        least_pair(found, (1.0, 1.0), (-0.1, 0.1), (0.0, 0.0))
