"""Pictures of under-determined forces: the feasible interval as a band, and each method's curve inside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.patches import Rectangle

from ....report.style import BLUE, GREY, ORANGE, PALETTE, legend, panel, stage
from ..hyperstatic_block import BUILT_IN, RIGID, averaged
from .block_models import block_ranges
from .block_statics import HEIGHT, WIDTH, slip_load

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...scenario import Outcome, Redraw

STYLES = ("-", "--", "-.", ":")
"""Lines of the methods, in turn."""

INSTANTS = 60
"""Loads at which a band is computed."""


def draw_band(axes: Axes, p: Any, name: str, colour: str, label: str = "feasible") -> None:
    """The feasible interval of a foot's friction force over time, while the block rests."""
    load = p.pull()
    end = min(0.999 * slip_load(p.mu_a, p.mu_b), load.force)
    loads = np.concatenate([[0.0], np.linspace(0.0, end, INSTANTS)])
    times = np.maximum(load.begin + loads / load.rise, 0.0)
    times[0] = 0.0
    if load.rise > 1e6:
        loads = np.full(2, end)
        times = np.array([max(load.begin, 0.0), p.time])
    bands = [block_ranges(float(force), p.mu_a, p.mu_b)[name] for force in loads]
    low = [band.low for band in bands]
    high = [band.high for band in bands]
    axes.fill_between(times * 1e3, low, high, color=colour, alpha=0.15, linewidth=0.0, label=label)


def draw_block(outcome: Outcome[Any], figure: Figure) -> None:
    """Friction forces in their bands, normal forces, motion, and iterations."""
    run = outcome.trajectory
    p = outcome.parameters
    t = run["t"] * 1e3
    (a, b), (c, d) = figure.subplots(2, 2)
    for axes, name, colour in ((a, "T_A", BLUE), (b, "T_B", ORANGE)):
        draw_band(axes, p, name, colour)
        axes.plot(t[1:], run[name][1:], color=colour, label=name)
        axes.set(title=f"friction force {name}", xlabel="time in ms", ylabel="force in N")
        legend(axes)
    normals = {"N_A": run["N_A"][1:], "N_B": run["N_B"][1:]}
    panel(c, t[1:], normals, "normal forces are determined", "time in ms", "force in N")
    panel(d, t, {"foot A": run["foot"] * 1e6}, "displacement", "time in ms", "displacement in um")


def draw_comparison(outcomes: Mapping[str, Outcome[Any]], figure: Figure) -> None:
    """T_A of every method in its band: rigid contact, force laws, Chrono's own; and the displacement of the block."""
    first = next(iter(outcomes.values())).parameters
    (rigid, laws), (chronos, moves) = figure.subplots(2, 2)
    for axes, title in ((rigid, "rigid contact"), (laws, "force laws"), (chronos, "Chrono's contact, over 1 ms")):
        draw_band(axes, first, "T_A", GREY)
        axes.set(title=f"T_A: {title}", xlabel="time in ms", ylabel="force in N", ylim=(-10.0, 8.5))
    for k, (name, outcome) in enumerate(outcomes.items()):
        law = outcome.parameters.law
        axes = rigid if law == RIGID else chronos if law in BUILT_IN else laws
        run = averaged(outcome.trajectory) if law in BUILT_IN else outcome.trajectory
        place = len(axes.get_lines())
        look = {"color": PALETTE[place % len(PALETTE)], "linestyle": STYLES[place % len(STYLES)], "label": name}
        axes.plot(run["t"][1:] * 1e3, run["T_A"][1:], linewidth=2.2 - 0.15 * place, **look)
        moves.plot(run["t"] * 1e3, run["foot"] * 1e6, color=PALETTE[k % len(PALETTE)], linewidth=1.0)
    moves.set(title="displacement: all of them", xlabel="time in ms", ylabel="displacement in um")
    for axes in (rigid, laws, chronos):
        legend(axes, 2)


def animate_block(outcome: Outcome[Any], axes: Axes) -> Redraw:
    """The block with its friction forces as arrows; its displacement is exaggerated."""
    run = outcome.trajectory
    stage(axes, (-0.1, 0.36), (-0.06, 0.16))
    axes.axhline(0.0, color=GREY, linewidth=2)
    block = Rectangle((0.0, 0.0), WIDTH, HEIGHT, color=BLUE, alpha=0.8)
    axes.add_patch(block)
    arrows = axes.quiver(
        [0.0, WIDTH], [-0.02, -0.02], [0.0, 0.0], [0.0, 0.0], color=ORANGE, angles="xy", scale_units="xy", scale=1.0
    )
    label = axes.set_title("")

    def redraw(i: int) -> None:
        at = 200.0 * run["foot"][i]
        block.set_x(at)
        arrows.set_offsets([(at, -0.02), (at + WIDTH, -0.02)])
        arrows.set_UVC([0.008 * run["T_A"][i], 0.008 * run["T_B"][i]], [0.0, 0.0])
        label.set_text(f"t = {1e3 * run['t'][i]:.1f} ms, T_A = {run['T_A'][i]:.2f} N, T_B = {run['T_B'][i]:.2f} N")

    return redraw
