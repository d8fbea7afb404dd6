"""Chrono's process-wide defaults of collision: runs neither inherit nor leave them."""

import subprocess
import sys
from contextlib import suppress

import pytest

from chrono_powercontact.app.runner import execute
from chrono_powercontact.chrono.run.collision_defaults import CollisionDefaults, chronos_own_defaults
from chrono_powercontact.scenarios.catalogue import find

pytestmark = pytest.mark.chrono

ODD = CollisionDefaults(0.0007, 0.0003, 0.05)

NEW_PROCESS = """
from chrono_powercontact.chrono.run.collision_defaults import CollisionDefaults
assert CollisionDefaults.in_force() == CollisionDefaults()
"""


@pytest.fixture
def odd_defaults():
    with chronos_own_defaults():
        ODD.apply()
        yield


def test_a_new_process_has_the_defaults_that_are_written_here(tmp_path):
    subprocess.run([sys.executable, "-c", NEW_PROCESS], check=True, cwd=tmp_path)


@pytest.mark.parametrize(
    ("name", "given"),
    [("slope", {"law": "smc-hooke"}), ("slope", {"law": "nsc-default"}), ("drop", {"law": "nsc"}), ("drop", {})],
)
def test_a_run_neither_inherits_nor_leaves_defaults(odd_defaults, name, given):
    inherited = execute(
        find(name), {**given, "time": 0.2, "integrator": "euler_implicit_linearized"}, "chrono"
    ).outcome.trajectory
    assert CollisionDefaults.in_force() == ODD
    CollisionDefaults().apply()
    own = execute(
        find(name), {**given, "time": 0.2, "integrator": "euler_implicit_linearized"}, "chrono"
    ).outcome.trajectory
    assert (inherited.data == own.data).all()


def test_defaults_return_after_a_failure():
    before = CollisionDefaults.in_force()
    with suppress(ZeroDivisionError), chronos_own_defaults():
        ODD.apply()
        raise ZeroDivisionError
    assert CollisionDefaults.in_force() == before
