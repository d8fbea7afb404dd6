"""Adams multistep method (PECE) with variable order and step size; its history survives a change of coordinates.

The history holds derivatives of the full state at past nodes. The integrated state is a selection of its rows. A change
of coordinates selects other rows and keeps the order and the step size. The coefficients come from interpolation at
unequally spaced nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..errors import DivergedError

Floats = NDArray[np.float64]
Rate = Callable[[float, Floats, bool], Floats]
"""Derivative of the full state at a time and a reduced state; the flag is True if the step is accepted there."""

HIGHEST_ORDER = 12
FIRST_STEP = 1e-3
LEAST_STEP = 1e-13


def interpolation_weights(nodes: Floats) -> Floats:
    """Integrals from 0 to 1 of the Lagrange polynomials on the nodes."""
    at, weight = np.polynomial.legendre.leggauss(len(nodes) // 2 + 1)
    gap = nodes[:, None] - nodes[None, :]
    np.fill_diagonal(gap, 1.0)
    basis = ((0.5 * (at + 1.0))[:, None, None] - nodes[None, None, :]) / gap
    own = np.arange(len(nodes))
    basis[:, own, own] = 1.0
    return np.asarray(0.5 * weight @ basis.prod(axis=2))


@dataclass
class Adams:
    """The integrator and its current state.

    Attributes:
        rate: derivative of the full state. rows: those of its rows that are integrated.
        t: time in s. z: integrated state. rtol, atol: allowed error of a step, relative and absolute.
        times, rates: nodes of the history and the full derivatives there, newest first.
        order: of the predictor. h: next step in s. evaluations, steps, rejected: counters.
    """

    rate: Rate
    rows: NDArray[np.int64]
    t: float
    z: Floats
    rtol: float = 1e-9
    atol: float = 1e-12
    times: list[float] = field(default_factory=list)
    rates: list[Floats] = field(default_factory=list)
    order: int = 1
    h: float = 0.0
    evaluations: int = 0
    steps: int = 0
    rejected: int = 0
    _starting: bool = True

    def __post_init__(self) -> None:
        self.restart(self.rows, self.z)

    def convert(self, rows: NDArray[np.int64], z: Floats) -> None:
        """Continue with other rows of the full state; history, order and step size are kept."""
        self.rows = rows
        self.z = z

    def adopt(self, rows: NDArray[np.int64], z: Floats, rates: list[Floats]) -> None:
        """Continue with other rows and with derivatives at the newest nodes that were recovered in another way."""
        self.convert(rows, z)
        self.times = self.times[: len(rates)]
        self.rates = rates

    def restart(self, rows: NDArray[np.int64], z: Floats) -> None:
        """Restart from here with order 1 and a small step."""
        self.rows = rows
        self.z = z
        self.times = [self.t]
        self.rates = [self._evaluate(self.t, z, True)]
        self.order = 1
        self._starting = True
        steep = max(self._error(self.rates[0][rows]), 1e-12)
        self.h = min(0.25 * np.sqrt(0.5 / steep), FIRST_STEP)

    def step(self, end: float) -> None:
        """Take one accepted step that does not go past the end."""
        while not self._try(min(self.h, end - self.t)):
            self.rejected += 1
            if self.h < LEAST_STEP:
                raise DivergedError(f"the Adams step shrank below {LEAST_STEP:g} s after {self.t:.6g} s")

    def _evaluate(self, t: float, z: Floats, accepted: bool) -> Floats:
        self.evaluations += 1
        return self.rate(t, z, accepted)

    def _error(self, difference: Floats) -> float:
        """Norm of a difference relative to the tolerance."""
        return float(np.sqrt(np.mean((difference / (self.atol + self.rtol * np.abs(self.z))) ** 2)))

    def _try(self, h: float) -> bool:
        """Predict, evaluate, correct, evaluate; if the error is too large, set a smaller step and return False."""
        k = min(self.order, len(self.times))
        nodes = (np.array(self.times) - self.t) / h
        past = np.array(self.rates)[:, self.rows]
        predicted = self.z + h * (interpolation_weights(nodes[:k]) @ past[:k])
        ahead = self._evaluate(self.t + h, predicted, False)[self.rows]

        def corrected(count: int) -> Floats:
            weights = interpolation_weights(np.concatenate([[1.0], nodes[: count - 1]]))
            return np.asarray(self.z + h * (weights[0] * ahead + weights[1:] @ past[: count - 1]))

        best = corrected(k + 1)
        lower = corrected(k)
        error = self._error(best - lower)
        if not error <= 1.0:
            self.h = h * (max(0.3, 0.8 * (0.5 / error) ** (1 / (k + 1))) if np.isfinite(error) else 0.3)
            self._starting = False
            return False
        below = self._error(lower - corrected(k - 1)) if k > 1 else np.inf
        higher = k < min(HIGHEST_ORDER, len(self.times))
        above = self._error(corrected(k + 2) - best) if higher else np.inf
        self.t = self.t + h
        self.z = best
        newest = self._evaluate(self.t, best, True)
        self.times = [self.t, *self.times][: HIGHEST_ORDER + 2]
        self.rates = [newest, *self.rates][: HIGHEST_ORDER + 2]
        self.steps += 1
        self._plan(h, k, error, below, above)
        return True

    def _plan(self, h: float, k: int, error: float, below: float, above: float) -> None:
        """Set order and size of the next step: both grow while starting; later the order allows the longest step."""
        if self._starting and k < HIGHEST_ORDER:
            self.order = k + 1
            self.h = 2.0 * h if error < 0.25 else h
            self._starting = error < 0.5
            return
        candidates = [(error, k, 0.9), (below, k - 1, 0.873), (above, k + 1, 0.873)]
        factor, self.order = max(
            (safety * (0.5 / max(e, 1e-10)) ** (1 / (j + 1)), j) for e, j, safety in candidates if np.isfinite(e)
        )
        keep = 0.9 <= factor < 1.2
        self.h = h if keep else h * min(factor, 2.0)
