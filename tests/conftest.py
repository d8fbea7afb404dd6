"""Tests that carry the mark `chrono` need the real PyChrono; the examples of hypothesis are the same in every run."""

import pytest
from hypothesis import settings

from chrono_powercontact.chrono.api.bridge import missing

settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("same")


def pytest_collection_modifyitems(items):
    reason = missing()
    if reason is None:
        return
    for item in items:
        if item.get_closest_marker("chrono"):
            item.add_marker(pytest.mark.skip(reason=reason))
