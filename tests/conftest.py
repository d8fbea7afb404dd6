"""Tests that carry the mark `chrono` need the real PyChrono; the examples of hypothesis are the same in every run.

The tests that are listed in slow.txt run with --slow, or if tests are asked for by name; --slow also tries more of
hypothesis' examples.
"""

from pathlib import Path

import pytest
from hypothesis import settings

from chrono_powercontact.chrono.api.bridge import missing

SLOW = frozenset((Path(__file__).parent / "slow.txt").read_text().splitlines())

settings.register_profile("few", derandomize=True, deadline=None, max_examples=30)
settings.register_profile("many", derandomize=True, deadline=None, max_examples=100)


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="also run the tests that are listed in tests/slow.txt")


def pytest_configure(config):
    settings.load_profile("many" if config.getoption("--slow") else "few")


def pytest_collection_modifyitems(config, items):
    skip_without_chrono(items)
    if not config.getoption("--slow") and not any("::" in word for word in config.args):
        leave_out_slow(config, items)


def skip_without_chrono(items):
    reason = missing()
    if reason is None:
        return
    for item in items:
        if item.get_closest_marker("chrono"):
            item.add_marker(pytest.mark.skip(reason=reason))


def leave_out_slow(config, items):
    left_out = [item for item in items if item.nodeid in SLOW]
    items[:] = [item for item in items if item.nodeid not in SLOW]
    config.hook.pytest_deselected(items=left_out)


@pytest.fixture
def without_coal(monkeypatch):
    """As if the library coal were not installed: large and open meshes then stay with Chrono's narrow phase."""
    from chrono_powercontact.chrono.takeover.solids import solid_records

    monkeypatch.setattr(solid_records, "coal", lambda: None)
