import multiprocessing
import time

import pytest

from chrono_powercontact.app import tour as tour_module


@pytest.mark.slow
def test_tour_writes_one_page_over_the_runs(tmp_path, monkeypatch):
    names = ("ball", "wall")
    monkeypatch.setattr(tour_module, "NAMES", names)
    summaries = tour_module.tour(tmp_path, quiet=True)
    assert [summary["scenario"] for summary in summaries] == list(names)
    page = (tmp_path / "index.html").read_text()
    assert "2 of 2 claims hold" in page
    assert page.count('class="card"') == 2
    assert len(page) < 1_000_000
    assert (tmp_path / "wall" / "summary.json").exists()
    assert "powercontact run wall" in (tmp_path / "wall" / "index.html").read_text()


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
