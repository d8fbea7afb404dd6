"""Derivatives of numbers that Python computes from one parameter, to about twelve digits, by SciPy.

A law makes its record from its parameters in Python, such as a steepness from two distances. These functions are smooth
and cost nothing, so that differences of high order, extrapolated until they agree, are exact to rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError

Array = NDArray[np.float64]

STEPS = (4e-3, 0.03, 0.2)
"""First steps of the differences, as fractions of the parameter, tried until one is exact; of several results the one
with the least error counts."""

EXACT = 1e-11
"""Error of a slope, relative to it, that is rounding."""

AGREE = 1e-14
"""Relative difference of two slopes that count as equal."""

SIDES = (0, 1, -1)
"""Where differences are taken: on both sides, and where the parameter is at a limit, above or below."""


def slopes(numbers: Callable[[float], Array], at: float) -> Array:
    """Derivatives of some numbers by the one that they follow from; those that do not change are zero.

    `numbers` raises a ParameterError where a value is not allowed; where none beside `at` is, so does this.
    """
    refused = ParameterError(f"no value beside {at:g} is allowed")
    straight = _straight(numbers, at)
    if straight is not None:
        return straight
    for side in SIDES:
        found = []
        for step in STEPS:
            try:
                found.append(_slopes(numbers, at, step * (abs(at) or 1.0), side))
                if _is_exact(*found[-1]):
                    return found[-1][0]
            except ParameterError as error:
                refused = error
        if found:
            return _best(found)
    raise refused


def _straight(numbers: Callable[[float], Array], at: float) -> Array | None:
    """Derivatives of numbers that follow a straight line, as most do, from four of its points; None where it bends."""
    step = max(STEPS) * (abs(at) or 1.0)
    found = []
    for h in (0.5 * step, step):
        try:
            above = np.asarray(numbers(at + h), float)
            below = np.asarray(numbers(at - h), float)
        except ParameterError:
            return None
        changing = (above != below) & np.isfinite(above) & np.isfinite(below)
        found.append((np.where(changing, above, 0.0) - np.where(changing, below, 0.0)) / (2.0 * h))
    near, far = found
    return far if np.allclose(near, far, rtol=AGREE, atol=0.0) else None


def _is_exact(value: Array, error: Array) -> bool:
    """Whether derivatives are known to rounding."""
    return bool(np.all(error <= EXACT * np.abs(value)))


def _best(found: list[tuple[Array, Array]]) -> Array:
    """Of several derivatives with their errors, entry by entry the one with the least error."""
    values = np.array([value for value, _ in found])
    errors = np.nan_to_num(np.array([error for _, error in found]), nan=np.inf)
    return np.asarray(np.take_along_axis(values, errors.argmin(axis=0)[None], axis=0)[0])


def _slopes(numbers: Callable[[float], Array], at: float, step: float, side: int) -> tuple[Array, Array]:
    """Derivatives and their errors from differences on one side, or on both with 0."""
    from scipy.differentiate import jacobian

    here = np.asarray(numbers(at), float)
    there = np.asarray(numbers(at + (side or 1) * step), float)
    changing = (here != there) & np.isfinite(here) & np.isfinite(there)
    value = np.zeros(here.size)
    error = np.zeros(here.size)
    if not changing.any():
        return value, error

    def changed(x: Array) -> Array:
        values = np.array([np.asarray(numbers(float(point)), float)[changing] for point in x.ravel()])
        return values.T.reshape(-1, *x.shape[1:])

    found: Any = jacobian(
        changed, np.array([at]), initial_step=step, step_direction=side, maxiter=2, tolerances={"rtol": 0.0}
    )
    value[changing] = found.df.ravel()
    error[changing] = found.error.ravel()
    return value, error
