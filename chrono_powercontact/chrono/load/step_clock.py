"""Start of steps, kind of integrator, and time of the last commit."""

from __future__ import annotations

import weakref
from typing import Any

from ...errors import SystemChangedError
from ..api.bridge import fast, linearized_types
from ..implicit.step_context import COMMITTED, STEPS, StepContext, time, word


class StepClock:
    """Counts the steps of a system and keeps the time of the last commit.

    Attributes:
        steps: number of the present step, -1 before the first. committed: time of the last commit in s.
        once: whether the integrator evaluates forces once per step, at its start; such an evaluation commits.
    """

    steps: int = word(STEPS)
    committed: float = time(COMMITTED)

    def __init__(self, system: Any, context: StepContext | None = None) -> None:
        self.context = StepContext() if context is None else context
        self._system = weakref.ref(system)
        self._count_steps = fast(type(system), "GetNumSteps")
        self._read_time = fast(type(system), "GetChTime")
        self.committed = float(system.GetChTime())
        self.once = True

    @property
    def system(self) -> Any:
        """The Chrono system."""
        system = self._system()
        if system is None:
            raise SystemChangedError("the Chrono system of this attachment no longer exists")
        return system

    def now(self) -> float:
        """Chrono's time in s."""
        return float(self._read_time(self.system))

    def since_commit(self) -> float:
        """Time in s since the last commit."""
        return self.now() - self.committed

    def read(self) -> tuple[bool, float]:
        """Whether a step has begun since this was last read, and Chrono's time in s."""
        system = self._system()
        steps = self._count_steps(system)
        begun = steps != self.steps
        self.steps = steps
        return begun, self._read_time(system)

    def read_integrator(self) -> None:
        """Determine the kind of integrator of the system."""
        self.once = self.linearized()

    def linearized(self) -> bool:
        """Whether the integrator of the system is linearised."""
        return self.system.GetTimestepperType() in linearized_types()
