"""Elements of report pages: tables that can be copied, verdicts, charts, commands, and the page around them."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..view.page_parts import UPLOT, as_json, asset, inside_script
from .charts import Chart

ASSETS = Path(__file__).parent / "assets"

BADGES = {
    True: '<span class="badge yes">holds</span>',
    False: '<span class="badge no">does not hold</span>',
    None: '<span class="badge open">not judged</span>',
}
"""What a page says of a claim."""

LONGEST_LIST = 8
"""Entries of a list that a table shows."""


def text_of(name: str) -> str:
    """A file of the pages."""
    return (ASSETS / name).read_text(encoding="utf-8")


def style() -> str:
    """The style sheet of all pages."""
    return asset("uPlot.css") + text_of("report.css")


def script() -> str:
    """The script of pages with charts and tables."""
    return asset(UPLOT) + ";\n" + text_of("report.js")


def number(value: Any) -> str:
    """A value as a table shows it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {number(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        shown = ", ".join(number(item) for item in value[:LONGEST_LIST])
        return shown + (f", ... ({len(value)})" if len(value) > LONGEST_LIST else "")
    if isinstance(value, float):
        return f"{value:.6g}"
    return "none" if value is None else str(value)


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table with a caption and a button that copies it; the first cell of a row names it."""
    names = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in head)
    body = "".join(_row(row) for row in rows)
    title = html.escape(caption, quote=True)
    return (
        f'<div class="table"><button type="button" class="copy" aria-label="copy the table {title}">copy</button>'
        f"<table><caption>{title}</caption><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _row(row: Sequence[Any]) -> str:
    cells = [html.escape(number(cell)) for cell in row]
    rest = "".join(f"<td>{cell}</td>" for cell in cells[1:])
    return f'<tr><th scope="row">{cells[0]}</th>{rest}</tr>'


def charts(found: Sequence[Chart]) -> str:
    """Places of charts and their data; `report.js` draws them."""
    if not found:
        return ""
    places = "".join(_place(chart) for chart in found)
    data = f'<script type="application/json" class="charts-data">{as_json(list(found))}</script>'
    return f'<div class="charts">{places}</div>{data}'


def _place(chart: Chart) -> str:
    curves = ", ".join(curve["label"] for curve in chart["curves"] if curve["label"])
    named = chart["title"] or chart["y"]
    label = html.escape(f"{named}: {chart['y']} over {chart['x']}" + (f"; curves: {curves}" if curves else ""))
    return (
        f'<figure><figcaption>{html.escape(named)}</figcaption><div class="chart" role="img" aria-label="{label}">'
        f"</div></figure>"
    )


def command(words: str) -> str:
    """A command to run again, with a button that copies it."""
    text = html.escape(words, quote=True)
    button = f'<button type="button" class="copy-text" aria-label="copy the command" data-text="{text}">copy</button>'
    return f'<p class="command"><code>{text}</code> {button}</p>'


def page(title: str, body: str, head: str, foot: str) -> str:
    """A whole page; `head` holds its style, `foot` its scripts."""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{html.escape(title)}</title><link rel="icon" href="data:,">
{head}</head><body><a class="skip" href="#main">skip to the content</a>
{body}
{foot}</body></html>
"""


def alone(title: str, body: str) -> str:
    """A page that holds all it needs."""
    return page(title, body, f"<style>{style()}</style>", f"<script>{inside_script(script())}</script>")
