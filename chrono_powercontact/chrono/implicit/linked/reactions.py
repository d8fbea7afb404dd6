"""Reactions of links, as scripts read them, where the impulses of links were handed over to Chrono with our forces.

Chrono then finds nothing left to do for its links, and keeps reactions without what was handed over. That is added
when a script reads a reaction, or after the step if C++ code may read one, and taken off before the next step, which
may begin its iteration with them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....kernel import kernel
from ...api.bridge import fast
from ...api.views import Mirror
from ...contact.addresses import Directory, doubles, integers
from .row_plan import vector_of

Array = Any

OWN, NUMBERS, IMPULSES, SUMS, SIZE = range(5)
"""Arrays in a directory: reactions that Chrono keeps, numbers and impulses of some rows, and what receives the sums."""


@kernel
def put_sums(directory: Array, h: float) -> None:
    """Write reactions with the forces of impulses over a step h added to those of some rows."""
    own = doubles(directory, OWN)
    out = doubles(directory, SUMS)
    numbers = integers(directory, NUMBERS)
    impulses = doubles(directory, IMPULSES)
    for i in range(own.size):
        out[i] = own[i]
    for i in range(numbers.size):
        out[numbers[i]] += impulses[i] / h


class Reactions:
    """The reactions that Chrono keeps, with and without what was handed over.

    Attributes:
        added_in: number of the step since whose end Chrono keeps more than its own, -1 if it does not.
    """

    def __init__(self, system: Any) -> None:
        kind = type(system)
        self._gather = fast(kind, "StateGatherReactions")
        self._scatter = fast(kind, "StateScatterReactions")
        self._count = fast(kind, "GetNumConstraints")
        self._directory = Directory(SIZE)
        self._own: Mirror | None = None
        self._all: Mirror | None = None
        self.added_in = -1

    def add(self, system: Any, numbers: NDArray[np.int64], impulses: NDArray[np.float64], h: float) -> None:
        """Add the forces of impulses in N s or N m s over a step h in s to the reactions of some rows."""
        size = self._count(system)
        if self._own is None or self._all is None or self._own.size != size:
            self._own = vector_of(size)
            self._all = vector_of(size)
            self._directory.put(OWN, self._own.data)
            self._directory.put(SUMS, self._all.data)
        self._gather(system, self._own.vector)
        self._own.read()
        self._directory.put(NUMBERS, numbers)
        self._directory.put(IMPULSES, impulses)
        put_sums(self._directory.entries, h)
        self._all.write()
        self._scatter(system, self._all.vector)

    def take_off(self, system: Any) -> None:
        """Let Chrono keep its own reactions again, unless it has other constraints now."""
        self.added_in = -1
        if self._own is not None and self._own.size == self._count(system):
            self._scatter(system, self._own.vector)
