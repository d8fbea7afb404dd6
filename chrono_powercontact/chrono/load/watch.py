"""What a Chrono system is asked to do is noticed: steps, and whatever changes its bodies, solver or integrator."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..api.bridge import fast

if TYPE_CHECKING:
    from ..attachment import Attachment

WATCHED = (
    "Add", "AddBody", "Clear", "Remove", "RemoveAllBodies", "RemoveBody", "SetCollisionSystem",
    "SetCollisionSystemType", "SetSolver", "SetSolverType", "SetTimestepper", "SetTimestepperType",
)  # fmt: skip
"""Methods of a system after which a body may be gone or new, or the integrator, solver or collision system another."""


def watch(system: Any, attachments: Sequence[Attachment]) -> None:
    """Let DoStepDynamics raise what a callback had to keep to itself, and notice what may change."""
    alive, kind = weakref.ref(system), type(system)
    step = fast(kind, "DoStepDynamics")

    def stepping(*arguments: Any) -> Any:
        for attachment in attachments:
            if attachment.taken is not None and attachment.taken.stale:
                attachment.taken.refresh()
            attachment.stepper.before_step()
        result = step(alive(), *arguments)
        for attachment in attachments:
            attachment.stepper.after_step()
            if attachment.failures:
                attachment.raise_failures()
        return result

    def watched(method: str) -> Any:
        def changing(*arguments: Any, **named: Any) -> Any:
            for attachment in attachments:
                attachment.suspect()
            return getattr(kind, method)(alive(), *arguments, **named)

        return changing

    system.DoStepDynamics = stepping
    for method in WATCHED:
        if hasattr(kind, method):
            setattr(system, method, watched(method))
