"""What an observer has seen and estimated, sample by sample, in named columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import UnknownNameError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Observation:
    """Columns of an observed run, with the names that `report/folder.py` writes as they are.

    `t`, the estimate of each state under the state's name, its standard deviation as `sigma_NAME`, the innovation of
    each output as `innovation_NAME`, and `nis`. A ride adds `measured_NAME`, `input_NAME` and, where the truth is
    known, `true_NAME` and `nees`. Innovation and NIS are not a number where a measurement was missing.

    Attributes:
        names: of the columns. data: one row per sample.
        factors: factor S of the covariance of each sample, where it was kept; else empty.
    """

    names: tuple[str, ...]
    data: Array
    factors: Array

    def __getitem__(self, name: str) -> Array:
        if name not in self.names:
            raise UnknownNameError("column", name, self.names)
        return self.data[:, self.names.index(name)]

    def __len__(self) -> int:
        return len(self.data)

    def columns(self) -> dict[str, list[float]]:
        """All columns as plain lists by name, ready for a CSV or JSON file."""
        return {name: self[name].tolist() for name in self.names}

    def error(self, state: str) -> Array:
        """Estimate less truth."""
        return self[state] - self[f"true_{state}"]

    def rms(self, state: str, since: float = 0.0) -> float:
        """Root mean square of the error of a state from a time in s on."""
        return float(np.sqrt(np.mean(self.error(state)[self["t"] >= since] ** 2)))


def column_names(states: Sequence[str], outputs: Sequence[str]) -> tuple[str, ...]:
    """Names of the columns that a filter itself writes, after the time."""
    return (*states, *(f"sigma_{name}" for name in states), *(f"innovation_{name}" for name in outputs), "nis")
