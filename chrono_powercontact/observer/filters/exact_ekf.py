"""A sample of the extended Kalman filter with exact Jacobians, in square-root form.

The model's own kernels carry dual numbers over the whole sample: the derivatives are those of what is integrated, with
all its RK4 steps, and no width of a difference has to be chosen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..filter_model import FilterModel
from ..tangents import Tangent
from .plain_factors import lower_factor_of

Array = NDArray[np.float64]


class Predicted(NamedTuple):
    """State and factor of its covariance."""

    x: Array
    s: Array


class Corrected(NamedTuple):
    """State and factor with a measurement, its innovation and NIS."""

    x: Array
    s: Array
    innovation: Array
    nis: float


def predicted(tangent: Tangent, t: float, x: Array, s: Array, u: Array, s_v: Array) -> Predicted:
    """One sample on with the input held: x' = f(x), P' = F P F^T + Q."""
    after, jacobian = tangent(t, x, u)
    if not (np.all(np.isfinite(after)) and np.all(np.isfinite(jacobian))):
        return Predicted(np.full_like(x, np.nan), s)
    return Predicted(after, lower_factor_of(np.vstack([(jacobian @ s).T, s_v.T])))


def output_of(model: FilterModel, t: float, x: Array, u: Array) -> Array:
    """What a state would show."""
    if model.measure is None:
        return x[model.pick]
    numbers = model.p.copy()
    numbers[list(model.slots)] = x[x.size - len(model.slots) :]
    y = np.zeros(len(model.outputs))
    model.measure(t, x, u, numbers, y)
    return y


def _wrapped(model: FilterModel, difference: Array) -> Array:
    """A difference of outputs, of angles between -pi and pi."""
    turned = difference - 2.0 * np.pi * np.round(difference / (2.0 * np.pi))
    return np.where(model.turns, turned, difference)


def output_slopes(model: FilterModel, t: float, state: Predicted, u: Array, width: float) -> Array:
    """H S: derivatives of the outputs along the columns of the factor; outputs that are states have them exactly."""
    if model.measure is None:
        return np.asarray(state.s[model.pick])
    ahead = np.array([output_of(model, t, state.x + width * column, u) for column in state.s.T])
    behind = np.array([output_of(model, t, state.x - width * column, u) for column in state.s.T])
    return np.asarray(_wrapped(model, ahead - behind).T / (2.0 * width))


def corrected(
    model: FilterModel, t: float, state: Predicted, u: Array, y: Array, s_n: Array, width: float
) -> Corrected:  # fmt: skip
    """With a measurement; `width` is that of differences of a measured function, in standard deviations.

    QR of [S_n^T, 0; (H S)^T, S^T] gives at once the factor of the innovation's covariance, the gain times it, and the
    factor of what is left.
    """
    m = y.size
    slopes = output_slopes(model, t, state, u, width)
    blocks = np.block([[s_n.T, np.zeros((m, state.x.size))], [slopes.T, state.s.T]])
    joint = lower_factor_of(blocks)
    innovation = _wrapped(model, y - output_of(model, t, state.x, u))
    whitened = np.linalg.solve(joint[:m, :m], innovation)
    return Corrected(state.x + joint[m:, :m] @ whitened, joint[m:, m:], innovation, float(whitened @ whitened))
