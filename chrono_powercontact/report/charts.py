"""The curves of a picture as data, so that a page can draw them anew and let a reader zoom."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from numpy.typing import NDArray

BUCKETS = 300
"""A long curve keeps the least and the largest value of so many pieces."""

DIGITS = 5
"""Significant digits of a number."""

SCALES = {"linear": 1, "log": 3, "symlog": 4, "asinh": 4}
"""Scales of axes as uPlot counts them."""

Floats = NDArray[np.float64]
Chart = dict[str, Any]


def charts_of(figure: Figure) -> list[Chart]:
    """Panels of a figure whose curves run over growing x; the others stay in the picture only."""
    found = (_chart(axes) for axes in figure.axes)
    return [chart for chart in found if chart is not None]


def _chart(axes: Axes) -> Chart | None:
    """A panel as data; None where it has no curve that can be drawn anew."""
    curves = [curve for curve in (_curve(line) for line in axes.get_lines()) if curve is not None]
    scale = SCALES.get(axes.get_yscale())
    if not curves or scale is None or axes.get_xscale() not in ("linear", "log"):
        return None
    return {
        "title": axes.get_title(), "x": _label_below(axes), "y": axes.get_ylabel(), "scale": scale,
        "across": SCALES[axes.get_xscale()], "curves": curves,
    }  # fmt: skip


def _label_below(axes: Axes) -> str:
    """What x is: of panels that share an axis, only the lowest may say so."""
    labels = (other.get_xlabel() for other in (axes, *axes.get_shared_x_axes().get_siblings(axes)))
    return next(filter(None, labels), "")


def _curve(line: Any) -> Chart | None:
    """A curve as data; None where x does not grow, or where it is a mark over the whole panel."""
    x = np.asarray(line.get_xdata(orig=False), float)
    y = np.asarray(line.get_ydata(orig=False), float)
    whole = line.get_transform() == line.axes.transData
    if x.size < 3 or x.shape != y.shape or not whole or not np.all(np.isfinite(x)) or np.any(np.diff(x) < 0.0):
        return None
    keep = thinned(y)
    label = str(line.get_label())
    return {
        "label": "" if label.startswith("_") else label, "colour": to_hex(line.get_color()),
        "dots": line.get_linestyle() in ("None", "none", " ", ""), "x": _short(x[keep]), "y": _short(y[keep]),
    }  # fmt: skip


def thinned(y: Floats) -> NDArray[np.int64]:
    """Rows of a curve that are kept: the least and the largest value of each of BUCKETS pieces, and both ends."""
    if y.size <= 2 * BUCKETS:
        return np.arange(y.size)
    edges = np.linspace(0, y.size, BUCKETS + 1).astype(int)
    finite = np.where(np.isfinite(y), y, 0.0)
    kept = {0, y.size - 1}
    for low, high in pairwise(edges.tolist()):
        piece = finite[low:high]
        kept |= {low + int(piece.argmin()), low + int(piece.argmax())}
    return np.array(sorted(kept))


def _short(values: Floats) -> list[float | None]:
    """Numbers with a few digits; what is not finite is a gap."""
    return [float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None for value in values]
