"""Linearly implicit steps of the rake cleaner: the rake is pressed against the rack, against RK4."""

from __future__ import annotations

import numpy as np
import pytest

from chrono_powercontact.errors import DivergedError, ParameterError
from chrono_powercontact.scenarios.rake.machine.drive import PACKAGED, Command, read_command
from chrono_powercontact.scenarios.rake.machine.rack_contact import MEMORY, contact_law
from chrono_powercontact.scenarios.rake.motion.gauges import LEDGER_SIZE, ledger_error
from chrono_powercontact.scenarios.rake.motion.setup import Setup, run
from chrono_powercontact.scenarios.rake.motion.stiff_motion import run_stiff, states, tolerances

BEGIN, TIME, APART = 59.0, 7.0, 0.05
"""From just before the first contact to the end of pressing, in s."""


def pressing(law: str) -> Setup:
    """The machine at rest in front of the rack, and the command from there on."""
    whole = read_command(PACKAGED)
    kept = whole.t >= BEGIN - 1e-9
    return Setup(command=Command(whole.t[kept] - BEGIN, whole.c[:, kept]), law=contact_law(law, 0.65, 0.5, 5e-3, 1e-2))


def unwatched(share: float) -> None:
    assert 0.0 < share <= 1.0


@pytest.mark.parametrize("law", ["regularised", "power"])
def test_long_steps_give_what_short_ones_give(law: str) -> None:
    machine = pressing(law)
    fine = run(machine, 2.5e-4, TIME, unwatched, APART)
    rough = run_stiff(machine, TIME, unwatched, APART)
    assert rough["t"] == pytest.approx(fine["t"])
    assert fine["N"].max() > 8e3
    for name in ("F1", "F2", "N", "F_t"):
        assert np.abs(rough[name] - fine[name]).max() < 0.01 * np.ptp(fine[name]), name
    assert np.abs(rough["s"] - fine["s"]).max() < 1e-4
    assert rough.steps < 0.1 * fine.steps


def test_the_ledger_closes_with_the_tolerance() -> None:
    machine = pressing("regularised")
    rough, fine = (run_stiff(machine, TIME, unwatched, APART, tolerance) for tolerance in (1e-3, 1e-6))
    assert np.abs(ledger_error(fine)).max() < 1e-4 * np.ptp(fine["drive_work"])
    assert np.abs(ledger_error(fine)).max() < 0.3 * np.abs(ledger_error(rough)).max()
    assert rough.steps < fine.steps


@pytest.mark.parametrize(("law", "memory"), [("regularised", []), ("power", [0]), ("lugre", [0]), ("anchored", [1])])
def test_memory_is_active_where_the_law_uses_it(law: str, memory: list[int]) -> None:
    world = pressing(law).world
    n = 2 * world.mech.own.size
    active, passive = states(world)
    assert active.tolist() == [*range(n), *(n + i for i in memory)]
    assert sorted([*active, *passive]) == list(range(n + MEMORY + LEDGER_SIZE))


def test_absolute_errors_go_with_the_relative_one() -> None:
    world = pressing("power").world
    active, _ = states(world)
    one, ten = (tolerances(world, active, tolerance) for tolerance in (1e-5, 1e-4))
    assert np.all(one > 0.0)
    assert ten == pytest.approx(10.0 * one)


def test_a_tolerance_must_be_positive() -> None:
    with pytest.raises(ParameterError, match="tolerance must be greater than 0, got 0"):
        run_stiff(pressing("power"), TIME, unwatched, APART, 0.0)


def test_a_run_that_cannot_go_on_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = pressing("regularised")
    start = machine.start()
    start[len(machine.mech.own)] = np.nan
    monkeypatch.setattr(Setup, "start", lambda self: start)
    with pytest.raises(DivergedError, match="the rake cleaner could not go on after 0 s with a tolerance of 1e-05"):
        run_stiff(machine, TIME, unwatched, APART)
