"""What MkDocs does besides: formulas become MathML, which needs no script and no network; the reference is listed."""

from __future__ import annotations

import ast
import html
import re
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

ROOT = Path(__file__).resolve().parents[1]
FRONT = ROOT / "chrono_powercontact" / "__init__.py"
FORMULA = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL)
REFERENCE = "reference.md"

ROOMS = {
    "chrono": "In a PyChrono script",
    "laws": "Laws, materials and design",
    "view": "Looking at runs",
    "lagrange": "Reference engine",
    "setvalued": "Bounds of contact forces",
    "observer": "Observers",
    "app": "Many runs",
    "bench": "Orders of convergence",
    "scenarios": "Scenarios of your own",
    "errors": "Errors",
    "trajectory": "Recorded runs",
}
"""Headings of the reference by room of the package, in their order."""


def homes() -> dict[str, tuple[str, ...]]:
    """Public names by the module that defines them, as the front of the package lists them."""
    tree = ast.parse(FRONT.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_NAMES":
            return dict(ast.literal_eval(node.value))
    raise LookupError("the front of the package has no list of names")


def reference() -> str:
    """The reference of all public names, a section for each room."""
    lines: list[str] = []
    found = homes()
    rooms = dict.fromkeys([*ROOMS, *(home.partition(".")[0] for home in found)])
    for room in rooms:
        modules = [home for home in found if home.partition(".")[0] == room]
        if not modules:
            continue
        lines += [f"## {ROOMS.get(room, room)}", ""]
        for module in modules:
            for name in found[module]:
                lines += [f"::: chrono_powercontact.{module}.{name}", ""]
    return "\n".join(lines)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """List all public names on the page of the reference."""
    return f"{markdown}\n{reference()}" if page.file.src_uri == REFERENCE else markdown


def on_page_content(content: str, **_: Any) -> str:
    """Turn the formulas of a page into MathML."""
    return FORMULA.sub(_mathml, content)


def _mathml(found: re.Match[str]) -> str:
    display = "block" if found.group(1) == "div" else "inline"
    return str(convert(html.unescape(found.group(2)), display=display))
