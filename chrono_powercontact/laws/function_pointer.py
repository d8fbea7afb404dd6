"""Calls a user's compiled function by its address, so that one compiled engine serves every user law."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..numerics.dual.dual_type import is_dual

MOST_NUMBERS = 12
"""Largest number of parameters of a user law."""

USER_LAW = np.dtype(
    [
        ("force", np.int64),
        ("potential", np.int64),
        ("slopes", np.int64),
        ("slopes_by_speed", np.int64),
        ("numbers", np.float64, (MOST_NUMBERS,)),
    ]
)
"""A user law in a record: addresses of its functions, 0 if there is none, and its parameters."""


@intrinsic
def call_at(context: Any, address: Any, a: Any, b: Any, numbers: Any) -> Any:
    """Call the function at an address with two doubles and the address of its parameters; it returns a double.

    Of dual numbers it takes the values: a user law has no derivatives.
    """
    taken = [kind if is_dual(kind) else types.float64 for kind in (a, b)]
    signature = types.float64(types.int64, *taken, types.intp)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers = [
            builder.extract_value(x, 0) if is_dual(kind) else x for kind, x in zip(taken, arguments[1:3], strict=True)
        ]
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType(), ir.DoubleType(), pointer])
        function = builder.inttoptr(arguments[0], kind.as_pointer())
        return builder.call(function, [*numbers, builder.inttoptr(arguments[3], pointer)])

    return signature, generate
