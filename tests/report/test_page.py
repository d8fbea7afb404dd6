import json
from html.parser import HTMLParser

import pytest
from browser import browsing, scene_ready
from page_walk import walk
from PIL import Image
from recorded import small_recording

from chrono_powercontact.report import page as module
from chrono_powercontact.report.folder import CHARTS
from chrono_powercontact.report.page import Entry, write_pages

VERDICTS = {"one": True, "two": False, "three": None}
CURVE = {"label": "F", "colour": "#1f6fb4", "dots": False, "x": [0.0, 1.0, 2.0], "y": [0.0, 3.0, None]}
CHART = {"title": "force", "x": "time in s", "y": "force in N", "scale": 1, "across": 1, "curves": [CURVE]}
FADING = CURVE | {"y": [39.0, 1e-30, 5e-258]}
DEEP = CHART | {"title": "energy", "scale": 3, "curves": [CURVE | {"y": [39.0, 1e-3, 1e-30]}]}
TINY = CHART | {"title": "heat", "curves": [FADING, CURVE | {"y": [1e-258, 2e-258, 3e-258]}]}
"""Charts over more decades than can be marked, and of numbers that hardly differ from zero."""

MEANINGS = {"speed": ("m/s", "of the ball < 5")}


class _Tags(HTMLParser):
    """Addresses that a page names."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.found += [values[name] for name in ("src", "href") if name in values]


def summary(name, passed):
    return {
        "scenario": name,
        "claim": "It is < 1 & > 0.",
        "passed": passed,
        "metrics": {"a": 1.23456789, "b": [1, 2], "c": None, "d": {"x": 2.0}},
        "params": {"speed": 3.0},
        "checks": [{"text": "a < 2", "passed": passed}],
        "steps": 5,
        "wall_time": 0.1,
        "engine": "reference",
        "engine_version": "0",
    }


@pytest.fixture
def report(tmp_path):
    entries = []
    for name, passed in VERDICTS.items():
        folder = tmp_path / name
        folder.mkdir()
        Image.new("RGB", (90, 60)).save(folder / "plot.png")
        (folder / CHARTS).write_text(json.dumps([CHART, DEEP, TINY]))
        entries.append(Entry(summary(name, passed), folder, "thesis 1.2", "A scene.", "About it.", MEANINGS))
    return tmp_path, entries


def test_every_address_of_the_report_is_a_file_in_it(report):
    folder, entries = report
    small_recording(8).save(folder / "one" / "scene.npz")
    write_pages(folder, entries, "0.1", 2.0)
    for page in [folder / "index.html", *(folder / name / "index.html" for name in VERDICTS)]:
        for address in _Tags(page.read_text(encoding="utf-8")).found:
            if not address.startswith(("#", "data:")):
                assert (page.parent / address).exists(), address


def test_failed_claims_are_counted_and_text_is_escaped(report):
    folder, entries = report
    write_pages(folder, entries, "0.1", 2.0)
    start = (folder / "index.html").read_text(encoding="utf-8")
    assert "1 of 3 claims hold" in start
    assert "not judged" in start
    assert "does not hold" in start
    assert "It is &lt; 1 &amp; &gt; 0." in start
    one = (folder / "one" / "index.html").read_text(encoding="utf-8")
    assert "1.23457" in one
    assert "x: 2" in one
    assert "powercontact run one --engine reference" in one
    assert "About it. Source: thesis 1.2." in one
    assert "<p>A scene.</p>" in one
    assert '<th scope="row">speed</th><td>3</td><td>m/s</td><td>of the ball &lt; 5</td>' in one


def test_without_viser_the_animation_stands_in(report, monkeypatch):
    folder, entries = report
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    small_recording(8).save(folder / "one" / "scene.npz")
    Image.new("RGB", (9, 6)).save(folder / "one" / "animation.gif")
    write_pages(folder, entries, "0.1", 2.0)
    text = (folder / "one" / "index.html").read_text(encoding="utf-8")
    assert 'src="animation.gif"' in text
    assert "pc-view" not in text


def test_long_names_of_neighbours_fit_on_a_phone(report):
    folder, entries = report
    for entry in entries:
        entry.summary["scenario"] = f"a_rather_long_name_{entry.summary['scenario']}"
    write_pages(folder, entries, "0.1", 2.0)
    assert walk([folder / "two" / "index.html"], sizes=("phone",)) == []


def test_pages_open_from_disk_without_network_or_errors(report):
    pytest.importorskip("viser")
    folder, entries = report
    small_recording(8).save(folder / "one" / "scene.npz")
    write_pages(folder, entries, "0.1", 2.0)
    with browsing() as seen:
        page = seen.open(folder / "index.html")
        assert page.locator(".card:visible").count() == 3
        page.locator(".filter").fill("two")
        assert page.locator(".card:visible").count() == 1
        page.locator(".filter").fill("")
        page.get_by_role("link", name="one").click()
        scene_ready(page)
        assert page.locator(".chart canvas").count() == 3
        assert page.get_by_role("table", name="metrics").count() == 1
        copying = page.get_by_role("button", name="copy the table parameters")
        copying.click()
        page.wait_for_function("[...document.querySelectorAll('button.copy')].some((b) => b.textContent === 'copied')")
        assert seen.clean(), (seen.requests, seen.errors)
