"""Parameters from a measurement: a scenario fitted to measured columns, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, UnknownNameError
from ...numerics.fitting import LEVEL, Fit, fit
from ...trajectory import Trajectory
from .studied import Studied

Array = NDArray[np.float64]

FOREIGN = 100.0
"""Misfit over the noise from which data cannot come from what the model describes, as it is or in its units."""


@dataclass(frozen=True)
class Identified:
    """Parameters that were found from a measurement.

    Attributes:
        names: of the parameters. fit: their values, covariance, and the misfit that is left.
    """

    names: tuple[str, ...]
    fit: Fit

    def value(self, name: str) -> float:
        """The value of a parameter."""
        return float(self.fit.values[self._place(name)])

    def interval(self, name: str, level: float = LEVEL) -> tuple[float, float]:
        """Lower and upper end of the confidence interval of a parameter."""
        low, high = self.fit.interval(level)[self._place(name)]
        return float(low), float(high)

    def _place(self, name: str) -> int:
        if name not in self.names:
            raise UnknownNameError("identified parameter", name, self.names)
        return self.names.index(name)

    def __str__(self) -> str:
        """Each parameter with its interval, and the misfit over the noise."""
        ends = self.fit.interval()
        lines = [
            f"{name} = {value:.6g} ({low:.6g} to {high:.6g})"
            for name, value, (low, high) in zip(self.names, self.fit.values, ends, strict=True)
        ]
        misfit = f"misfit over the noise {self.fit.residual:.4g}"
        if self.fit.residual > FOREIGN:
            misfit += ": the model does not follow the data, whose units may be others (columns are in SI units)"
        return "\n".join([*lines, misfit])


def identify(
    name: str, measured: Mapping[str, ArrayLike], by: Sequence[str], noise: Mapping[str, float],
    given: Mapping[str, object] | None = None, bounds: Mapping[str, tuple[float, float]] | None = None,
) -> Identified:  # fmt: skip
    """Fit parameters of a scenario to a measurement, by Gauss-Newton steps with exact derivatives.

    Args:
        name: of the scenario, which runs on the reference engine.
        measured: times in s under "t", and measured columns of the scenario by their names.
        by: parameters to find; the search begins at their values in `given`.
        noise: standard deviation of each measured column.
        bounds: least and largest values of parameters; a fifth and five times the first value unless given.
    """
    study = Studied.of(name, given, by)
    times, columns = _checked(measured, noise)
    low, high = study.bounds(bounds)

    def misfit(values: Array) -> tuple[Array, Array]:
        run = study.differentiated(values).trajectory
        _check_columns(run, columns, times)
        off = [(np.interp(times, run["t"], run[key]) - ys) / noise[key] for key, ys in columns.items()]
        steep = [
            [np.interp(times, run["t"], run.derivative(key, p)) / noise[key] for p in study.names] for key in columns
        ]
        return np.concatenate(off), np.concatenate([np.transpose(rows) for rows in steep])

    return Identified(study.names, fit(misfit, study.values, low, high, 1e-8, 1e-10))


def _checked(measured: Mapping[str, ArrayLike], noise: Mapping[str, float]) -> tuple[Array, dict[str, Array]]:
    """Times and columns of a measurement that can be used."""
    table = {key: np.asarray(values, float) for key, values in measured.items()}
    if "t" not in table or len(table) < 2:
        raise ParameterError(f"measured needs the times under 't' and a column, got {', '.join(table) or 'nothing'}")
    times = table.pop("t")
    for key, values in table.items():
        if values.shape != times.shape or times.ndim != 1:
            raise ParameterError(f"column {key!r} must have one value for each of {times.size} times")
        if not (np.all(np.isfinite(values)) and np.all(np.isfinite(times))):
            raise ParameterError(f"column {key!r} has gaps: every value and time must be finite")
        if not noise.get(key, 0.0) > 0.0:
            raise ParameterError(f"noise of column {key!r} must be greater than 0, got {noise.get(key)}")
    return times, table


def _check_columns(run: Trajectory, columns: Mapping[str, Array], times: Array) -> None:
    """Raise where a run has no such column, or does not cover the times of the measurement."""
    for key in columns:
        if key not in run.names:
            raise UnknownNameError("column", key, [name for name in run.names if not name.startswith("d(")])
    if times.min() < run["t"][0] or times.max() > run["t"][-1]:
        raise ParameterError(
            f"the measurement lasts from {times.min():g} to {times.max():g} s, the run from {run['t'][0]:g} to "
            f"{run['t'][-1]:g} s"
        )
