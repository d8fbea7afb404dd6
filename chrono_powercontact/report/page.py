"""The report over many runs: a start page with verdicts, and a page for each run. It opens from disk, offline."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from PIL import Image

from ..view.page_parts import UPLOT, VIEW, asset
from ..view.recording import FILE, needing_viser, read_recording
from .folder import CHARTS
from .page_elements import BADGES, charts, command, page, style, table, text_of
from .summary import Summary

THUMBNAIL = "thumbnail.webp"
WIDE = 420
"""Width of a thumbnail in pixels."""

SHARED = "assets"
"""Folder of scripts and styles that all pages use."""

VIEWER = "viewer.js"


@dataclass(frozen=True)
class Entry:
    """A run in the report.

    Attributes:
        summary, folder: of the run. source: where the scenario comes from.
        scene: what happens in it. about: why that is worth a claim.
        meanings: unit and meaning of each parameter.
    """

    summary: Summary
    folder: Path
    source: str
    scene: str = ""
    about: str = ""
    meanings: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the scenario, escaped."""
        return html.escape(self.summary["scenario"])


def write_pages(folder: Path, entries: Sequence[Entry], version: str, wall_time: float) -> None:
    """Write index.html over all runs, and one in the folder of each run."""
    views = find_spec("viser") is not None
    _write_shared(folder / SHARED, views)
    for number, entry in enumerate(entries):
        _write_thumbnail(entry.folder)
        beside = [entries[number + step] if 0 <= number + step < len(entries) else None for step in (-1, 1)]
        (entry.folder / "index.html").write_text(_run_page(entry, beside, views), encoding="utf-8")
    (folder / "index.html").write_text(_start_page(entries, version, wall_time), encoding="utf-8")


def _write_shared(folder: Path, views: bool) -> None:
    """Write what all pages share."""
    folder.mkdir(exist_ok=True)
    files = {"report.css": style(), "report.js": text_of("report.js"), UPLOT: asset(UPLOT)}
    if views:
        files |= {"view.css": asset("view.css"), VIEW: asset(VIEW), VIEWER: needing_viser("scene_page").viewer_script()}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def _write_thumbnail(folder: Path) -> None:
    """Write a small copy of the picture of a run, where it has one."""
    picture = folder / "plot.png"
    if picture.exists():
        with Image.open(picture) as image:
            small = image.convert("RGB")
            small.thumbnail((WIDE, WIDE))
            small.save(folder / THUMBNAIL, quality=70)


def _links(prefix: str, names: Sequence[str]) -> str:
    return "".join(f'<script src="{prefix}{SHARED}/{name}"></script>\n' for name in names)


def _sheet(prefix: str, name: str) -> str:
    return f'<link rel="stylesheet" href="{prefix}{SHARED}/{name}">\n'


def _start_page(entries: Sequence[Entry], version: str, wall_time: float) -> str:
    """The page with all verdicts."""
    held = sum(entry.summary["passed"] is True for entry in entries)
    cards = "\n".join(_card(entry) for entry in entries)
    body = f"""<header><h1>Power-based contact and friction: the tour</h1>
<p>{held} of {len(entries)} claims hold. Every picture and number was computed in this run.</p>
<p class="soft">chrono_powercontact {html.escape(version)}, {wall_time:.0f} s</p></header>
<main id="main"><p class="tally"><label>find <input class="filter" type="search" placeholder="friction"></label></p>
<ul class="cards">
{cards}
</ul></main>"""
    return page("chrono_powercontact: tour", body, _sheet("", "report.css"), _links("", (UPLOT, "report.js")))


def _card(entry: Entry) -> str:
    """A run on the start page."""
    name = entry.name
    image = ""
    if (entry.folder / THUMBNAIL).exists():
        image = f'<img src="{name}/{THUMBNAIL}" alt="" loading="lazy" width="420" height="280">'
    verdict = BADGES[entry.summary["passed"]]
    claim = html.escape(entry.summary["claim"])
    title = f'<h2><a href="{name}/index.html">{name}</a></h2>'
    return f'<li class="card">{image}<div>{title}{verdict}<p>{claim}</p></div></li>'


