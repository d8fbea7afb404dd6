"""Watches calls on a Chrono system: steps, and whatever changes its bodies, solver or integrator."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any, Protocol

from ..api.bridge import fast

WATCHED = (
    "Add", "AddBody", "Clear", "Remove", "RemoveAllBodies", "RemoveAllLinks", "RemoveBody", "RemoveLink",
    "SetCollisionSystem", "SetCollisionSystemType", "SetSolver", "SetSolverType", "SetTimestepper",
    "SetTimestepperType",
)  # fmt: skip
"""Methods of a system that may add or remove a body, remove a link, or change the integrator, solver or collision
system."""


class Watcher(Protocol):
    """An object that is notified of calls on a system."""

    def before_step(self) -> None:
        """DoStepDynamics is about to step."""

    def after_step(self) -> None:
        """DoStepDynamics has stepped."""

    def request_check(self) -> None:
        """Bodies, solver, integrator or collision system may have changed."""


def watch(system: Any, watchers: Sequence[Watcher]) -> None:
    """Notify watchers, a list that may change, of calls of DoStepDynamics and of possible changes of the system."""
    alive = weakref.ref(system)
    kind = type(system)
    fast_step = fast(kind, "DoStepDynamics")

    def stepping(*arguments: Any, **named: Any) -> Any:
        for watcher in watchers:
            watcher.before_step()
        step = kind.DoStepDynamics if named else fast_step
        result = step(alive(), *arguments, **named)
        for watcher in watchers:
            watcher.after_step()
        return result

    def watched(method: str) -> Any:
        def changing(*arguments: Any, **named: Any) -> Any:
            for watcher in watchers:
                watcher.request_check()
            return getattr(kind, method)(alive(), *arguments, **named)

        return changing

    system.DoStepDynamics = stepping
    for method in WATCHED:
        if hasattr(kind, method):
            setattr(system, method, watched(method))
