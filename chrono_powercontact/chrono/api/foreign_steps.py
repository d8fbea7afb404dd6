"""Steps that C++ code takes by itself, as a robot's own DoStepDynamics does.

Our own DoStepDynamics looks for changes before a step begins. Where it is not called, Chrono's collision detection is
the first that is heard of a step: a callback on it looks for bodies that have come or gone, before Chrono counts its
variables.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Protocol

from .bridge import pychrono


class Steps(Protocol):
    """What is known of the steps of a system.

    Attributes:
        driven: whether our own DoStepDynamics is running. failures: exceptions in callbacks, raised after the step.
    """

    driven: bool
    failures: list[BaseException]

    @property
    def system(self) -> Any:
        """The Chrono system."""


class Following:
    """A callback on collision detection that prepares a step unless our own DoStepDynamics has done so."""

    base: Any

    def __init__(self, steps: Steps, prepare: Callable[[], None]) -> None:
        self.base.__init__(self)
        self._steps = steps
        self._prepare = prepare

    def OnCustomCollision(self, system: Any) -> None:
        """Chrono has detected collisions at the start of a step."""
        steps = self._steps
        if steps.driven or steps.failures:
            return
        try:
            self._prepare()
        except BaseException as error:
            steps.failures.append(error)


@cache
def following_class() -> type:
    """The class of the callback; made on demand, because it derives from PyChrono's."""
    base = pychrono().CustomCollisionCallback
    return type("FollowingSteps", (Following, base), {"base": base})


class ForeignSteps:
    """Follows the changes of a system whose steps are not taken by our DoStepDynamics, once such a step is seen."""

    def __init__(self, steps: Steps, prepare: Callable[[], None]) -> None:
        self._steps = steps
        self._prepare = prepare
        self._callback: Any = None

    def notice(self) -> None:
        """Forces are asked for in a step: if it is a foreign one, follow those that come."""
        if self._callback is None and not self._steps.driven:
            self._callback = following_class()(self._steps, self._prepare)
            self._steps.system.RegisterCustomCollisionCallback(self._callback)

    def release(self) -> None:
        """Follow no more."""
        if self._callback is not None:
            self._steps.system.UnregisterCustomCollisionCallback(self._callback)
            self._callback = None
