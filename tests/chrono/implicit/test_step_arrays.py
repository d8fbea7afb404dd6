import numpy as np

from chrono_powercontact.chrono.contact.addresses import doubles
from chrono_powercontact.chrono.contact.contact_table import ContactTable
from chrono_powercontact.chrono.implicit import step_kernel as step
from chrono_powercontact.chrono.implicit.step_arrays import StepArrays
from chrono_powercontact.chrono.joint.joints import Joints
from chrono_powercontact.chrono.joint.springs import Springs


def test_arrays_are_found_by_their_places():
    arrays = StepArrays()
    x, w, q = np.arange(7.0), np.arange(6.0), np.zeros(6)
    arrays.enter_state(x, w, q)
    assert doubles(arrays.entries, step.STATE).tolist() == x.tolist()
    assert doubles(arrays.entries, step.ROTATIONS).size == 9
    assert doubles(arrays.entries, step.RESIDUAL).size == 0


def test_tables_are_entered_once():
    arrays = StepArrays()
    parts = [ContactTable({}, {})], Joints(), Springs()
    assert not arrays.has_entered(*parts)
    assert arrays.enter_tables(*parts)
    assert arrays.has_entered(*parts)
    assert not arrays.enter_tables(*parts)
    assert arrays.enter_tables([ContactTable({}, {})], *parts[1:])


def test_room_for_blocks_grows():
    arrays = StepArrays()
    before = arrays.room()
    arrays.make_room(before + 1)
    assert arrays.room() == 2 * (before + 1)
