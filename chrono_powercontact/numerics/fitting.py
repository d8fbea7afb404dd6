"""Least squares with exact Jacobians: what fits best, and within which intervals.

Gauss-Newton steps in a trust region, by SciPy. Each evaluation gives misfits and their derivatives at once, as a run
with dual numbers does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError

Array = NDArray[np.float64]
Evaluate = Callable[[Array], tuple[Array, Array]]
"""Misfits, each over its standard deviation, and their derivatives by the values, one row per misfit."""

BLOCK = 128
"""Rows that are decomposed at once."""

LEVEL = 0.95
"""Confidence of an interval."""


@dataclass(frozen=True)
class Fit:
    """What a fit found.

    Attributes:
        values: what fits best. covariance: of the values, from the Jacobian there and the misfit that is left.
        residual: RMS misfit over the noise; 1 where the noise is what was said and the model is right.
        freedom: misfits less values. evaluations: how often misfits and derivatives were computed.
    """

    values: Array
    covariance: Array
    residual: float
    freedom: int
    evaluations: int

    def half(self, level: float = LEVEL) -> Array:
        """Half widths of the confidence intervals."""
        from scipy.stats import t as student

        if not 0.0 < level < 1.0:
            raise ParameterError(f"level must lie between 0 and 1, got {level:g}")
        spread = np.sqrt(np.maximum(np.diag(self.covariance), 0.0))
        return np.asarray(student.ppf(0.5 + 0.5 * level, self.freedom) * spread)

    def interval(self, level: float = LEVEL) -> Array:
        """Lower and upper end of each confidence interval, one row per value."""
        half = self.half(level)
        return np.column_stack([self.values - half, self.values + half])


def triangular_factor(matrix: Array) -> Array:
    """R of the QR decomposition of a tall matrix, by blocks: for a tall one BLAS starts threads, which cost more."""
    rows, columns = matrix.shape
    block = max(BLOCK, columns)
    count = -(-rows // block)
    padded = np.zeros((count * block, columns))
    padded[:rows] = matrix
    factors: Any = np.linalg.qr(padded.reshape((count, block, columns)), mode="r")
    return np.asarray(np.linalg.qr(factors.reshape(-1, columns), mode="r"))


class _Remembered:
    """Misfits and derivatives at the last values; both come from one evaluation, and SciPy asks for one at a time.

    What SciPy gets is their triangular factor, with as many rows as there are values and one more. It has the same sums
    of squares and products, which decide every step, and costs nothing where there are thousands of measurements.
    """

    def __init__(self, evaluate: Evaluate) -> None:
        self.evaluate = evaluate
        self.at: Array | None = None
        self.count = 0
        self.measurements = 0

    def _look(self, values: Array) -> None:
        if self.at is None or not np.array_equal(self.at, values):
            misfits, derivatives = self.evaluate(values)
            factor = triangular_factor(np.column_stack([derivatives, misfits]))
            self.slopes = factor[:, :-1]
            self.misfits = factor[:, -1]
            self.measurements = misfits.size
            self.at = values.copy()
            self.count += 1

    def misfit(self, values: Array) -> Array:
        """Misfits at some values."""
        self._look(values)
        return self.misfits

    def jacobian(self, values: Array) -> Array:
        """Derivatives of the misfits at some values."""
        self._look(values)
        return self.slopes


def search(
    evaluate: Evaluate, first: ArrayLike, low: ArrayLike, high: ArrayLike, xtol: float, ftol: float,
    most: int | None = None,
) -> tuple[Any, _Remembered]:  # fmt: skip
    """SciPy's result for the least sum of squared misfits, and what was asked for on the way; see `fit`."""
    from scipy.optimize import least_squares

    begin = np.asarray(first, float)
    bounds = (np.asarray(low, float), np.asarray(high, float))
    if not np.all((bounds[0] < begin) & (begin < bounds[1])):
        raise ParameterError(f"the first values must lie between their bounds, got {begin.tolist()}")
    asked = _Remembered(evaluate)
    found = least_squares(
        asked.misfit, begin, asked.jacobian, bounds, x_scale="jac", xtol=xtol, ftol=ftol, max_nfev=most
    )
    return found, asked


def fit(
    evaluate: Evaluate, first: ArrayLike, low: ArrayLike, high: ArrayLike, xtol: float = 1e-5, ftol: float = 1e-6,
    most: int | None = None,
) -> Fit:  # fmt: skip
    """The values between `low` and `high` with the least sum of squared misfits, searched from `first` on.

    Args:
        evaluate: misfits and their derivatives at some values.
        xtol, ftol: relative changes of the values and of the sum at which the search ends.
        most: evaluations after which it ends in any case.
    """
    found, asked = search(evaluate, first, low, high, xtol, ftol, most)
    freedom = asked.measurements - found.x.size
    if freedom < 1:
        raise ParameterError(f"{found.x.size} values need more than {asked.measurements} measurements")
    variance = float(found.fun @ found.fun) / freedom
    covariance = np.linalg.pinv(found.jac.T @ found.jac) * variance
    return Fit(found.x, covariance, float(np.sqrt(variance)), freedom, asked.count)


def robust(found: Fit, evaluate: Evaluate, blocks: NDArray[np.int64]) -> Fit:
    """The fit with intervals that hold for a model that is not quite right, whose misfits follow each other.

    The covariance is the sandwich of the inverse normal matrix around the sums of gradients over blocks of misfits,
    which are taken as independent (clustered, after Huber and White). It describes the scatter of the values that fit
    best; how far these are from the truth under a wrong model, nothing in the data can tell.

    Args:
        found: from `fit`. evaluate: what was fitted. blocks: to which block each misfit belongs, counted from 0.
    """
    misfits, derivatives = evaluate(found.values)
    count = int(blocks.max()) + 1
    if count < 2:
        raise ParameterError(f"robust intervals need at least 2 blocks of misfits, got {count}")
    sums = np.zeros((count, found.values.size))
    np.add.at(sums, blocks, derivatives * misfits[:, None])
    bread = np.linalg.pinv(derivatives.T @ derivatives)
    small = count / (count - 1.0) * (misfits.size - 1.0) / found.freedom
    covariance = small * bread @ (sums.T @ sums) @ bread
    return replace(found, covariance=covariance, freedom=count - 1)
