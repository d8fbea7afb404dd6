"""The reference engine with dual numbers: the same equations, laws, memory and RK4, compiled once more.

Every number of the system and of its state is a dual number, so a run carries its derivatives in eight directions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

from ...kernel import inner
from ...laws.friction.friction_table import FRICTION
from ...laws.normal.normal_table import NORMAL
from ...numerics.dual.dual_arrays import as_dual_records, as_duals
from ..engine import record, resolved_rates, rk4_march
from ..equations import SystemData, system_data, workspace_like
from ..layout import FILTER, INTEGERS, POINTS
from .dual_kernels import DUAL_SIGNATURE

Array = Any

TABLE = types.float64[:, ::1]
ROWS = types.float64[:, :, ::1]
DUAL_SYSTEM = (
    types.FunctionType(DUAL_SIGNATURE), types.float64, TABLE, TABLE, INTEGERS,
    TABLE, POINTS, TABLE, TABLE, types.int64,
)  # fmt: skip
"""Types that entry kernels with dual numbers begin with, see `engine.SYSTEM`."""


@inner
def dual_system(
    terms: Any, p: Array, sizes: Array, normal: Array, points: Array, friction: Array, filters: Array, mode: int
) -> SystemData:  # fmt: skip
    """A system whose numbers are dual numbers, from the flat arguments of an entry kernel."""
    return system_data(
        terms, as_duals(p), sizes, as_dual_records(normal, NORMAL), points, as_dual_records(friction, FRICTION),
        as_dual_records(filters, FILTER), mode,
    )  # fmt: skip


@njit(types.int64(*DUAL_SYSTEM, types.float64, types.int64, types.int64, ROWS), cache=True, error_model="numpy")
def rk4_tangent(
    terms: Any, t: float, x: Array, p: Array, sizes: Array,
    normal: Array, points: Array, friction: Array, filters: Array, mode: int,
    h: float, first: int, every: int, rows: Array,
) -> int:  # fmt: skip
    """`engine.rk4` of states, parameters and laws with derivatives; `every` = 0 writes the record of x alone."""
    system = dual_system(terms, p, sizes, normal, points, friction, filters, mode)
    state = as_duals(x)
    records = as_duals(rows)
    if every > 0:
        return rk4_march(system, t, state, h, first, every, records)
    work = workspace_like(state, system.sizes)
    regular = resolved_rates(system, t, state, work, np.zeros(state.size, state.dtype))
    record(t, state, system, work, records[0])
    return int(regular)