def _run_page(entry: Entry, beside: Sequence[Entry | None], views: bool) -> str:
    """The page of a run."""
    summary = entry.summary
    scene = _scene(entry.folder) if views else ""
    body = f"""{_top(beside)}<header><h1>{entry.name} {BADGES[summary["passed"]]}</h1>
<p>{html.escape(entry.scene)}</p>
<p><strong>Claim:</strong> {html.escape(summary["claim"])}</p>
<p class="soft">{html.escape(entry.about)} Source: {html.escape(entry.source)}.</p></header><main id="main">
{scene or _moving(entry)}
<h2>The claim, part by part</h2>{_checks(summary)}
<h2>Curves</h2>{charts(_read_charts(entry.folder))}{_picture(entry)}
<h2>Numbers</h2><div class="two">{_tables(entry)}</div>
<h2>Run it again</h2>{command(f"powercontact run {summary['scenario']} --engine {summary['engine']}")}
{_files(entry.folder)}</main>"""
    names = [UPLOT, "report.js", *((VIEWER, VIEW) if scene else ())]
    sheets = _sheet("../", "report.css") + (_sheet("../", "view.css") if scene else "")
    return page(f"{summary['scenario']}: tour", body, sheets, _links("../", names))


def _top(beside: Sequence[Entry | None]) -> str:
    """Links to the start page and to the runs before and after."""
    before, after = (f'<a href="../{e.name}/index.html">{e.name}</a>' if e else "" for e in beside)
    links = f'<span>{before}</span><a href="../index.html">all scenarios</a><span>{after}</span>'
    return f'<nav class="top" aria-label="tour">{links}</nav>'


def _scene(folder: Path) -> str:
    """The moving scene of a run; empty where it has none."""
    file = folder / FILE
    if not file.exists():
        return ""
    pages = needing_viser("scene_page")
    return f"<h2>The moving scene</h2><div>{pages.body_of(pages.scene_data(read_recording(file)))}</div>"


def _moving(entry: Entry) -> str:
    """The animation of a run, where there is no scene."""
    if not (entry.folder / "animation.gif").exists():
        return ""
    return f'<h2>The moving scene</h2><img class="picture" src="animation.gif" alt="{entry.name}: moving scene">'


def _picture(entry: Entry) -> str:
    """The picture of a run."""
    if not (entry.folder / "plot.png").exists():
        return ""
    image = f'<img class="picture" loading="lazy" src="plot.png" alt="{entry.name}: all panels of the run">'
    return f"<details><summary>the picture of all panels</summary>{image}</details>"


def _read_charts(folder: Path) -> list[Any]:
    file = folder / CHARTS
    return list(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else []


def _checks(summary: Summary) -> str:
    """What was compared, and what holds."""
    if not summary["checks"]:
        return "<p>no part of it could be judged with these parameters</p>"
    rows = (f"<li>{BADGES[check['passed']]} {html.escape(check['text'])}</li>" for check in summary["checks"])
    return f'<ul class="checks">{"".join(rows)}</ul>'


def _tables(entry: Entry) -> str:
    """Metrics, parameters and cost."""
    summary = entry.summary
    cost = [("engine", f"{summary['engine']} {summary['engine_version']}"), ("steps", summary["steps"])]
    cost += [("time of the run in s", round(summary["wall_time"], 3))]
    given = summary.get("params", {}).items()
    parameters = [(name, value, *entry.meanings.get(name, ("", ""))) for name, value in given]
    return (
        table("parameters", ("parameter", "value", "unit", "meaning"), parameters)
        + table("metrics, SI units", ("metric", "value"), summary["metrics"].items())
        + table("cost", ("", ""), cost)
    )


def _files(folder: Path) -> str:
    """Links to what the run folder holds."""
    names = [path.name for path in sorted(folder.iterdir()) if path.suffix in (".csv", ".npz", ".json", ".tex")]
    links = ", ".join(f'<a href="{html.escape(name)}">{html.escape(name)}</a>' for name in names)
    return f'<p class="soft">files: {links}</p>'
