"""Whether a filter's covariances are true to its errors: NIS and NEES with their chi-square bands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError


@dataclass(frozen=True)
class Consistency:
    """A mean of normalised squares and the band in which it lies where the covariances are right.

    Attributes:
        mean: of the squares; its expected value is the dimension.
        lower, upper: band of the mean of that many independent squares. samples: squares that were numbers.
        inside: fraction of the single squares inside the band of one.
        level: probability of the bands.
    """

    mean: float
    lower: float
    upper: float
    samples: int
    inside: float
    level: float

    @property
    def consistent(self) -> bool:
        """Whether the mean is inside its band."""
        return self.lower <= self.mean <= self.upper

    @property
    def verdict(self) -> str:
        """One sentence."""
        if self.consistent:
            return f"consistent: mean {self.mean:.3g} in [{self.lower:.3g}, {self.upper:.3g}]"
        word, bound = ("overconfident", self.upper) if self.mean > self.upper else ("too cautious", self.lower)
        return f"{word}: mean {self.mean:.3g} beyond {bound:.3g}"


def band(dimension: int, samples: int = 1, level: float = 0.95) -> tuple[float, float]:
    """Two-sided band of the mean of `samples` independent chi-squares with `dimension` degrees of freedom."""
    from scipy.special import gammaincinv

    if not 0.0 < level < 1.0:
        raise ParameterError(f"level must lie between 0 and 1, got {level:g}")
    if dimension < 1 or samples < 1:
        raise ParameterError(f"dimension and samples must be at least 1, got {dimension} and {samples}")
    half = 0.5 * dimension * samples
    tail = 0.5 * (1.0 - level)
    low, high = (2.0 * float(gammaincinv(half, part)) / samples for part in (tail, 1.0 - tail))
    return low, high


def consistency(squares: ArrayLike, dimension: int, level: float = 0.95) -> Consistency:
    """Judge NIS (dimension: number of outputs) or NEES (number of states); skipped samples are left out.

    The band of the mean takes the squares as independent. NIS are, in a right filter; NEES of one run are correlated in
    time, so judge them over many runs at one instant, or with a wider level.
    """
    values = np.asarray(squares, float).ravel()
    values = values[np.isfinite(values)]
    if not values.size:
        raise ParameterError("there are no finite squares to judge")
    one = band(dimension, 1, level)
    inside = float(np.mean((values >= one[0]) & (values <= one[1])))
    return Consistency(float(values.mean()), *band(dimension, values.size, level), values.size, inside, level)


def nees(errors: ArrayLike, factors: ArrayLike) -> NDArray[np.float64]:
    """e^T P^-1 e of each sample, from errors (one row each) and factors S with P = S S^T."""
    e = np.atleast_2d(np.asarray(errors, float))
    s = np.asarray(factors, float)
    s = s[None] if s.ndim == 2 else s
    if s.shape != (len(e), e.shape[1], e.shape[1]):
        raise ParameterError(f"factors must have the shape {(len(e), e.shape[1], e.shape[1])}, got {s.shape}")
    z = np.linalg.solve(s, e[:, :, None])[:, :, 0]
    return np.asarray(np.einsum("ki,ki->k", z, z))
