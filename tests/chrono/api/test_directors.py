"""A virtual method of a SWIG director that leads to compiled code; everything else of the object stays as it is."""

import gc
import weakref

import numpy as np
import pytest
from numba import cfunc, types
from taken import ball, colliding_system, cube_hull, plate, shaped_body

from chrono_powercontact.chrono.api.bridge import address, pychrono
from chrono_powercontact.chrono.api.directors import CONTEXT, methods_of, replace_methods, symbol_at
from chrono_powercontact.chrono.contact.addresses import integers_at

pytestmark = pytest.mark.chrono

METHOD = "OnNarrowphase"


@cfunc(types.uint8(types.int64, types.int64))
def count_call(callback, contact):
    """Counts its calls in the context, and lets Chrono use the contact."""
    context = integers_at(integers_at(integers_at(callback, 1)[0], CONTEXT + 1)[CONTEXT], 1)
    context[0] += 1
    return 1


def callback():
    class Refusing(pychrono().NarrowphaseCallback):
        asked = 0

        def OnNarrowphase(self, contact):
            self.asked += 1
            return False

    return Refusing()


def falling_hull(narrow):
    system, surface = colliding_system("nsc")
    plate(system, surface)
    shaped_body(system, cube_hull(surface), at=(0, 0, 0.0995))
    ball(system, surface, at=(1, 0, 0.0995))
    system.GetCollisionSystem().RegisterNarrowphaseCallback(narrow)
    return system


def test_the_method_is_found_by_its_symbol():
    narrow = callback()
    methods = methods_of(address(narrow))
    symbol, (place, method) = next((key, own) for key, own in methods.items() if "OnNarrowphase" in key)
    assert place > 0
    assert symbol_at(method) == symbol
    assert symbol_at(method + 1) == ""


def test_chrono_calls_compiled_code_and_python_no_more():
    narrow = callback()
    context = np.zeros(1, np.int64)
    assert replace_methods(narrow, {METHOD: count_call.address}, context.ctypes.data)[METHOD] != 0
    system = falling_hull(narrow)
    system.DoStepDynamics(1e-3)
    assert context[0] > 0
    assert narrow.asked == 0
    assert system.GetNumContacts() > 0


def test_without_it_python_is_called():
    narrow = callback()
    system = falling_hull(narrow)
    system.DoStepDynamics(1e-3)
    assert narrow.asked > 0
    assert system.GetNumContacts() == 0


def test_an_unknown_method_is_left_alone():
    narrow = callback()
    table = integers_at(address(narrow), 1)[0]
    assert replace_methods(narrow, {METHOD: count_call.address, "OnSomethingElse": count_call.address}, 0) == {}
    assert integers_at(address(narrow), 1)[0] == table


def test_objects_with_a_table_of_their_own_are_deleted_as_before():
    for _ in range(8):
        narrow = callback()
        assert replace_methods(narrow, {METHOD: count_call.address}, 0)
        gone = weakref.ref(narrow)
        del narrow
        gc.collect()
        assert gone() is None
