from html.parser import HTMLParser

from PIL import Image

from chrono_powercontact.report.page import Entry, write_page


class _Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.images, self.links, self.text = [], [], []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "img":
            self.images.append(values["src"])
        if tag in ("a", "link", "script"):
            self.links.append(values.get("href") or values.get("src"))

    def handle_data(self, data):
        self.text.append(data)


VERDICTS = {"one": True, "two": False, "three": None}


def _summary(name, passed):
    metrics = {"a": 1.23456789, "b": [1, 2], "c": None}
    checks = [{"text": "a < 2", "passed": passed}]
    run = {"steps": 5, "wall_time": 0.1, "engine": "reference", "engine_version": "0"}
    return {
        "scenario": name,
        "claim": "It is < 1 & > 0.",
        "passed": passed,
        "metrics": metrics,
        "checks": checks,
        **run,
    }


def test_page_is_self_contained(tmp_path):
    folder = tmp_path / "one"
    folder.mkdir()
    Image.new("RGB", (4, 4)).save(folder / "plot.png")
    write_page(tmp_path / "index.html", [Entry(_summary("one", True), folder, "thesis")], "0.1", 2.0)
    tags = _Tags()
    tags.feed((tmp_path / "index.html").read_text())
    assert len(tags.images) == 1
    assert tags.images[0].startswith("data:image/png;base64,")
    assert tags.links == ["#one"]


def test_failed_claims_are_counted_and_text_is_escaped(tmp_path):
    entries = [Entry(_summary(name, passed), tmp_path, "") for name, passed in VERDICTS.items()]
    write_page(tmp_path / "index.html", entries, "0.1", 2.0)
    text = (tmp_path / "index.html").read_text()
    assert "1 of 3 claims hold" in text
    assert "not judged" in text
    assert "does not hold" in text
    assert "It is &lt; 1 &amp; &gt; 0." in text
    assert "1.23457" in text
