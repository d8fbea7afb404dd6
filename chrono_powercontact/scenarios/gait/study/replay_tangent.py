"""The leg replayed with dual numbers: positions and their derivatives by the values that are identified."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

from ....errors import DivergedError
from ....numerics.dual import dual_arithmetic as dual_arithmetic  # teaches numba the arithmetic of dual numbers
from ....numerics.dual.dual_arrays import (
    as_dual_records,
    as_duals,
    duals_of,
    floats_of,
    from_floats,
    lift,
    put_direction,
    rows_of,
)
from ....numerics.dual.dual_type import DIRECTIONS, WIDTH
from ....numerics.slopes import slopes
from ..leg.leg_rate import CONTACT_HEAT, PHI, S
from ..leg.stages import STAGE, Stage
from .replay import Recording, follow, steps_per_sample

Array = NDArray[np.float64]

_TABLE = types.float64[:, ::1]
_ROWS = types.float64[:, :, ::1]


@njit(types.void(_TABLE, _TABLE, types.float64, types.int64, _TABLE, _ROWS), cache=True, error_model="numpy")
def follow_tangent(x: Any, us: Any, h: float, steps: int, stage: Any, out: Any) -> None:
    """`follow` with dual numbers."""
    follow(as_duals(x), us, h, steps, as_dual_records(stage, STAGE)[0], as_duals(out))


def stage_records(stage: Stage) -> NDArray[Any]:
    """A stage as an array of one record."""
    return np.array([stage.record], STAGE)


def stage_slopes(values: Array, vary: Callable[[Array], Stage]) -> list[NDArray[Any]]:
    """Derivatives of a stage's record by each of some values, of which `vary` makes the stage."""

    def along(k: int) -> Array:
        def numbers(value: float) -> Array:
            changed = values.copy()
            changed[k] = value
            return floats_of(stage_records(vary(changed)))

        return slopes(numbers, float(values[k]))

    like = stage_records(vary(values))
    return [from_floats(along(k), like) for k in range(len(values))]


def replay_tangent(stage: Stage, rates: list[NDArray[Any]], recording: Recording, step: float) -> tuple[Array, Array]:
    """phi in rad and s in m at every sample after the first, and their derivatives in up to eight directions.

    Args:
        rates: derivatives of the stage's record, from `stage_slopes`.
    """
    records = lift(stage_records(stage))
    for direction, rate in enumerate(rates[:DIRECTIONS]):
        put_direction(records, direction, rate)
    us = np.ascontiguousarray(recording.us[:-1], float)
    start = np.zeros(CONTACT_HEAT)
    start[PHI], start[S] = recording.start
    out = np.zeros((len(us), 2, WIDTH))
    follow_tangent(duals_of(start), us, step, steps_per_sample(recording, step), rows_of(records), out)
    if not np.all(np.isfinite(out)):
        raise DivergedError(f"the replay is no longer finite with a step of {step:g} s: take a smaller one")
    return out[:, :, 0], out[:, :, 1 : 1 + len(rates)]
