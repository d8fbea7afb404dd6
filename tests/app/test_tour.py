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
    assert page.count("data:image/png") == 2
    assert (tmp_path / "wall" / "summary.json").exists()
