import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[1] / "docs"
SCRIPT = runpy.run_path(str(DOCS / "draw_images.py"))
DRAWN = {image for name in SCRIPT["COMMANDS"] for image in SCRIPT["pictures"](name)}
BY_THE_BENCHMARK = {"drift.png", "work_precision.png"}


def test_every_image_has_its_command():
    assert {path.name for path in (DOCS / "images").iterdir()} == DRAWN | BY_THE_BENCHMARK


def test_every_image_is_shown():
    pages = "".join(path.read_text(encoding="utf-8") for path in DOCS.glob("*.md"))
    assert set(re.findall(r"\(images/([\w.]+)\)", pages)) == DRAWN | BY_THE_BENCHMARK


def test_an_unknown_image_is_named():
    with pytest.raises(SystemExit, match=r"no such image: cube\.jpg; there are adoption\.png"):
        SCRIPT["main"](["cube.jpg"])
