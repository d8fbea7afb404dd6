"""Iterations of Chrono's solver, while all links are handed over to it satisfied: the first one finds nothing left.

Iterative solvers of Chrono's iterate as often as a script allows, whether there is anything to do or not.
"""

from __future__ import annotations

from typing import Any

from ...api.bridge import fast

ENOUGH = 1
"""Number of iterations of a solver that has nothing to do."""


class Iterations:
    """The number of iterations of a solver, which is lowered during a step."""

    def __init__(self) -> None:
        self._solver: Any = None
        self._read: Any = None
        self._write: Any = None
        self._allowed = 0

    def belong_to(self, solver: Any) -> None:
        """Take the iterations of this solver from now on; None if it does not iterate."""
        self.restore()
        self._solver = solver
        if solver is not None:
            self._read = fast(type(solver), "GetMaxIterations")
            self._write = fast(type(solver), "SetMaxIterations")

    def spare(self) -> None:
        """A step begins in which nothing is left to the solver."""
        self._allowed = self._read(self._solver)
        self._write(self._solver, ENOUGH)

    def restore(self) -> None:
        """Let the solver have as many iterations as before: the step has ended, or there may be something left."""
        if self._allowed:
            self._write(self._solver, self._allowed)
            self._allowed = 0
