"""Structures of arrays that are handed over by their addresses."""

from typing import NamedTuple

import numpy as np
import pytest
from numba import njit, typeof
from numba.core.runtime import _nrt_python, rtsys

from chrono_powercontact.numerics.lending import lend, lent


class Inner(NamedTuple):
    values: np.ndarray
    factor: float


class Outer(NamedTuple):
    inner: Inner
    count: int


outer_at = lent(typeof(Outer(Inner(np.zeros(1), 1.0), 1)))


@njit
def add_through(place, amount):
    outer = outer_at(place)
    for i in range(outer.inner.values.size):
        outer.inner.values[i] += amount * outer.inner.factor * outer.count


@njit
def lend_and_add(values, factor, count, amount):
    outer = Outer(Inner(values, factor), count)
    add_through(lend(outer), amount)
    return outer.inner.values.sum()


@njit
def lend_own_array(size, times):
    outer = Outer(Inner(np.ones(size), 2.0), 3)
    for _ in range(times):
        add_through(lend(outer), 1.0)
    return outer.inner.values.sum()


def test_what_is_lent_is_the_structure_itself():
    values = np.arange(3.0)
    assert lend_and_add(values, 2.0, 5, 0.5) == pytest.approx(18.0)
    np.testing.assert_allclose(values, [5.0, 6.0, 7.0])


def test_arrays_live_as_long_as_their_lender_and_no_longer():
    _nrt_python.memsys_enable_stats()
    lend_own_array(1, 1)
    before = rtsys.get_allocation_stats()
    assert lend_own_array(1000, 50) == pytest.approx(1000 * (1.0 + 50 * 6.0))
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free
