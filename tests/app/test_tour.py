import multiprocessing
import time

import pytest
from page_walk import pages_below, walk

from chrono_powercontact.app import tour as tour_module
from chrono_powercontact.app.cli import main

OTHER_PAGES = (
    ("compare", "ball", "--models", "power,hooke"),
    ("sweep", "ball", "--over", "speed=1,2", "--jobs", "1", "--engine", "reference"),
    ("figures", "2.4"),
)
"""Commands that write pages besides, with their words."""


def test_tour_writes_one_page_over_the_runs(tmp_path, monkeypatch):
    names = ("ball", "wall")
    monkeypatch.setattr(tour_module, "names_on", lambda engine: list(names))
    summaries = tour_module.tour(tmp_path, quiet=True)
    assert [summary["scenario"] for summary in summaries] == list(names)
    page = (tmp_path / "index.html").read_text()
    assert "2 of 2 claims hold" in page
    assert page.count('class="card"') == 2
    assert len(page) < 1_000_000
    assert (tmp_path / "wall" / "summary.json").exists()
    wall = (tmp_path / "wall" / "index.html").read_text()
    assert "powercontact run wall" in wall
    assert "A ball against a wall of finite thickness" in wall
    assert '<th scope="row">speed</th>' in wall
    pytest.importorskip("viser")
    for words in OTHER_PAGES:
        assert main([*words, "--out", str(tmp_path / words[0]), "--quiet"]) == 0
    pages = pages_below(tmp_path)
    assert len(pages) == len(names) + 1 + len(OTHER_PAGES)
    assert walk(pages) == []
    assert walk([tmp_path / "index.html", tmp_path / "wall" / "index.html"], sizes=("dark", "phone")) == []


def test_a_stopped_tour_leaves_no_process_behind():
    with pytest.raises(KeyboardInterrupt), tour_module._workers(2) as pool:
        _stop_while_working(pool)
    assert multiprocessing.active_children() == []


def _stop_while_working(pool):
    """What Ctrl-C does while the processes work."""
    for _ in range(5):
        pool.submit(time.sleep, 600.0)
    while not multiprocessing.active_children():
        time.sleep(0.01)
    raise KeyboardInterrupt
