"""Where a C++ object keeps its numbers."""

import pytest

from chrono_powercontact.chrono.api.bridge import address, pychrono
from chrono_powercontact.chrono.api.members import places_of
from chrono_powercontact.chrono.contact.addresses import doubles_at

pytestmark = pytest.mark.chrono


def spring():
    link = pychrono().ChLinkTSDA()
    link.SetSpringCoefficient(12.345)
    link.SetDampingCoefficient(6.789)
    return link


def test_a_number_is_read_and_written_there():
    link = spring()
    places = places_of(link, {"k": 12.345, "c": 6.789})
    memory = doubles_at(address(link) + places["k"], 1)
    assert memory[0] == 12.345
    memory[0] = 11.0
    assert link.GetSpringCoefficient() == 11.0
    link.SetDampingCoefficient(5.0)
    assert doubles_at(address(link) + places["c"], 1)[0] == 5.0


def test_a_number_that_is_not_there_or_twice_is_not_guessed():
    link = spring()
    assert places_of(link, {"k": 12.345, "other": 4.321}) == {}
    link.SetDampingCoefficient(12.345)
    assert places_of(link, {"k": 12.345}) == {}
    assert len(places_of(link, {"k": 12.345}, kept_twice="k")) == 1
