"""Runs of scenarios, each computed once per session."""

from functools import cache

import pytest

from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.parameters import read_parameters


@cache
def _run(name, given):
    scenario = find(name)
    return scenario.run(read_parameters(scenario.parameters, dict(given)))


@pytest.fixture(scope="session")
def outcome():
    """outcome(name, key=value, ...) runs a scenario with some parameters set."""
    return lambda name, **given: _run(name, tuple(sorted(given.items())))
