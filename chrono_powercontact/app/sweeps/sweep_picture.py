"""The picture of a sweep: curves over one parameter, maps over two, pairs over more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UnknownNameError
from ...report.charts import Chart
from ...report.figure import draw_png
from ...report.style import BLUE, RED
from .sweep_table import SweepTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS = 6
"""Number of metrics that are drawn unless some are named."""

MOST_PARAMETERS = 5
"""Number of parameters that are drawn against each other."""

Floats = NDArray[np.float64]


def drawn_metrics(table: SweepTable, wanted: Sequence[str] = ()) -> list[str]:
    """Metrics that are drawn: those that are named, else the first that are numbers and vary."""
    for name in wanted:
        if name not in table.metrics:
            raise UnknownNameError("metric of the sweep", name, table.metrics)
    if wanted:
        return list(wanted)
    varying = [name for name in table.metrics if _varies(table[name])]
    return (varying or [name for name in table.metrics if table[name].dtype != object])[:MOST_PANELS]


def _varies(column: NDArray[Any]) -> bool:
    return column.dtype != object and np.unique(column[np.isfinite(column)]).size > 1


def save_picture(table: SweepTable, path: Path, metrics: Sequence[str] = ()) -> list[Chart] | None:
    """Draw a sweep as PNG; returns its curves as data, None where it has no metric that could be drawn."""
    names = [name for name in table.parameters if table[name].dtype != object and _varies(table[name])]
    shown = drawn_metrics(table, metrics)
    if not names or not shown:
        return None
    what = table.summary.get("scenario") or table.summary.get("function", "")
    title = f"{what}: {len(table)} runs over {', '.join(table.parameters)}"
    paint, size = _painter(table, names[:MOST_PARAMETERS], shown)
    return draw_png(path, size, title, paint)


def _painter(
    table: SweepTable, names: Sequence[str], shown: Sequence[str]
) -> tuple[Callable[[Figure], None], tuple[float, float]]:
    """How a sweep is painted, and the size of the picture in inches."""
    columns = min(len(shown), 2)
    rows = -(-len(shown) // columns)
    size = (4.5 * columns, 3.0 * rows + 0.5)
    if len(names) == 1:
        return lambda figure: _curves(figure, (rows, columns), table, names[0], shown), size
    if len(names) == 2:
        return lambda figure: _maps(figure, (rows, columns), table, names, shown), size
    side = 2.0 * len(names)
    return lambda figure: _pairs(figure, table, names, shown[0]), (side + 1.0, side)


def _panels(figure: Figure, shape: tuple[int, int], shown: Sequence[str]) -> list[Axes]:
    """A panel for each metric; what is left of the grid stays empty."""
    axes = list(np.ravel(figure.subplots(*shape, squeeze=False)))
    for empty in axes[len(shown) :]:
        empty.set_axis_off()
    return axes[: len(shown)]


def _curves(figure: Figure, shape: tuple[int, int], table: SweepTable, name: str, shown: Sequence[str]) -> None:
    """Metrics over one parameter; runs whose claim fails are marked."""
    order = np.argsort(table[name], kind="stable")
    x = table[name][order]
    failed = (table["passed"] == 0.0)[order]
    logarithmic = _is_logarithmic(x)
    for axes, metric in zip(_panels(figure, shape, shown), shown, strict=True):
        y = table[metric][order]
        axes.plot(x, y, ".-", color=BLUE, markersize=4)
        if failed.any():
            axes.plot(x[failed], y[failed], "x", color=RED, label="claim does not hold")
            axes.legend()
        axes.set(xlabel=name, ylabel=metric)
        if logarithmic:
            axes.set_xscale("log")


def _is_logarithmic(x: Floats) -> bool:
    """Whether values are spread over more than two decades."""
    return bool(x.min() > 0.0 and x.max() > 100.0 * x.min())


def _maps(
    figure: Figure, shape: tuple[int, int], table: SweepTable, names: Sequence[str], shown: Sequence[str]
) -> None:
    """Metrics over two parameters: cells where the values form a grid, points where they are samples."""
    x, y = (table[name] for name in names)
    across, up = np.unique(x), np.unique(y)
    is_grid = across.size * up.size == len(table)
    for axes, metric in zip(_panels(figure, shape, shown), shown, strict=True):
        if is_grid:
            cells = np.full((up.size, across.size), np.nan)
            cells[np.searchsorted(up, y), np.searchsorted(across, x)] = table[metric]
            drawn: Any = axes.pcolormesh(across, up, np.ma.masked_invalid(cells), shading="nearest", cmap="viridis")
        else:
            drawn = axes.scatter(x, y, c=table[metric], s=14, cmap="viridis")
        axes.set(xlabel=names[0], ylabel=names[1], title=metric)
        axes.set_xscale("log" if _is_logarithmic(x) else "linear")
        axes.set_yscale("log" if _is_logarithmic(y) else "linear")
        axes.grid(False)
        figure.colorbar(drawn, ax=axes)


def _pairs(figure: Figure, table: SweepTable, names: Sequence[str], metric: str) -> None:
    """One metric over all pairs of parameters, and over each of them on the diagonal."""
    grid = figure.subplots(len(names), len(names), squeeze=False)
    colour = table[metric]
    drawn: Any = None
    for i, below in enumerate(names):
        for j, across in enumerate(names):
            axes = grid[i, j]
            if j > i:
                axes.set_axis_off()
                continue
            up = table[below] if j < i else colour
            drawn = axes.scatter(table[across], up, c=colour, s=8, cmap="viridis")
            axes.set_ylabel(below if j < i else metric)
            if i == len(names) - 1:
                axes.set_xlabel(across)
    figure.colorbar(drawn, ax=grid, label=metric, shrink=0.6)
