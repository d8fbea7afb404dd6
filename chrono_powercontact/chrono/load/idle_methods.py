"""Methods of the load in which there is nothing to do, without a call of Python.

In each step Chrono calls a load several times besides asking for its force. The calls of Python take as long as the
contacts of a cube. Compiled code takes their place where that is possible, see `directors`; otherwise Python is called.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import cfunc, types
from numba.extending import intrinsic

from ..api.directors import CONTEXT, replace_methods
from ..contact.addresses import integers_at

IDLE, PYTHON = range(2)
"""Words of the context: whether there is nothing to do when Chrono has distributed a state, and the address of the
method that tells Python of it."""

UPDATE = "Update"


@intrinsic
def _update(context: Any, method: Any, load: Any, time: Any, flags: Any) -> Any:
    """Call the C++ method Update, given by its address, of a load."""
    signature = types.void(types.int64, types.int64, types.float64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(ir.VoidType(), (word, ir.DoubleType(), word))
        builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), arguments[1:])
        return context.get_dummy_value()

    return signature, generate


@cfunc(types.uint8(types.int64), cache=True)
def do_nothing(load: int) -> int:
    """Nothing to do, whatever else it is given; says no where an answer is wanted."""
    return 0


@cfunc(types.void(types.int64, types.float64, types.int64), cache=True)
def on_update(load: int, time: float, flags: int) -> None:
    """Chrono has distributed a state."""
    table = integers_at(load, 1)[0]
    context = integers_at(integers_at(table, CONTEXT + 1)[CONTEXT], PYTHON + 1)
    if context[IDLE] == 0:
        _update(context[PYTHON], load, time, flags)


class IdleMethods:
    """Compiled methods of a load."""

    def __init__(self, load: Any) -> None:
        self._context = np.zeros(PYTHON + 1, np.int64)
        idle = ("IsStiff", "InjectKRMMatrices", "LoadKRMMatrices", "LoadIntLoadResidual_Mv")
        compiled = dict.fromkeys(idle, do_nothing.address) | {UPDATE: on_update.address}
        self._context[PYTHON] = replace_methods(load, compiled, self._context.ctypes.data).get(UPDATE, 0)

    @property
    def are_compiled(self) -> bool:
        """Whether compiled code has taken their place."""
        return bool(self._context[PYTHON])

    def idle(self, idle: bool) -> None:
        """Set whether there is nothing to do when Chrono has distributed a state."""
        self._context[IDLE] = idle
