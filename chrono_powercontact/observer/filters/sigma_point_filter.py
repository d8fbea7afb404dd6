"""What every sigma point filter is to its user: a state with its covariance that takes measurements in."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import DivergedError, ParameterError, finite
from ..filter_model import FilterModel
from ..observation import Observation, column_names
from .checks import factor, limits, row, semidefinite_factor, step_count, table, vector
from .filter_layout import COUNTS, Setting
from .filter_loop import run
from .plain_factors import widen

Array = NDArray[np.float64]
NO_FACTORS = np.zeros((0, 0, 0))


@dataclass(frozen=True)
class Counts:
    """What a filter had to deal with since it began.

    Attributes:
        skipped: samples whose measurement was missing or not finite; they are predicted only.
        lifted: factors that had become singular and were lifted to 1e-10 of their standard deviations (UKF: also those
            that could not be reduced and were kept).
        collapsed: predictions in which a spread point is no longer finite, so that the centre was taken alone.
    """

    skipped: int
    lifted: int
    collapsed: int


class SigmaPointFilter:
    """State, factor of the covariance and counters of a filter; the subclass gives the numbers of its algorithm.

    Args:
        model: what it carries.
        x_0: estimate at the start. p_0: its covariance.
        q_p: covariance of the process noise that a sample adds; it may be semidefinite. r_m: covariance of the
            measurement noise. A covariance is a matrix, or a vector for its diagonal.
        sample_time: between two measurements, in s. step: of RK4 in s, by default one per sample.
        bounds: lower and upper bound of states, by name. Sigma points and estimates outside are put on the bound, the
            covariance is not changed.
        t_0: time of x_0 in s.
    """

    _algorithm: NDArray[Any]
    """One record of the algorithm's numbers, see ALGORITHM; the subclass sets it."""

    def __init__(
        self, model: FilterModel, x_0: ArrayLike, p_0: ArrayLike, q_p: ArrayLike, r_m: ArrayLike, sample_time: float,
        step: float | None = None, bounds: Mapping[str, tuple[float, float]] | None = None, t_0: float = 0.0,
    ) -> None:  # fmt: skip
        n = len(model.states)
        self.model = model
        self._x = vector("x_0", x_0, n)
        self._s = factor("p_0", p_0, n)
        self._s_v = semidefinite_factor("q_p", q_p, n)
        self._s_n = factor("r_m", r_m, len(model.outputs))
        self._step, self._steps = step_count(sample_time, step)
        self._lower, self._upper = limits(bounds, model.states)
        self._x = np.clip(self._x, self._lower, self._upper)
        self._t_0 = finite("t_0", t_0)
        self._unlearnt = np.sum(self._s**2, axis=1)
        self._samples = 0
        self._counts = np.zeros(1, COUNTS)
        self._row = np.full((1, len(column_names(model.states, model.outputs))), np.nan)
        self._head = model.head

    @property
    def sample_time(self) -> float:
        """Time between two measurements in s."""
        return self._steps * self._step

    @property
    def t(self) -> float:
        """Time of the estimate in s."""
        return self._t_0 + self._samples * self.sample_time

    def twin(self) -> SigmaPointFilter:
        """Another filter with the same model, settings, estimate and counters."""
        other = copy.copy(self)
        for name in ("_x", "_s", "_counts", "_row"):
            setattr(other, name, getattr(self, name).copy())
        return other

    @property
    def setting(self) -> Setting:
        """What the filter is set to, as its compiled loop reads it."""
        return Setting(
            self._algorithm, self._counts, self._s_v, self._s_n, self._lower, self._upper, self._step, self._steps
        )

    @property
    def x(self) -> Array:
        """The estimate."""
        return self._x.copy()

    @property
    def factor(self) -> Array:
        """Lower factor S of the covariance P = S S^T."""
        return self._s.copy()

    @property
    def covariance(self) -> Array:
        """Covariance P of the estimate."""
        return np.asarray(self._s @ self._s.T)

    @property
    def sigma(self) -> Array:
        """Standard deviation of each state."""
        return np.sqrt(np.einsum("ij,ij->i", self._s, self._s))

    @property
    def innovation(self) -> Array:
        """What was last measured less what was expected; not a number where it was skipped."""
        return self._row[0, 2 * self._x.size : -1].copy()

    @property
    def nis(self) -> float:
        """Square of the last innovation in units of its spread; not a number where it was skipped."""
        return float(self._row[0, -1])

    @property
    def information(self) -> dict[str, float]:
        """What the innovations told so far about each estimated number of the model, in nats.

        It is the logarithm of the standard deviation that the number would have by now without any measurement over
        the one that it has. Where it stays near zero, the measurements do not depend on the number, or not apart from
        the others.
        """
        first = self._x.size - len(self.model.slots)
        walked = self._unlearnt + self._samples * np.sum(self._s_v**2, axis=1)
        ratio = 0.5 * np.log(walked[first:]) - np.log(self.sigma[first:])
        return dict(zip(self.model.estimated, ratio.tolist(), strict=True))

    def check_observable(self, least: float = 0.1) -> None:
        """Raise where the innovations told less than `least` nats about a number that is estimated."""
        silent = [f"{name} ({told:.2g} nats)" for name, told in self.information.items() if told < least]
        if silent:
            raise ParameterError(
                f"the measurements of {self._samples} samples say next to nothing about {', '.join(silent)}: "
                f"at least {least:g} nats are asked for; excite it, measure more, or do not estimate it"
            )

    def widen(self, state: str, sigma: float) -> None:
        """Doubt a state: add the square of a standard deviation to its variance, and leave all else as it is.

        For what the model does not foresee, such as a jump that the innovations betray.
        """
        widen(self._s, self.model.states, state, sigma)

    @property
    def counts(self) -> Counts:
        """What had to be dealt with so far."""
        return Counts(*(int(count) for count in self._counts[0]))

    def update(self, y: ArrayLike, u: ArrayLike = ()) -> Array:
        """One sample on with the input u held, then the measurement y at its end; returns the estimate.

        A measurement with an entry that is not finite is skipped and counted.
        """
        ys = row("y", y, len(self.model.outputs))
        us = row("u", u, len(self.model.inputs))
        if not np.isfinite(us).all():
            raise ParameterError(f"u must be finite, got {us[0].tolist()}")
        if self._advance(us, ys, self._row, NO_FACTORS) < 1:
            raise DivergedError(self._diverged)
        return self.x

    def predict(self, u: ArrayLike = ()) -> Array:
        """One sample on without a measurement."""
        estimate = self.update(np.full(len(self.model.outputs), np.nan), u)
        self._counts["skipped"] -= 1
        return estimate

    def run(self, ys: ArrayLike, us: ArrayLike | None = None, keep_factors: bool = False) -> Observation:
        """Many samples in one compiled pass: row k of us is held up to the measurement in row k of ys.

        A DivergedError carries what was seen until then as its `trajectory`.
        """
        measured = table("ys", ys, len(self.model.outputs))
        count = len(measured)
        n = self._x.size
        inputs = table("us", np.zeros((count, 0)) if us is None else us, len(self.model.inputs), count)
        if not np.isfinite(inputs).all():
            raise ParameterError(f"us must be finite, it is not in row {np.argwhere(~np.isfinite(inputs))[0, 0]}")
        rows = np.zeros((count, self._row.shape[1]))
        factors = np.zeros((count, n, n)) if keep_factors else NO_FACTORS
        times = self.t + self.sample_time * np.arange(1, count + 1)
        done = self._advance(inputs, measured, rows, factors)
        self._row[0] = rows[done - 1] if done else self._row[0]
        names = ("t", *column_names(self.model.states, self.model.outputs))
        seen = Observation(names, np.column_stack([times, rows])[:done], factors[:done])
        if done < count:
            raise DivergedError(self._diverged, seen)
        return seen

    def _advance(self, us: Array, ys: Array, rows: Array, factors: Array) -> int:
        """Run the compiled loop; returns the samples that were taken."""
        done = run(
            *self._head, self._x, self._s, self._s_v, self.model.p, self._lower, self._upper, self.t, self._step,
            self._steps, self._algorithm, self._s_n, us, ys, rows, factors, self._counts,
        )  # fmt: skip
        self._samples += done
        return int(done)

    @property
    def _diverged(self) -> str:
        return (
            f"the filter's model is no longer finite in the sample after {self.t:.6g} s: use a smaller step "
            "or smaller covariances; the estimate is the last finite one"
        )
