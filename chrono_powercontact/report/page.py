"""One self-contained HTML page over many runs: claims, pictures, numbers. It opens from disk."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .summary import CheckSummary, Summary

STYLE = """
:root { color-scheme: light; --ink: #1f2933; --soft: #6b7280; --line: #e5e7eb; --blue: #1f6fb4; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); margin: 0 auto; max-width: 1080px; }
body { padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; } h2 { font-size: 1.25rem; margin: 0; }
p { margin: .4rem 0; } .soft { color: var(--soft); }
nav { display: flex; flex-wrap: wrap; gap: .4rem; margin: 1rem 0 2rem; }
nav a { border: 1px solid var(--line); border-radius: 999px; padding: .15rem .7rem; }
nav a { text-decoration: none; color: var(--blue); }
section { border-top: 1px solid var(--line); padding: 1.6rem 0; }
.head { display: flex; gap: .7rem; align-items: baseline; flex-wrap: wrap; }
.badge { font-size: .8rem; border-radius: 4px; padding: .05rem .5rem; color: white; }
.yes { background: #2f9e66; } .no { background: #c8403f; } .open { background: #6b7280; }
.pictures { display: grid; grid-template-columns: 3fr 2fr; gap: 1rem; align-items: center; margin: .8rem 0; }
.pictures.one { grid-template-columns: 1fr; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
td, th { border-bottom: 1px solid var(--line); padding: .18rem .8rem .18rem 0; text-align: left; vertical-align: top; }
td.value { overflow-wrap: anywhere; }
code { background: #f3f4f6; border-radius: 4px; padding: .1rem .35rem; font-size: .88em; }
ul { margin: .3rem 0; padding-left: 1.2rem; }
@media (max-width: 720px) { .pictures { grid-template-columns: 1fr; } }
"""

BADGES = {
    True: '<span class="badge yes">holds</span>',
    False: '<span class="badge no">does not hold</span>',
    None: '<span class="badge open">not judged</span>',
}
"""What the page says of a claim."""


@dataclass(frozen=True)
class Entry:
    """One section of the page: the summary of a run and the pictures in its folder."""

    summary: Summary
    folder: Path
    source: str


def _image(path: Path, label: str) -> str:
    if not path.exists():
        return ""
    kind = {"png": "image/png", "gif": "image/gif"}[path.suffix[1:]]
    data = base64.b64encode(path.read_bytes()).decode()
    return f'<img alt="{html.escape(label)}" src="data:{kind};base64,{data}">'


def _number(value: Any) -> str:
    if isinstance(value, list):
        shown = ", ".join(_number(item) for item in value[:8])
        return shown + (f", ... ({len(value)})" if len(value) > 8 else "")
    if isinstance(value, float):
        return f"{value:.6g}"
    return "none" if value is None else str(value)


def _pictures(entry: Entry) -> str:
    """Curves and scene side by side, or the one that there is."""
    name = html.escape(entry.summary["scenario"])
    found = [
        _image(entry.folder / "plot.png", f"{name}: curves"),
        _image(entry.folder / "animation.gif", f"{name}: scene"),
    ]
    shown = [picture for picture in found if picture]
    alone = " one" if len(shown) == 1 else ""
    return f'<div class="pictures{alone}">{"".join(shown)}</div>'


def _metric(name: str, value: Any) -> str:
    """A row of the table of numbers."""
    return f'<tr><td>{html.escape(name)}</td><td class="value">{html.escape(_number(value))}</td></tr>'


def _check(check: CheckSummary) -> str:
    """A part of the claim as an item of a list."""
    return f"<li>{html.escape(check['text'])}: {'yes' if check['passed'] else 'NO'}</li>"


def _section(entry: Entry) -> str:
    """The section of one scenario."""
    summary = entry.summary
    name = html.escape(summary["scenario"])
    badge = BADGES[summary["passed"]]
    rows = "".join(_metric(name, value) for name, value in summary["metrics"].items())
    checks = "".join(_check(check) for check in summary["checks"])
    engine = f"{summary['engine']} engine {summary['engine_version']}"
    cost = html.escape(f"{summary['steps']} steps in {summary['wall_time']:.2f} s, {engine}")
    return f"""<section id="{name}">
<div class="head"><h2>{name}</h2>{badge}<span class="soft">{html.escape(entry.source)}</span></div>
<p>{html.escape(summary["claim"])}</p>
{_pictures(entry)}
<ul>{checks}</ul>
<details><summary>numbers ({cost})</summary>
<table>{rows}</table></details>
<p class="soft">again: <code>powercontact run {name}</code></p>
</section>"""


def write_page(path: Path, entries: Sequence[Entry], version: str, wall_time: float) -> None:
    """Write the report page."""
    held = sum(entry.summary["passed"] is True for entry in entries)
    links = "".join(f'<a href="#{e.summary["scenario"]}">{html.escape(e.summary["scenario"])}</a>' for e in entries)
    body = "\n".join(_section(entry) for entry in entries)
    path.write_text(
        f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>chrono_powercontact: tour</title><style>{STYLE}</style></head><body>
<h1>Power-based contact and friction: the tour</h1>
<p>{held} of {len(entries)} claims hold. Every picture and number on this page was computed in this run.</p>
<p class="soft">chrono_powercontact {html.escape(version)}, {wall_time:.0f} s</p>
<nav>{links}</nav>
{body}
</body></html>
""",
        encoding="utf-8",
    )
