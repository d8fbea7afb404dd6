"""The picture of a sweep: curves over one number, maps over two, pairs over more; a curve or a map for each word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UnknownNameError
from ...report.charts import Chart
from ...report.figure import draw_png
from ...report.style import PALETTE, RED
from .sweep_table import SweepTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS = 6
"""Number of metrics that are drawn unless some are named."""

MOST_PARAMETERS = 5
"""Number of parameters that are drawn against each other."""

MOST_WORDS = 8
"""Number of words, or of their combinations, that get a curve each."""

Floats = NDArray[np.float64]
Groups = dict[str, NDArray[np.bool_]]
"""Which runs have the same words, by these words."""


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
    groups = _groups(table)
    if not shown or not (names or len(groups) > 1):
        return None
    what = table.summary.get("scenario") or table.summary.get("function", "")
    title = f"{what}: {len(table)} runs over {', '.join(table.parameters)}"
    paint, size = _painter(table, names[:MOST_PARAMETERS], shown, groups)
    return draw_png(path, size, title, paint)


def _groups(table: SweepTable) -> Groups:
    """The runs by their words; all of them together where no word varies."""
    words = [name for name in table.parameters if table[name].dtype == object]
    named = [name for name in words if len(set(map(str, table[name]))) > 1]
    labels = np.array([", ".join(str(table[name][i]) for name in named) for i in range(len(table))])
    return {label: labels == label for label in list(dict.fromkeys(labels.tolist()))[:MOST_WORDS]}


def _painter(
    table: SweepTable, names: Sequence[str], shown: Sequence[str], groups: Groups
) -> tuple[Callable[[Figure], None], tuple[float, float]]:
    """How a sweep is painted, and the size of the picture in inches."""
    if len(names) > 2:
        side = 2.0 * len(names)
        return lambda figure: _pairs(figure, table, names, shown[0]), (side + 1.0, side)
    mapped = [(metric, label) for metric in shown for label in groups][: max(MOST_PANELS, len(groups))]
    count = len(mapped) if len(names) == 2 else len(shown)
    columns = min(count, 2)
    shape = (-(-count // columns), columns)
    size = (4.5 * columns, 3.0 * shape[0] + 0.5)
    if len(names) == 2:
        return lambda figure: _maps(figure, shape, table, names, [(m, w, groups[w]) for m, w in mapped]), size
    if len(names) == 1:
        return lambda figure: _curves(figure, shape, table, names[0], shown, groups), size
    return lambda figure: _words(figure, shape, table, shown, groups), size


def _panels(figure: Figure, shape: tuple[int, int], shown: Sequence[Any]) -> list[Axes]:
    """A panel for each thing that is shown; what is left of the grid stays empty."""
    axes = list(np.ravel(figure.subplots(*shape, squeeze=False)))
    for empty in axes[len(shown) :]:
        empty.set_axis_off()
    return axes[: len(shown)]


def _curves(
    figure: Figure, shape: tuple[int, int], table: SweepTable, name: str, shown: Sequence[str], groups: Groups
) -> None:
    """Metrics over one parameter, a curve for each word; runs whose claim fails are marked."""
    for axes, metric in zip(_panels(figure, shape, shown), shown, strict=True):
        for colour, (label, chosen) in zip(PALETTE * MOST_WORDS, groups.items(), strict=False):
            x, y = _in_order(table[name][chosen], table[metric][chosen])
            axes.plot(x, y, ".-", color=colour, markersize=4, label=label or None)
        failed = table["passed"] == 0.0
        if failed.any():
            x, y = _in_order(table[name][failed], table[metric][failed])
            axes.plot(x, y, "x", color=RED, label="claim does not hold")
        if failed.any() or len(groups) > 1:
            axes.legend()
        axes.set(xlabel=name, ylabel=metric)
        if _is_logarithmic(table[name]):
            axes.set_xscale("log")


def _in_order(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The points of a curve by rising x."""
    order = np.argsort(x, kind="stable")
    return x[order], y[order]


def _words(figure: Figure, shape: tuple[int, int], table: SweepTable, shown: Sequence[str], groups: Groups) -> None:
    """Metrics over words alone, a point for each run."""
    for axes, metric in zip(_panels(figure, shape, shown), shown, strict=True):
        for place, (colour, chosen) in enumerate(zip(PALETTE * MOST_WORDS, groups.values(), strict=False)):
            axes.plot(np.full(int(chosen.sum()), float(place)), table[metric][chosen], "o", color=colour)
        axes.set_xticks(range(len(groups)), list(groups))
        axes.set_ylabel(metric)


def _is_logarithmic(x: Floats) -> bool:
    """Whether values are spread over more than two decades."""
    return bool(x.min() > 0.0 and x.max() > 100.0 * x.min())


def _maps(
    figure: Figure, shape: tuple[int, int], table: SweepTable, names: Sequence[str],
    shown: Sequence[tuple[str, str, NDArray[np.bool_]]],
) -> None:  # fmt: skip
    """Metrics over two parameters, a map for each word: cells where values form a grid, points where they do not."""
    for axes, (metric, label, chosen) in zip(_panels(figure, shape, shown), shown, strict=True):
        x, y = (table[name][chosen] for name in names)
        across, up = np.unique(x), np.unique(y)
        if across.size * up.size == x.size:
            cells = np.full((up.size, across.size), np.nan)
            cells[np.searchsorted(up, y), np.searchsorted(across, x)] = table[metric][chosen]
            drawn: Any = axes.pcolormesh(across, up, np.ma.masked_invalid(cells), shading="nearest", cmap="viridis")
        else:
            drawn = axes.scatter(x, y, c=table[metric][chosen], s=14, cmap="viridis")
        axes.set(xlabel=names[0], ylabel=names[1], title=f"{metric}, {label}" if label else metric)
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
