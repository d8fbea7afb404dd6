"""Tangents of the laws of a contact: near what is known they differ from the laws by the square of the way."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.contact_table import material_record
from chrono_powercontact.chrono.implicit.solvers.contact_sweeps import SWEPT
from chrono_powercontact.chrono.implicit.solvers.contact_tangent import (
    Nearness,
    gripped_by,
    gripped_near,
    is_gripped_near,
    pushed_near,
)
from chrono_powercontact.chrono.implicit.solvers.contact_visit import settled
from chrono_powercontact.kernel import kernel

H = 2e-3
ALWAYS = Nearness(np.inf, np.inf)
PLAIN = pc.Friction(0.4, 0.4, 1e-3, 2e-3, 0.0, 1e-6)
FALLING = pc.Friction(0.4, 0.5, 1e-3, 2e-3, 0.0, 1e-6)
LAW = pc.Restriction(0.0, -1e-3, 500.0, 1.0)


@kernel
def known_push(material, contacts, alone):
    return settled(material[0], contacts[0], alone, alone, H)[0]


@kernel
def near_push(contacts, alone, near):
    return pushed_near(contacts[0], alone, H, near)


@kernel
def grip_there(material, contacts, slip):
    return gripped_by(material[0].friction.anchor, contacts[0], slip, H)


@kernel
def grip_near(contacts, moved):
    return gripped_near(contacts[0], moved)


@kernel
def knows(contacts, moved, near):
    return is_gripped_near(contacts[0], moved, near)


def contact(friction=PLAIN, held=(0.0, 0.0, 0.0)):
    """A contact that is 0.1 mm deep, and its material."""
    found = np.zeros(1, SWEPT)
    found["gap"] = -1e-4
    found["weight"] = 1.0
    found["along"] = 2.0
    found["target"] = np.nan
    found["held"] = held
    return np.array([material_record(pc.Material(LAW, friction, pc.Anchor(5e-6)))]), found


@given(st.floats(-0.05, 0.05), st.floats(-1.0, 1.0))
@settings(max_examples=40)
def test_the_tangent_of_the_normal_law_is_right_to_second_order(speed, way):
    material, contacts = contact()
    errors = []
    for change in (1e-3 * way, 0.5e-3 * way):
        known_push(material, contacts, speed)
        near = near_push(contacts, speed + change, ALWAYS)
        errors.append(abs(near - known_push(material, contacts, speed + change)))
    assert errors[0] < 0.02 * contacts["known_force"][0] * H
    assert errors[1] < 0.4 * errors[0] + 2e-3 * contacts["known_force"][0] * H


def test_what_is_not_known_or_too_far_is_asked():
    material, contacts = contact()
    assert near_push(contacts, 0.0, ALWAYS) < 0.0
    known_push(material, contacts, 0.0)
    assert near_push(contacts, 0.0, Nearness(0.1, 0.1)) > 0.0
    assert near_push(contacts, -0.5, Nearness(0.1, 0.1)) < 0.0


def test_a_law_at_its_limit_is_asked_again():
    """There its tangent is flat, and does not tell where the force ends."""
    material, contacts = contact()
    contacts["gap"] = -2e-3
    known_push(material, contacts, -1.0)
    assert near_push(contacts, -1.0, ALWAYS) < 0.0


@pytest.mark.parametrize("held", [(0.0, 0.0, 0.0), (2e-6, 1e-6, 0.0), (3e-6, -3e-6, 0.0)])
@pytest.mark.parametrize("slip", [(1e-4, 2e-4, 0.0), (-1e-3, 5e-4, 0.0), (0.02, -0.05, 0.0)])
def test_the_tangent_of_friction_is_right_to_second_order(held, slip):
    """While it slides, it turns with the slip as if the anchor had not been stretched before: nearly so."""
    material, contacts = contact(held=held)
    slides = np.linalg.norm(slip) > 0.01
    for direction in ((1.0, 0.0, 0.0), (0.6, 0.8, 0.0)):
        errors = []
        for way in (0.02, 0.01):
            grip_there(material, contacts, slip)
            moved = tuple(way * np.sqrt(contacts["range"][0]) * np.array(direction))
            near = grip_near(contacts, moved)
            there = grip_there(material, contacts, tuple(np.add(slip, moved)))
            errors.append(np.linalg.norm(np.subtract(near.pull, there.pull)))
            assert near.rate == pytest.approx(there.rate, abs=2e-3 * 5e-6 / H)
        assert errors[0] < 2e-3 * 0.4
        assert errors[1] < (0.7 if slides else 0.35) * errors[0] + 1e-6


def test_friction_that_falls_with_the_speed_is_asked_again_while_it_slides():
    material, contacts = contact(FALLING)
    grip_there(material, contacts, (0.05, 0.0, 0.0))
    assert not knows(contacts, (1e-6, 0.0, 0.0), Nearness(0.1, 0.3))
    grip_there(material, contacts, (1e-4, 0.0, 0.0))
    assert knows(contacts, (1e-6, 0.0, 0.0), Nearness(0.1, 0.3))
