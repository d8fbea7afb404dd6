"""NumPy views of Chrono's vectors without a copy if a check shows that they work; otherwise copies through lists.

A ChState or ChVectorDynamic is an Eigen vector: its first member is the pointer to its data. The view is tested once
at the start: written through SWIG and read through NumPy, and vice versa.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray


def _look(vector: Any, size: int) -> NDArray[np.float64]:
    pointer = ctypes.c_void_p.from_address(int(vector.this)).value
    if not pointer:
        raise ValueError("the vector has no data")
    return np.ctypeslib.as_array(ctypes.cast(pointer, ctypes.POINTER(ctypes.c_double)), (size,))


def location(vector: Any) -> int:
    """Address of the data of a Chrono vector; it must be possible to view it, see `zero_copy`."""
    return ctypes.c_void_p.from_address(int(vector.this)).value or 0


@cache
def zero_copy() -> bool:
    """Whether NumPy can view Chrono's vectors directly."""
    from .bridge import pychrono

    chrono = pychrono()
    try:
        state = chrono.ChState()
        state.SetVect([1.5, -2.25, 3.125])
        view = _look(state, 3)
        if view.tolist() != [1.5, -2.25, 3.125]:
            return False
        view[1] = 7.0
        return list(state.GetVectorData(3)) == [1.5, 7.0, 3.125]
    except (ValueError, TypeError, AttributeError, RuntimeError):
        return False


class Mirror:
    """The data of a Chrono vector as a NumPy array: shared if possible, otherwise copied on request."""

    def __init__(self, vector: Any, size: int, shared: bool | None = None) -> None:
        self.vector = vector
        self.size = size
        self.shared = zero_copy() if shared is None else shared
        self.data = _look(vector, size) if self.shared and size else np.zeros(size)

    def read(self) -> NDArray[np.float64]:
        """The array, up to date with Chrono's vector."""
        if not self.shared and self.size:
            self.data[:] = self.vector.GetVectorData(self.size)
        return self.data

    def write(self) -> None:
        """Bring Chrono's vector up to date with the array."""
        if not self.shared and self.size:
            self.vector.SetVect(self.data.tolist())


class Square:
    """The data of a square Chrono matrix (row by row) as a NumPy array, shared if possible."""

    def __init__(self, matrix: Any, size: int, shared: bool | None = None) -> None:
        self.matrix = matrix
        self.size = size
        self.shared = zero_copy() if shared is None else shared
        self.data = _look(matrix, size * size).reshape(size, size) if self.shared else np.zeros((size, size))

    def write(self) -> None:
        """Bring Chrono's matrix up to date with the array."""
        if self.shared:
            return
        for (i, j), value in np.ndenumerate(self.data):
            self.matrix.SetItem(i, j, float(value))
