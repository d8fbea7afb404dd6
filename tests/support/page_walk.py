"""Opens pages in a headless Chromium one after another, and tries what moves on them.

python tests/support/page_walk.py FOLDER [--pictures DIR]      every page below a folder, with pictures of it
"""

import argparse
import sys
from pathlib import Path

from browser import browsing, scene_pixels, scene_ready, state

SIZES = {"light": (1200, 900, False), "dark": (1200, 900, True), "phone": (390, 844, False)}
"""Width and height in pixels, and whether the reader likes it dark."""


def pages_below(folder):
    """All pages below a folder."""
    return sorted(path for path in Path(folder).rglob("*.html") if path.name != "404.html")


def settle(page):
    """Wait until the scene of a page is drawn, if it has one; returns whether it has."""
    if page.locator(".pc-view").count() == 0:
        return False
    scene_ready(page)
    return True


def try_scene(page):
    """Move the slider, play, and see scene and state change; returns what did not."""
    wrong = []
    page.locator(".pc-view").scroll_into_view_if_needed()
    last = page.evaluate("document.querySelector('.pc-view').powercontact.data.t.length - 1")
    first = scene_pixels(page)
    page.locator(".pc-slider").fill(str(last // 2))
    page.wait_for_timeout(600)
    seen = state(page)
    if seen != {"frame": last // 2, "paused": True, "shown": True}:
        wrong.append(f"slider: {seen}")
    if scene_pixels(page) == first:
        page.locator(".pc-slider").fill(str(last))
        page.wait_for_timeout(600)
        if scene_pixels(page) == first:
            wrong.append("slider: the picture stays the same")
    page.locator(".pc-slider").fill("0")
    page.locator(".pc-play").click()
    page.wait_for_function("document.querySelector('.pc-view').powercontact.frame > 0")
    page.wait_for_function("document.querySelector('.pc-view').powercontact.shown")
    if not state(page)["paused"]:
        page.locator(".pc-play").click()
    return wrong


def walk(paths, pictures=None, sizes=("light",), told=lambda line: None):
    """Open pages; returns a line for each thing that is wrong. Scenes are tried at the first size."""
    wrong = []
    for number, size in enumerate(sizes):
        width, height, dark = SIZES[size]
        with browsing(width, height, dark) as seen:
            for path in paths:
                page = seen.open(path)
                has_scene = settle(page)
                found = try_scene(page) if has_scene and number == 0 else []
                if page.evaluate("document.documentElement.scrollWidth > window.innerWidth + 1"):
                    found.append("wider than the window")
                if pictures is not None:
                    named = f"{path.parent.name}-{path.stem}-{size}.png"
                    page.screenshot(path=str(Path(pictures) / named), full_page=False)
                found += [f"request to {address}" for address in seen.requests] + seen.errors
                seen.requests.clear()
                seen.errors.clear()
                wrong += [f"{path.parent.name}/{path.name} ({size}): {line}" for line in found]
                told(f"{path.parent.name}/{path.name} {size}: {'scene ' if has_scene else ''}{found or 'clean'}")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--sizes", nargs="+", default=list(SIZES), choices=SIZES)
    given = parser.parse_args()
    if given.pictures is not None:
        given.pictures.mkdir(parents=True, exist_ok=True)
    wrong = walk(pages_below(given.folder), given.pictures, given.sizes, lambda line: print(line, flush=True))
    print("\n".join(wrong) or "nothing is wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
