"""A headless Chromium for tests of pages: it records requests to the network and errors on the console."""

import os
import shutil
from contextlib import contextmanager

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]
PATIENCE = 120_000
"""Time in ms that a page may take on a busy machine."""


def chromium():
    """Path of a Chromium; skips the test where there is none."""
    pytest.importorskip("playwright", reason="browser tests need playwright")
    found = os.environ.get("POWERCONTACT_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("no Chromium was found: install it, or name it in POWERCONTACT_CHROMIUM")
    return found


class Seen:
    """A page with what it asked for and complained about."""

    def __init__(self, page):
        self.page = page
        self.requests = []
        self.errors = []
        page.on("request", self._note)
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _note(self, request):
        if not request.url.startswith(("file:", "data:", "blob:", "about:")):
            self.requests.append(request.url)

    def open(self, path):
        self.page.goto(path.resolve().as_uri(), timeout=PATIENCE)
        return self.page

    def clean(self):
        return self.requests == [] and self.errors == []


@contextmanager
def browsing(width=1100, height=700, dark=False):
    """A page in a headless browser with an empty profile."""
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        try:
            scheme = "dark" if dark else "light"
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.set_default_timeout(PATIENCE)
            yield Seen(page)
        finally:
            browser.close()


def scene_ready(page):
    """Wait until the moving scene of a page is drawn."""
    page.wait_for_function("document.querySelector('.pc-view').powercontact?.view")
    page.wait_for_timeout(1500)


def state(page):
    """Number of the frame that a view shows, and whether it plays."""
    return page.evaluate(
        "(() => { const s = document.querySelector('.pc-view').powercontact;"
        " return { frame: s.frame, paused: s.paused, shown: s.shown }; })()"
    )


def scene_pixels(page):
    """The picture of the scene alone."""
    return page.locator(".pc-scene").screenshot()
