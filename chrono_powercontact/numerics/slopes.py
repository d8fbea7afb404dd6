"""Derivatives of numbers that Python computes from one parameter, to about twelve digits.

A law makes its record from its parameters in Python, such as a steepness from two distances. These functions are smooth
and cost little, so that differences, extrapolated until they agree (Richardson), are exact to rounding. Most are
straight lines, for which two points more than the one at hand suffice.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError

Array = NDArray[np.float64]
Numbers = Callable[[float], Array]

STEPS = (0.03, 0.2, 4e-3)
"""First steps of the differences, as fractions of the parameter, tried until one is exact; of several results the one
with the least error counts."""

LEVELS = {0: 6, 1: 9, -1: 9}
"""Most halvings of a step on both sides, above and below; differences to one side need more for the same order."""

EXACT = 1e-11
"""Error of a slope, relative to it, that is rounding."""

LEAST = 1e-13
"""The same relative to the number over the parameter: a number that hardly changes has a slope with fewer digits."""

AGREE = 1e-14
"""Relative difference of two slopes that count as equal."""


EPSILON = float(np.finfo(float).eps)
"""Relative rounding of a number."""


def slopes(numbers: Numbers, at: float, here: Array | None = None) -> Array:
    """Derivatives of some numbers by the one that they follow from; those that do not change are zero.

    `numbers` raises a ParameterError where a value is not allowed; where none beside `at` is, this raises the first of
    them. `here` are the numbers at `at`, if they are known.
    """
    refused: ParameterError | None = None
    known = np.asarray(numbers(at) if here is None else here, float)
    straight = _straight(numbers, at, known)
    if straight is not None:
        return straight
    for side in LEVELS:
        found = []
        for step in STEPS:
            try:
                found.append(_extrapolated(numbers, at, known, step * (abs(at) or 1.0), side))
                if _is_exact(*found[-1], _least(at, known)):
                    return found[-1][0]
            except ParameterError as error:
                refused = refused or error
        if found:
            return _best(found)
    raise refused or ParameterError(f"no value beside {at:g} is allowed")


def _change(there: Array, here: Array) -> Array:
    """Differences of numbers; zero where one of them is not finite."""
    finite = np.isfinite(there) & np.isfinite(here)
    return np.where(finite, there, 0.0) - np.where(finite, here, 0.0)


def _straight(numbers: Numbers, at: float, here: Array) -> Array | None:
    """Derivatives of numbers that follow a straight line, as most do; None where it bends.

    The two sides differ in length, so that neither an even nor an odd curve about `at` passes for a line.
    """
    step = max(STEPS) * (abs(at) or 1.0)
    try:
        far = _change(numbers(at + step), here) / step
        near = _change(numbers(at - 0.5 * step), here) / (-0.5 * step)
    except ParameterError:
        return None
    return far if np.all(np.abs(near - far) <= AGREE * np.abs(far)) else None


def _least(at: float, here: Array) -> Array:
    """Errors of derivatives that do not count."""
    return np.asarray(np.where(np.isfinite(here), LEAST / (abs(at) or 1.0) * np.abs(here), 0.0))


def _is_exact(value: Array, error: Array, least: Array) -> bool:
    """Whether derivatives are known to rounding."""
    return bool(np.all(error <= EXACT * np.abs(value) + least))


def _best(found: list[tuple[Array, Array]]) -> Array:
    """Of several derivatives with their errors, entry by entry the one with the least error."""
    values = np.array([value for value, _ in found])
    errors = np.nan_to_num(np.array([error for _, error in found]), nan=np.inf)
    return np.asarray(np.take_along_axis(values, errors.argmin(axis=0)[None], axis=0)[0])


def _extrapolated(numbers: Numbers, at: float, here: Array, step: float, side: int) -> tuple[Array, Array]:
    """Derivatives and their errors from differences on one side, or on both with 0, with ever shorter steps.

    It ends where the derivatives are exact, or rounding outgrows what a shorter step gains.
    """
    least = _least(at, here)
    row: list[Array] = []
    found: list[tuple[Array, Array]] = []
    for level in range(LEVELS[side]):
        h = step / 2**level
        there = numbers(at + (side or 1) * h)
        other, width = (numbers(at - h), 2.0 * h) if side == 0 else (here, side * h)
        last, row = row, _refined(row, _change(there, other) / width, 2 if side == 0 else 1)
        if not last:
            continue
        error = np.abs(row[-1] - last[-1]) + _rounding(there, other) / abs(width)
        found.append((row[-1], error))
        if _is_exact(row[-1], error, least) or (len(found) > 1 and np.all(error >= found[-2][1])):
            break
    return _best(found), np.min([error for _, error in found], axis=0)


def _refined(last: list[Array], difference: Array, order: int) -> list[Array]:
    """Richardson's row for half the step: a difference, and what it becomes with each of the last row.

    The error of a difference has the powers 1, 2, 3... of the step, or with order 2 the even ones.
    """
    row = [difference]
    for power, earlier in enumerate(last, 1):
        row.append(row[-1] + (row[-1] - earlier) / (2.0 ** (order * power) - 1.0))
    return row


def _rounding(there: Array, other: Array) -> Array:
    """Rounding of numbers that change; zero for those that do not."""
    changing = (there != other) & np.isfinite(there)
    return np.where(changing, EPSILON * np.abs(np.where(changing, there, 0.0)), 0.0)
