"""Linearly implicit steps with dual numbers; apart from RK4, because they take a minute to compile."""

from __future__ import annotations

from typing import Any

from numba import njit, types

from ...numerics.dual.dual_arrays import as_duals
from ...numerics.rosenbrock import stepper_like
from ..implicit import STEP_SIZE, Marks, rosenbrock_march
from ..layout import INTEGERS, VECTOR
from .tangent_engine import DUAL_SYSTEM, ROWS, dual_system

Array = Any

_OPTIONS = (types.float64, types.int64, types.int64, INTEGERS, INTEGERS, VECTOR, types.float64, VECTOR)


@njit(types.int64(*DUAL_SYSTEM, *_OPTIONS, ROWS), cache=True, error_model="numpy")
def rosenbrock_tangent(
    terms: Any, t: float, x: Array, p: Array, sizes: Array,
    normal: Array, points: Array, friction: Array, filters: Array, mode: int,
    h: float, first: int, every: int, active: Array, passive: Array, absolute: Array, relative: float, kept: Array,
    rows: Array,
) -> int:  # fmt: skip
    """`implicit.rosenbrock` of states, parameters and laws with derivatives.

    The matrix of the method comes from differences of dual numbers, so the derivatives are those of the very steps that
    are taken. Where a tolerance chooses the steps, they are taken as chosen.
    """
    system = dual_system(terms, p, sizes, normal, points, friction, filters, mode)
    state = as_duals(x)
    s = stepper_like(state, active, passive, absolute, relative, kept[STEP_SIZE])
    return rosenbrock_march(system, t, state, Marks(h, first, every), s, kept, as_duals(rows))
