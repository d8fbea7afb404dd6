"""The curves of an experiment, and the masses of the dithered load as they are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....report.style import GREY, PALETTE, stage
from .case import Case, Curves

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...scenario import Redraw

STYLES = {"power": ":", "anchored": "-", "lugre": "--"}


def draw_case(axes: Axes, case: Case, curves: Curves) -> None:
    """One curve per law."""
    for colour, (name, curve) in zip(PALETTE, curves.items(), strict=False):
        axes.plot(case.scale[0] * curve.x, case.scale[1] * curve.y, STYLES[name], color=colour, label=name)
    axes.set(title=case.title, xlabel=case.across, ylabel=case.up)
    axes.title.set_fontsize(8)
    if case.log:
        axes.set_xscale("log")


def blocks(axes: Axes, curves: Curves, records: int) -> Redraw:
    """Three masses under the same dithered load, their displacements magnified alike."""
    from matplotlib.patches import Rectangle

    stage(axes, (-0.3, 1.5), (-0.15, 1.2))
    longest = max(float(np.abs(curve.y).max()) for curve in curves.values())
    bodies = []
    for row, (name, colour) in enumerate(zip(curves, PALETTE, strict=False)):
        level = 0.8 - 0.4 * row
        axes.axhline(level, color=GREY, linewidth=1.0)
        axes.text(-0.28, level + 0.05, name, fontsize=8)
        body = Rectangle((0.0, level), 0.2, 0.2, color=colour)
        axes.add_patch(body)
        bodies.append(body)
    label = axes.set_title("")

    def redraw(i: int) -> None:
        fraction = i / max(records - 1, 1)
        for body, curve in zip(bodies, curves.values(), strict=True):
            at = round(fraction * (curve.y.size - 1))
            body.set_x(curve.y[at] / longest)
            label.set_text(f"dithered load below stiction: t = {curve.x[at]:.2f} s")

    return redraw
