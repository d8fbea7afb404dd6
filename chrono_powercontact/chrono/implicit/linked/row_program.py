"""The rows of links read by compiled code: the calls of a `RowPlan`, by their addresses."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from ....kernel import kernel
from ...api.native import calling, method_address
from ...contact.addresses import doubles_at, integers_at
from .row_plan import FIRST_PULL, RowPlan, take_rows

Array = Any

LOAD_JACOBIANS, ADD_PULL, ADD_ERROR, ADD_MOTION, MISSING, CLAMP, DIRECTORY, CALLS, FIRST_CALL = range(9)
"""Words of a program: addresses of C++ methods, of the vector of what constraints miss, of the largest speed at which
they are corrected, and of the directory of the plan; number of calls; and addresses of the two vectors of each."""

METHODS = ("load_jacobians", "add_pull", "add_error", "add_motion")

load_jacobians = calling(types.void(types.int64))
add_pull = calling(types.void(types.int64, types.int64, types.int64, types.float64))
add_error = calling(types.void(types.int64, types.int64, types.float64, types.uint8, types.float64))
add_motion = calling(types.void(types.int64, types.int64, types.float64))


class RowProgram:
    """What compiled code needs to read the rows of a plan.

    Attributes:
        plan: of the rows. words: see LOAD_JACOBIANS and the others.
    """

    def __init__(self, plan: RowPlan, clamp: float) -> None:
        self.plan = plan
        self._clamp = np.full(1, clamp)
        calls = [int(mirror.vector.this) for call in plan.calls for mirror in call]
        heads = [*map(method_address, METHODS), int(plan.missing.vector.this), self._clamp.ctypes.data]
        self.words: NDArray[np.int64] = np.array(
            [*heads, plan.directory.entries.ctypes.data, len(plan.calls), *calls], np.int64
        )


def can_read_rows() -> bool:
    """Whether compiled code can call what it needs."""
    return all(map(method_address, METHODS))


@kernel
def read_rows(place: int, system: int, h: float) -> bool:
    """Read all rows for a step h, by the program at an address; False if links connect other bodies than before."""
    program = integers_at(place, FIRST_CALL)
    count = program[CALLS]
    calls = integers_at(place, FIRST_CALL + 2 * count)[FIRST_CALL:]
    load_jacobians(program[LOAD_JACOBIANS], system)
    for i in range(count):
        add_pull(program[ADD_PULL], system, calls[2 * i], calls[2 * i + 1], 1.0)
    clamp = doubles_at(program[CLAMP], 1)[0]
    add_error(program[ADD_ERROR], system, program[MISSING], 1.0 / h, types.uint8(clamp > 0.0), clamp)
    add_motion(program[ADD_MOTION], system, program[MISSING], 1.0)
    return take_rows(integers_at(program[DIRECTORY], 2 * (FIRST_PULL + count)))
