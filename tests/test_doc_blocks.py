"""The Python on the pages of the documents runs, page by page from top to bottom."""

import re
from pathlib import Path

import numpy as np
import pytest

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono

DOCS = Path(__file__).resolve().parents[1] / "docs"
ELSEWHERE = ("extend.md", "hyperstatic.md")
"""Pages whose blocks have tests of their own."""
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(page):
    return [code for language, code in FENCE.findall(page.read_text(encoding="utf-8")) if language == "python"]


def fragments(page):
    return [code for language, code in FENCE.findall(page.read_text(encoding="utf-8")) if language == "py"]


def marked(page):
    needs = any("pychrono" in block for block in blocks(page))
    return pytest.param(page, id=page.stem, marks=[pytest.mark.chrono] if needs else [])


PAGES = [page for page in sorted(DOCS.glob("*.md")) if blocks(page) and page.name not in ELSEWHERE]


@pytest.mark.parametrize("page", [marked(page) for page in PAGES])
def test_python_on_a_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    if any(".html(" in block for block in blocks(page)):
        pytest.importorskip("viser")
    if any("pychrono.fea" in block for block in blocks(page)):
        pytest.importorskip("pychrono.fea", exc_type=ImportError)
    monkeypatch.chdir(tmp_path)
    names = {"__name__": page.stem}
    for number, block in enumerate(blocks(page)):
        exec(compile(block, f"{page.name} block {number}", "exec"), names)


CLUSTER = ("tcp://scheduler", "mpi4py", "executorlib", "build_my_scene", "heights", "run_ensemble(systems")
"""Fragments that need a cluster, or the reader's own scene or measurement: they are compiled only."""


def scene():
    """What a fragment takes for granted: a script with a box on a floor, a spring, and an attachment."""
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
    material = chrono.ChContactMaterialSMC()
    floor, ball = (chrono.ChBodyEasyBox(size, size, 0.2, 1000, True, True, material) for size in (4.0, 0.2))
    ball.SetPos(chrono.ChVector3d(0, 0, 0.1995))
    floor.SetFixed(True)
    for body, name in ((floor, "floor"), (ball, "box")):
        body.SetName(name)
        system.AddBody(body)
    link = chrono.ChLinkTSDA()
    link.Initialize(ball, floor, True, chrono.ChVector3d(0, 0, 0), chrono.ChVector3d(0, 0, 0.1))
    link.SetSpringCoefficient(10.0)
    system.AddLink(link)
    names = {"chrono": chrono, "pc": pc, "np": np, "system": system, "ball": ball, "ground": floor, "link": link}
    return names | {"contacts": pc.attach(system), "__name__": "fragment"}


FRAGMENTS = [
    pytest.param(code, id=f"{page.stem}-{number}")
    for page in sorted(DOCS.glob("*.md"))
    for number, code in enumerate(fragments(page))
]


@pytest.mark.chrono
@pytest.mark.parametrize("code", FRAGMENTS)
def test_a_fragment_runs_in_a_script(code):
    compiled = compile(code, "fragment", "exec")
    if not any(word in code for word in CLUSTER):
        exec(compiled, scene())


def test_every_block_with_a_language_is_run_or_text():
    odd = {
        (page.name, language)
        for page in DOCS.glob("*.md")
        for language, _ in FENCE.findall(page.read_text(encoding="utf-8"))
        if language not in ("", "python", "py", "text")
    }
    assert odd == set()
