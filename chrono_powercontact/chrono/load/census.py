"""Notices when bodies have come to a system or left it, whoever added or removed them.

To ask PyChrono for all bodies takes longer than a step of a small scene. Calls from Python are counted (`api/changes`).
What C++ code does shows in the number that Chrono counts when it sets a step up, and every few steps all are counted.
"""

from __future__ import annotations

import weakref
from typing import Any

from ..api.bridge import fast
from ..api.changes import CHANGES

EVERY = 64
"""Number of steps after which all bodies are counted, if no change is known."""


class Census:
    """The number of bodies of a system, and the number of changes that a script made."""

    def __init__(self, system: Any) -> None:
        self._system = weakref.ref(system)
        self._at_setup = fast(type(system), "GetNumBodies")
        self._changes = -1
        self._set_up = -1
        self._counted: int | None = None
        self._bodies = -1
        self._calls = 0

    def differs(self) -> bool:
        """Whether there may be other bodies, shapes or families than when this was last asked, before a step."""
        set_up = self._counted
        self._counted = None
        self._calls += 1
        if set_up == self._set_up and CHANGES.count == self._changes and self._calls < EVERY:
            return False
        return self._differs_by_count(self._at_setup(self._system()) if set_up is None else set_up)

    def _differs_by_count(self, set_up: int) -> bool:
        """The same, with all bodies counted every few steps."""
        same = CHANGES.count == self._changes and set_up == self._set_up
        if same and self._calls < EVERY:
            return False
        self._calls = 0
        system: Any = self._system()
        bodies = len(system.GetBodies())
        same = same and bodies == self._bodies
        self._changes = CHANGES.count
        self._set_up = set_up
        self._bodies = bodies
        return not same

    def lost_in_step(self) -> bool:
        """Whether a body has left since Chrono was last asked, now that the step is set up."""
        counted: int = self._at_setup(self._system())
        self._counted = counted
        return counted < self._set_up
