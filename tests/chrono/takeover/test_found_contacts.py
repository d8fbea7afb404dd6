"""Contacts that Chrono finds: the same whether compiled code or Python notes them."""

import numpy as np
import pytest
from taken import ball, colliding_system, plate, prism_hull, shaped_body, square_mesh

import chrono_powercontact as pc
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.takeover import found_contacts
from chrono_powercontact.chrono.takeover.found_contacts import (
    COUNT,
    FEWEST,
    PYTHON,
    UNKNOWN,
    FoundContacts,
    hashed,
    insert,
    number_of,
)

pytestmark = [pytest.mark.chrono, pytest.mark.usefixtures("without_coal")]


def test_a_table_of_addresses_holds_what_was_entered():
    numbers = {16 * (k * k + 3): k for k in range(100)}
    table = hashed(numbers)
    assert all(number_of(table, key) == number for key, number in numbers.items())
    assert number_of(table, 7) == UNKNOWN
    insert(table, 7 << 40, 5)
    assert number_of(table, 7 << 40) == 5


def mixed_scene():
    """Large hulls and balls on a mesh and on a plate: several pairs of foreign shapes, and one of our own."""
    system, surface = colliding_system()
    plate(system, surface)
    shaped_body(system, square_mesh(surface), at=(2, 0, 0), fixed=True, name="mesh")
    bodies = [shaped_body(system, prism_hull(surface), at=(0.4 * i, 0, 0.0998)) for i in range(3)]
    bodies.append(ball(system, surface, at=(2, 0, 0.1015)))
    bodies.append(ball(system, surface, at=(0, 1, 0.0995)))
    return system, bodies


def motion_with(monkeypatch, led):
    """Places after some steps, and how many contacts were noted in the last one."""
    if not led:
        monkeypatch.setattr(found_contacts, "replace_methods", lambda *arguments: {})
    system, bodies = mixed_scene()
    contacts = pc.attach(system)
    contacts.take_over()
    found = core_of(contacts).taken.frozen.found
    assert (found.status[PYTHON] != 0) == led
    for _ in range(40):
        system.DoStepDynamics(1e-3)
    places = [(body.GetPos().x, body.GetPos().y, body.GetPos().z) for body in bodies]
    return np.array(places), int(found.status[COUNT])


def test_compiled_code_and_python_note_the_same_contacts(monkeypatch):
    compiled = motion_with(monkeypatch, True)
    plain = motion_with(monkeypatch, False)
    assert compiled[1] == plain[1] > 12
    assert np.array_equal(compiled[0], plain[0])


def test_room_grows_with_the_contacts():
    """Twenty large hulls have more contacts than there is room for at first; Chrono adds one a step and hull."""
    system, surface = colliding_system()
    plate(system, surface)
    for i in range(FEWEST // 4 + 4):
        shaped_body(system, prism_hull(surface), at=(0.5 * (i % 5) - 1, 0.5 * (i // 5) - 1, 0.0998))
    contacts = pc.attach(system)
    contacts.take_over()
    for _ in range(8):
        system.DoStepDynamics(1e-3)
    found = core_of(contacts).taken.frozen
    assert found.found.status[COUNT] > FEWEST
    assert len(found.elements) == found.found.status[COUNT]


def test_a_new_step_forgets_what_was_found_before():
    found = FoundContacts()
    found.begin(1.0)
    found.status[COUNT] = 3
    assert found.has_begun
    assert len(found.take()) == 3
    assert not found.has_begun
    found.begin(2.0)
    assert len(found.take()) == 0
