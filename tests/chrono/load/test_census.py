"""Whether bodies have come or gone, by whomever."""

import pytest
from scene import empty_system, new_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.load.census import EVERY, Census

pytestmark = pytest.mark.chrono


def counted():
    """A system whose changes are noticed, with a body, and its census after a step."""
    system = empty_system()
    pc.attach(system)
    body = new_body(system)
    system.DoStepDynamics(1e-3)
    census = Census(system)
    census.differs()
    return system, body, census


def test_without_changes_nothing_differs():
    _alive, _, census = counted()
    assert not any(census.differs() for _ in range(3 * EVERY))
    assert not census.lost_in_step()


def test_what_a_script_changes_is_noticed_at_once():
    _alive, body, census = counted()
    body.SetFixed(True)
    assert census.differs()
    assert not census.differs()


def test_what_others_add_or_remove_is_noticed_at_the_next_setup():
    system, body, census = counted()
    kind = type(system)
    other = pychrono().ChBody()
    kind.AddBody(system, other)
    system.Setup()
    assert census.differs()
    kind.RemoveBody(system, body)
    system.Setup()
    assert census.lost_in_step()
    assert census.differs()


def test_all_are_counted_every_few_steps():
    system, _, census = counted()
    type(system).AddBody(system, pychrono().ChBody())
    assert any(census.differs() for _ in range(EVERY))
