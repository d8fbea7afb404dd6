"""Factors of covariances in plain NumPy, for what is done outside the compiled loop."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...errors import UnknownNameError, not_negative

Array = NDArray[np.float64]


def lower_factor_of(stack: Array) -> Array:
    """S with S S^T = A A^T for A^T = stack, with a diagonal that is not negative; by QR."""
    r = np.asarray(np.linalg.qr(stack, mode="r"))
    signs = np.where(np.diag(r) < 0.0, -1.0, 1.0)
    return np.asarray((signs[:, None] * r).T)


def widen(s: Array, states: Sequence[str], state: str, sigma: float) -> None:
    """Add the square of a standard deviation to the variance of a state, in the factor S of P = S S^T."""
    if state not in states:
        raise UnknownNameError("state", state, states)
    push = np.zeros(len(states))
    push[list(states).index(state)] = not_negative("sigma", sigma)
    s[:] = lower_factor_of(np.vstack([s.T, push]))
