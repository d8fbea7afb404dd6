"""Notices whether a script has machines of Chrono's own, such as robots and vehicles.

Their C++ code may read reactions of links between steps, where no call of Python tells of it. PyChrono imports the
parts that hold them at once with itself, so it counts whether an object of one of their classes was ever made.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

from .changes import family

PARTS = ("pychrono.parsers", "pychrono.robot", "pychrono.vehicle")
"""Parts of PyChrono that hold machines."""


def kinds_of(part: Any) -> set[type]:
    """The classes of a part of PyChrono, and all that scripts derive from them."""
    own = [kind for kind in vars(part).values() if isinstance(kind, type) and kind.__module__ == part.__name__]
    return {kind for base in own if not issubclass(base, type) for kind in family(base)}


class Machines:
    """Knows whether there may be a machine."""

    def __init__(self) -> None:
        self._made = False
        self._watched: set[str] = set()

    def may_exist(self) -> bool:
        """Whether an object of their parts was ever made."""
        for name in PARTS:
            if name in sys.modules and name not in self._watched:
                self._watched.add(name)
                self._watch(kinds_of(sys.modules[name]))
        return self._made

    def _watch(self, kinds: set[type]) -> None:
        """Look for objects of some classes, and notice those that are made from now on."""
        self._made = self._made or any(type(found) in kinds for found in gc.get_objects())
        for kind in kinds:
            if "__init__" in vars(kind):
                kind.__init__ = self._noticed(vars(kind)["__init__"])  # type: ignore[misc]

    def _noticed(self, construct: Callable[..., None]) -> Callable[..., None]:
        """A constructor whose calls are noticed."""

        @wraps(construct)
        def making(made: Any, *arguments: Any, **named: Any) -> None:
            self._made = True
            construct(made, *arguments, **named)

        return making


MACHINES = Machines()
