import math

import numpy as np
import pytest

from chrono_powercontact.chrono.contact.records import TOTALS
from chrono_powercontact.chrono.load.energy_book import EnergyBook


def book_with(contact=0.0, friction=0.0, took=0.0, gave=0.0):
    """A book whose last evaluation had these powers in W and energies in J."""
    book = EnergyBook()
    set_totals(book.totals, contact, friction, took, gave)
    return book


def set_totals(totals, contact, friction, took=0.0, gave=0.0):
    sums = totals.view(TOTALS)[0]
    sums["contact_power"], sums["friction_power"] = contact, friction
    sums["anchors_took"], sums["anchors_gave"] = took, gave


Q, W = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 2.0]), np.array([3.0, 0.0, 0.0, 0.0, 0.0, 0.5])


def test_the_first_commit_opens_the_book_and_books_nothing():
    book = book_with(5.0, 7.0, 1.0, 1.0)
    assert not book.is_open
    book.open_with(0.25)
    assert book.close(Q, W, 0.1, True) == -1
    assert book.is_open
    assert book.entries["stored_at_opening"] == 0.25
    assert [book.entries[name] for name in ("contact_heat", "friction_heat", "work")] == [0.0, 0.0, 0.0]


def test_heat_and_work_follow_by_the_trapezoidal_rule():
    book = book_with(5.0, 7.0)
    book.close(Q, W, 0.0, True)
    set_totals(book.totals, 15.0, 9.0)
    book.close(2.0 * Q, W, 0.1, True)
    assert book.entries["contact_heat"] == pytest.approx(1.0)
    assert book.entries["friction_heat"] == pytest.approx(0.8)
    assert book.entries["work"] == pytest.approx(0.05 * (4.0 + 8.0))


def test_what_anchors_took_and_gave_is_moved_between_friction_and_contacts():
    book = book_with()
    book.close(Q, W, 0.0, True)
    set_totals(book.totals, 0.0, 0.0, took=0.3, gave=0.2)
    book.close(Q, W, 0.0, True)
    assert book.entries["contact_heat"] == pytest.approx(0.2)
    assert book.entries["friction_heat"] == pytest.approx(-0.3)


def test_without_a_commit_nothing_is_booked():
    book = book_with(5.0, 7.0)
    before = book.numbers.copy()
    assert book.close(Q, W, 0.1, False) == -1
    np.testing.assert_array_equal(book.numbers, before)


def test_the_book_after_a_step_is_told_without_writing_it():
    book = book_with(5.0, 7.0)
    book.close(Q, W, 0.0, True)
    before = book.numbers.copy()
    told = book.with_step(Q, W, book.totals, 0.1)
    assert told["contact_heat"] == pytest.approx(0.5)
    assert told["friction_heat"] == pytest.approx(0.7)
    assert told["work"] == pytest.approx(0.4)
    np.testing.assert_array_equal(book.numbers, before)
    assert book.with_step(Q, W, book.totals, 0.0)["contact_heat"] == 0.0


@pytest.mark.parametrize("place", [0, 5, 6, 11])
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_force_that_is_not_finite_is_told_by_its_body_and_not_booked(place, bad):
    book, q = book_with(5.0, 7.0), np.zeros(12)
    q[place] = bad
    before = book.numbers.copy()
    assert book.close(q, np.zeros(12), 0.1, True) == place // 6
    np.testing.assert_array_equal(book.numbers, before)
