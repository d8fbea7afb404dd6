"""The site of the documents builds strictly, lists every public name, and opens from disk without a network."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from browser import browsing
from page_walk import pages_below, walk

import chrono_powercontact as pc
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.scenario import Scenario

ROOT = Path(__file__).resolve().parents[1]


SCENE = "ball"
"""The one scenario whose scene is built here: all of them take minutes."""

SYMPTOMS = ("creep", "stick", "contact force is zero", "rolling friction")
"""What users of Chrono search for."""


class _Page(HTMLParser):
    """Addresses that a page names, and the places that can be named in it."""

    def __init__(self, path):
        super().__init__()
        self.addresses = []
        self.places = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.places |= {values[name] for name in ("id", "name") if values.get(name)}
        self.addresses += [values[name] for name in ("href", "src") if values.get(name)]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    for library in ("material", "mkdocstrings", "latex2mathml"):
        pytest.importorskip(library, reason="the site needs pip install '.[docs]'")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    scenes = os.environ | {"POWERCONTACT_SCENES": SCENE}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=scenes)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_public_name_is_in_the_reference(site):
    places = _Page(site / "reference.html").places
    listed = {place.rpartition(".")[2] for place in places if place.startswith("chrono_powercontact.")}
    assert sorted(set(pc.__all__) - {"__version__"} - listed) == []


def test_every_address_is_there_and_none_leaves_the_site(site):
    pages = {path: _Page(path) for path in site.glob("*.html") if path.name != "404.html"}
    broken = []
    for path, page in pages.items():
        for address in page.addresses:
            target, _, place = address.partition("#")
            if target.startswith(("http", "data:", "mailto:", "javascript:")) or target == "..":
                continue
            file = (path.parent / unquote(target.partition("?")[0])).resolve() if target else path
            known = pages[file].places if file in pages else {unquote(place)}
            if not file.exists() or (place and unquote(place) not in known and not place.startswith("__")):
                broken.append(f"{path.name}: {address}")
    assert broken == []


def test_formulas_need_no_script(site):
    text = (site / "derivations.html").read_text(encoding="utf-8")
    assert text.count("<math") > 100
    assert "arithmatex" not in text
    assert "mathjax" not in text.lower()


@pytest.mark.parametrize("word", SYMPTOMS)
def test_symptoms_are_headings_of_their_page(word):
    lines = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8").splitlines()
    headings = [line.lower() for line in lines if line.startswith("## ")]
    assert any(word in heading for heading in headings)


def test_the_gallery_has_places_for_scenes_of_scenarios_that_have_one():
    text = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    names = re.findall(r"<!-- scene: (\w+) -->", text)
    assert len(names) > 15
    assert [name for name in names if type(find(name)).scene is Scenario.scene] == []


def test_the_gallery_opens_a_scene(site):
    pytest.importorskip("viser")
    page = _Page(site / "gallery.html")
    assert f"scenes/{SCENE}.html" in page.addresses
    assert (site / "scenes" / f"{SCENE}.html").stat().st_size < 300_000


def test_every_page_opens_from_disk_without_network_or_errors(site):
    assert walk(pages_below(site)) == []


@pytest.mark.parametrize("word", SYMPTOMS)
def test_a_symptom_that_is_searched_for_leads_to_its_page(site, word):
    with browsing() as seen:
        page = seen.open(site / "index.html")
        page.keyboard.press("/")
        page.keyboard.type(word)
        page.locator(".md-search-result__item").first.wait_for()
        assert "Troubleshooting by symptom" in page.locator(".md-search-result__item").first.inner_text()
        assert seen.clean(), (seen.requests, seen.errors)


def test_wide_formulas_scroll_by_themselves_on_a_phone(site):
    assert walk([site / "derivations.html", site / "reference.html"], sizes=("phone",)) == []
