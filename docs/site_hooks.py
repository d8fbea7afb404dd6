"""What MkDocs does besides: formulas become MathML, which needs no script and no network; the reference is listed; the
gallery gets moving scenes, run while the site is built.

POWERCONTACT_SCENES names the scenarios of the gallery whose scenes are built, separated by commas, or none; all of them
unless given. Without viser there are none.
"""

from __future__ import annotations

import ast
import html
import os
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

ROOT = Path(__file__).resolve().parents[1]
FRONT = ROOT / "chrono_powercontact" / "__init__.py"
FORMULA = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL)
REFERENCE = "reference.md"
SCENE = re.compile(r"<!-- scene: (\w+) -->")
SCENES = "scenes"
"""Folder of the moving scenes in the site."""

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


def names_by_room() -> dict[str, dict[str, str]]:
    """Public names with their full paths, in the order of the alphabet, by the heading of their room."""
    rooms: dict[str, dict[str, str]] = {heading: {} for heading in ROOMS.values()}
    for home, names in homes().items():
        room = home.partition(".")[0]
        heading = rooms.setdefault(ROOMS.get(room, room), {})
        heading |= {name: f"chrono_powercontact.{home}.{name}" for name in names}
    return {heading: dict(sorted(names.items(), key=lambda item: item[0].lower())) for heading, names in rooms.items()}


def reference() -> str:
    """All public names as links, and then a section for each room."""
    rooms = names_by_room()
    lines = ["| room | names |", "|---|---|"]
    for heading, names in rooms.items():
        links = ", ".join(f"[{name}][{path}]" for name, path in names.items())
        lines.append(f"| {heading} | {links} |")
    lines.append("")
    for heading, names in rooms.items():
        lines += [f"## {heading}", ""]
        for name, path in names.items():
            lines += [f"::: {path}", "    options:", f"      heading: pc.{name}", f"      toc_label: {name}", ""]
    return "\n".join(lines)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """List all public names on the page of the reference; put the scenes into pages that have places for them."""
    if page.file.src_uri == REFERENCE:
        return f"{markdown}\n{reference()}"
    return SCENE.sub(_place, markdown)


def is_wanted(name: str) -> bool:
    """Whether the scene of a scenario is built."""
    wanted = os.environ.get("POWERCONTACT_SCENES")
    return find_spec("viser") is not None and (wanted is None or name in wanted.split(","))


def _place(found: re.Match[str]) -> str:
    """The element that opens a scene; a closed one loads nothing."""
    name = found.group(1)
    if not is_wanted(name):
        return ""
    frame = f'<iframe src="{SCENES}/{name}.html" title="{name}: moving 3-D scene" loading="lazy"></iframe>'
    return f'<details class="scene"><summary>{name} in 3-D: turn it, play it</summary>{frame}</details>'


def on_post_build(config: Any, **_: Any) -> None:
    """Run the scenarios whose scenes the pages show, and write their pages."""
    pages = sorted(Path(config["docs_dir"]).glob("*.md"))
    places = [name for page in pages for name in SCENE.findall(page.read_text(encoding="utf-8"))]
    names = [name for name in dict.fromkeys(places) if is_wanted(name)]
    if names:
        _write_scenes(names, Path(config["site_dir"]) / SCENES)


def _write_scenes(names: list[str], folder: Path) -> None:
    """One small page for each scenario; all of them share the viewer."""
    from chrono_powercontact.app.live_runs import scene_of_run
    from chrono_powercontact.app.runner import execute
    from chrono_powercontact.scenarios.catalogue import find
    from chrono_powercontact.view.scene_page import page_of, viewer_script

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "viewer.js").write_text(viewer_script(), encoding="utf-8")
    for name in names:
        scenario = find(name)
        scene = scene_of_run(scenario, execute(scenario, {}, "reference"))
        (folder / f"{name}.html").write_text(page_of(scene, viewer="viewer.js"), encoding="utf-8")


def on_page_content(content: str, **_: Any) -> str:
    """Turn the formulas of a page into MathML."""
    return FORMULA.sub(_mathml, content)


def _mathml(found: re.Match[str]) -> str:
    display = "block" if found.group(1) == "div" else "inline"
    return str(convert(html.unescape(found.group(2)), display=display))
