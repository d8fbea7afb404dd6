import pytest
from browser import browsing, scene_pixels, scene_ready, state
from recorded import COUNT, heap, small_recording

pytest.importorskip("viser")

from chrono_powercontact.view.scene_page import inline, page_of, scene_data


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    return small_recording().html(tmp_path_factory.mktemp("view") / "view.html")


def test_the_page_is_one_file_below_a_megabyte(page_file):
    assert page_file.stat().st_size < 1_000_000
    text = page_file.read_text(encoding="utf-8")
    assert '<script src="' not in text
    assert '<link rel="stylesheet"' not in text


def test_a_title_is_escaped():
    recording = small_recording(4)
    recording.title = "<b>bold</b></script>"
    page = page_of(recording)
    assert "<title>&lt;b&gt;bold" in page
    assert page.count("</script>") == 3


def test_a_notebook_shows_it_inline():
    assert inline(small_recording(4)).startswith('<iframe title="a small scene" srcdoc="&lt;!doctype html&gt;')


def test_data_tell_contacts_and_curves():
    data = scene_data(small_recording())
    assert data["counts"][0] == [0, 0]
    assert data["counts"][-1] == [0, 1]
    assert len(data["columns"]["heat"]) == len(data["t"]) == COUNT


def test_slider_and_play_move_scene_and_curves_without_network(page_file):
    with browsing() as seen:
        page = seen.open(page_file)
        scene_ready(page)
        assert state(page) == {"frame": 0, "paused": True, "shown": True}
        first = scene_pixels(page)
        page.locator(".pc-slider").fill(str(COUNT - 1))
        page.wait_for_timeout(800)
        assert state(page)["frame"] == COUNT - 1
        assert "1 slide" in page.locator(".pc-legend").inner_text()
        last = scene_pixels(page)
        assert last != first
        page.locator(".pc-slider").fill("0")
        page.wait_for_timeout(800)
        assert scene_pixels(page) != last
        page.locator(".pc-speed").select_option("0.05")
        page.locator(".pc-play").click()
        page.wait_for_function("document.querySelector('.pc-view').powercontact.frame > 1")
        page.locator(".pc-play").click()
        assert state(page)["paused"]
        assert page.locator(".pc-charts canvas").count() == 1
        assert seen.clean(), (seen.requests, seen.errors)
        page = seen.open(with_another_viewer(page_file))
        page.get_by_text("The scene cannot be moved: viser's page has no box for the time").wait_for()
        assert seen.clean(), (seen.requests, seen.errors)


def with_another_viewer(page_file):
    """The same page with a viewer whose page is not the known one."""
    text = page_file.read_text(encoding="utf-8").replace('class="pc-view"', 'class="pc-view" data-patience="200"')
    begin = text.index("window.powercontactViewer = ")
    end = text.index("</script>", begin)
    empty = 'window.powercontactViewer = "<html><head><\\/head><body><\\/body><\\/html>";'
    other = page_file.with_name("another.html")
    other.write_text(text[:begin] + empty + text[end:], encoding="utf-8")
    return other


@pytest.mark.parametrize(("bodies", "most"), [(200, 1_500_000), (1000, 4_000_000)])
def test_a_page_of_many_bodies_stays_small(bodies, most):
    assert len(page_of(heap(bodies, 300)).encode()) < most
