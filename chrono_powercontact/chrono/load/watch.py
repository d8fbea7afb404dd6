"""What a Chrono system is asked to do is noticed: steps, and whatever changes its bodies, solver or integrator."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any, Protocol

from ..api.bridge import fast

WATCHED = (
    "Add", "AddBody", "Clear", "Remove", "RemoveAllBodies", "RemoveBody", "SetCollisionSystem",
    "SetCollisionSystemType", "SetSolver", "SetSolverType", "SetTimestepper", "SetTimestepperType",
)  # fmt: skip
"""Methods of a system after which a body may be gone or new, or the integrator, solver or collision system another."""


class Watcher(Protocol):
    """Whoever wants to know what a system is asked to do."""

    def before_step(self) -> None:
        """DoStepDynamics is about to step."""

    def after_step(self) -> None:
        """DoStepDynamics has stepped."""

    def suspect(self) -> None:
        """Bodies, solver, integrator or collision system may have changed."""


def watch(system: Any, watchers: Sequence[Watcher]) -> None:
    """Tell watchers, a list that may change, when DoStepDynamics steps, and what else may change the system."""
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
                watcher.suspect()
            return getattr(kind, method)(alive(), *arguments, **named)

        return changing

    system.DoStepDynamics = stepping
    for method in WATCHED:
        if hasattr(kind, method):
            setattr(system, method, watched(method))
