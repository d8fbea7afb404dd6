"""The bodies on the load by number. A body that leaves is replaced by a fixed stand-in, so the others keep theirs."""

from __future__ import annotations

from typing import Any

from ..api.bridge import belongs, body_key, pychrono
from ..api.changes import quietly


def _stand_in() -> Any:
    """A fixed body in no system: Chrono gathers its state, and adds no force to it."""
    body = pychrono().ChBody()
    quietly(body, "SetFixed", True)
    return body


class Roster:
    """The bodies on the load.

    Attributes:
        bodies: bodies and stand-ins by number. numbers: their numbers by key.
    """

    def __init__(self) -> None:
        self.bodies: list[Any] = []
        self.numbers: dict[int, int] = {}
        self._vacant: list[int] = []

    @property
    def is_empty(self) -> bool:
        """Whether there are only stand-ins."""
        return len(self._vacant) == len(self.bodies)

    def strangers(self, bodies: tuple[Any, ...]) -> list[Any]:
        """Those of the given bodies that have no number yet, each once."""
        return list({body_key(body): body for body in bodies if body_key(body) not in self.numbers}.values())

    def size_with(self, strangers: list[Any]) -> int:
        """Number of places when these bodies have come too."""
        return len(self.bodies) + max(len(strangers) - len(self._vacant), 0)

    def enter(self, body: Any) -> int:
        """Give a body the number of a stand-in, or a new one."""
        if not self._vacant:
            self.bodies.append(body)
            number = len(self.bodies) - 1
        else:
            number = self._vacant.pop()
            del self.numbers[body_key(self.bodies[number])]
            self.bodies[number] = body
        self.numbers[body_key(body)] = number
        return number

    def leave(self, number: int) -> None:
        """Put a stand-in in the place of a body."""
        del self.numbers[body_key(self.bodies[number])]
        self.bodies[number] = _stand_in()
        self.numbers[body_key(self.bodies[number])] = number
        self._vacant.append(number)

    def absent(self, system: Any) -> list[int]:
        """Numbers of the bodies that are no longer in the system."""
        vacant = set(self._vacant)
        return [i for i, body in enumerate(self.bodies) if i not in vacant and not belongs(body, system)]

    def members(self) -> list[Any]:
        """The bodies without the stand-ins."""
        vacant = set(self._vacant)
        return [body for i, body in enumerate(self.bodies) if i not in vacant]
