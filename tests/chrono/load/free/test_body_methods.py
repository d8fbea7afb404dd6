"""Where bodies have their methods and lists: found on Chrono itself, and refused where anything is unknown."""

import numpy as np
import pytest
from scene import empty_system

from chrono_powercontact.chrono.api.bridge import address, pychrono
from chrono_powercontact.chrono.api.directors import symbol_at, table_of, words_at
from chrono_powercontact.chrono.load.free import body_methods as known
from chrono_powercontact.chrono.load.free import free_step as free

pytestmark = [
    pytest.mark.chrono,
    pytest.mark.skipif("not __import__('sys').platform.startswith('linux')", reason="needs the symbols of C++ methods"),
]


@pytest.mark.parametrize("kind", ["ChBody", "ChBodyAuxRef", "ChBodyEasySphere"])
def test_bodies_of_every_class_have_the_methods_at_the_same_places(kind):
    make = getattr(pychrono(), kind)
    body = make(0.1, 1000.0, False, False) if "Easy" in kind else make()
    methods = known.body_methods()
    assert methods.has([table_of(address(body))])
    update = symbol_at(int(words_at(table_of(address(body)), 100)[methods.places[free.UPDATE]]))
    assert ("AuxRef" in update) == ("AuxRef" in kind)


def test_other_things_have_not():
    methods = known.body_methods()
    link = pychrono().ChLinkLockRevolute()
    assert not methods.has([table_of(address(link))])
    assert methods.takes_forces(address(pychrono().ChLoadContainer()))


def test_an_unknown_method_leaves_no_free_steps(monkeypatch):
    monkeypatch.setattr(known, "METHODS", {**known.METHODS, free.UPDATE: "6UpdateOfAnotherKind"})
    assert known.body_methods.__wrapped__() is None


def test_an_unknown_list_leaves_no_free_steps(monkeypatch):
    monkeypatch.setattr(known, "_list_filled", lambda kind, call: 0)
    assert known.body_methods.__wrapped__() is None


@pytest.mark.parametrize(("kind", "call"), [("ChMarker", "AddMarker"), ("ChForce", "AddForce")])
def test_a_list_holds_what_is_added(kind, call):
    body, added = pychrono().ChBody(), getattr(pychrono(), kind)()
    places = dict(zip(("ChMarker", "ChForce"), known.body_methods().lists, strict=True))
    place = address(body) + int(places[kind])
    assert np.ptp(words_at(place, 2)) == 0
    getattr(body, call)(added)
    first, last = words_at(place, 2)
    assert last - first == 16
    assert words_at(int(first), 1)[0] == address(added)


def test_the_time_of_an_integrator_is_found_and_left_as_it_is():
    system = empty_system()
    integrator = system.GetTimestepper()
    integrator.SetTime(0.125)
    place = known.time_of_integrator(integrator)
    assert words_at(place, 1).view(np.float64)[0] == 0.125
    words_at(place, 1).view(np.float64)[0] = 0.5
    assert integrator.GetTime() == 0.5
