"""Gathers the states of very many bodies in parallel, by the methods by which Chrono's load gathers them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange, types
from numpy.typing import NDArray

from ....kernel import kernel
from ...api.directors import symbol_at
from ...api.native import calling
from ..addresses import integers_at
from ..bodies import SPEED_WIDTH, STATE_WIDTH
from .step_passes import MANY, PART, parts_of

Array = Any
Integers = NDArray[np.int64]

METHODS = "ChBody29LoadableGetStateBlockPosLevelE", "ChBody29LoadableGetStateBlockVelLevelE"
"""Parts of the symbols of the methods that write the state and the velocity of a body."""
MOST = 16
"""Number of methods of a body among which they are."""
FEW = 256
"""Number of bodies from which it is worth it to find them."""
POINTER = 2
"""Words of a shared pointer."""

write = calling(types.void(types.int64, types.int32, types.int64))


@kernel
def _gather_some(bodies: Array, methods: Array, x: int, w: int, first: int, last: int) -> None:
    """Let some bodies write their states to Chrono's vectors x and w; all are given by their addresses."""
    for body in range(first, min(last, bodies.size)):
        write(methods[0], bodies[body], types.int32(STATE_WIDTH * body), x)
        write(methods[1], bodies[body], types.int32(SPEED_WIDTH * body), w)


@njit(cache=True, parallel=True, error_model="numpy")
def _gather(bodies: Array, methods: Array, x: int, w: int, parts: int) -> None:
    """Do so for all bodies."""
    for part in prange(parts):
        _gather_some(bodies, methods, x, w, PART * part, PART * (part + 1))


@njit(cache=True, error_model="numpy")
def _words(address: int, count: int) -> Array:
    """A copy of words at an address."""
    return integers_at(address, count).copy()


@njit(cache=True, error_model="numpy")
def tables_of(bodies: Array) -> Array:
    """Addresses of the tables of virtual methods of bodies."""
    tables = np.empty(bodies.size, np.int64)
    for i in range(bodies.size):
        tables[i] = integers_at(bodies[i], 1)[0]
    return tables


def _methods_in(table: int) -> tuple[int, int]:
    """Addresses of METHODS in a table of virtual methods; 0 if one is not there."""
    own = {symbol_at(int(place)): int(place) for place in _words(table, MOST)}
    first, second = (next((own[name] for name in own if wanted in name), 0) for wanted in METHODS)
    return first, second


class Gathering:
    """Gathers the states of bodies.

    Attributes:
        is_possible: whether there are many, and all of them write their states by the same methods.
    """

    def __init__(self, loadables: Any) -> None:
        """`loadables` is Chrono's vector of pointers to the bodies, which must stay alive."""
        self.is_possible = False
        if len(loadables) < FEW:
            return
        begin, end = _words(int(loadables.this), 2)
        self._bodies = np.ascontiguousarray(_words(int(begin), (int(end) - int(begin)) // 8)[::POINTER])
        found = {_methods_in(int(table)) for table in np.unique(tables_of(self._bodies))}
        self._methods = np.array(found.pop(), np.int64)
        self.is_possible = not found and bool(self._methods.all())

    @property
    def nbytes(self) -> int:
        """Memory in bytes that it holds."""
        return self._bodies.nbytes if self.is_possible else 0

    def gather(self, x: int, w: int) -> None:
        """Write states and velocities to Chrono's vectors at two addresses."""
        bodies, methods = self._bodies, self._methods
        if bodies.size < MANY:
            _gather_some(bodies, methods, x, w, 0, bodies.size)
        else:
            _gather(bodies, methods, x, w, parts_of(bodies.size))
