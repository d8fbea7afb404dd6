"""C++ methods by their addresses, called by compiled code."""

import ctypes

import numpy as np
import pytest
from numba import cfunc, njit, types
from scene import SMOOTH, empty_system, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api import native
from chrono_powercontact.chrono.api.bridge import owner_of
from chrono_powercontact.chrono.api.directors import symbol_at
from chrono_powercontact.chrono.api.native import SYMBOLS, calling, method_address
from chrono_powercontact.chrono.attachment import core_of


@cfunc(types.float64(types.int64, types.float64, types.uint8))
def weighed(place, number, double):
    return place + number * (2.0 if double else 1.0)


def test_arguments_and_answer_are_passed_on():
    call = calling(types.float64(types.int64, types.float64, types.uint8))

    @njit
    def ask(method):
        return call(method, 3, 1.5, types.uint8(1))

    assert ask(weighed.address) == 6.0


def refuse_symbols(monkeypatch):
    """A process without symbols of its own, as on Windows."""
    load = ctypes.CDLL

    def refusing(name, *arguments, **named):
        if name is None:
            raise TypeError("argument of type 'NoneType' is not iterable")
        return load(name, *arguments, **named)

    monkeypatch.setattr(ctypes, "CDLL", refusing)


def test_a_process_without_symbols_has_no_functions(monkeypatch):
    refuse_symbols(monkeypatch)
    assert native.function_of(None, "dladdr") is None
    assert symbol_at(4711) == ""


@pytest.mark.chrono
def test_a_ball_falls_on_a_plane_without_symbols(monkeypatch):
    """Python answers Chrono then, with the same motion."""
    found = []
    for _ in range(2):
        system = empty_system()
        ball = new_body(system, at=(0, 0, 0.11))
        contacts = pc.attach(system)
        contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(new_body(system, fixed=True)), SMOOTH)
        run(system, 0.1, 1e-3)
        assert core_of(contacts).stepper.load.is_compiled == (not found)
        found.append(ball.GetPos().z)
        refuse_symbols(monkeypatch)
    assert found[0] == found[1]
    assert 0.09 < found[0] < 0.11


@pytest.mark.chrono
def test_all_methods_are_found():
    assert all(map(method_address, SYMBOLS))


@pytest.mark.chrono
def test_a_method_that_chrono_lacks_has_no_address(monkeypatch):
    monkeypatch.setitem(native.SYMBOLS, "unknown", "_ZN6chrono8ChSystem7UnknownEv")
    assert method_address("unknown") == 0


@pytest.mark.chrono
def test_compiled_code_asks_the_system():
    count = calling(types.uint32(types.int64))

    @njit
    def ask(method, system):
        return count(method, system)

    system = empty_system()
    body = new_body(system)
    other = new_body(system, fixed=True)
    chrono = native.pychrono_part("core")
    link = chrono.ChLinkLockRevolute()
    link.Initialize(body, other, chrono.ChFramed())
    system.AddLink(link)
    system.DoStepDynamics(1e-3)
    assert ask(method_address("count_constraints"), owner_of(body)) == 5
    assert np.isfinite(body.GetPos().z)
