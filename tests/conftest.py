"""Tests that carry the mark `chrono` need the real PyChrono."""

import pytest

from chrono_powercontact.chrono.api import missing


def pytest_collection_modifyitems(items):
    reason = missing()
    if reason is None:
        return
    for item in items:
        if item.get_closest_marker("chrono"):
            item.add_marker(pytest.mark.skip(reason=reason))
