"""States of many bodies are gathered in parallel as Chrono's load gathers them."""

import numpy as np
import pytest
from scene import empty_system

from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.api.views import zero_copy
from chrono_powercontact.chrono.contact.many import gathering
from chrono_powercontact.chrono.contact.many.step_passes import MANY
from chrono_powercontact.chrono.load.load import load_class

pytestmark = pytest.mark.chrono


class Nobody:
    context = None


def moving_bodies(count):
    """Bodies of two classes in a system, with states of their own; one is fixed."""
    chrono = pychrono()
    system = empty_system()
    rng = np.random.default_rng(0)
    bodies = [chrono.ChBodyAuxRef() if i % 3 == 0 else chrono.ChBody() for i in range(count)]
    for body in bodies:
        system.AddBody(body)
        x, v, w, turn = rng.normal(size=(4, 3))
        body.SetPos(chrono.ChVector3d(*x))
        body.SetRot(chrono.QuatFromRotVec(chrono.ChVector3d(*turn)))
        body.SetPosDt(chrono.ChVector3d(*v))
        body.SetAngVelLocal(chrono.ChVector3d(*w))
    bodies[5].SetFixed(True)
    return system, bodies


def gathered(load):
    load.gather()
    return load.x.read().copy(), load.w.read().copy()


@pytest.mark.skipif("not __import__('sys').platform.startswith('linux')", reason="needs the symbols of C++ methods")
def test_states_are_those_that_chrono_gathers():
    _alive, bodies = moving_bodies(MANY + 10)
    load = load_class()(bodies, Nobody())
    assert zero_copy()
    assert load._gathering.is_possible
    found = gathered(load)
    load._gathering.is_possible = False
    for own, known in zip(found, gathered(load), strict=True):
        assert np.array_equal(own, known)
        assert len(np.unique(own)) > MANY


def test_few_bodies_are_gathered_one_by_one():
    _alive, bodies = moving_bodies(10)
    assert not load_class()(bodies, Nobody())._gathering.is_possible


def test_bodies_with_other_methods_are_gathered_by_chrono(monkeypatch):
    _alive, bodies = moving_bodies(MANY)
    monkeypatch.setattr(gathering, "METHODS", ("unknown", "unheard of"))
    load = load_class()(bodies, Nobody())
    assert not load._gathering.is_possible
    assert gathered(load)[0].any()
