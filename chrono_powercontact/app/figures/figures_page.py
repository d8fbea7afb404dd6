"""`powercontact figures`: every figure of the thesis that our models can draw, on one page."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from pathlib import Path

from ... import __version__
from ...errors import ParameterError, UnknownNameError
from ...report.figure import draw_png
from ...report.folder import open_folder
from ...report.page_elements import page, style
from . import contact_law_figures, contact_run_figures, friction_law_figures, friction_run_figures, gait_figures
from .source_figure import SourceFigure

MODULES = (friction_law_figures, friction_run_figures, contact_law_figures, contact_run_figures, gait_figures)

FIGURES: dict[str, SourceFigure] = {figure.number: figure for module in MODULES for figure in module.FIGURES}
"""The figures that are drawn, by their numbers."""

NOT_DRAWN = {
    "2.8": "a block diagram",
    "5.1": "a drawing of the device",
    "5.2": "lost in the text that we have",
    "5.6": "the contact of the foot unit; the thesis gives no numbers for it",
    "5.7": "a photograph",
}
"""Figures of the thesis that are not on the page, and why."""


def chosen(numbers: Sequence[str]) -> list[SourceFigure]:
    """Figures by their numbers, all unless some are named; a chapter, as "3", stands for its figures."""
    if not numbers:
        return list(FIGURES.values())
    found: list[SourceFigure] = []
    for number in numbers:
        wanted = [n for n in FIGURES if n == number or n.split(".")[0] == number]
        if number in NOT_DRAWN:
            raise ParameterError(f"figure {number} is not drawn: {NOT_DRAWN[number]}")
        if not wanted:
            raise UnknownNameError("figure", number, tuple(FIGURES))
        found += [FIGURES[n] for n in wanted if FIGURES[n] not in found]
    return found


def _section(figure: SourceFigure, picture: Path) -> str:
    """One figure of the page."""
    data = base64.b64encode(picture.read_bytes()).decode()
    title = html.escape(f"Fig. {figure.number}: {figure.title}")
    return (
        f'<section id="f{figure.number}"><h2>{title}</h2><p>{html.escape(figure.shows)}</p>'
        f'<img class="picture" alt="{title}" src="data:image/png;base64,{data}"></section>'
    )


def _page(sections: Sequence[str], figures: Sequence[SourceFigure]) -> str:
    links = "".join(f'<a href="#f{figure.number}">{figure.number}</a>' for figure in figures)
    missing = "".join(f"<li>{number}: {html.escape(why)}</li>" for number, why in NOT_DRAWN.items())
    body = f"""<header><h1>Figures of the thesis, from our laws and runs</h1>
<p>T. Specker, Ulm 2016. Every picture was computed for this page; the text says what the thesis reads from its own.</p>
<p class="soft">chrono_powercontact {html.escape(__version__)}</p></header>
<nav class="links" aria-label="figures">{links}</nav>
<main id="main">{"".join(sections)}
<section><h2>Not here</h2><ul>{missing}</ul></section></main>"""
    return page("chrono_powercontact: figures of the thesis", body, f"<style>{style()}</style>", "")


def draw_figures(out: str | Path, numbers: Sequence[str] = (), quiet: bool = False) -> list[Path]:
    """Draw figures into a folder and write index.html; returns the pictures."""
    from tqdm import tqdm

    figures = chosen(numbers)
    folder = open_folder(out)
    pictures = []
    sections = []
    for figure in tqdm(figures, desc="figures", unit="figure", disable=quiet or None, leave=False):
        picture = folder / f"figure_{figure.number.replace('.', '_')}.png"
        draw_png(picture, figure.size, f"Fig. {figure.number}: {figure.title}", figure.draw)
        pictures.append(picture)
        sections.append(_section(figure, picture))
    (folder / "index.html").write_text(_page(sections, figures), encoding="utf-8")
    return pictures
