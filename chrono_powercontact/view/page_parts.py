"""Parts of HTML pages that need no library: files of this folder, and data inside script elements."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

ASSETS = Path(__file__).parent / "assets"

UPLOT = "uPlot.min.js"
VIEW = "view.js"
"""Scripts of curves and of the moving scene."""


@cache
def asset(name: str) -> str:
    """A file of a page."""
    return (ASSETS / name).read_text(encoding="utf-8")


def inside_script(text: str) -> str:
    """Text that may stand inside a script element."""
    return text.replace("</", "<\\/").replace("<!--", "<\\u0021--")


def as_json(value: Any) -> str:
    """JSON that may stand inside a script element."""
    return inside_script(json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
