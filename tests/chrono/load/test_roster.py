import pytest
from scene import empty_system, new_body

from chrono_powercontact.chrono.api.bridge import body_key
from chrono_powercontact.chrono.load.roster import Roster

pytestmark = pytest.mark.chrono


def filled():
    system = empty_system()
    bodies = [new_body(system, name=f"body {i}") for i in range(3)]
    roster = Roster()
    assert [roster.enter(body) for body in bodies] == [0, 1, 2]
    return system, bodies, roster


def test_only_strangers_are_new_and_each_is_counted_once():
    system, bodies, roster = filled()
    late = new_body(system)
    assert [body_key(body) for body in roster.strangers((bodies[0], late, late))] == [body_key(late)]
    assert roster.size_with([late]) == 4


def test_a_body_that_left_is_replaced_and_its_number_given_on():
    system, bodies, roster = filled()
    system.Remove(bodies[1])
    assert roster.absent(system) == [1]
    roster.leave(1)
    assert roster.absent(system) == []
    assert roster.bodies[1].IsFixed()
    assert [body.GetName() for body in roster.members()] == ["body 0", "body 2"]
    assert len(roster.numbers) == len(roster.bodies) == 3
    late = new_body(system)
    assert roster.size_with([late]) == 3
    assert roster.enter(late) == 1
    assert roster.numbers[body_key(late)] == 1
    assert len(roster.numbers) == 3


def test_a_roster_of_stand_ins_is_empty():
    system, _, roster = filled()
    system.Clear()
    for number in roster.absent(system):
        roster.leave(number)
    assert roster.is_empty
