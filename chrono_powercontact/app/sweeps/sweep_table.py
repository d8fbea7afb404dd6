"""The result of a sweep: a row for each run, with its parameters, what became of it, and its metrics."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError, UnknownNameError
from .jobs import DONE
from .store import COMMON, ROWS, SUMMARY, Row, column_of, metric_names, read_lines


class SweepTable:
    """The result of a sweep.

    Attributes:
        parameters: names of the swept parameters. rows: a dictionary for each run, in the order of the plan.
        summary: the contents of sweep.json.
    """

    def __init__(self, parameters: Sequence[str], rows: Sequence[Row], summary: dict[str, Any]) -> None:
        self.parameters = list(parameters)
        self.rows = list(rows)
        self.summary = summary
        self._metrics = {column_of(name, self.parameters): name for name in metric_names(self.rows)}

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def metrics(self) -> list[str]:
        """Columns of metrics that are one number or one word."""
        return list(self._metrics)

    @property
    def columns(self) -> list[str]:
        """All columns: parameters, status, error, wall_time, passed, metrics."""
        return [*self.parameters, *COMMON, *self._metrics]

    @property
    def failures(self) -> list[Row]:
        """The runs that gave nothing: failed, timed out or crashed."""
        return [row for row in self.rows if row["status"] != DONE]

    def values(self, column: str) -> list[Any]:
        """A column; None where a run has no such metric."""
        if column in self.parameters:
            return [row["point"][column] for row in self.rows]
        if column in COMMON:
            return [row[column] for row in self.rows]
        if column not in self._metrics:
            raise UnknownNameError("column of the sweep", column, self.columns)
        return [(row["metrics"] or {}).get(self._metrics[column]) for row in self.rows]

    def __getitem__(self, column: str) -> NDArray[Any]:
        """A column as an array; numbers are floats, with NaN where a run has none."""
        values = self.values(column)
        if all(value is None or isinstance(value, int | float) for value in values):
            return np.array([np.nan if value is None else float(value) for value in values])
        return np.array(values, dtype=object)

    def best(self, metric: str, *, largest: bool = False) -> Row:
        """The run with the least value of a metric, or the largest."""
        column = self[metric]
        if column.dtype == object or not np.isfinite(column).any():
            raise ParameterError(f"no run has a number as {metric}")
        return self.rows[int(np.nanargmax(column) if largest else np.nanargmin(column))]

    def to_pandas(self) -> Any:
        """The table as a pandas data frame."""
        try:
            import pandas
        except ModuleNotFoundError:
            raise ParameterError("a data frame needs pandas: pip install pandas") from None
        return pandas.DataFrame({column: self.values(column) for column in self.columns})

    def to_xarray(self) -> Any:
        """The table as an xarray data set: over the crossed parameters, or over the number of the run."""
        try:
            import xarray  # noqa: F401 - pandas converts with it
        except ModuleNotFoundError:
            raise ParameterError("a data set needs xarray and pandas: pip install xarray pandas") from None
        frame = self.to_pandas()
        if frame.duplicated(self.parameters).any() or self.summary.get("samples") is not None:
            return frame.rename_axis("run").to_xarray()
        return frame.set_index(self.parameters).to_xarray()

    def to_parquet(self, path: str | Path) -> Path:
        """Write the table as Parquet."""
        try:
            import pyarrow  # noqa: F401 - pandas writes with it
        except ModuleNotFoundError:
            raise ParameterError("a Parquet file needs pyarrow and pandas: pip install pyarrow pandas") from None
        self.to_pandas().to_parquet(path)
        return Path(path)


def read_sweep(folder: str | Path) -> SweepTable:
    """The table of a finished sweep, or of the part of one that is there."""
    place = Path(folder)
    path = place / ROWS
    if not path.exists():
        raise ParameterError(f"{str(folder)!r} holds no sweep: there is no {ROWS} in it")
    identity, *rows = read_lines(path)
    summary = identity
    if (place / SUMMARY).exists():
        summary = json.loads((place / SUMMARY).read_text(encoding="utf-8"))
    return SweepTable(list(identity["over"]), sorted(rows, key=lambda row: int(row["number"])), summary)
