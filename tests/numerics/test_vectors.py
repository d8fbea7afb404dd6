import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chrono_powercontact.numerics.vectors import ZERO, cross, dot, minus, norm, plus, store, times, triple

MODEST = settings(max_examples=50, deadline=None)

numbers = st.floats(-1e3, 1e3)
vectors = st.tuples(numbers, numbers, numbers)


@given(vectors, vectors, numbers)
@MODEST
def test_triples_reckon_like_numpy(a, b, k):
    np.testing.assert_array_equal(plus(a, b), np.add(a, b))
    np.testing.assert_array_equal(minus(a, b), np.subtract(a, b))
    np.testing.assert_array_equal(times(k, a), np.multiply(k, a))
    np.testing.assert_allclose(cross(a, b), np.cross(a, b), rtol=1e-12, atol=1e-9)
    assert dot(a, b) == pytest.approx(float(np.dot(a, b)), rel=1e-12, abs=1e-9)
    assert norm(a) == pytest.approx(math.hypot(*a), rel=1e-12)


@given(vectors, vectors)
@MODEST
def test_the_vector_product_is_square_to_both_factors_and_changes_sign_with_their_order(a, b):
    product = cross(a, b)
    scale = 1.0 + norm(a) ** 2 * norm(b) + norm(a) * norm(b) ** 2
    assert dot(product, a) == pytest.approx(0.0, abs=1e-12 * scale)
    assert dot(product, b) == pytest.approx(0.0, abs=1e-12 * scale)
    assert cross(b, a) == times(-1.0, product)


def test_arrays_and_triples_may_be_mixed():
    a = np.array([1.0, -2.0, 3.0])
    assert plus(a, (1.0, 1.0, 1.0)) == (2.0, -1.0, 4.0)
    assert minus((1.0, 1.0, 1.0), a) == (0.0, 3.0, -2.0)
    assert dot(a, a) == 14.0
    assert cross(a, a) == ZERO


def test_vectors_of_any_size_are_triples():
    assert triple(np.array([1.0])) == (1.0, 0.0, 0.0)
    assert triple(np.array([1.0, 2.0])) == (1.0, 2.0, 0.0)
    assert triple(np.array([1.0, 2.0, 3.0])) == (1.0, 2.0, 3.0)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_triple_is_stored_in_as_many_components_as_there_are(size):
    out = np.full(size, np.nan)
    store((1.0, 2.0, 3.0), out)
    np.testing.assert_array_equal(out, (1.0, 2.0, 3.0)[:size])


def test_not_a_number_stays_one():
    assert math.isnan(norm((0.0, math.nan, 0.0)))
