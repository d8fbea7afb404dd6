"""Notices when bodies have come to a system or left it, whoever added or removed them.

To ask PyChrono for all bodies takes longer than a step of a small scene. Calls from Python are counted (`api/changes`).
What C++ code does shows in the number that Chrono counts when it sets a step up, and every few steps all are counted.
"""

from __future__ import annotations

import weakref
from typing import Any

from ..api.bridge import fast
from ..api.changes import CHANGES
from ..api.counting import count_bodies

EVERY = 64
"""Number of steps after which all bodies are counted, if no change is known."""


class Census:
    """The number of bodies of a system, and the number of changes that a script made.

    Attributes:
        quiet: whether the bodies were the same when the last step was set up; to be asked before each step, together
            with the `changes` that the script had made by then.
    """

    def __init__(self, system: Any) -> None:
        self._system = weakref.ref(system)
        self._at_setup = fast(type(system), "GetNumBodies")
        self.quiet = False
        self.changes = -1
        self._steps = -1
        self._set_up = -1
        self._bodies = -1
        self._calls = 0

    def differs(self) -> bool:
        """Whether there may be other bodies, shapes or families than when this was last asked, before a step."""
        if self.quiet and CHANGES.count == self.changes:
            self.quiet = False
            return False
        self.quiet = False
        system: Any = self._system()
        set_up = self._at_setup(system)
        bodies = count_bodies(system)
        known = CHANGES.count == self.changes and bodies == self._bodies
        same = known and (set_up == self._set_up or self._steps == 0)
        self.changes = CHANGES.count
        self._steps = system.GetNumSteps()
        self._set_up = set_up
        self._bodies = bodies
        return not same

    def lost_in_step(self) -> bool:
        """Whether a body has left since Chrono was last asked, now that the step is set up."""
        counted: int = self._at_setup(self._system())
        self._calls += 1
        self.quiet = counted == self._set_up and self._calls % EVERY != 0
        return counted < self._set_up
