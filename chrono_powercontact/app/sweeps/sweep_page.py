"""The page of a sweep: its curves or map, and a table of its runs."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...report.charts import Chart
from ...report.page_elements import alone, charts, command, table
from .sweep_picture import drawn_metrics
from .sweep_table import SweepTable

MOST_ROWS = 500
"""Runs that the table of the page shows; sweep.csv has all of them."""


def write_sweep_page(folder: Path, swept: SweepTable, found: Sequence[Chart]) -> Path:
    """Write index.html of a sweep from its table and the curves of its picture."""
    what = str(swept.summary.get("scenario") or swept.summary.get("function", "sweep"))
    shown = drawn_metrics(swept)
    head = (*swept.parameters, "status", *shown)
    rows = [_cells(swept, i, shown) for i in range(min(len(swept), MOST_ROWS))]
    left = f"<p>{len(swept) - MOST_ROWS} more runs are in sweep.csv</p>" if len(swept) > MOST_ROWS else ""
    picture = '<img class="picture" src="sweep.png" alt="all metrics of the sweep">'
    drawn = charts(found) or (picture if (folder / "sweep.png").exists() else "")
    title = f"{what}: {len(swept)} runs over {', '.join(swept.parameters)}"
    body = f"""<header><h1>{html.escape(title)}</h1></header><main id="main">
<h2>Metrics</h2>{drawn}
<h2>Runs</h2>{table("runs, SI units", head, rows)}{left}
<h2>Look again</h2>{command(f"powercontact inspect {folder}")}</main>"""
    path = folder / "index.html"
    path.write_text(alone(title, body), encoding="utf-8")
    return path


def _cells(swept: SweepTable, number: int, shown: Sequence[str]) -> list[Any]:
    """A row of the table."""
    row = swept.rows[number]
    parameters = [row["point"][name] for name in swept.parameters]
    return [*parameters, row["status"], *(swept[name][number] for name in shown)]
