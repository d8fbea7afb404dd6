import numpy as np
from recorded import contact

from chrono_powercontact.view.recording import CONTACT, NO_CONTACTS
from chrono_powercontact.view.slots import roomy, slots_of


def pair(a, b, force=1.0):
    row = contact(float(a), False, force)
    row["a"], row["b"] = a, b
    return row


def test_a_contact_that_stays_keeps_its_slot():
    frames = [pair(1, 2), np.concatenate([pair(3, 4), pair(1, 2)]), pair(1, 2)]
    slots = slots_of(frames)
    assert slots.present.tolist() == [[True, False], [True, True], [True, False]]
    assert np.all(slots.point[:, 0, 0] == 1.0)


def test_two_contacts_of_a_pair_have_a_slot_each():
    slots = slots_of([np.concatenate([pair(1, 2), pair(1, 2)])])
    assert slots.present.shape == (1, 2)


def test_a_slot_is_used_again_and_an_empty_one_keeps_its_point():
    slots = slots_of([pair(1, 2), NO_CONTACTS, pair(5, 6)])
    assert slots.present[:, 0].tolist() == [True, False, True]
    assert slots.point[:, 0, 0].tolist() == [1.0, 1.0, 5.0]


def test_the_strongest_contacts_are_drawn():
    frame = np.concatenate([pair(i, 9, float(i)) for i in range(6)])
    slots = slots_of([frame], most=2)
    assert slots.left_out == 4
    assert slots.normal[0, :, 2].tolist() == [4.0, 5.0]


def test_no_contact_at_all():
    assert slots_of([np.zeros(0, CONTACT)] * 3).present.shape == (3, 0)


def test_room_for_more_contacts_grows_by_powers_of_two():
    frames = [np.concatenate([contact(0.1 * i, False) for i in range(5)])]
    assert roomy(slots_of(frames), 2).present.shape == (1, 8)
    assert roomy(slots_of(frames), 6).present.tolist() == [[True] * 5 + [False]]
