"""What a filter is given, checked: covariances, vectors, bounds and the sample time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, UnknownNameError, positive

Matrix = NDArray[np.float64]


def _array(name: str, values: ArrayLike) -> Matrix:
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be an array of numbers, got {values!r}") from None
    if not np.all(np.isfinite(array)):
        raise ParameterError(f"{name} must be finite, got {array.tolist()}")
    return array


def vector(name: str, values: ArrayLike, size: int) -> Matrix:
    """A finite vector of a given size."""
    array = np.atleast_1d(_array(name, values))
    if array.shape != (size,):
        raise ParameterError(f"{name} must have {size} entries, got the shape {array.shape}")
    return array


def row(name: str, values: ArrayLike, size: int) -> Matrix:
    """One sample as a matrix of one row; its entries need not be finite."""
    try:
        array = np.array(values, dtype=float, ndmin=2)
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be an array of numbers, got {values!r}") from None
    if array.shape != (1, size):
        raise ParameterError(f"{name} must have {size} entries, got {np.size(values)}")
    return array


def covariance(name: str, values: ArrayLike, size: int) -> Matrix:
    """A symmetric positive definite matrix; a vector is taken as its diagonal."""
    array = _array(name, values)
    if array.shape == (size,):
        array = np.diag(array)
    if array.shape != (size, size):
        raise ParameterError(f"{name} must be {size} x {size}, or a diagonal of {size}, got the shape {array.shape}")
    if not np.allclose(array, array.T, rtol=1e-9, atol=1e-12 * float(np.abs(array).max(initial=0.0))):
        raise ParameterError(f"{name} must be symmetric, got {array.tolist()}")
    return 0.5 * (array + array.T)


def factor(name: str, values: ArrayLike, size: int) -> Matrix:
    """Lower Cholesky factor of a covariance."""
    matrix = covariance(name, values, size)
    try:
        return np.ascontiguousarray(np.linalg.cholesky(matrix))
    except np.linalg.LinAlgError:
        least = float(np.linalg.eigvalsh(matrix)[0])
        raise ParameterError(f"{name} must be positive definite, its least eigenvalue is {least:.3g}") from None


ROUNDING = 1e-12
"""An eigenvalue this far below zero, over the largest one, is taken as zero."""


def semidefinite_factor(name: str, values: ArrayLike, size: int) -> Matrix:
    """Lower factor of a covariance that may be semidefinite, such as that of an acceleration held over a sample (5.39).

    The variances are scaled to one before the eigenvalues are judged, for states have units of very different size.
    """
    matrix = covariance(name, values, size)
    diagonal = np.diag(matrix)
    if diagonal.min() < 0.0:
        raise ParameterError(f"{name} must have no negative variance, got {diagonal.tolist()}")
    scale = np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
    eigenvalues, vectors = np.linalg.eigh(matrix / np.outer(scale, scale))
    if eigenvalues[0] < -ROUNDING * size:
        least = float(np.linalg.eigvalsh(matrix)[0])
        raise ParameterError(f"{name} must be positive semidefinite, its least eigenvalue is {least:.3g}")
    root = scale[:, None] * vectors * np.sqrt(np.maximum(eigenvalues, 0.0))
    lower = np.linalg.qr(root.T)[1].T
    return np.ascontiguousarray(lower * np.where(np.diag(lower) < 0.0, -1.0, 1.0))


def step_count(sample_time: float, step: float | None) -> tuple[float, int]:
    """Integration step in s and steps per sample; without a step there is one per sample."""
    total = positive("sample_time", sample_time)
    if step is None:
        return total, 1
    ratio = total / positive("step", step)
    count = round(ratio)
    if count < 1 or not math.isclose(ratio, count, rel_tol=1e-9):
        raise ParameterError(f"sample_time must be a whole multiple of step, got {total:g} s and {step:g} s")
    return total / count, count


def limits(bounds: Mapping[str, tuple[float, float]] | None, states: Sequence[str]) -> tuple[Matrix, Matrix]:
    """Lower and upper bound of every state; infinite where none is given."""
    lower = np.full(len(states), -np.inf)
    upper = np.full(len(states), np.inf)
    for name, pair in (bounds or {}).items():
        if name not in states:
            raise UnknownNameError("state", name, states)
        try:
            low, high = (float(value) for value in pair)
        except (TypeError, ValueError):
            raise ParameterError(f"the bounds of {name} must be a lower and an upper one, got {pair!r}") from None
        if not low < high:
            raise ParameterError(f"the lower bound of {name} must be below the upper, got {low:g} and {high:g}")
        lower[states.index(name)] = low
        upper[states.index(name)] = high
    return lower, upper


def table(name: str, values: ArrayLike, width: int, rows: int | None = None) -> Matrix:
    """A matrix with one row per sample; a vector is one column."""
    try:
        array = np.array(values, dtype=float, order="C")
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be an array of numbers, got {values!r}") from None
    if array.ndim == 1 and width == 1:
        array = array.reshape(-1, 1)
    if array.ndim != 2 or array.shape[1] != width or (rows is not None and len(array) != rows):
        wanted = f"{'any number of' if rows is None else rows} rows of {width}"
        raise ParameterError(f"{name} must have {wanted}, got the shape {array.shape}")
    return array
