"""Threads take all parts of a pass, each part once, and the next pass finds them done."""

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit, prange

from chrono_powercontact.chrono.contact.many.turns import WORDS, end_part, new_turns, next_part, wait_for

PARTS = 1000


@njit
def take(turns, thread, parts, taken, by):
    part = next_part(turns, thread, parts)
    while part >= 0:
        taken[part] += 1
        by[part] = thread
        end_part(turns)
        part = next_part(turns, thread, parts)
    wait_for(turns, parts)
    return taken.sum()


@njit(parallel=True)
def take_at_once(turns, parts, taken, by, found):
    for thread in prange(turns.shape[0]):
        found[thread] = take(turns, thread, parts, taken, by)


@given(st.integers(0, 40), st.integers(1, 5))
def test_a_thread_takes_its_share_and_then_what_others_have_left(parts, threads):
    turns = np.zeros((threads, WORDS), np.int64)
    taken, by = np.zeros(parts, np.int64), np.zeros(parts, np.int64)
    assert take(turns, threads - 1, parts, taken, by) == parts
    assert take(turns, 0, parts, taken, by) == parts
    assert (taken == 1).all()


def test_shares_of_threads_that_start_together_are_next_to_each_other():
    turns = np.zeros((2, WORDS), np.int64)
    assert [next_part(turns, thread, 10) for thread in (0, 1, 0, 1)] == [0, 5, 1, 6]


def test_a_share_is_finished_from_its_end_by_others():
    turns = np.zeros((2, WORDS), np.int64)
    assert [next_part(turns, 1, 6) for _ in range(7)] == [3, 4, 5, 2, 1, 0, -1]
    assert next_part(turns, 0, 6) == -1


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads of numba")
def test_all_parts_are_done_when_a_thread_goes_on():
    numba.set_num_threads(2)
    for _ in range(20):
        turns = new_turns(1)[0]
        taken, found = np.zeros(PARTS, np.int64), np.zeros(len(turns), np.int64)
        take_at_once(turns, PARTS, taken, np.zeros(PARTS, np.int64), found)
        assert (taken == 1).all()
        assert (found == PARTS).all()
