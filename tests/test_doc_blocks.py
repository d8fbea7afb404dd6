"""The Python on the pages of the documents runs, page by page from top to bottom."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[1] / "docs"
ELSEWHERE = ("extend.md", "hyperstatic.md")
"""Pages whose blocks have tests of their own."""
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(page):
    return [code for language, code in FENCE.findall(page.read_text(encoding="utf-8")) if language == "python"]


def marked(page):
    needs = any("pychrono" in block for block in blocks(page))
    return pytest.param(page, id=page.stem, marks=[pytest.mark.chrono] if needs else [])


PAGES = [page for page in sorted(DOCS.glob("*.md")) if blocks(page) and page.name not in ELSEWHERE]


@pytest.mark.parametrize("page", [marked(page) for page in PAGES])
def test_python_on_a_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    if any(".html(" in block for block in blocks(page)):
        pytest.importorskip("viser")
    monkeypatch.chdir(tmp_path)
    names = {"__name__": page.stem}
    for number, block in enumerate(blocks(page)):
        exec(compile(block, f"{page.name} block {number}", "exec"), names)


def test_every_block_with_a_language_is_python_or_text():
    odd = {
        (page.name, language)
        for page in DOCS.glob("*.md")
        for language, _ in FENCE.findall(page.read_text(encoding="utf-8"))
        if language not in ("", "python", "text")
    }
    assert odd == set()
