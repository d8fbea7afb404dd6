"""Machines of Chrono's own, whose C++ code may read reactions between steps."""

import sys
from types import ModuleType

import pytest

import chrono_powercontact as pc
from chrono_powercontact.chrono.api import machines
from chrono_powercontact.chrono.api.machines import Machines, kinds_of

NAME = "pychrono.robot"


class Lever:
    def __init__(self, length):
        self.length = length


@pytest.fixture
def part(monkeypatch):
    """A part of PyChrono with a class, of which no object was made."""
    made = ModuleType(NAME)
    own = type("Lever", (Lever,), {"__module__": NAME, "__init__": lambda self, length: Lever.__init__(self, length)})
    made.Lever = own
    made.stranger = Lever
    for name in machines.PARTS:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, NAME, made)
    return made


def test_a_part_that_is_only_imported_counts_as_none(part):
    assert kinds_of(part) == {part.Lever}
    Lever(1.0)
    assert not Machines().may_exist()


def test_an_object_that_was_there_before_is_found(part):
    known = part.Lever(2.0)
    assert Machines().may_exist()
    assert known.length == 2.0


def test_an_object_that_is_made_later_is_noticed(part):
    found = Machines()
    assert not found.may_exist()
    assert part.Lever(length=3.0).length == 3.0
    assert found.may_exist()


def test_so_is_one_of_a_class_that_a_script_derives(part):
    derived = type("Crane", (part.Lever,), {})
    known = derived(1.0)
    assert Machines().may_exist()
    assert isinstance(known, Lever)


def test_a_part_that_is_imported_later_is_seen(part, monkeypatch):
    found = Machines()
    monkeypatch.delitem(sys.modules, NAME)
    assert not found.may_exist()
    monkeypatch.setitem(sys.modules, NAME, part)
    part.Lever(1.0)
    assert not found._made
    known = part.Lever(1.0)
    assert found.may_exist()
    assert known.length == 1.0


@pytest.mark.chrono
def test_a_robot_is_noticed():
    robot = pc.need_pychrono("robot")
    found = Machines()
    found.may_exist()
    found._made = False
    kept = robot.ViperDCMotorControl()
    assert kept is not None
    assert found.may_exist()
