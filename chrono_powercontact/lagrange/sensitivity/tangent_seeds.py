"""The derivatives with which a run begins: those of a system's numbers and of its start, as dual numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...numerics.dual.dual_arrays import floats_of, lift, put_slopes, rows_of
from ...numerics.slopes import slopes
from ..layout import Arguments
from .variables import Setting

Array = NDArray[np.float64]


class Seeds(NamedTuple):
    """What a run with derivatives begins with, as `tangent_engine` takes it.

    Attributes:
        start: state, one dual number an entry. arguments: those of the system, its floats as dual numbers.
    """

    start: Array
    arguments: tuple[Any, ...]


def _blocks(setting: Setting) -> list[NDArray[Any]]:
    """All numbers of a setting, in blocks."""
    given: Arguments = setting.system.arguments
    return [setting.start, given.parameters, given.normal, given.friction, given.filters]


def seeds(setting: Setting, along: list[tuple[float, Callable[[float], Setting]]]) -> Seeds:
    """Dual numbers of a setting in some directions: each a value, and the setting with another one in its place."""
    blocks = _blocks(setting)
    duals = [lift(block) for block in blocks]
    parts = [floats_of(block) for block in blocks]
    here = np.concatenate(parts)
    ends = np.cumsum([part.size for part in parts])
    rates = np.array([slopes(partial(_numbers, vary), value, here) for value, vary in along])
    for block, dual, some in zip(blocks, duals, np.split(rates, ends[:-1], axis=1), strict=True):
        put_slopes(dual, some, block.dtype)
    given = setting.system.arguments
    start, parameters, normal, friction, filters = duals
    tables = (rows_of(normal), given.points, rows_of(friction), rows_of(filters))
    return Seeds(start, (parameters, given.sizes, *tables, given.mode))


def _numbers(vary: Callable[[float], Setting], value: float) -> Array:
    """All floats of a setting with some value in one vector."""
    return np.concatenate([floats_of(block) for block in _blocks(vary(value))])
