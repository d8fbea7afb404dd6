"""Linearly implicit steps with dual numbers; apart from RK4, because they take a minute to compile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

from ...errors import ParameterError, positive
from ...numerics.dual.dual_arrays import as_duals
from ...numerics.dual.dual_type import DIRECTIONS, WIDTH
from ...numerics.rosenbrock import stepper_like
from ...trajectory import Trajectory
from ..implicit import STEP_SIZE, STEPS_SO_FAR, Marks, absolute_errors, active_states, rosenbrock_march
from ..layout import INTEGERS, VECTOR
from ..runs import RunPlan, initial_record, record_count
from .dual_kernels import dual_terms
from .tangent_engine import DUAL_SYSTEM, ROWS, dual_system, rk4_tangent
from .tangent_runs import check_differentiable, directions, diverged, with_derivatives
from .tangent_seeds import seeds
from .variables import Setting

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


def run_implicit_tangent(
    plan: RunPlan, names: Sequence[str], tolerance: float | None, absolute: float | NDArray[np.float64]
) -> Trajectory:
    """`run_implicit` with columns d(column)/d(name) behind its own."""
    if isinstance(names, str) or len(names) > DIRECTIONS:
        raise ParameterError(f"sensitivities must be a list of one to {DIRECTIONS} names, got {names!r}")
    setting = Setting(plan.system, plan.start)
    check_differentiable(setting)
    along = directions(setting, names)
    given = seeds(setting, [(d.value, d.vary) for d in along])
    initial_record(plan.system, plan.start, 0.0)
    count = record_count(plan.step, plan.time, plan.every)
    active, passive = active_states(plan.system)
    relative = 0.0 if tolerance is None else positive("tolerance", tolerance)
    kept = np.array([plan.step, 0.0])
    rows = np.zeros((count + 1, len(plan.system.columns), WIDTH))
    terms = dual_terms(plan.system.terms)
    options = (active, passive, absolute_errors(absolute, active.shape), relative, kept)
    x = given.start
    done = rosenbrock_tangent(terms, 0.0, x, *given.arguments, plan.step, 0, plan.every, *options, rows[:count])
    end = count * plan.every * plan.step
    if done < count or not rk4_tangent(terms, end, x, *given.arguments, plan.step, 0, 0, rows[count:]):
        raise diverged(plan, rows[: max(done, 1)])
    run = Trajectory(tuple(plan.system.columns), rows[:, :, 0].copy(), int(kept[STEPS_SO_FAR]))
    return with_derivatives(run, {d.name: rows[:, :, 1 + i] for i, d in enumerate(along)})
