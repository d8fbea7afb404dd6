"""Parts of a free step; whole ones are compared with Chrono's in `test_free_steps`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.chrono.contact.bodies import SPEED_WIDTH, STATE_WIDTH
from chrono_powercontact.chrono.load.free import free_step as free

SIZES = st.integers(1, 12)


def test_vectors_of_a_body_begin_behind_their_heads_and_do_not_overlap():
    scratch = np.zeros(free.ROOM, np.int64)
    free.prepare_scratch(scratch.ctypes.data, 4711)
    heads = scratch[: free.HEAD * free.VECTORS].reshape(free.VECTORS, free.HEAD)
    places = (heads[:, 0] - scratch.ctypes.data) // 8
    assert (np.diff(places) == free.WIDTH).all()
    assert places[0] == free.HEAD * free.VECTORS
    assert places[-1] + free.WIDTH == free.ROOM
    assert (heads[:, 2] == 4711).all()
    longer = heads[:, 1] == STATE_WIDTH
    assert np.flatnonzero(longer).tolist() == [free.X, free.NEW_X]
    assert (heads[~longer, 1] == SPEED_WIDTH).all()


@given(SIZES, st.data())
def test_impulses_are_moved_out_of_the_residual(count, data):
    which = data.draw(st.integers(0, count - 1))
    residual = np.arange(1.0, SPEED_WIDTH * count + 1.0)
    before = residual.copy()
    own = np.zeros(free.WIDTH)
    free.take_impulses(residual, SPEED_WIDTH * which, own)
    part = slice(SPEED_WIDTH * which, SPEED_WIDTH * (which + 1))
    np.testing.assert_array_equal(own[:SPEED_WIDTH], before[part])
    assert not residual[part].any()
    before[part] = 0.0
    np.testing.assert_array_equal(residual, before)


@given(st.floats(1e-6, 0.1), st.integers(0, 2**31))
def test_increment_and_acceleration_are_those_of_the_velocities(h, seed):
    before, after = np.random.default_rng(seed).normal(size=(2, SPEED_WIDTH))
    way, acceleration = np.zeros(free.WIDTH), np.zeros(free.WIDTH)
    free.measure(before, after, h, way, acceleration)
    np.testing.assert_array_equal(way[:SPEED_WIDTH], after * h)
    assert acceleration[:SPEED_WIDTH] == pytest.approx((after - before) / h, rel=1e-12)


def words_with(place, array):
    words = np.zeros(free.SIZE, np.int64)
    words[place] = array.ctypes.data
    return words


def test_hidden_bodies_are_shown_again():
    ends = np.array([1000, 1160], np.int64)
    words = words_with(free.BODIES, ends)
    end = free.hidden(words)
    assert free.is_empty(ends.ctypes.data)
    free.show(words, end)
    assert ends.tolist() == [1000, 1160]


@pytest.mark.parametrize("ends", [(0, 0, 8, 8), (0, 16, 8, 8), (0, 0, 8, 24)])
def test_a_plain_body_has_two_empty_lists(ends):
    body = np.array([99, *ends], np.int64)
    lists = np.array([8, 24], np.int64)
    assert free.is_plain(body.ctypes.data, lists) == (ends[0] == ends[1] and ends[2] == ends[3])


def test_no_step_is_taken_before_all_is_known():
    assert not free.is_free(np.zeros(free.SIZE, np.int64))
