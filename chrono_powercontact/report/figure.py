"""Pictures and animations of a run, drawn off-screen."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from .charts import Chart, charts_of
from .style import RC, panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..scenarios.parameters import P
    from ..scenarios.scenario import Outcome, Scenario

FRAMES = 60
"""Frames of an animation."""

FRAME_TIME = 50
"""Time in ms for which each frame is shown."""

TITLE_WIDTH = 116
"""Characters of a title that fit on one line."""

ACROSS = {"t": "time in s", "s": "distance in m", "v": "speed in m/s"}
"""Labels of the columns over which a comparison is drawn."""

STYLES = ("-", "--", "-.", ":") * 5
"""Lines of the models in a comparison."""


def _in_lines(title: str) -> str:
    """A title on as many lines as it needs, all about as long."""
    lines = math.ceil(len(title) / TITLE_WIDTH)
    return title if lines == 1 else textwrap.fill(title, len(title) // lines + 10)


def draw_png(path: Path, size: tuple[float, float], title: str, paint: Callable[[Figure], None]) -> list[Chart]:
    """Paint a figure of a size in inches and write it as PNG; returns its curves as data."""
    with mpl.rc_context(RC):
        figure = Figure(figsize=size)
        FigureCanvasAgg(figure)
        paint(figure)
        figure.suptitle(_in_lines(title), fontsize=11)
        figure.savefig(path, dpi=100)
        return charts_of(figure)


def save_plot(scenario: Scenario[P], outcome: Outcome[P], path: Path) -> list[Chart]:
    """Draw the run of a scenario as PNG; returns its curves as data."""
    return draw_png(
        path, (9.0, 6.0), f"{scenario.name}: {scenario.claim}", lambda figure: scenario.plot(outcome, figure)
    )


def save_comparison(scenario: Scenario[Any], outcomes: Mapping[str, Outcome[Any]], path: Path) -> list[Chart]:
    """Draw the signals that a scenario compares, one curve per model, as PNG; returns its curves as data."""

    def paint(figure: Figure) -> None:
        axes: list[Axes] = list(np.atleast_1d(figure.subplots(len(scenario.compared), 1)))
        for ax, (across, column, label) in zip(axes, scenario.compared, strict=True):
            for (name, outcome), style in zip(outcomes.items(), STYLES, strict=False):
                run = outcome.trajectory
                ax.plot(run[across], run[column], style, label=name)
            panel(ax, [], {}, "", ACROSS[across], label)
            if scenario.log_from is not None:
                ax.set_yscale("symlog", linthresh=scenario.log_from)
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=min(len(outcomes), 6))

    size = (9.0, 3.0 * len(scenario.compared))
    return draw_png(path, size, f"{scenario.name}: the same scene under each law", paint)


def save_animation(scenario: Scenario[P], outcome: Outcome[P], path: Path, count: int = FRAMES) -> bool:
    """Draw the moving scene as GIF, with up to so many frames; False where the scenario has none."""
    with mpl.rc_context({**RC, "figure.constrained_layout.use": False}):
        figure = Figure(figsize=(5.6, 3.6))
        canvas = FigureCanvasAgg(figure)
        redraw = scenario.animate(outcome, figure.add_axes((0.02, 0.02, 0.96, 0.88)))
        if redraw is None:
            return False
        frames = []
        for i in np.unique(np.linspace(0, len(outcome.trajectory) - 1, count).astype(int)):
            redraw(int(i))
            canvas.draw()
            picture = Image.fromarray(np.asarray(canvas.buffer_rgba()))
            frames.append(picture.convert("P", palette=Image.Palette.ADAPTIVE))
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=FRAME_TIME, loop=0, optimize=False)
    return True
