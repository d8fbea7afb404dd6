"""Arrays by their addresses: one array of integers hands any number of arrays to a kernel.

Numba needs 0.2 us to recognise each array argument, which for the tables of a step adds up to more than a few contacts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from ...kernel import kernel

Array = Any


@intrinsic
def doubles_at(context: Any, address: Any) -> Any:
    """An address as a pointer to doubles."""
    signature = types.CPointer(types.float64)(types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.DoubleType().as_pointer())

    return signature, generate


@intrinsic
def _integers_at(context: Any, address: Any) -> Any:
    """An address as a pointer to integers."""
    signature = types.CPointer(types.int64)(types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())

    return signature, generate


@kernel
def doubles(directory: Array, i: int) -> Array:
    """Array number i of a directory, as a flat array of doubles."""
    return carray(doubles_at(directory[2 * i]), (directory[2 * i + 1],))


@kernel
def integers(directory: Array, i: int) -> Array:
    """Array number i of a directory, as a flat array of integers."""
    return carray(_integers_at(directory[2 * i]), (directory[2 * i + 1],))


class Directory:
    """Addresses and lengths (in words of 8 bytes) of arrays, which it keeps alive.

    Attributes:
        entries: address and length of each array, one after the other. arrays: those that were entered.
    """

    def __init__(self, size: int) -> None:
        self.entries = np.zeros(2 * size, np.int64)
        self.arrays: list[Any] = [None] * size

    def put(self, i: int, array: NDArray[Any]) -> None:
        """Enter an array; it must be contiguous."""
        if array is self.arrays[i]:
            return
        self.arrays[i] = array
        self.point(i, array.ctypes.data, array.nbytes // 8)

    def point(self, i: int, address: int, length: int) -> None:
        """Enter an address and a length."""
        self.entries[2 * i] = address
        self.entries[2 * i + 1] = length
