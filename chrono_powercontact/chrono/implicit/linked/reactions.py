"""Reactions of links, as scripts read them, where the impulses of links were handed over to Chrono with our forces.

Chrono then finds nothing left to do for its links, and keeps reactions without what was handed over. That is added
after the step, and taken off before the next one, which may begin its iteration with them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...api.bridge import fast
from ...api.views import Mirror
from ..row_plan import vector_of


class Reactions:
    """The reactions that Chrono keeps, with and without what was handed over.

    Attributes:
        are_added: whether Chrono keeps more than its own.
    """

    def __init__(self, system: Any) -> None:
        kind = type(system)
        self._gather = fast(kind, "StateGatherReactions")
        self._scatter = fast(kind, "StateScatterReactions")
        self._count = fast(kind, "GetNumConstraints")
        self._own: Mirror | None = None
        self._all: Mirror | None = None
        self.are_added = False

    def add(self, system: Any, numbers: NDArray[np.int64], forces: NDArray[np.float64]) -> None:
        """Add forces in N or N m to the reactions of some rows."""
        size = self._count(system)
        if self._own is None or self._all is None or self._own.size != size:
            self._own = vector_of(size)
            self._all = vector_of(size)
        self._gather(system, self._own.vector)
        self._all.data[:] = self._own.read()
        self._all.data[numbers] += forces
        self._all.write()
        self._scatter(system, self._all.vector)
        self.are_added = True

    def take_off(self, system: Any) -> None:
        """Let Chrono keep its own reactions again, unless it has other constraints now."""
        self.are_added = False
        if self._own is not None and self._own.size == self._count(system):
            self._scatter(system, self._own.vector)
