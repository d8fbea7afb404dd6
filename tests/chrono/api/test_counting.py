"""Bodies are counted without a list of them, where that is possible."""

import pytest
from scene import empty_system, new_body

from chrono_powercontact.chrono.api import counting
from chrono_powercontact.chrono.api.counting import count_bodies

pytestmark = pytest.mark.chrono


def changing_counts():
    """Counts of a system to which bodies are added, and from which one is removed, and those of its list."""
    system = empty_system()
    found = [count_bodies(system)]
    for _ in range(3):
        body = new_body(system)
        found.append(count_bodies(system))
    system.RemoveBody(body)
    return [*found, count_bodies(system)]


def test_bodies_are_counted_as_they_come_and_go():
    assert changing_counts() == [0, 1, 2, 3, 2]


def test_without_the_method_the_list_is_made(monkeypatch):
    monkeypatch.setattr(counting, "method_address", lambda name: 0)
    assert changing_counts() == [0, 1, 2, 3, 2]
