"""The equations of a worked example as a picture: the entries of M and g that are not zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...lagrange.model import Model

LONGEST = 110
"""Characters of an entry as LaTeX that fit on a line."""
MOST = 11
"""Entries that fit into a panel."""


def entries(model: Model) -> list[str]:
    """Entries of the upper half of M, and of g, as LaTeX; those that are too long as dots."""
    import sympy as sp

    size = len(model.q)
    found = [(f"M_{{{i + 1}{j + 1}}}", model.mass_q[i, j]) for i in range(size) for j in range(i, size)]
    found += [(f"g_{i + 1}", model.gravity[i]) for i in range(size)]
    lines = []
    for name, entry in found:
        text = sp.latex(sp.simplify(entry))
        if text != "0":
            lines.append(f"{name} = {text}" if len(text) <= LONGEST else rf"{name} = \ldots")
    return lines


def equations_panel(axes: Axes, model: Model) -> None:
    """Write the entries of the mass matrix and of the potential forces."""
    axes.set_axis_off()
    axes.set_title("mass matrix and potential forces")
    lines = entries(model)
    shown = lines[:MOST] + ([r"\ldots"] if len(lines) > MOST else [])
    for row, line in enumerate(shown):
        axes.text(0.0, 0.95 - 0.085 * row, f"${line}$", fontsize=8, transform=axes.transAxes, va="top")
