"""Passes over very many bodies do what those over few do, whatever the number of threads."""

import numba
import numpy as np
import pytest

from chrono_powercontact.chrono.contact.bodies import outgrown
from chrono_powercontact.chrono.contact.contact_kernel import close_books
from chrono_powercontact.chrono.contact.last_step import WIDTH, keep_step
from chrono_powercontact.chrono.contact.many.step_passes import MANY, PART, add_at_places, any_outgrown, close_step
from chrono_powercontact.chrono.contact.records import BOOK, TOTALS, empty, flat

BODIES = MANY + PART // 2
"""The last part is not full."""


@pytest.fixture(params=[1, 2])
def threads(request):
    before = numba.get_num_threads()
    numba.set_num_threads(min(request.param, numba.config.NUMBA_NUM_THREADS))
    yield request.param
    numba.set_num_threads(before)


def scene(seed=0):
    """Numbers of the last step, and states, velocities and forces now."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=WIDTH * BODIES), *(rng.normal(size=width * BODIES) for width in (7, 6, 6))


def open_book():
    book = empty(BOOK, 1)
    book["is_open"] = 1.0
    return flat(book)


def some_totals():
    totals = empty(TOTALS, 1)
    totals["contact_heat"], totals["friction_drag"] = 2.0, 3.0
    return flat(totals)


def closed_one_by_one(kept, x, w, q):
    """The book and what is kept, by the passes of few bodies."""
    kept, book = kept.copy(), open_book()
    assert close_books(q, w, some_totals(), 1e-3, True, True, kept, book) == -1
    keep_step(kept, x, w, q)
    return kept, book


def test_steps_are_booked_and_kept_as_with_few_bodies(threads):
    kept, x, w, q = scene()
    known, wanted = closed_one_by_one(kept, x, w, q)
    book = open_book()
    assert close_step(kept, x, w, q, some_totals(), 1e-3, book) == -1
    np.testing.assert_array_equal(kept, known)
    assert book == pytest.approx(wanted, rel=1e-12)


def test_few_bodies_are_passed_over_at_once():
    many = scene()
    few = [numbers[: width * 10] for numbers, width in zip(many, (WIDTH, 7, 6, 6), strict=True)]
    known, wanted = closed_one_by_one(*few)
    book = open_book()
    assert close_step(*few, some_totals(), 1e-3, book) == -1
    np.testing.assert_array_equal(few[0], known)
    np.testing.assert_array_equal(book, wanted)


def test_books_of_one_and_two_threads_are_equal_to_the_last_bit():
    before = numba.get_num_threads()
    books = []
    for count in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
        numba.set_num_threads(count)
        kept, x, w, q = scene(1)
        books.append(open_book())
        close_step(kept, x, w, q, some_totals(), 1e-3, books[-1])
    numba.set_num_threads(before)
    np.testing.assert_array_equal(*books)


@pytest.mark.parametrize("body", [0, PART - 1, PART, BODIES - 1])
def test_a_force_that_is_not_finite_is_told_by_its_body_and_nothing_is_booked(threads, body):
    kept, x, w, q = scene()
    q[6 * body + 4] = np.nan
    q[6 * (BODIES - 1) + 5] = np.inf
    before, book = kept.copy(), open_book()
    assert close_step(kept, x, w, q, some_totals(), 1e-3, book) == body
    np.testing.assert_array_equal(kept, before)
    np.testing.assert_array_equal(book, open_book())


def rooms(seed=0):
    """States, velocities, references, extents and rooms: no body has left its room."""
    _, x, w, _ = scene(seed)
    return x, w, x + 1e-3, np.full(BODIES, 0.1), np.full(BODIES, 0.1)


@pytest.mark.parametrize("body", [0, PART, BODIES - 1])
@pytest.mark.parametrize("ahead", [0.0, 1e-6])
def test_a_body_that_has_left_its_room_is_found(threads, body, ahead):
    x, w, reference, extents, space = rooms()
    assert any_outgrown(x, w, ahead, reference, extents, space) == 0
    x[7 * body] += 1.0
    assert any_outgrown(x, w, ahead, reference, extents, space) == 1


def test_one_that_may_leave_it_within_the_time_ahead_is_found(threads):
    x, w, reference, extents, space = rooms()
    assert any_outgrown(x, w, 0.5, reference, extents, space) == outgrown(x, w, 0.5, reference, extents, space) == 1


def test_the_first_state_that_is_not_finite_is_told(threads):
    x, w, reference, extents, space = rooms()
    x[7 * (BODIES - 1)] = np.nan
    x[7 * PART + 5] = np.nan
    x[0] += 1.0
    assert any_outgrown(x, w, 0.0, reference, extents, space) == -1 - PART


def test_few_bodies_are_looked_at_one_by_one():
    x, w, reference, extents, space = (array[: 7 * array.size // BODIES] for array in rooms())
    assert any_outgrown(x, w, 0.0, reference, extents[:1], space[:1]) == 0


def test_forces_are_added_where_there_is_a_place(threads):
    rng = np.random.default_rng(3)
    forces = rng.normal(size=6 * BODIES)
    places = rng.permutation(forces.size)
    places[::5] = -1
    vector = rng.normal(size=forces.size)
    wanted = vector.copy()
    there = places >= 0
    wanted[places[there]] += 0.5 * forces[there]
    add_at_places(forces, places, 0.5, vector.ctypes.data, vector.size)
    np.testing.assert_array_equal(vector, wanted)
