"""All forces at a state by one call: contact tables one after the other, joints, and the book."""

import numpy as np
import pytest
from scene import ROUGH, SMOOTH, empty_system, new_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.contact.contact_table import Instant
from chrono_powercontact.chrono.contact.records import BOOK, TOTALS, empty, flat
from chrono_powercontact.chrono.implicit import step_kernel as step
from chrono_powercontact.chrono.implicit.start_forces import forces_at_start

pytestmark = pytest.mark.chrono


def pressed_ball(material):
    """A ball that slides into a plane, after its first step."""
    system = empty_system()
    ball = new_body(system, at=(0, 0, 0.0995))
    contacts = pc.attach(system, stepping="explicit")
    contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(new_body(system, fixed=True)), material)
    system.DoStepDynamics(1e-5)
    return core_of(contacts).stepper


@pytest.mark.parametrize("material", [SMOOTH, ROUGH], ids=["smooth", "rough"])
def test_they_are_the_sum_over_the_parts(material):
    stepper = pressed_ball(material)
    load = stepper.load
    load.gather()
    w = load.w.data
    at = Instant(load.x.data, w, 0.0, 0.0, False)
    q = np.zeros(w.size)
    totals = flat(empty(TOTALS, 1))
    stepper.table.evaluate(at, q, totals)
    out = np.full(w.size, 9.0)
    stepper.arrays.enter_state(load.x.data, w, out)
    assert forces_at_start(stepper.arrays.entries, 0.0, False, False) == -1
    np.testing.assert_array_equal(out, q)
    np.testing.assert_array_equal(stepper.book.totals, totals)
    assert np.abs(q).max() > 1.0


def test_a_commit_writes_the_book():
    stepper = pressed_ball(ROUGH)
    load = stepper.load
    book = flat(empty(BOOK, 1))
    stepper.arrays.enter_book(stepper.book.totals, book, stepper.book.kept)
    assert forces_at_start(stepper.arrays.entries, 1e-5, True, False) == -1
    assert book.view(BOOK)[0]["is_open"] == 1.0
    assert book.view(BOOK)[0]["power"] == pytest.approx(load.q.data @ load.w.data)


def test_a_force_that_is_not_finite_is_told_by_its_body():
    stepper = pressed_ball(SMOOTH)
    stepper.table.materials["normal"]["kind"] = 99
    assert stepper.arrays.entries[2 * step.FIRST_TABLE + 1] > 0
    assert forces_at_start(stepper.arrays.entries, 0.0, False, False) in (0, 1)
