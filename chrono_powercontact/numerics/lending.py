"""Structures of arrays by their addresses, for threads: a parallel loop of numba takes arrays and numbers only.

Who lends a structure must use it once more after the loop, else numba gives its arrays back before.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic


@intrinsic
def lend(context: Any, value: Any) -> Any:
    """The address of a structure, for as long as the function runs that lends it."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.ptrtoint(cgutils.alloca_once_value(builder, values[0]), ir.IntType(64))

    return types.int64(value), generate


def lent(kind: Any) -> Any:
    """A function for kernels that gives the structure of a numba type at an address."""

    def structure_at(context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            place = builder.inttoptr(values[0], context.get_value_type(kind).as_pointer())
            return impl_ret_borrowed(context, builder, kind, builder.load(place))

        return kind(types.int64), generate

    return intrinsic(structure_at)
