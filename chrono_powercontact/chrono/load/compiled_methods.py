"""Methods of the load without a call of Python, where that is possible, see `directors`.

In each step Chrono asks the load for its force, see `regular_step`, and calls it several times besides. The calls of
Python take as long as the contacts of a cube, and there is mostly nothing to do. Otherwise Python is called.
"""

from __future__ import annotations

from typing import Any

from numba import cfunc, types

from ..api.directors import CONTEXT, replace_methods
from ..api.native import calling
from ..contact.addresses import integers_at
from ..implicit import step_context as on
from ..implicit.step_context import StepContext
from .regular_step import on_residual

METHODS = {"Update": on.UPDATE, "LoadIntLoadResidual_F": on.RESIDUAL}
"""Methods in which there may be something to do, and the words of the context that lead to them in Python."""
NOTHING_TO_DO = ("IsStiff", "InjectKRMMatrices", "LoadKRMMatrices", "LoadIntLoadResidual_Mv")

ask_python = calling(types.void(types.int64, types.float64, types.int64))


@cfunc(types.uint8(types.int64), cache=True)
def do_nothing(load: int) -> int:
    """Nothing to do, whatever else it is given; says no where an answer is wanted."""
    return 0


@cfunc(types.void(types.int64, types.float64, types.int64), cache=True)
def on_update(load: int, time: float, flags: int) -> None:
    """Chrono has distributed a state."""
    table = integers_at(load, 1)[0]
    context = integers_at(integers_at(table, CONTEXT + 1)[CONTEXT], on.WORDS)
    if context[on.IDLE] == 0:
        ask_python(context[on.UPDATE], load, time, flags)


class CompiledMethods:
    """Compiled methods of a load, which share the context of its steps."""

    def __init__(self, load: Any, context: StepContext) -> None:
        self._context = context
        compiled = dict.fromkeys(NOTHING_TO_DO, do_nothing.address)
        compiled |= {"Update": on_update.address, "LoadIntLoadResidual_F": on_residual.address}
        found = replace_methods(load, compiled, context.place)
        for name, word in METHODS.items():
            context.words[word] = found.get(name, 0)

    @property
    def are_compiled(self) -> bool:
        """Whether compiled code has taken their place."""
        return bool(self._context.words[on.RESIDUAL])

    def idle(self, idle: bool) -> None:
        """Set whether there is nothing to do when Chrono has distributed a state."""
        self._context.words[on.IDLE] = idle
