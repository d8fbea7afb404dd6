"""The run folder: summary.json, params.json, trajectory, plot.png, animation.gif."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ParameterError

if TYPE_CHECKING:
    from ..trajectory import Trajectory

CHARTS = "charts.json"
"""The curves of the picture, as data."""

CSV_CELLS = 500_000
"""A trajectory with more numbers than this is written as trajectory.npz instead of trajectory.csv."""


def open_folder(path: str | Path) -> Path:
    """A folder that exists and can be written."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".writable"
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ParameterError(f"the output folder {str(path)!r} cannot be written: {reason}") from None
    return folder


def open_file(path: str | Path) -> Path:
    """A file that can be written; one that is already there keeps its content."""
    file = Path(path)
    try:
        with file.open("a"):
            return file
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ParameterError(f"the output file {str(path)!r} cannot be written: {reason}") from None


def next_folder(name: str, below: str = "runs") -> Path:
    """runs/NAME, or runs/NAME-2 and so on where there are earlier results."""
    count = 1
    folder = Path(below) / name
    while folder.exists():
        count += 1
        folder = Path(below) / f"{name}-{count}"
    return folder


def plain(value: Any) -> Any:
    """A value as JSON can hold it: NumPy numbers become Python's, what is not finite becomes null."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def write_json(path: Path, value: Any) -> None:
    """Write JSON that any reader accepts."""
    path.write_text(json.dumps(plain(value), indent=2, allow_nan=False) + "\n", encoding="utf-8")


def write_compact(path: Path, value: Any) -> None:
    """Write JSON on one line."""
    path.write_text(json.dumps(plain(value), separators=(",", ":"), allow_nan=False) + "\n", encoding="utf-8")


def write_trajectory(folder: Path, trajectory: Trajectory, rows: int | None = None) -> Path:
    """Write the recorded columns as CSV, or as NumPy archive where they are many; at most so many rows, evenly spread.

    Rows that are left out are said so in the name of the file.
    """
    if rows is not None and len(trajectory) > rows:
        kept = np.unique(np.linspace(0, len(trajectory) - 1, rows).astype(int))
        path = folder / "trajectory_thinned.npz"
        np.savez_compressed(path, **{name: trajectory[name][kept] for name in trajectory.names})
        return path
    if trajectory.data.size > CSV_CELLS:
        path = folder / "trajectory.npz"
        columns: dict[str, Any] = {name: trajectory[name] for name in trajectory.names}
        np.savez(path, **columns)
        return path
    path = folder / "trajectory.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(trajectory.names)
        writer.writerows(trajectory.data.tolist())
    return path
